# What `cmake --install` lays down: the programs, stripped; the libraries; their headers as <takt/FOLDER/NAME.hpp>; the
# CMake package takt and takt.pc for pkg-config.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(takt_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/takt)
set(takt_installed_folders maxplus tpn evaluators plan heuristics experiments live)

list(TRANSFORM takt_installed_folders PREPEND takt_ OUTPUT_VARIABLE takt_libraries)
install(TARGETS takt RUNTIME)
install(TARGETS ${takt_libraries} EXPORT taktTargets
  ARCHIVE
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT taktTargets NAMESPACE takt:: DESTINATION ${takt_package_dir})

# Apart from the rest, which is to be found where MPI is not.
if(TARGET takt_live_mpi)
  install(TARGETS takt_live_mpi EXPORT taktMpiTargets
    ARCHIVE
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT taktMpiTargets NAMESPACE takt:: DESTINATION ${takt_package_dir})
endif()

# Line numbers are ten times the size of the rest; whoever builds with sanitizers, or for a debugger, wants them.
set(takt_strips ON)
set(takt_programs takt)
list(TRANSFORM takt_libraries REPLACE "(.+)" "${CMAKE_INSTALL_LIBDIR}/lib\\1.a" OUTPUT_VARIABLE takt_archives)
if(TARGET takt_live_mpi)
  list(APPEND takt_programs takt-live takt-mpi)
  list(APPEND takt_archives ${CMAKE_INSTALL_LIBDIR}/libtakt_live_mpi.a)
endif()
list(TRANSFORM takt_programs PREPEND ${CMAKE_INSTALL_BINDIR}/)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR CMAKE_BUILD_TYPE STREQUAL "Debug" OR NOT CMAKE_STRIP)
  set(takt_strips OFF)
endif()
if(takt_strips)
  install(CODE "
    foreach(file ${takt_programs} ${takt_archives})
      cmake_path(GET file EXTENSION extension)
      if(extension STREQUAL \".a\")
        set(what --strip-debug)
      else()
        set(what --strip-all)
      endif()
      execute_process(COMMAND \"${CMAKE_STRIP}\" \${what} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${file}\"
        COMMAND_ERROR_IS_FATAL ANY)
    endforeach()")
endif()

# Headers find one another by the names that users write.
foreach(folder ${takt_installed_folders})
  get_target_property(headers takt_${folder} TAKT_HEADERS)
  install(CODE "
    set(folder \"${folder}\")
    set(headers \"${headers}\")
    set(source \"${PROJECT_SOURCE_DIR}/${folder}\")
    set(destination \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/takt/${folder}\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/InstallHeaders.cmake\")")
endforeach()

# Static libraries: `pkg-config --static --libs takt` names what they need.
file(RELATIVE_PATH takt_up_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/takt.pc.in ${PROJECT_BINARY_DIR}/takt.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/takt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

configure_package_config_file(cmake/taktConfig.cmake.in ${PROJECT_BINARY_DIR}/taktConfig.cmake
  INSTALL_DESTINATION ${takt_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/taktConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taktConfig.cmake ${PROJECT_BINARY_DIR}/taktConfigVersion.cmake
  DESTINATION ${takt_package_dir})
