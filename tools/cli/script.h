// Script: the stream that a plan describes, step by step, in the order in which it is told to a
// ranker, here or on a node.
//
// A sample follows another in the order of the rows. Then come the pairs of which it is the later
// one; the label of the row plan.label_delay rows earlier, if labels are late; and after every
// plan.rescale_every rows, a request to learn the scale again, but none before there are as many
// rows as it is learned from. Labels still outstanding come at the end.
#ifndef WHITTLE_TOOLS_CLI_SCRIPT_H_
#define WHITTLE_TOOLS_CLI_SCRIPT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/cli/plan.h"

namespace whittle::cli {

struct Step {
  enum class Kind : std::uint8_t { sample, pair, label, rescale };
  Kind kind;
  std::size_t index;  // of the row, of the pair, of the row to be labelled, of the row just come
};

std::vector<Step> script_of(const Plan& plan);

// Row `i` as it comes: without its label if that is late.
Sample sample_of(const Plan& plan, std::size_t i);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SCRIPT_H_
