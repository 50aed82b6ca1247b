// LabelDraw: which samples of a node chance has the host label.
#ifndef WHITTLE_TOOLS_SIMULATE_LABEL_DRAW_H_
#define WHITTLE_TOOLS_SIMULATE_LABEL_DRAW_H_

#include <cstdint>

#include "whittle/base/random.h"

namespace whittle::simulate {

class LabelDraw {
 public:
  // `rate`: the chance of each sample. `seed`: the node's; nothing else drawn from it takes part.
  LabelDraw(double rate, std::uint64_t seed) : rate_(rate), random_(~seed) {}

  // Whether it falls on sample `number`, 1, 2, ...: larger than that of the call before. What came
  // between has been drawn for, so that no sample's chance depends on which others arrive.
  bool falls_on(std::uint64_t number) {
    bool drawn = false;
    for (; drawn_ < number; ++drawn_) drawn = static_cast<double>(random_.uniform()) < rate_;
    return drawn;
  }

 private:
  double rate_;
  Random random_;
  std::uint64_t drawn_ = 0;  // samples
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_LABEL_DRAW_H_
