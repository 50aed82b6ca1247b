# Netduino Plus 2: ST STM32F405, Cortex-M4F at 168 MHz, single-precision FPU. Of its RAM the 64 KiB at
# 0x10000000 are left alone.
set(WHITTLE_CPU_FLAGS -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16)
set(WHITTLE_FLASH_ORIGIN 0x08000000)
set(WHITTLE_FLASH_LENGTH 1M)
set(WHITTLE_RAM_ORIGIN 0x20000000)
set(WHITTLE_RAM_LENGTH 128K)
set(WHITTLE_BOARD_SOURCES boards/netduinoplus2/board.cc stm32_usart.cc systick.cc)
set(WHITTLE_RECEIVE_BYTES 4096 CACHE STRING "Receive buffer of the serial line, a power of two")
# QEMU has 64 KiB more behind the RAM; test images use them, firmware does not.
set(WHITTLE_TEST_RAM_LENGTH 192K)
set(WHITTLE_TEST_STACK_BYTES 40960)
set(WHITTLE_TEST_CODE_FROM mps2-an386)
set(WHITTLE_TEST_PARTS ON)  # the suite does not fit the flash as one image
