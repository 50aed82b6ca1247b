// Memory that a command line and a file ask for together. What cannot be had is refused before the
// work begins, with how much it is and what drives it.
#ifndef WHITTLE_TOOLS_CLI_MEMORY_NEED_H_
#define WHITTLE_TOOLS_CLI_MEMORY_NEED_H_

#include <cstddef>
#include <memory>
#include <string>

#include "whittle/rank/feature_ranker.h"

namespace whittle::cli {

struct MemoryNeed {
  std::string who;             // "this ranking"
  std::size_t bytes = 0;       // of its arenas
  std::size_t file_bytes = 0;  // taken by the values of the file already
  std::string advice;          // what to do: "; --param window=N (now 9) takes most"
};

// Throws Error: the machine has less.
void check_memory(const MemoryNeed& need);
// Throws Error: the machine has as much, but this program does not get it.
[[noreturn]] void refuse_memory(const MemoryNeed& need);
// Room for an arena of need.bytes wherever it starts. Throws Error, as both of the above.
std::unique_ptr<unsigned char[]> allocate(const MemoryNeed& need);

// What makes a ranker large, the most first: "; --param window=N (now 9) takes most, then --param
// labelled=N (now 8)". `before` and `after` make an option of a parameter's name.
std::string memory_advice(const RankerConfig& config, const std::string& before = "--param ",
                          const std::string& after = "=N");

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_MEMORY_NEED_H_
