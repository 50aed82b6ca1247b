// Parameters as people write them: `--param key=value`.
#ifndef WHITTLE_TOOLS_CLI_PARAMETERS_H_
#define WHITTLE_TOOLS_CLI_PARAMETERS_H_

#include <set>
#include <string>
#include <vector>

#include "tools/cli/memory_parameters.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle::cli {

// Sets parameters, each given as "key=value": of the selector in `config`, or of the memory
// (memory_parameters.h). Values are numbers, `auto`, true|false|on|off|1|0 or the name of a choice,
// as the parameter's kind wants. Returns the names that were given. Throws UsageError, saying what
// there is; a name given twice is an error, too.
std::set<std::string> set_parameters(const std::vector<std::string>& assignments,
                                     RankerConfig* config);

// A parameter's value as set_parameter takes it.
std::string format_parameter(const ParamSpec& spec, Real value);

// "k (neighbours of a point): a whole number from 1 to 255, default 10"
std::string describe_parameter(const ParamSpec& spec);
std::string describe_parameter(const MemoryParameter& parameter);

// Splits "mean|printed".
std::vector<std::string> choices_of(const ParamSpec& spec);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_PARAMETERS_H_
