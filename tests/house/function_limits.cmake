# Plants functions that are too long or too complex into a source and into headers of sub-folders, and expects
# clang-tidy with the repository's configuration to report each of them, and nothing else.

find_program(clang_tidy clang-tidy-14)
if(NOT clang_tidy)
  message(STATUS "skipped: there is no clang-tidy-14 (scripts/check installs it)")
  return()
endif()

# long_function(<name> <lines>): from its opening brace to its closing one, that many lines further down.
function(long_function name lines)
  set(text "inline int ${name}(int x) {\n")
  foreach(line RANGE 3 ${lines})
    string(APPEND text "  x += ${line};\n")
  endforeach()
  set(text "${text}  return x;\n}\n" PARENT_SCOPE)
endfunction()

# complex_function(<name> <pairs>): of cognitive complexity 3 a pair of nested conditions.
function(complex_function name pairs)
  set(text "inline int ${name}(int x) {\n")
  foreach(pair RANGE 1 ${pairs})
    string(APPEND text "  if (x > ${pair}) {\n    if (x < 9) x += 1;\n  }\n")
  endforeach()
  set(text "${text}  return x;\n}\n" PARENT_SCOPE)
endfunction()

# Within the limits: 40 lines, and a complexity of 24.
long_function(as_long_as_allowed 40)
set(source "// Planted.\n${text}")
complex_function(as_complex_as_allowed 8)
string(APPEND source "${text}")
long_function(too_long_in_source 41)
string(APPEND source "${text}")
complex_function(too_complex_in_source 9)
string(APPEND source "${text}")
set(expected too_long_in_source too_complex_in_source)

file(REMOVE_RECURSE ${WORK_DIR})
foreach(folder maxplus tpn evaluators plan heuristics experiments live tools python bench)
  foreach(at ${folder} ${folder}/inner ${folder}/inner/innermost)
    string(MAKE_C_IDENTIFIER ${at} suffix)
    long_function(too_long_in_${suffix} 41)
    set(header "// Planted.\n#pragma once\n${text}")
    complex_function(too_complex_in_${suffix} 9)
    file(WRITE ${WORK_DIR}/${at}/planted.hpp "${header}${text}")
    string(PREPEND source "#include \"${at}/planted.hpp\"\n")
    list(APPEND expected too_long_in_${suffix} too_complex_in_${suffix})
  endforeach()
endforeach()
file(WRITE ${WORK_DIR}/evaluators/inner/planted.cpp "${source}")

execute_process(
  COMMAND ${clang_tidy} --quiet --config-file=${SOURCE_DIR}/.clang-tidy ${WORK_DIR}/evaluators/inner/planted.cpp -- -std=c++20 -I${WORK_DIR}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(status EQUAL 0)
  message(FATAL_ERROR "clang-tidy finds nothing wrong:\n${output}\n${errors}")
endif()

string(REGEX MATCHALL "error: function '[a-z_]+'" found "${output}")
list(TRANSFORM found REPLACE "error: function '([a-z_]+)'" "\\1")
list(SORT found)
list(SORT expected)
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "expected\n${expected}\nfound\n${found}\nin\n${output}\n${errors}")
endif()
