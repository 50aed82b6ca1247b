// Lack: what a node would have needed to rank, and what may help it.
#ifndef WHITTLE_TOOLS_SIMULATE_LACK_H_
#define WHITTLE_TOOLS_SIMULATE_LACK_H_

#include <array>
#include <cstdint>
#include <string>

namespace whittle::simulate {

enum class Lack : std::uint8_t {
  nothing,
  samples,    // the run ends before its first mask is due
  calm,       // after an alarm of drift it senses everything
  labels,     // its selector needs some, or pairs that they imply
  time,       // when a mask was last due it could not rank yet
  half_life,  // it has forgotten how its features vary
  scale,      // it takes every feature for constant
  range,      // its values, or their squares, are no numbers any more
  features,   // none has a score, whatever else
};

// Why a node has never ranked.
struct Unranked {
  std::string reason;  // for people; "" if there is nothing to say
  Lack lack = Lack::nothing;
};

struct LackType {
  Lack lack;
  const char* name;    // in a record
  const char* advice;  // for people
};

inline constexpr std::array<LackType, 8> kLacks = {{
    {Lack::samples, "samples",
     "what may help nodes whose first mask is not due within the run: an earlier one (--prune "
     "warm_up=N, update_every=N), more rows a node (fewer --nodes)"},
    {Lack::calm, "calm",
     "what may help nodes that sense everything after an alarm: a shorter --prune recovery=N, no "
     "detector (--prune drift_block=0)"},
    {Lack::labels, "labels",
     "what may help nodes that lack labels: more or sooner ones (--label-rate, --label-delay), "
     "rows in another order, more of them a node (fewer --nodes)"},
    {Lack::time, "time",
     "what may help nodes that could rank too late only: sooner labels (--label-rate, "
     "--label-delay), masks that are due more often (--prune update_every=N), more rows a node "
     "(fewer --nodes)"},
    {Lack::half_life, "half_life",
     "what may help nodes that forget too soon: a longer --half-life N, of many samples, or none "
     "(0)"},
    {Lack::scale, "scale",
     "what may help nodes whose scale takes features for constant: one learned from more samples "
     "(--learn N), or none (--learn 0)"},
    {Lack::range, "range",
     "what may help nodes whose values are too large to compute with: a scale (--learn N), or "
     "other units in the file"},
    {Lack::features, "features",
     "what may help nodes without a score: another --selector, features that vary, more samples "
     "held (--labelled, --window, --codebook)"},
}};

// "" of nothing.
inline std::string lack_name(Lack lack) {
  for (const LackType& type : kLacks) {
    if (type.lack == lack) return type.name;
  }
  return "";
}

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_LACK_H_
