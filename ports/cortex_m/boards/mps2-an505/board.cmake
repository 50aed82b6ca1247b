# Arm MPS2 with the AN505 image: Cortex-M33 at 20 MHz, single-precision FPU, in the secure state, in
# which it starts: bit 28 of an address is its secure alias.
set(WHITTLE_CPU_FLAGS -mcpu=cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16)
set(WHITTLE_FLASH_ORIGIN 0x10000000)  # SSRAM 1
set(WHITTLE_FLASH_LENGTH 4M)
set(WHITTLE_RAM_ORIGIN 0x38000000)  # SSRAM 2 and 3
set(WHITTLE_RAM_LENGTH 4M)
set(WHITTLE_BOARD_SOURCES mps2.cc cmsdk_uart.cc systick.cc)
set(WHITTLE_BOARD_DEFINITIONS MPS2_UART_ADDRESS=0x50200000 MPS2_UART_RECEIVE_INTERRUPT=32
  MPS2_UART_CLOCK_HZ=20000000 MPS2_CLOCK_HZ=20000000)
set(WHITTLE_TEST_CODE_FROM mps2-an386)
