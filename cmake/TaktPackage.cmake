# What Debian packages hold besides what is installed anyway, and how `cpack -G DEB` makes them (preset package): takt,
# libtakt-dev and python3-takt, and takt-mpi for what needs MPI, so that takt does not.

set(takt_packages program development)
set(takt_package_of_program takt)
set(takt_package_of_development libtakt-dev)
set(takt_package_of_mpi takt-mpi)
set(takt_package_of_python python3-takt)
if(TARGET takt_live_mpi)
  list(APPEND takt_packages mpi)
endif()
if(TARGET takt_python)
  list(APPEND takt_packages python)
endif()

# The date of all that has one: that of the last commit, unless the environment says.
set(takt_epoch "$ENV{SOURCE_DATE_EPOCH}")
if(NOT takt_epoch)
  execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 --format=%ct
    OUTPUT_VARIABLE takt_epoch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(ENV{SOURCE_DATE_EPOCH} "${takt_epoch}")
string(TIMESTAMP takt_month "%B %Y" UTC)
string(TIMESTAMP takt_date "%a, %d %b %Y %H:%M:%S +0000" UTC)

# Pages and completions are what the program says.
find_program(takt_help2man help2man)
find_program(takt_gzip gzip REQUIRED)
if(takt_help2man)
  set(manual ${PROJECT_BINARY_DIR}/manual)
  set(manual_of takt)
  if(TARGET takt-mpi)
    list(APPEND manual_of takt-mpi)
  endif()
  list(TRANSFORM manual_of REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE manual_programs)
  add_custom_command(OUTPUT ${manual}/stamp
    COMMAND ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=${takt_epoch}
            ${PROJECT_SOURCE_DIR}/scripts/man-pages ${manual} ${manual_programs}
    COMMAND ${CMAKE_COMMAND} -E touch ${manual}/stamp
    DEPENDS ${manual_of} ${PROJECT_SOURCE_DIR}/scripts/man-pages COMMENT "Writing man pages" VERBATIM)
  add_custom_target(takt_manual ALL DEPENDS ${manual}/stamp)
  install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program
    FILES_MATCHING PATTERN "*.1.gz" PATTERN "takt-mpi*" EXCLUDE)
  if(TARGET takt-mpi)
    install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi
      FILES_MATCHING PATTERN "takt-mpi*.1.gz")
  endif()
else()
  message(STATUS "no help2man: there will be no man pages")
endif()

set(completions)
foreach(shell bash zsh fish)
  set(script ${PROJECT_BINARY_DIR}/completions/takt.${shell})
  add_custom_command(OUTPUT ${script}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completions
    COMMAND takt completion ${shell} > ${script}
    DEPENDS takt COMMENT "Writing completions for ${shell}" VERBATIM)
  list(APPEND completions ${script})
endforeach()
add_custom_target(takt_completions ALL DEPENDS ${completions})
set(completions ${PROJECT_BINARY_DIR}/completions/takt)
install(FILES ${completions}.bash DESTINATION share/bash-completion/completions RENAME takt COMPONENT program)
install(FILES ${completions}.zsh DESTINATION share/zsh/vendor-completions RENAME _takt COMPONENT program)
install(FILES ${completions}.fish DESTINATION share/fish/vendor_completions.d COMPONENT program)

install(DIRECTORY examples DESTINATION share/doc/takt COMPONENT program)
install(DIRECTORY docs/schemas DESTINATION share/doc/takt COMPONENT program)
install(FILES docs/formats.md docs/json.md docs/certificates.md docs/instance.schema.json docs/experiment.schema.json DESTINATION share/doc/takt COMPONENT program)
install(FILES cmake/debian/README.libtakt-dev DESTINATION share/doc/libtakt-dev RENAME README.Debian
  COMPONENT development)

# takt_compressed(<source> <result>): as the policy of Debian wants it, without a date in it.
function(takt_compressed source result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  execute_process(COMMAND ${takt_gzip} -9nc ${source} OUTPUT_FILE ${result} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(debian ${PROJECT_BINARY_DIR}/debian)
file(MAKE_DIRECTORY ${debian})
takt_compressed(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${debian}/changelog.gz)
if(TARGET takt-live)
  # It says nothing of itself that a page could be made of.
  configure_file(cmake/debian/takt-live.1.in ${debian}/takt-live.1 @ONLY)
  takt_compressed(${debian}/takt-live.1 ${debian}/takt-live.1.gz)
  install(FILES ${debian}/takt-live.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi)
endif()
foreach(component ${takt_packages})
  set(package ${takt_package_of_${component}})
  configure_file(cmake/debian/changelog.in ${debian}/${package}.changelog @ONLY)
  takt_compressed(${debian}/${package}.changelog ${debian}/${package}.changelog.gz)
  # It asks for the number of a bug of Debian's own archive.
  file(WRITE ${debian}/${package}.overrides "${package}: initial-upload-closes-no-bugs\n")
  set(documents share/doc/${package})
  install(FILES cmake/debian/copyright DESTINATION ${documents} COMPONENT ${component})
  install(FILES ${debian}/changelog.gz DESTINATION ${documents} COMPONENT ${component})
  install(FILES ${debian}/${package}.changelog.gz DESTINATION ${documents} RENAME changelog.Debian.gz
    COMPONENT ${component})
  install(FILES ${debian}/${package}.overrides DESTINATION share/lintian/overrides RENAME ${package}
    COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL ${takt_packages})
set(CPACK_PACKAGE_NAME takt)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# What stands before the description of each package: nothing, as each has its own first line.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The takt developers <takt@debian.invalid>")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(takt_this_version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME takt)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
# They are loaded by name (tools/drawing/graphviz_library.cpp, tools/pictures/svg_picture.cpp), so no tool finds them.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libgvc6, librsvg2-2")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "takt-mpi, gnuplot-nox")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "exact throughput of replicated pipelines
A pipeline is a chain of stages on unequal machines, some stages dealt out
to several of them. takt computes how much time it takes per data set, as an
exact number, says which operations hold it up, and proves the answer. It
also maps pipelines by more than twenty heuristics, plans machines for a
wanted rate, and draws the nets and schedules behind its answers.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtakt-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libgmp-dev, libboost-dev, libfmt-dev, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "cmake, libopenmpi-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "C++ libraries of takt, an analyzer of pipelines
Headers and static libraries for programs that evaluate, map and plan
replicated pipelines, with files for CMake and pkg-config. Programs that run
pipelines with takt::live_mpi need libopenmpi-dev, too.")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME takt-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "takt (= ${takt_this_version}), openmpi-bin")
set(CPACK_DEBIAN_MPI_DESCRIPTION "exact throughput of replicated pipelines - MPI programs
takt run and takt probe start the program takt-live, which computes the
stages of a pipeline as processes of an MPI job; and takt-mpi shares the
experiments of takt among the processes of one.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-takt)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "exact throughput of replicated pipelines - Python module
The answers of takt as exact numbers of Python, certificates and pictures
with them, and periods of many mappings as fast as heuristics want them.")
if(TARGET takt_python)
  math(EXPR takt_next_python "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${takt_next_python}), python3-numpy, libgvc6")
endif()

include(CPack)
