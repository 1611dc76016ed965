# What CMake wants of a ROCm folder to know the language HIP, over Debian's headers, device libraries and runtime, which lie elsewhere.
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::device INTERFACE IMPORTED)
  add_library(hip-lang::amdhip64 INTERFACE IMPORTED)
endif()
