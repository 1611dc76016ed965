# Clang 19, isl 0.25, Z3, Boost from 1.81 on: what polymend stands on. LLVM 19 is the one that is tested; llvm-config on the
# path tells where it is, else CMAKE_PREFIX_PATH.
find_program(POLYMEND_LLVM_CONFIG NAMES llvm-config-19 llvm-config)
if(POLYMEND_LLVM_CONFIG)
  execute_process(COMMAND ${POLYMEND_LLVM_CONFIG} --cmakedir OUTPUT_VARIABLE llvm_cmake OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(llvm_cmake "${llvm_cmake}" DIRECTORY)
endif()
find_package(Clang 19.1 CONFIG REQUIRED HINTS ${llvm_cmake}/clang)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ISL REQUIRED IMPORTED_TARGET isl)
pkg_check_modules(Z3 REQUIRED IMPORTED_TARGET z3)
pkg_get_variable(ISL_LIBDIR isl libdir)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(Threads REQUIRED)

# libLLVM exports Polly's private copy of isl. The real one must come first on the link line, or its headers would run
# Polly's code; a unit test asserts the version that is linked.
function(polymend_link_isl_first target)
  target_link_options(${target} BEFORE PRIVATE LINKER:--no-as-needed ${ISL_LIBDIR}/libisl.so)
endfunction()

# Where the Clang that was found has the headers of its compiler.
set(POLYMEND_RESOURCE_DIR "" CACHE PATH "Clang's resource directory, which has include/stddef.h; empty: that of the Clang that is found")
if(NOT POLYMEND_RESOURCE_DIR)
  execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/clang++ -print-resource-dir
                  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT EXISTS "${found}/include/stddef.h")
    file(GLOB found ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR} ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}.*)
    list(GET found 0 found)
  endif()
  set(POLYMEND_RESOURCE_DIR ${found})
endif()
if(NOT EXISTS ${POLYMEND_RESOURCE_DIR}/include/stddef.h)
  message(FATAL_ERROR "Clang's own headers were not found; -DPOLYMEND_RESOURCE_DIR=DIRECTORY says where they are")
endif()
