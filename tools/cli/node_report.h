// What a node says of itself, for people: one "name value" a line.
#ifndef WHITTLE_TOOLS_CLI_NODE_REPORT_H_
#define WHITTLE_TOOLS_CLI_NODE_REPORT_H_

#include <iosfwd>

#include "tools/client/node_client.h"

namespace whittle::cli {

void print_info(const whittle_v1_Info& info, std::ostream& out);
void print_stats(const whittle_v1_Stats& stats, std::ostream& out);
void print_costs(const LineCosts& costs, std::ostream& out);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_NODE_REPORT_H_
