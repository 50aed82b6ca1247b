# Arm MPS2 with the AN386 image: Cortex-M4F at 25 MHz, single-precision FPU.
set(WHITTLE_CPU_FLAGS -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16)
set(WHITTLE_FLASH_ORIGIN 0x00000000)
set(WHITTLE_FLASH_LENGTH 4M)
set(WHITTLE_RAM_ORIGIN 0x20000000)
set(WHITTLE_RAM_LENGTH 4M)
set(WHITTLE_BOARD_DRIVERS cmsdk_uart.cc)
set(WHITTLE_QEMU_MACHINE mps2-an386)
