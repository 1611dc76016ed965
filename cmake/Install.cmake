# What `cmake --install` copies: the tool, the headers of its primitives, the emulated device, the manual page and completion
# for shells, and what find_package and pkg-config read. Without it where polymend is a part of another project.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/polymend)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/polymendConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(TARGETS polymend polymend_runtime EXPORT polymendTargets RUNTIME)
install(EXPORT polymendTargets NAMESPACE polymend:: DESTINATION ${package})
install(FILES cmake/polymendConfig.cmake cmake/polymendTransform.cmake cmake/polymendStamp.cmake cmake/polymendLint.cmake
              ${PROJECT_BINARY_DIR}/polymendConfigVersion.cmake DESTINATION ${package})
install(DIRECTORY ${primitive_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(emulated_files)
  install(DIRECTORY ${emulated_files}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/polymend/emulate)
endif()

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${completion_bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completion_zsh} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completion_fish} DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

file(RELATIVE_PATH upward /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/polymend.pc.in ${PROJECT_BINARY_DIR}/polymend.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/polymend.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
