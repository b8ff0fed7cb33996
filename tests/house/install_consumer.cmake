# Installs the build to a prefix of its own, then configures, builds and runs consumer/ against that copy alone.

cmake_policy(SET CMP0009 NEW)

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_output expected)
  string(STRIP "${output}" output)
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "expected\n${expected}\nfound\n${output}")
  endif()
endfunction()

set(prefix ${WORK_DIR}/prefix)
set(consumer_build ${WORK_DIR}/consumer)
file(REMOVE_RECURSE ${WORK_DIR})

# What is of no component is in no package.
file(GLOB_RECURSE rules ${BUILD_DIR}/cmake_install.cmake)
foreach(file ${rules})
  file(READ ${file} text)
  if(text MATCHES "Unspecified")
    message(FATAL_ERROR "${file}: something is installed without a COMPONENT: program, development, mpi or python")
  endif()
endforeach()

run("install" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

# Nothing else stands where programs are found.
file(GLOB programs RELATIVE ${prefix}/bin ${prefix}/bin/*)
set(expected_programs takt)
if(HAS_MPI)
  set(expected_programs takt takt-live takt-mpi)
endif()
if(NOT programs STREQUAL expected_programs)
  message(FATAL_ERROR "expected the programs ${expected_programs}, found ${programs}")
endif()

if(IS_STRIPPED)
  find_program(readelf readelf REQUIRED)
  run("readelf" ${readelf} --sections --wide ${prefix}/bin/takt)
  if(output MATCHES "\\.symtab")
    message(FATAL_ERROR "the installed program is not stripped: it has a symbol table")
  endif()
endif()

file(GLOB_RECURSE package_files ${prefix}/*.cmake)
if(NOT package_files)
  message(FATAL_ERROR "no CMake package was installed under ${prefix}")
endif()
foreach(file ${package_files})
  file(READ ${file} text)
  string(REPLACE "${WORK_DIR}" "" text "${text}")
  string(FIND "${text}" "${SOURCE_DIR}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} points back into the source tree")
  endif()
endforeach()

run("configuring the consumer" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${consumer_build} -G ${GENERATOR}
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
run("building the consumer" ${CMAKE_COMMAND} --build ${consumer_build})
run("the consumer" ${consumer_build}/consumer)
expect_output("7 proved, polish is there")

# A program of stages, where takt was built with MPI: started by the installed takt.
if(EXAMPLE)
  set(example_build ${WORK_DIR}/compress)
  run("configuring the example" ${CMAKE_COMMAND} -S ${SOURCE_DIR}/examples/compress -B ${example_build} -G ${GENERATOR}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
  run("building the example" ${CMAKE_COMMAND} --build ${example_build})
  find_program(mpirun mpirun)
  if(mpirun)
    set(names)
    foreach(k RANGE 9)
      string(APPEND names "${CMAKE_CURRENT_LIST_FILE}\n")
    endforeach()
    file(WRITE ${WORK_DIR}/files.txt "${names}")
    run("the example" ${prefix}/bin/takt run ${SOURCE_DIR}/examples/compress/compress.json
      --executable ${example_build}/compress --input ${WORK_DIR}/files.txt)
    run("the installed takt-live" ${prefix}/bin/takt run ${SOURCE_DIR}/examples/compress/compress.json --data-sets 10)
  endif()
endif()

# By hand, as pkg-config says; nothing else of the prefix is in sight.
separate_arguments(flags UNIX_COMMAND "${CXX_FLAGS}")
set(ENV{PKG_CONFIG_PATH} ${prefix}/lib/pkgconfig:$ENV{PKG_CONFIG_PATH})
run("pkg-config" pkg-config --static --cflags --libs takt)
separate_arguments(takt_flags UNIX_COMMAND "${output}")
run("compiling as pkg-config says" ${CXX} ${flags} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer/main.cpp ${takt_flags}
  -o ${WORK_DIR}/by_hand)
run("the consumer compiled by hand" ${WORK_DIR}/by_hand)
expect_output("7 proved, polish is there")

# All headers at once: each include of theirs leads to where it was installed.
file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*.hpp)
list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n")
list(JOIN headers "" text)
file(WRITE ${WORK_DIR}/all_headers.cpp "${text}")
run("reading all installed headers" ${CXX} ${flags} -std=c++20 -fsyntax-only -I${prefix}/include ${WORK_DIR}/all_headers.cpp)

file(GLOB in_include_path RELATIVE ${prefix}/include ${prefix}/include/*)
if(NOT in_include_path STREQUAL "takt")
  message(FATAL_ERROR "the include path holds takt alone, not ${in_include_path}")
endif()

run("the installed program" ${prefix}/bin/takt --version)
expect_output("takt ${VERSION}")
