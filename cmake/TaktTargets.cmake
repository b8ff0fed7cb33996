# One library per folder, alias takt::<folder>: takt_library(<folder> [INTERNAL] HEADERS ... [FIRST ... | LATER ...]
# LINKS ... PRIVATE_LINKS ... BUILD_LINKS ...). Its sources are all of the folder's, but for those of a folder mpi.
# HEADERS are those that others may include and that are installed where the folder is, INTERNAL where it is not. FIRST
# are the sources that the program's first stage needs, or LATER those that it does not. LINKS are what its headers
# include, PRIVATE_LINKS what only its sources do, BUILD_LINKS likewise but of headers alone, which whoever links the
# library does not need.

# Every header that is installed alone, for target takt_headers.
add_custom_target(takt_headers)

function(takt_warnings target)
  # GCC 12 is wrong about what std::string's operator+ and assignment copy (GCC bugs 105651, 105329).
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                           "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
endfunction()

# Several sources at a time, where TAKT_UNITY says so: what they include is read once for all of them. Their names without
# linkage must then differ.
function(takt_compile_together target)
  set(together 14)
  if(ARGC GREATER 1)
    set(together ${ARGV1})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TAKT_UNITY} UNITY_BUILD_BATCH_SIZE ${together})
  if(TAKT_UNITY)
    # What a source keeps to itself is not in the source that is compiled.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# For code that only reads, writes and checks: compiled in less time, and as fast as it needs to be.
function(takt_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
endfunction()

# For code that little time is spent in: compiled in two thirds of that.
function(takt_compile_plainly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
endfunction()

# Part of takt_headers: the compiler reads each of the headers of a target by itself, and makes nothing of it.
function(takt_check_headers target)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
  set(stamps)
  foreach(header ${ARGN})
    set(stamp ${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.checked)
    get_filename_component(folder ${stamp} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${stamp}
      COMMAND ${CMAKE_CXX_COMPILER} ${flags} -std=c++20 -fsyntax-only -Wall -Wextra -x c++
              "-I$<JOIN:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,;-I>"
              -MD -MF ${stamp}.d -MT ${stamp} -include ${CMAKE_CURRENT_SOURCE_DIR}/${header} /dev/null
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${header} DEPFILE ${stamp}.d
      COMMENT "Reading ${header} alone" COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(${target}_headers DEPENDS ${stamps})
  add_dependencies(takt_headers ${target}_headers)
endfunction()

# Contract violations name a file of the source, not whose machine it was compiled on.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

# How every source of takt is compiled.
function(takt_compile target)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  # Of what is position-independent nothing is to be replaced at run time, so calls may be inlined as elsewhere.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  takt_warnings(${target})
endfunction()

set(takt_precompiled <algorithm> <map> <optional> <span> <string> <variant> <vector> <gmpxx.h> <fmt/format.h>)

# What nearly all sources include, tests too, read once for all of them; they are compiled alike (TAKT_ONE_HEADER).
if(TAKT_ONE_HEADER)
  # With what fmt and OpenMP define: a header that was precompiled with other macros is not used.
  add_compile_options(-fopenmp -fPIC -fno-semantic-interposition)
  add_compile_definitions(FMT_SHARED)
  file(WRITE ${PROJECT_BINARY_DIR}/one_header.cpp "// The one header that is precompiled.\n")
  add_library(takt_one_header OBJECT ${PROJECT_BINARY_DIR}/one_header.cpp)
  takt_compile(takt_one_header)
  target_precompile_headers(takt_one_header PRIVATE ${takt_precompiled})
endif()

# What most sources include, read once; a third of the time that they take to compile.
function(takt_precompile target)
  if(TAKT_ONE_HEADER)
    target_precompile_headers(${target} REUSE_FROM takt_one_header)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${takt_precompiled})
endfunction()

# takt_first_objects(<folder> SOURCES ... LINKS ...): the sources of the folder that the program's first stage needs
# (target takt_first) are takt_FOLDER_first, whose objects are part of the folder's library, too. It links no library of
# takt, as that would build all of it.
function(takt_first_objects folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  list(FILTER arg_LINKS EXCLUDE REGEX "^takt::")
  add_library(takt_${folder}_first OBJECT ${arg_SOURCES})
  takt_compile(takt_${folder}_first)
  target_link_libraries(takt_${folder}_first PRIVATE ${arg_LINKS} PkgConfig::gmp Boost::headers)
  target_sources(takt_${folder} PRIVATE $<TARGET_OBJECTS:takt_${folder}_first>)
endfunction()

# takt_first_sources(<variable> SOURCES ... FIRST ... LATER ...): which of the sources the first stage needs.
function(takt_first_sources variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;FIRST;LATER")
  set(first)
  if(arg_FIRST)
    file(GLOB first CONFIGURE_DEPENDS ${arg_FIRST})
  elseif(arg_LATER)
    set(first ${arg_SOURCES})
    list(FILTER first INCLUDE REGEX "\\.cpp$")
    foreach(source IN LISTS arg_LATER)
      if(NOT ${CMAKE_CURRENT_SOURCE_DIR}/${source} IN_LIST first)
        message(FATAL_ERROR "CMakeLists.txt: LATER has ${source}, and the folder has no such source")
      endif()
      list(REMOVE_ITEM first ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    endforeach()
  endif()
  set(${variable} ${first} PARENT_SCOPE)
endfunction()

# What a header includes of its own folder, others get with it: where it is not among them, an installed copy lacks it.
function(takt_close_headers folder)
  foreach(header IN LISTS ARGN)
    file(STRINGS ${header} includes REGEX "^#include \"${folder}/")
    foreach(line IN LISTS includes)
      string(REGEX REPLACE "^#include \"${folder}/([^\"]+)\".*" "\\1" included "${line}")
      if(NOT included IN_LIST ARGN)
        message(FATAL_ERROR "${folder}/CMakeLists.txt: HEADERS has ${header}, and not ${included}, which it includes")
      endif()
    endforeach()
  endforeach()
endfunction()

function(takt_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INTERNAL" "" "HEADERS;FIRST;LATER;LINKS;PRIVATE_LINKS;BUILD_LINKS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp *.hpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$|/first_main\\.cpp$|/mpi/")
  takt_first_sources(first SOURCES ${sources} FIRST ${arg_FIRST} LATER ${arg_LATER})
  if(first)
    list(REMOVE_ITEM sources ${first})
  endif()
  list(TRANSFORM arg_BUILD_LINKS REPLACE "(.+)" "$<BUILD_INTERFACE:\\1>")
  add_library(takt_${folder} STATIC ${sources})
  add_library(takt::${folder} ALIAS takt_${folder})
  takt_compile(takt_${folder})
  target_link_libraries(takt_${folder} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS} ${arg_BUILD_LINKS})
  set_target_properties(takt_${folder} PROPERTIES EXPORT_NAME ${folder} TAKT_HEADERS "${arg_HEADERS}")
  if(first)
    takt_first_objects(${folder} SOURCES ${first} LINKS ${arg_LINKS} ${arg_PRIVATE_LINKS} ${arg_BUILD_LINKS})
  endif()
  if(arg_LATER AND NOT TAKT_ONE_HEADER)
    takt_precompile(takt_${folder}_first)
    target_precompile_headers(takt_${folder} REUSE_FROM takt_${folder}_first)
  else()
    takt_precompile(takt_${folder})
  endif()
  if(NOT arg_INTERNAL)
    takt_check_headers(takt_${folder} ${arg_HEADERS})
    takt_close_headers(${folder} ${arg_HEADERS})
  endif()
endfunction()

# A fuzzer sees only the code that is compiled for it, so this goes before every add_subdirectory.
macro(takt_instrument_for_fuzzing)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "TAKT_BUILD_FUZZERS needs clang, found ${CMAKE_CXX_COMPILER_ID}")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endmacro()
