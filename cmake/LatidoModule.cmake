# latido_module(NAME base [MAY_INCLUDE model …] [LINK CLI11::CLI11 …])
#
# One folder = one static library latido_<name> with every *.cc of the folder and of its sub-folders;
# *_test.cc become one test program <name>_test. MAY_INCLUDE is the module's row of the include table.
set(LATIDO_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND LATIDO_WARNINGS -Wno-restrict)  # GCC 12 warns of std::string's own code (its bug 105651)
endif()

function(latido_compile_options target)
  target_compile_options(${target} PRIVATE ${LATIDO_WARNINGS})
  if(LATIDO_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${LATIDO_SANITIZE} -fno-omit-frame-pointer
                                            -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${LATIDO_SANITIZE})
  endif()
endfunction()

# A program of GoogleTests. Optimising the tests themselves takes half of the build's time and gains
# nothing; so does reading GoogleTest's headers again for each of them.
function(latido_test_program target)
  target_compile_options(${target} PRIVATE -O0)
  target_link_libraries(${target} PRIVATE GTest::gtest_main)
  if(NOT LATIDO_PRECOMPILE)
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # ccache wants it
  endif()
  if(NOT TARGET latido_test_headers)
    file(WRITE ${CMAKE_BINARY_DIR}/generated/test_headers.cc "")
    add_executable(latido_test_headers EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/test_headers.cc)
    latido_compile_options(latido_test_headers)
    target_compile_options(latido_test_headers PRIVATE -O0 $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    target_link_libraries(latido_test_headers PRIVATE GTest::gtest_main)
    target_precompile_headers(latido_test_headers PRIVATE <gtest/gtest.h> <algorithm> <filesystem>
                              <functional> <map> <memory> <optional> <string> <variant> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM latido_test_headers)
endfunction()

function(latido_module)
  cmake_parse_arguments(ARG "" "NAME" "MAY_INCLUDE;LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc *.h)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")

  set(library latido_${ARG_NAME})
  add_library(${library} STATIC ${sources})
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${library} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  latido_compile_options(${library})
  foreach(module ${ARG_MAY_INCLUDE})
    target_link_libraries(${library} PUBLIC latido_${module})
  endforeach()
  target_link_libraries(${library} PRIVATE ${ARG_LINK})

  if(LATIDO_TESTS AND tests)
    add_executable(${ARG_NAME}_test ${tests})
    latido_compile_options(${ARG_NAME}_test)
    target_link_libraries(${ARG_NAME}_test PRIVATE ${library} ${ARG_LINK})
    latido_test_program(${ARG_NAME}_test)
    gtest_discover_tests(${ARG_NAME}_test TEST_PREFIX ${ARG_NAME}. DISCOVERY_TIMEOUT 120)
  endif()
endfunction()
