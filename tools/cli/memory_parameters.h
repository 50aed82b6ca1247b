// Parameters of the memory, which every selector has beside its own: what is held of the stream,
// and how.
#ifndef WHITTLE_TOOLS_CLI_MEMORY_PARAMETERS_H_
#define WHITTLE_TOOLS_CLI_MEMORY_PARAMETERS_H_

#include <cstdint>
#include <string>

#include "whittle/base/span.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle::cli {

// Prototypes of a codebook if the command line does not say how many.
inline constexpr std::uint32_t kDefaultCodebook = 64;

struct MemoryParameter {
  const char* name;
  const char* help;      // one line
  const char* wanted;    // which values it takes
  const char* fallback;  // the default, in words
  const char* off;       // the value with which it has no part in anything; "" if there is none
  const char* needs;     // what must be so for it to have an effect
  bool is_number;

  // Reads a value; false if it is none.
  bool (*set)(const std::string& text, RankerConfig* config);
  // The value in `config`, as set takes it.
  std::string (*text)(const RankerConfig& config);
  // Whether the ranking depends on it: the selector reads what it is about, and it is not off.
  bool (*in_use)(const RankerConfig& config, const MemoryConfig& configured);
};

Span<const MemoryParameter> memory_parameters();

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_MEMORY_PARAMETERS_H_
