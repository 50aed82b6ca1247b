// What a node says of itself.
#ifndef WHITTLE_TOOLS_CLI_NODE_REPORT_H_
#define WHITTLE_TOOLS_CLI_NODE_REPORT_H_

#include <iosfwd>

#include "tools/client/node_client.h"

namespace whittle::cli {

// For people: in groups, with units.
void print_node(const whittle_v1_Info& info, const whittle_v1_Stats& stats, std::ostream& out);

// One JSON object on one line, {"info":{...},"stats":{...}}: the fields by their names in
// whittle.proto, the state digest as 16 hexadecimal digits (null if the node does not tell).
void print_node_json(const whittle_v1_Info& info, const whittle_v1_Stats& stats, std::ostream& out);

// For programs: one "name value" a line.
void print_stats(const whittle_v1_Info& info, const whittle_v1_Stats& stats, std::ostream& out);
void print_costs(const LineCosts& costs, std::ostream& out);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_NODE_REPORT_H_
