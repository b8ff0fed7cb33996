# What `cmake --install` lays down: the program, the libraries with their headers, and the CMake package takt.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(takt_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/takt)

install(TARGETS takt RUNTIME)
install(TARGETS takt_maxplus takt_tpn takt_evaluators takt_heuristics EXPORT taktTargets
  ARCHIVE
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/takt)
install(EXPORT taktTargets NAMESPACE takt:: DESTINATION ${takt_package_dir})

configure_package_config_file(cmake/taktConfig.cmake.in ${PROJECT_BINARY_DIR}/taktConfig.cmake
  INSTALL_DESTINATION ${takt_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/taktConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taktConfig.cmake ${PROJECT_BINARY_DIR}/taktConfigVersion.cmake
  DESTINATION ${takt_package_dir})
