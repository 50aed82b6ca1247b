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
// smaller one, the smaller of two:
//   B (1 - a) / (1 + a), with a the correlation of the bins of successive values of those before:
//     right on average for a first-order autoregression;
//   B / phi, with phi the dispersion between blocks: the mean over the blocks so far of the square
//     of what was seen, in units of its mean if values are exchangeable (batch means). It is about
//     1 then, and large if there are cycles, trends or walks slower than a block.
// phi survives alarms, so cycles raise a few and then are known. It is a feature's own or, if that
// is larger, what is typical of the node's features (their geometric mean), which is learned
// sooner; up to 2, which comes about by chance, it counts as 1. So that a single change does not
// blind the detector, a square counts as 64 at most, and the newest of many weighs a 64th; and a
// feature's own phi counts a block only when the next one has been tested, so that a change that
// begins within a block does not hide itself in the next.
//
// Both sizes are B at most, whatever they are learned from: a block that raises an alarm raises one
// without them too. So if values are exchangeable the union above still holds, from one alarm to
// the next as from the start (docs/pruning.md has the rates measured). A change of what labels go
// with which values, and of how features depend on each other, does not show here.
//
// After an alarm everything but phi starts anew. Missing values are skipped, so a feature's block
// takes as long as it takes to sense B values. Cost: observe about 25 operations per value; 300 per
// feature and block, some 5000 where a block looks suspicious, and once a sample 60 per feature
// more. Memory: 176 bytes per feature.
#ifndef WHITTLE_RANK_DRIFT_H_
#define WHITTLE_RANK_DRIFT_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/rank/drift_pool.h"

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
  // if a feature has drifted: alarm() tells which, the one that is surest; all but the dispersion
  // starts anew.
  bool observe(Span<const Real> values);
  void restart();

  const DriftAlarm& alarm() const { return alarm_; }
  // phi of a feature as far as it is learned, the newest block not counted: 1 to begin with.
  Real dispersion(std::size_t feature, DriftKind kind) const {
    return features_[feature].learned[index(kind)].mean;
  }
  void digest(Digest& digest) const;

 private:
  static constexpr std::size_t kEdges = 15;
  static constexpr std::size_t kBins = DriftPool::kBins;
  static constexpr std::size_t kKinds = 2;
  static constexpr std::uint32_t kEdgeEvery = 8;
  static constexpr std::uint32_t kMostPast = 1U << 24;  // values; blocks then no longer join them

  struct Dispersion {
    Real mean = 1;
    Real newest = 1;  // square, that the mean does not count yet
  };
  struct Feature {
    Real edges[kEdges] = {};         // ascending, those there are
    std::uint32_t past[kBins] = {};  // counts of the blocks before
    std::uint8_t block[kBins] = {};  // counts of this block
    std::uint32_t past_total = 0;
    std::uint32_t values = 0;  // while edges are collected: that came
    Real lag_sum = 0;  // over the blocks before, of the products of successive bins from the middle
    Real block_lag_sum = 0;
    Dispersion learned[kKinds];
    std::uint8_t learned_from = 0;  // blocks, as far as they change a block's weight
    std::uint8_t edge_count = 0;
    std::uint8_t block_total = 0;
    std::uint8_t last_bin = 0;
  };
  // phi that is typical of the features, by kind; 0: not known yet.
  using Typical = Real[kKinds];

  static constexpr std::size_t index(DriftKind kind) { return static_cast<std::size_t>(kind); }
  static Real newest_weight(const Feature& feature);
  static void add_edge(Feature& feature, Real value);
  static void count(Feature& feature, Real value);
  Real independent_size(const Feature& feature) const;
  Real typical_dispersion(DriftKind kind) const;
  Real test(const DriftPool& pool, const Feature& feature, DriftKind kind, Typical& typical) const;
  Real examine(const DriftPool& pool, const Feature& feature, Typical& typical,
               DriftAlarm& alarm) const;
  static void learn(const DriftPool& pool, Feature& feature);
  static void join(Feature& feature);

  Span<Feature> features_;
  std::uint32_t block_ = 0;
  Real log_level_ = 0;  // -log of the level of one test
  DriftAlarm alarm_;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_DRIFT_H_
