# Compiler flags of our own targets. They stay private: a consumer of the libraries brings its own.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD_REQUIRED ON)

set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)  # target all_verify_interface_header_sets

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

# Every target of this project.
add_library(whittle_options INTERFACE)
target_compile_options(whittle_options INTERFACE
  -Wall -Wextra -Wshadow -Wconversion $<$<COMPILE_LANGUAGE:CXX>:-Wdouble-promotion>
  $<$<BOOL:${WHITTLE_WERROR}>:-Werror>
  -ffp-contract=off)  # a fused multiply-add would give other bits than separate ones

# What runs on a device as well: no exceptions, no RTTI, no guards around statics. Neither errno nor
# floating-point traps are used, which changes no result and lets the compiler inline and vectorise.
add_library(whittle_device_options INTERFACE)
target_link_libraries(whittle_device_options INTERFACE whittle_options)
target_compile_features(whittle_device_options INTERFACE cxx_std_17)
target_compile_options(whittle_device_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>
  -fno-math-errno -fno-trapping-math
  $<$<BOOL:${WHITTLE_FUZZERS}>:-fsanitize=fuzzer-no-link>)  # what the fuzz targets follow

# The sources below the folders given, as a list that follows added and removed files.
function(whittle_glob_sources variable)
  set(found)
  foreach(folder IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cc)
    list(APPEND found ${files})
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# Half of the time of most files goes into a few headers. tools/checks/tidy and the preset host-clang
# are without, and find an include that is missing.
function(whittle_precompile_headers target)
  if(WHITTLE_PRECOMPILED_HEADERS)
    list(TRANSFORM ARGN PREPEND "$<$<COMPILE_LANGUAGE:CXX>:<")
    list(TRANSFORM ARGN APPEND "$<ANGLE-R>>")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# For many test sources: GoogleTest and the further headers given are parsed once (REUSE_FROM: by that
# target), and nothing is optimised where that is fast enough.
function(whittle_quick_to_compile target)
  target_compile_options(${target} PRIVATE $<IF:$<BOOL:${WHITTLE_BOARD}>,-O1,-O0> -g1
    $<$<BOOL:${WHITTLE_BOARD}>:-Wno-psabi>)
  if(ARGN MATCHES "^REUSE_FROM;")
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE <gtest/gtest.h> ${ARGN})
  endif()
endfunction()
