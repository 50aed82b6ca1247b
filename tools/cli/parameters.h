// Parameters as people write them: `--param key=value`.
#ifndef WHITTLE_TOOLS_CLI_PARAMETERS_H_
#define WHITTLE_TOOLS_CLI_PARAMETERS_H_

#include <string>
#include <utility>
#include <vector>

#include "whittle/rank/feature_ranker.h"

namespace whittle::cli {

// Sets one parameter, given as "key=value": of the selector in `config`, or of the memory (window,
// labelled). Values are numbers, `auto`, true|false|on|off|1|0 or the name of a choice, as the
// parameter's kind wants. Throws UsageError, saying what there is.
void set_parameter(const std::string& assignment, RankerConfig* config);

// A parameter's value as set_parameter takes it.
std::string format_parameter(const ParamSpec& spec, Real value);

// "k: neighbours of a point; a whole number from 1 to 255, default 10"
std::string describe_parameter(const ParamSpec& spec);

// Of the memory: name and what it is.
struct MemoryParameter {
  const char* name;
  const char* help;
  std::uint32_t MemoryConfig::*member;
};
const std::vector<MemoryParameter>& memory_parameters();

// Splits "mean|printed".
std::vector<std::string> choices_of(const ParamSpec& spec);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_PARAMETERS_H_
