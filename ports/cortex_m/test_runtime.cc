// What a test image needs beyond the firmware's runtime: files and console over semihosting, a heap
// for GoogleTest, a command line, and an end that flushes.
#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include "ports/cortex_m/semihosting.h"

extern "C" {
extern char __heap_start[], __heap_end[];
void* __dso_handle = nullptr;

void initialise_monitor_handles();  // newlib: opens stdin, stdout and stderr on the host

void* _sbrk(std::ptrdiff_t increment) {
  static char* top = __heap_start;
  if (increment > __heap_end - top) {
    errno = ENOMEM;
    return reinterpret_cast<void*>(-1);
  }
  char* const block = top;
  top += increment;
  return block;
}

int mkdir(const char*, mode_t) {
  errno = ENOSYS;
  return -1;
}

void _init() {}
void _fini() {}
}

namespace whittle::ports {

// Splits the host's command line at spaces.
int program_arguments(char*** argv) {
  constexpr int kMaxArguments = 16;
  static char line[512];
  static char* arguments[kMaxArguments + 1];
  initialise_monitor_handles();
  if (!semihosting_command_line(line, sizeof line)) line[0] = '\0';
  int count = 0;
  char* next = line;
  while (*next != '\0' && count < kMaxArguments) {
    arguments[count++] = next;
    while (*next != '\0' && *next != ' ') ++next;
    while (*next == ' ') *next++ = '\0';
  }
  *argv = arguments;
  return count;
}

void program_end(int code) { std::exit(code); }

}  // namespace whittle::ports
