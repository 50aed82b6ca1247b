# Compiles the tests: whittle_shared_part1, ... and whittle_shared_help (references, streams).
whittle_glob_sources(tests ${CMAKE_CURRENT_SOURCE_DIR})
set(help ${tests})
list(FILTER tests INCLUDE REGEX "_test\\.cc$")
list(FILTER help EXCLUDE REGEX "(_test|target_main)\\.cc$")

add_library(whittle_shared_headers INTERFACE)
target_include_directories(whittle_shared_headers INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_features(whittle_shared_headers INTERFACE cxx_std_20)
target_link_libraries(whittle_shared_headers INTERFACE
  $<TARGET_NAME_IF_EXISTS:whittle_node> whittle_core whittle_shared_gtest whittle_options)

add_library(whittle_shared_help STATIC ${help})
target_link_libraries(whittle_shared_help PUBLIC whittle_shared_headers)
# What nearly all of them include.
whittle_quick_to_compile(whittle_shared_help
  <vector> <whittle/rank/feature_ranker.h> <whittle/select/all_selectors.h>)
foreach(part IN LISTS parts)
  set(sources${part})
endforeach()
set(part 0)
list(LENGTH parts count)
foreach(source IN LISTS tests)
  math(EXPR part "${part} % ${count} + 1")
  list(APPEND sources${part} ${source})
endforeach()
foreach(part IN LISTS parts)
  add_library(whittle_shared_part${part} STATIC ${sources${part}})
  target_link_libraries(whittle_shared_part${part} PUBLIC whittle_shared_headers)
  whittle_quick_to_compile(whittle_shared_part${part} REUSE_FROM whittle_shared_help)
endforeach()

# For boards of other cores: see imported_test_code.cmake.
add_custom_target(whittle_test_code DEPENDS whittle_shared_help)
foreach(part IN LISTS parts)
  add_dependencies(whittle_test_code whittle_shared_part${part})
endforeach()
