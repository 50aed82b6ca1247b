# CMake toolchain of the Cortex-M boards: -DWHITTLE_BOARD=<a folder of boards/>.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)

set(WHITTLE_BOARD "" CACHE STRING "Board: a folder of ports/cortex_m/boards")
set(WHITTLE_BOARD_DIR ${CMAKE_CURRENT_LIST_DIR}/boards/${WHITTLE_BOARD})
if(NOT EXISTS ${WHITTLE_BOARD_DIR}/board.cmake)
  message(FATAL_ERROR "no board '${WHITTLE_BOARD}' in ${CMAKE_CURRENT_LIST_DIR}/boards")
endif()
include(${WHITTLE_BOARD_DIR}/board.cmake)

set(WHITTLE_TARGET_OPT -O2 CACHE STRING "Optimisation of what runs on the board")

set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # a program needs a board's linker script
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WHITTLE_BOARD WHITTLE_TARGET_OPT)

list(JOIN WHITTLE_CPU_FLAGS " " flags)
set(flags "${flags} -mthumb -ffunction-sections -fdata-sections -fstack-usage")
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_CXX_FLAGS_INIT "${flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics")
set(CMAKE_ASM_FLAGS_INIT "${flags}")
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_RELWITHDEBINFO "-g ${WHITTLE_TARGET_OPT}" CACHE STRING "")
endforeach()
