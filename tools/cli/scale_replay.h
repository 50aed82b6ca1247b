// ScaleReplay: what became of a plan's rows where the scale was learned from them. It takes them in
// as the core did, but holds no values: the scale that was learned last, and the values that were
// lost on the way there.
//
// A column that is constant where the scale is learned has gain 0: whatever comes until it is
// learned again is held as 0, and is then taken for that constant.
#ifndef WHITTLE_TOOLS_CLI_SCALE_REPLAY_H_
#define WHITTLE_TOOLS_CLI_SCALE_REPLAY_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "tools/cli/plan.h"
#include "tools/cli/script.h"
#include "whittle/memory/held_points.h"
#include "whittle/memory/stream_memory.h"

namespace whittle::cli {

class ScaleReplay {
 public:
  // The plan's scale is learned. The plan must outlive it.
  explicit ScaleReplay(const Plan& plan);

  // Of what was learned last; 1 if nothing was.
  Real gain(std::size_t feature) const { return memory_.gain(feature); }

  // The rows whose values the memory remembers: those held, and with a codebook, which forgets none
  // for good, all that were taken in.
  std::vector<std::size_t> remembered() const;
  // How many of them have lost their value of a feature, though it has a gain now.
  std::size_t lost(std::size_t feature, const std::vector<std::size_t>& rows) const;

 private:
  struct Constant {
    Real value;
    std::size_t last;  // of the learnings by which the feature had this value only
  };
  void take(const Step& step);
  void take_sample(std::size_t row);
  void hold(std::size_t row, const Sample& sample);
  void label(std::size_t row);
  bool fits_scaled(const Sample& sample) const;
  void note_constants();
  bool has_lost(std::size_t feature, std::size_t row) const;

  const Plan& plan_;
  MemoryConfig config_;  // of the plan's memory
  std::unique_ptr<unsigned char[]> memory_bytes_;
  StreamMemory memory_;  // which learns, and holds nothing
  std::unique_ptr<unsigned char[]> held_bytes_;
  HeldPoints held_;  // points of no value, by row
  std::size_t learnings_ = 0;
  std::vector<std::size_t> taken_;                // rows that are not universum
  std::vector<std::size_t> learnings_before_;     // by row
  std::vector<std::vector<Constant>> constants_;  // by feature
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SCALE_REPLAY_H_
