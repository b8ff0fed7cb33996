# One library a folder: takt_library(<folder> HEADERS ... LINKS ... PRIVATE_LINKS ...), alias takt::<folder>. Its
# sources are all of the folder's; HEADERS are those that others may include and that are installed. LINKS are what its
# headers include, PRIVATE_LINKS what only its sources do.

function(takt_warnings target)
  # GCC 12's -Wrestrict is wrong about std::string's operator+ (GCC bug 105651).
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
endfunction()

# For code that only reads, writes and checks: compiled in less time, and as fast as it needs to be.
function(takt_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
endfunction()

function(takt_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;LINKS;PRIVATE_LINKS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp *.hpp)
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
  add_library(takt_${folder} STATIC ${sources})
  add_library(takt::${folder} ALIAS takt_${folder})
  target_sources(takt_${folder} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  target_compile_features(takt_${folder} PUBLIC cxx_std_20)
  target_link_libraries(takt_${folder} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  set_target_properties(takt_${folder} PROPERTIES EXPORT_NAME ${folder} CXX_EXTENSIONS OFF
                                                  POSITION_INDEPENDENT_CODE ON VERIFY_INTERFACE_HEADER_SETS ON)
  takt_warnings(takt_${folder})
endfunction()

# A fuzzer sees only the code that is compiled for it, so this goes before every add_subdirectory.
macro(takt_instrument_for_fuzzing)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "TAKT_BUILD_FUZZERS needs clang, found ${CMAKE_CXX_COMPILER_ID}")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endmacro()
