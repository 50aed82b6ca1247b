# BBC micro:bit: Nordic nRF51822, Cortex-M0 at 16 MHz, 16 KiB of RAM.
set(WHITTLE_CPU_FLAGS -mcpu=cortex-m0 -mfloat-abi=soft)
set(WHITTLE_FLASH_ORIGIN 0x00000000)
set(WHITTLE_FLASH_LENGTH 256K)
set(WHITTLE_RAM_ORIGIN 0x20000000)
set(WHITTLE_RAM_LENGTH 16K)
set(WHITTLE_BOARD_SOURCES boards/microbit/board.cc nrf51_uart.cc nrf51_timer.cc)
# What is small enough: messages, the line's buffer, the stack, the programs; no GoogleTest.
set(WHITTLE_MAX_PAYLOAD 384 CACHE STRING "Largest protobuf message on the wire, in bytes")
set(WHITTLE_RECEIVE_BYTES 1024 CACHE STRING "Receive buffer of the serial line, a power of two")
set(WHITTLE_STACK_BYTES 2560 CACHE STRING "Stack of the firmware; an overflow faults")
set(WHITTLE_FIRMWARES node_e1 node_graph)
set(WHITTLE_TEST_IMAGES OFF)
