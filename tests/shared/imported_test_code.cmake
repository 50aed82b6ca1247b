# The tests' code as it is compiled for the board WHITTLE_TEST_CODE_FROM, whose core has a subset of
# this one's instructions and the same calling convention. The library is this board's own; what the
# tests inline of its headers is not. Compiling the tests for each board would take most of its build.
set(WHITTLE_TEST_CODE_DIR ${CMAKE_BINARY_DIR}/../${WHITTLE_TEST_CODE_FROM} CACHE PATH
  "Build folder of the board whose test code is linked; configured and built as needed")
set(code ${WHITTLE_TEST_CODE_DIR})
set(archives ${code}/tests/shared/libwhittle_shared_help.a)
foreach(part IN LISTS parts)
  list(APPEND archives ${code}/tests/shared/libwhittle_shared_part${part}.a)
endforeach()

add_custom_target(whittle_test_code
  COMMAND ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS
          ${CMAKE_CURRENT_SOURCE_DIR}/build_test_code ${WHITTLE_TEST_CODE_FROM} ${code}
  BYPRODUCTS ${archives}
  COMMENT "Test code of ${WHITTLE_TEST_CODE_FROM}"
  VERBATIM)

function(whittle_import_archive target file)
  add_library(${target} STATIC IMPORTED)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${file})
  add_dependencies(${target} whittle_test_code)
endfunction()
whittle_import_archive(whittle_shared_help ${code}/tests/shared/libwhittle_shared_help.a)
foreach(part IN LISTS parts)
  whittle_import_archive(whittle_shared_part${part}
    ${code}/tests/shared/libwhittle_shared_part${part}.a)
endforeach()
