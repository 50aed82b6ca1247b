// Vector table and start: from reset to main.
#include <cstdint>

#include "ports/cortex_m/board.h"
#include "ports/cortex_m/faults.h"
#include "ports/cortex_m/runtime.h"
#include "ports/cortex_m/ticks.h"

using whittle::ports::Handler;

// Placed by link.ld.in.
extern "C" {
extern std::uint32_t __stack_limit[], __stack_top[];
extern std::uint32_t __data_start[], __data_end[], __bss_start[], __bss_end[];
extern const std::uint32_t __data_load[];
extern const Handler __init_array_start[], __init_array_end[];
extern unsigned char __heap_start[], __heap_end[];

int program_main(int argc, char** argv) asm("main");
[[noreturn]] void reset_handler();
}

namespace whittle::ports {

constexpr std::uint32_t kStackPaint = 0xA5A5A5A5;

// A test image replaces these two: it has a command line, and files to flush at the end.
[[gnu::weak]] int program_arguments(char***) { return 0; }
[[gnu::weak]] void program_end(int code) { stop(code); }

Span<unsigned char> free_memory() {
  return {__heap_start, static_cast<std::size_t>(__heap_end - __heap_start)};
}

std::size_t stack_high_water() {
  const std::uint32_t* lowest_used = __stack_limit;
  while (lowest_used < __stack_top && *lowest_used == kStackPaint) ++lowest_used;
  return static_cast<std::size_t>(__stack_top - lowest_used) * sizeof(std::uint32_t);
}

namespace {

void paint_stack() {
  std::uint32_t* end;
  asm volatile("mov %0, sp" : "=r"(end));
  // volatile: the compiler would call memset, which would paint over its own frame.
  for (volatile std::uint32_t* word = __stack_limit; word < end; ++word) *word = kStackPaint;
}

// The stack lies at the bottom of the RAM. What is below it faults on some chips only, so Armv8-M's
// limit register is set, or where there is an MPU it forbids the megabyte below: an overflow faults
// before it reaches anything.
void guard_stack() {
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
  asm volatile("msr msplim, %0" ::"r"(__stack_limit));
#else
  constexpr std::uintptr_t kType = 0xE000ED90;  // MPU_TYPE, then CTRL, RNR, RBAR, RASR
  constexpr std::uint32_t kRegions = 0xFF00;
  if ((reg(kType) & kRegions) == 0) return;
  constexpr std::uint32_t kSize = 1U << 20;
  constexpr std::uint32_t kNoAccess = (1U << 28) | (19U << 1) | 1U;  // 2^(19 + 1) bytes, enabled
  reg(kType + 8) = 0;
  reg(kType + 12) = reinterpret_cast<std::uintptr_t>(__stack_limit) - kSize;
  reg(kType + 16) = kNoAccess;
  reg(kType + 4) = (1U << 2) | 1U;  // on, with the default map elsewhere
  asm volatile("dsb\n\tisb" ::: "memory");
#endif
}

void enable_fpu() {
#ifdef __ARM_FP
  constexpr std::uintptr_t kCoprocessorAccess = 0xE000ED88;  // CPACR
  reg(kCoprocessorAccess) = reg(kCoprocessorAccess) | (0xFU << 20);
  asm volatile("dsb\n\tisb" ::: "memory");
#endif
}

void init_memory() {
  const std::uint32_t* from = __data_load;
  for (std::uint32_t* word = __data_start; word < __data_end; ++word) *word = *from++;
  for (std::uint32_t* word = __bss_start; word < __bss_end; ++word) *word = 0;
}

}  // namespace
}  // namespace whittle::ports

extern "C" void reset_handler() {
  using namespace whittle::ports;
  paint_stack();
  guard_stack();
  enable_fpu();
  init_memory();
  start_ticks();
  start_board();
  // Firmware has none of these; GoogleTest registers its tests with them.
  for (const Handler* init = __init_array_start; init < __init_array_end; ++init) (*init)();
  char** argv = nullptr;
  const int argc = program_arguments(&argv);
  program_end(program_main(argc, argv));
  stop(kExitAbort);
}

namespace {

union Vector {
  std::uint32_t* stack_top;
  Handler handler;
};

// The core's sixteen vectors; boards/<board>/board.cc adds the chip's.
extern "C" [[gnu::section(".vectors"), gnu::used]] const Vector core_vectors[16] = {
    {.stack_top = __stack_top},
    {.handler = reset_handler},
    {.handler = fault_handler},  // NMI
    {.handler = fault_handler},  // hard fault
    {.handler = fault_handler},  // memory management
    {.handler = fault_handler},  // bus fault
    {.handler = fault_handler},  // usage fault
    {.handler = fault_handler},
    {.handler = fault_handler},
    {.handler = fault_handler},
    {.handler = fault_handler},
    {.handler = fault_handler},  // SVCall
    {.handler = fault_handler},  // debug monitor
    {.handler = fault_handler},
    {.handler = fault_handler},  // PendSV
    {.handler = whittle::ports::count_tick_wrap},
};

}  // namespace
