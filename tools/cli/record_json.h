// The record of a simulation as JSON, for `whittle simulate --format json` and `whittle report`.
#ifndef WHITTLE_TOOLS_CLI_RECORD_JSON_H_
#define WHITTLE_TOOLS_CLI_RECORD_JSON_H_

#include <istream>
#include <ostream>
#include <string>

#include "tools/simulate/record.h"

namespace whittle::cli {

// What a record says of itself.
inline constexpr char kRecordKind[] = "whittle simulation";
inline constexpr int kRecordVersion = 4;

// One object, keys as docs/simulation.md lists them.
void print_record(const simulate::Record& record, std::ostream& out);

// Throws Error if it is not what print_record() writes; `name` stands for the file.
simulate::Record read_record(std::istream& in, const std::string& name);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_RECORD_JSON_H_
