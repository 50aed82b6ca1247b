// DriftDetector: tells when the values of a feature stop being those of before, with a stated rate
// of false alarms whatever their distribution is.
//
// Per feature, the first 15 values (one in 8 of the first 113 that are sensed), sorted, are the
// edges of 16 bins; after that only counts per bin are kept: of a block of the newest values, and
// of all before it since the start. When a block is full it is compared with those before, in
// location (mean of the mid-ranks in the pooled counts, Wilcoxon) and in spread (their mean
// squared distance from the middle, Mood), each both ways. Then it joins them.
//
// If the values are exchangeable (independent, one distribution), a block is a draw without
// replacement from the pooled counts, so by Hoeffding 1963 (theorems 1 and 4) a mean that is e off
// the pooled mean or more has probability at most exp(-B (t e - L(t))), for any t > 0, where L is
// the log of the mean of exp(t (score - mean)) in the pool. That holds for every block size and
// every distribution, ties and constants included. An alarm is raised when the bound is below
// B / (4 m false_alarm_every): by the union over 4 m tests a block, and over the blocks that T
// samples complete, T samples raise no more than T / false_alarm_every false alarms on average.
//
// What breaks it: values that depend on the ones before. The block is therefore taken for a
// smaller one, B (1 - a) / (1 + a) with a the correlation of the bins of successive values of those
// before (never more than B, so nothing above is lost); that is right on average for a first-order
// autoregression, and not for periods or trends longer than a block, which are changes to it
// (docs/pruning.md has the rates measured). A change of what labels go with which values, and of
// how features depend on each other, does not show here.
//
// After an alarm everything starts anew. Missing values are skipped, so a feature's block takes as
// long as it takes to sense B values. Cost: observe about 25 operations per value; 250 per feature
// and block, some 5000 where a block looks suspicious. Memory: 164 bytes per feature.
#ifndef WHITTLE_RANK_DRIFT_H_
#define WHITTLE_RANK_DRIFT_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"

namespace whittle {

inline constexpr std::uint32_t kLeastDriftBlock = 16;
inline constexpr std::uint32_t kMostDriftBlock = 255;

struct DriftConfig {
  std::uint32_t features = 0;  // m
  std::uint32_t block = 128;   // B, values; kLeastDriftBlock..kMostDriftBlock, 0: no detector
  Real false_alarm_every = 1'000'000;  // samples, on average, at least; 1 or more
};

// Errors: out_of_range, naming the field.
Status check_drift(const DriftConfig& config);

enum class DriftKind : std::uint8_t { location, spread };

struct DriftAlarm {  // what raised the last alarm
  std::uint32_t feature = 0;
  DriftKind kind = DriftKind::location;
  bool up = false;  // larger values, or a larger spread, than before
};

class DriftDetector {
 public:
  // With block = 0 it takes no bytes and never raises an alarm.
  static constexpr std::size_t required_bytes(const DriftConfig& config) {
    return ByteCount{}.array<Feature>(config.block == 0 ? 0 : config.features).total();
  }
  void place(Arena& arena, const DriftConfig& config);

  // Takes a sample in, m values, NaN where there is none (infinite values are skipped too). True
  // if a feature has drifted: alarm() tells which, the one that is surest; all starts anew.
  bool observe(Span<const Real> values);
  void restart();

  const DriftAlarm& alarm() const { return alarm_; }
  void digest(Digest& digest) const;

 private:
  static constexpr std::size_t kEdges = 15;
  static constexpr std::size_t kBins = kEdges + 1;
  static constexpr std::uint32_t kEdgeEvery = 8;
  static constexpr std::uint32_t kMostPast = 1U << 24;  // values; blocks then no longer join them

  struct Feature {
    Real edges[kEdges] = {};         // ascending, those there are
    std::uint32_t past[kBins] = {};  // counts of the blocks before
    std::uint8_t block[kBins] = {};  // counts of this block
    std::uint32_t past_total = 0;
    std::uint32_t values = 0;  // while edges are collected: that came
    std::uint32_t blocks = 0;  // before
    Real lag_sum = 0;  // over the blocks before, of the products of successive bins from the middle
    Real block_lag_sum = 0;
    std::uint8_t edge_count = 0;
    std::uint8_t block_total = 0;
    std::uint8_t last_bin = 0;
  };
  struct Pool;

  static void add_edge(Feature& feature, Real value);
  static void count(Feature& feature, Real value);
  static Real independence(const Feature& feature);
  Real examine(const Feature& feature, DriftAlarm& alarm) const;
  static void join(Feature& feature);

  Span<Feature> features_;
  std::uint32_t block_ = 0;
  Real log_level_ = 0;  // -log of the level of one test
  DriftAlarm alarm_;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_DRIFT_H_
