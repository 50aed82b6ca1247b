# nanopb: C sources put into build/deps by tools/setup, code generated at build time.
set(WHITTLE_NANOPB_DIR ${CMAKE_SOURCE_DIR}/build/deps/nanopb CACHE PATH
  "Folder of nanopb's pb.h, pb_common.[ch], pb_encode.[ch], pb_decode.[ch]")
if(NOT EXISTS ${WHITTLE_NANOPB_DIR}/pb_decode.c)
  message(FATAL_ERROR "nanopb's sources are not in ${WHITTLE_NANOPB_DIR}: run tools/setup")
endif()
find_program(WHITTLE_NANOPB_GENERATOR nanopb_generator.py)
find_program(WHITTLE_PROTOC protoc)
if(NOT WHITTLE_NANOPB_GENERATOR OR NOT WHITTLE_PROTOC)
  message(FATAL_ERROR "nanopb_generator.py or protoc is missing: run tools/setup")
endif()
# The packaged generator needs the packaged protobuf module, which another python3 first on the
# PATH would not find.
find_program(WHITTLE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)

# Bounds that follow from the largest payload: 64 bytes are kept for a message's other fields.
math(EXPR WHITTLE_MAX_FEATURES_PER_SAMPLE "(${WHITTLE_MAX_PAYLOAD} - 64) / 4")
math(EXPR WHITTLE_PAGE_FEATURES "${WHITTLE_MAX_PAYLOAD} / 16")
math(EXPR WHITTLE_PAGE_MASK_BYTES "(${WHITTLE_PAGE_FEATURES} + 7) / 8")
math(EXPR WHITTLE_SENSED_BYTES "(${WHITTLE_MAX_FEATURES_PER_SAMPLE} + 7) / 8")
math(EXPR WHITTLE_SCALE_CHUNK "(${WHITTLE_MAX_PAYLOAD} - 64) / 8")
# What a payload below the default has less room for: at most what any application needs.
function(whittle_bound variable most expression)
  math(EXPR value "${expression}")
  if(value GREATER most)
    set(value ${most})
  endif()
  set(${variable} ${value} PARENT_SCOPE)
endfunction()
whittle_bound(WHITTLE_PARAMS 8 "${WHITTLE_MAX_PAYLOAD} / 64")
whittle_bound(WHITTLE_SELECTORS 40 "(${WHITTLE_MAX_PAYLOAD} - 224) / 17")
whittle_bound(WHITTLE_SNAPSHOT_TEXT 96 "${WHITTLE_MAX_PAYLOAD} / 8 - 16")
whittle_bound(WHITTLE_INFO_ENTRIES 10 "(${WHITTLE_MAX_PAYLOAD} - 64) / 96")

# Where nanopb's headers and the generated one are installed, below the prefix.
set(WHITTLE_INSTALLED_NANOPB_DIR include/whittle-nanopb)

# Generates <name>.pb.h and <name>.pb.c from <folder>/<name>.proto and <name>.options.in and defines
# the interface target `target` (headers, definitions) and the variables <target>_SOURCES (C files)
# and <target>_HEADERS.
function(whittle_add_proto target folder name)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/generated)
  configure_file(${folder}/${name}.options.in ${out}/${name}.options @ONLY)
  add_custom_command(
    OUTPUT ${out}/${name}.pb.c ${out}/${name}.pb.h
    COMMAND ${WHITTLE_PYTHON} ${WHITTLE_NANOPB_GENERATOR} --quiet --strip-path
            -I ${folder} -D ${out} -f ${out}/${name}.options ${name}.proto
    DEPENDS ${folder}/${name}.proto ${out}/${name}.options
    WORKING_DIRECTORY ${folder}
    COMMENT "nanopb ${name}.proto"
    VERBATIM)
  add_custom_target(${target}_generated DEPENDS ${out}/${name}.pb.h ${out}/${name}.pb.c)

  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_generated)
  target_include_directories(${target} SYSTEM INTERFACE
    $<BUILD_INTERFACE:${out}> $<BUILD_INTERFACE:${WHITTLE_NANOPB_DIR}>
    $<INSTALL_INTERFACE:${WHITTLE_INSTALLED_NANOPB_DIR}>)
  target_compile_definitions(${target} INTERFACE
    PB_BUFFER_ONLY $<$<BOOL:${WHITTLE_BOARD}>:PB_NO_ERRMSG>
    $<$<VERSION_GREATER:${WHITTLE_MAX_PAYLOAD},16384>:PB_FIELD_32BIT>)
  set(sources ${out}/${name}.pb.c)
  foreach(part common encode decode)
    list(APPEND sources ${WHITTLE_NANOPB_DIR}/pb_${part}.c)
  endforeach()
  # Not our sources: their warnings are not ours to fix.
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "-w")
  set(${target}_HEADERS ${out}/${name}.pb.h ${WHITTLE_NANOPB_DIR}/pb.h
    ${WHITTLE_NANOPB_DIR}/pb_common.h ${WHITTLE_NANOPB_DIR}/pb_encode.h
    ${WHITTLE_NANOPB_DIR}/pb_decode.h PARENT_SCOPE)
  set(${target}_SOURCES ${sources} PARENT_SCOPE)
endfunction()
