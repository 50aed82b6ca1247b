// Scores as bars in a terminal.
#ifndef WHITTLE_TOOLS_CLI_PLOT_H_
#define WHITTLE_TOOLS_CLI_PLOT_H_

#include <cstddef>
#include <ostream>

#include "tools/cli/plan.h"
#include "tools/cli/result.h"

namespace whittle::cli {

// A line per feature, best first: rank, name, whether it is selected, score and a bar as long as
// the score is large; no line is wider than `columns`. Bars of '#' unless `blocks`, which come in
// eighths of a column.
void print_plot(const Plan& plan, const Result& result, std::size_t columns, bool blocks,
                std::ostream& out);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_PLOT_H_
