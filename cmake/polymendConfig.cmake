# find_package(polymend): the tool as polymend::polymend, the headers of its primitives as polymend::runtime, and
# polymend_transform.
include(${CMAKE_CURRENT_LIST_DIR}/polymendTargets.cmake)

# polymend_transform(TARGET SOURCES FILE... [OPTIONS OPTION...]): adds what polymend makes of each FILE to TARGET. It is
# made again when the file, a header it includes or the tool changes; the options are those of the command line.
function(polymend_transform target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "polymend_transform(${target}) wants SOURCES FILE... [OPTIONS OPTION...]")
  endif()
  set(extension cpp)
  if("--target=cuda" IN_LIST ARG_OPTIONS)
    set(extension cu)
  elseif("--target=hip" IN_LIST ARG_OPTIONS)
    set(extension hip)
  endif()
  if("--runtime=header" IN_LIST ARG_OPTIONS)
    target_link_libraries(${target} PRIVATE polymend::runtime)
  endif()
  set(folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  foreach(source IN LISTS ARG_SOURCES)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET source STEM LAST_ONLY name)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.polymend.${extension})
    add_custom_command(
      OUTPUT ${output}
      DEPENDS ${source} polymend::polymend
      DEPFILE ${output}.d
      COMMAND polymend::polymend ${source} -o ${output} -MF ${output}.d -MT ${output} ${ARG_OPTIONS} --
              "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      COMMENT "polymend ${name}"
      COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(${target} PRIVATE ${output})
    target_include_directories(${target} PRIVATE ${folder})
  endforeach()
endfunction()
