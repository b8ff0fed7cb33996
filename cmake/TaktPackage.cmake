# What packages hold besides what is installed anyway: man pages, completions, documents. Each has the component of its
# package, as in TaktInstall.cmake: program (takt), mpi (takt-mpi), development (libtakt-dev), python (python3-takt).

# The date of all that has one: that of the last commit, unless the environment says.
set(takt_epoch "$ENV{SOURCE_DATE_EPOCH}")
if(NOT takt_epoch)
  execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 --format=%ct
    OUTPUT_VARIABLE takt_epoch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(ENV{SOURCE_DATE_EPOCH} "${takt_epoch}")
string(TIMESTAMP takt_month "%B %Y" UTC)

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

if(TARGET takt-live)
  # It says nothing of itself that a page could be made of.
  set(page ${PROJECT_BINARY_DIR}/takt-live.1)
  configure_file(cmake/takt-live.1.in ${page} @ONLY)
  # Without a date in it, as the policy of Debian wants it.
  execute_process(COMMAND ${takt_gzip} -9nc ${page} OUTPUT_FILE ${page}.gz COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi)
endif()
