# What `cmake --install` lays down: the programs, stripped; the libraries; their headers as <takt/FOLDER/NAME.hpp>; the
# CMake package takt and takt.pc for pkg-config.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(takt_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/takt)
set(takt_installed_folders maxplus tpn evaluators plan vary heuristics experiments live)

list(TRANSFORM takt_installed_folders PREPEND takt_ OUTPUT_VARIABLE takt_libraries)
install(TARGETS takt RUNTIME COMPONENT program)
install(TARGETS ${takt_libraries} EXPORT taktTargets
  ARCHIVE COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS takt_public EXPORT taktTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TAKT_SHARED)
  install(TARGETS takt_shared EXPORT taktTargets
    LIBRARY COMPONENT development
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(EXPORT taktTargets NAMESPACE takt:: DESTINATION ${takt_package_dir} COMPONENT development)

# Apart from the rest, which is to be found where MPI is not.
if(TARGET takt_live_mpi)
  install(TARGETS takt_live_mpi EXPORT taktMpiTargets
    ARCHIVE COMPONENT development
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT taktMpiTargets NAMESPACE takt:: DESTINATION ${takt_package_dir} COMPONENT development)
endif()

# Line numbers are ten times the size of the rest; whoever builds with sanitizers, or for a debugger, wants them.
set(takt_strips ON)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR CMAKE_BUILD_TYPE STREQUAL "Debug" OR NOT CMAKE_STRIP)
  set(takt_strips OFF)
endif()

# takt_strip(<component> <what> <file>...): what is --strip-all or --strip-debug.
function(takt_strip component what)
  if(NOT takt_strips)
    return()
  endif()
  install(CODE "
    foreach(file ${ARGN})
      execute_process(COMMAND \"${CMAKE_STRIP}\" ${what} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${file}\"
        COMMAND_ERROR_IS_FATAL ANY)
    endforeach()"
    COMPONENT ${component})
endfunction()

set(takt_archives ${takt_libraries})
takt_strip(program --strip-all ${CMAKE_INSTALL_BINDIR}/takt)
if(TARGET takt_live_mpi)
  takt_strip(mpi --strip-all ${CMAKE_INSTALL_BINDIR}/takt-live ${CMAKE_INSTALL_BINDIR}/takt-mpi)
  list(APPEND takt_archives takt_live_mpi)
endif()
list(TRANSFORM takt_archives REPLACE "(.+)" "${CMAKE_INSTALL_LIBDIR}/lib\\1.a")
if(TARGET takt_python)
  takt_strip(python --strip-unneeded ${takt_python_site}/$<TARGET_FILE_NAME:takt_python>)
endif()
takt_strip(development --strip-debug ${takt_archives})

# takt_install_headers(<target> <folder> <destination>): headers find one another by the names that users write.
function(takt_install_headers target folder destination)
  get_target_property(headers ${target} TAKT_HEADERS)
  install(CODE "
    set(headers \"${headers}\")
    set(source \"${PROJECT_SOURCE_DIR}/${folder}\")
    set(destination \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/${destination}\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/InstallHeaders.cmake\")"
    COMPONENT development)
endfunction()
foreach(folder ${takt_installed_folders})
  takt_install_headers(takt_${folder} ${folder} takt/${folder})
endforeach()
takt_install_headers(takt_public library takt)

# Static libraries: `pkg-config --static --libs takt` names what they need.
file(RELATIVE_PATH takt_up_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/takt.pc.in ${PROJECT_BINARY_DIR}/takt.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/takt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

configure_package_config_file(cmake/taktConfig.cmake.in ${PROJECT_BINARY_DIR}/taktConfig.cmake
  INSTALL_DESTINATION ${takt_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/taktConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taktConfig.cmake ${PROJECT_BINARY_DIR}/taktConfigVersion.cmake
  DESTINATION ${takt_package_dir} COMPONENT development)
