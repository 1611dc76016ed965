# The primitives that printed code calls: embedded in the tool, and as headers in include/polymend_rt beside it, built or
# installed, for what is printed with --runtime=header.
set(primitives ${PROJECT_SOURCE_DIR}/primitives)
set(primitive_table ${PROJECT_BINARY_DIR}/primitives.cpp)
set(primitive_headers ${PROJECT_BINARY_DIR}/include/polymend_rt)
file(GLOB_RECURSE primitive_files CONFIGURE_DEPENDS ${primitives}/*.h ${primitives}/*.cuh)
add_custom_command(
  OUTPUT ${primitive_table}
  DEPENDS ${primitive_files} ${PROJECT_SOURCE_DIR}/cmake/embed_primitives.cmake
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${primitive_headers}
  COMMAND ${CMAKE_COMMAND} -DFROM=${primitives} -DTABLE=${primitive_table} -DTREE=${primitive_headers}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_primitives.cmake
  COMMENT "Embedding primitives" VERBATIM)
target_sources(polymend_print_text PRIVATE ${primitive_table})
target_include_directories(polymend_print_text PRIVATE ${PROJECT_SOURCE_DIR}/src/print/text)
add_library(polymend_runtime INTERFACE)
add_library(polymend::runtime ALIAS polymend_runtime)
set_target_properties(polymend_runtime PROPERTIES EXPORT_NAME runtime)
target_include_directories(polymend_runtime INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                                                      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
