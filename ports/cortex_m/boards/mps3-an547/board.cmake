# Arm MPS3 with the AN547 image: Cortex-M55 at 32 MHz with MVE and double-precision FPU, in the secure
# state, in which it starts: bit 28 of an address is its secure alias.
# GCC 12 makes conditional conversions (vcvtne.f32.u32) that its assembler refuses where there is MVE.
set(WHITTLE_CPU_FLAGS -mcpu=cortex-m55 -mfloat-abi=hard -fno-if-conversion2)
set(WHITTLE_FLASH_ORIGIN 0x10000000)  # instruction memory (ITCM)
set(WHITTLE_FLASH_LENGTH 512K)
set(WHITTLE_RAM_ORIGIN 0x31000000)  # the subsystem's two SRAMs
set(WHITTLE_RAM_LENGTH 4M)
set(WHITTLE_TEST_CODE_ORIGIN 0x70000000)  # DDR, since tests do not fit the ITCM
set(WHITTLE_TEST_CODE_LENGTH 16M)
set(WHITTLE_BOARD_SOURCES mps2.cc cmsdk_uart.cc systick.cc)
set(WHITTLE_BOARD_DEFINITIONS MPS2_UART_ADDRESS=0x59303000 MPS2_UART_RECEIVE_INTERRUPT=33
  MPS2_UART_CLOCK_HZ=25000000 MPS2_CLOCK_HZ=32000000)
set(WHITTLE_TEST_CODE_FROM mps2-an386)
