# Clang 19, isl 0.25, Z3, Boost 1.81: what polymend stands on.
find_package(Clang 19.1 CONFIG REQUIRED HINTS /usr/lib/llvm-19/lib/cmake/clang)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ISL REQUIRED IMPORTED_TARGET isl)
pkg_check_modules(Z3 REQUIRED IMPORTED_TARGET z3)
pkg_get_variable(ISL_LIBDIR isl libdir)
find_package(Boost 1.81 REQUIRED COMPONENTS json filesystem)
find_package(Threads REQUIRED)

# libLLVM exports Polly's private copy of isl. The real one must come first on the link line, or its headers would run
# Polly's code; a unit test asserts the version that is linked.
function(polymend_link_isl_first target)
  target_link_options(${target} BEFORE PRIVATE LINKER:--no-as-needed ${ISL_LIBDIR}/libisl.so)
endfunction()

execute_process(COMMAND /usr/lib/llvm-19/bin/clang++ -print-resource-dir
                OUTPUT_VARIABLE POLYMEND_RESOURCE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT POLYMEND_RESOURCE_DIR)
  set(POLYMEND_RESOURCE_DIR /usr/lib/llvm-19/lib/clang/19)
endif()
