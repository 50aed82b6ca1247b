#include "whittle/rank/drift.h"

#include "whittle/base/math.h"

namespace whittle {
namespace {

constexpr Real kMiddleBin = Real(7.5);
constexpr Real kByChance = 2;       // a dispersion up to this
constexpr Real kMostSquare = 64;    // counts for the dispersion
constexpr std::uint32_t kTold = 2;  // blocks that the first dispersion, 1, counts for
constexpr std::uint32_t kMostWeighed = 64;

}  // namespace

Status check_drift(const DriftConfig& config) {
  const bool none = config.block == 0;
  if (!none && (config.block < kLeastDriftBlock || config.block > kMostDriftBlock)) {
    return {StatusCode::out_of_range, "drift_block must be 0 or 16..", kMostDriftBlock};
  }
  if (!none && !(config.false_alarm_every >= 1 && config.false_alarm_every < kInfinity)) {
    return {StatusCode::out_of_range, "false_alarm_every must be at least", 1};
  }
  return {};
}

void DriftDetector::place(Arena& arena, const DriftConfig& config) {
  block_ = config.block;
  if (block_ == 0) return;
  features_ = arena.array<Feature>(config.features);
  const Real tests = Real(4) * static_cast<Real>(config.features);
  log_level_ = log(tests * config.false_alarm_every / static_cast<Real>(block_));
}

void DriftDetector::restart() {
  for (Feature& feature : features_) {
    Feature fresh;
    for (std::size_t k = 0; k < kKinds; ++k) fresh.learned[k] = feature.learned[k];
    fresh.learned_from = feature.learned_from;
    feature = fresh;
  }
}

void DriftDetector::add_edge(Feature& feature, Real value) {
  if (feature.values++ % kEdgeEvery != 0) return;
  std::size_t place = feature.edge_count++;
  for (; place > 0 && value < feature.edges[place - 1]; --place) {
    feature.edges[place] = feature.edges[place - 1];
  }
  feature.edges[place] = value;
}

void DriftDetector::count(Feature& feature, Real value) {
  std::uint8_t bin = 0;
  for (const Real edge : feature.edges) bin = static_cast<std::uint8_t>(bin + (value > edge));
  if (feature.block_total > 0) {
    feature.block_lag_sum +=
        (static_cast<Real>(bin) - kMiddleBin) * (static_cast<Real>(feature.last_bin) - kMiddleBin);
  }
  feature.last_bin = bin;
  ++feature.block[bin];
  ++feature.block_total;
}

// How many independent values a block counts for, by the correlation of successive ones.
Real DriftDetector::independent_size(const Feature& feature) const {
  const Real block = static_cast<Real>(block_);
  const Real total = static_cast<Real>(feature.past_total);
  const std::uint32_t blocks = feature.past_total / block_;
  const Real pairs = static_cast<Real>(feature.past_total - blocks);
  Real mean = 0;
  Real square = 0;
  for (std::size_t b = 0; b < kBins; ++b) {
    const Real place = static_cast<Real>(b) - kMiddleBin;
    mean += static_cast<Real>(feature.past[b]) * place;
    square += static_cast<Real>(feature.past[b]) * place * place;
  }
  mean /= total;
  const Real variance = square / total - mean * mean;
  if (!(variance > 0)) return block;
  const Real correlation = (feature.lag_sum / pairs - mean * mean) / variance;
  if (!(correlation > 0)) return block;
  return correlation < 1 ? block * (Real(1) - correlation) / (Real(1) + correlation) : Real(0);
}

Real DriftDetector::newest_weight(const Feature& feature) {
  return Real(1) / static_cast<Real>(feature.learned_from + kTold);
}

// The geometric mean, over features that a block was learned from: one with cycles says little of
// the others.
Real DriftDetector::typical_dispersion(DriftKind kind) const {
  Real sum = 0;
  Real count = 0;
  for (const Feature& feature : features_) {
    if (feature.learned_from == 0) continue;
    const Dispersion& learned = feature.learned[index(kind)];
    const Real mean = learned.mean + (learned.newest - learned.mean) * newest_weight(feature);
    if (mean > 1) sum += log(mean);
    count += 1;
  }
  return count > 0 ? exp(sum / count) : Real(1);
}

// By how much a full block passes the level of one test; 0 or less: it does not.
Real DriftDetector::test(const DriftPool& pool, const Feature& feature, DriftKind kind,
                         Typical& typical) const {
  const Real independent = independent_size(feature);
  const auto passes = [&](Real phi) {
    Real size = static_cast<Real>(block_);
    if (phi > kByChance) size /= phi;
    if (independent < size) size = independent;
    return size > 0 ? size * pool.exponent(kind, log_level_ / size) - log_level_ : Real(0);
  };
  const Real own = feature.learned[index(kind)].mean;
  const Real by_own = passes(own);
  if (!(by_own > 0)) return by_own;
  Real& common = typical[index(kind)];
  if (!(common > 0)) common = typical_dispersion(kind);
  return common > own ? passes(common) : by_own;
}

// The same of the surest test, 0 if none passes.
Real DriftDetector::examine(const DriftPool& pool, const Feature& feature, Typical& typical,
                            DriftAlarm& alarm) const {
  Real most = 0;
  for (const DriftKind kind : {DriftKind::location, DriftKind::spread}) {
    const Real passes = test(pool, feature, kind, typical);
    if (!(passes > most)) continue;
    most = passes;
    alarm.kind = kind;
    alarm.up = pool.off(kind) > 0;
  }
  return most;
}

// Counts the block before this one in the dispersion, and keeps this one's square. A feature at
// rest tells nothing.
void DriftDetector::learn(const DriftPool& pool, Feature& feature) {
  if (pool.constant()) return;
  const Real weight = newest_weight(feature);
  for (const DriftKind kind : {DriftKind::location, DriftKind::spread}) {
    Dispersion& learned = feature.learned[index(kind)];
    learned.mean += (learned.newest - learned.mean) * weight;
    const Real square = pool.square(kind);
    learned.newest = square < kMostSquare ? square : kMostSquare;
  }
  if (feature.learned_from + kTold < kMostWeighed) ++feature.learned_from;
}

void DriftDetector::join(Feature& feature) {
  const bool room = feature.past_total < kMostPast;
  for (std::size_t b = 0; b < kBins; ++b) {
    if (room) feature.past[b] += feature.block[b];
    feature.block[b] = 0;
  }
  if (room) {
    feature.past_total += feature.block_total;
    feature.lag_sum += feature.block_lag_sum;
  }
  feature.block_total = 0;
  feature.block_lag_sum = 0;
}

bool DriftDetector::observe(Span<const Real> values) {
  Real most = 0;
  Typical typical = {};
  for (std::size_t r = 0; r < features_.size(); ++r) {
    const Real value = values[r];
    if (!(value - value == Real(0))) continue;  // missing, or infinite
    Feature& feature = features_[r];
    if (feature.edge_count < kEdges) {
      add_edge(feature, value);
      continue;
    }
    count(feature, value);
    if (feature.block_total < block_) continue;
    if (feature.past_total > 0) {
      const DriftPool pool(feature.past, feature.past_total, feature.block, feature.block_total);
      DriftAlarm alarm;
      alarm.feature = static_cast<std::uint32_t>(r);
      const bool enough = feature.past_total >= 2 * block_;
      const Real passes = enough ? examine(pool, feature, typical, alarm) : Real(0);
      if (passes > most) {
        most = passes;
        alarm_ = alarm;
      }
      learn(pool, feature);
    }
    join(feature);
  }
  if (!(most > 0)) return false;
  restart();
  return true;
}

void DriftDetector::digest(Digest& digest) const {
  for (const Feature& feature : features_) {
    digest.add_all(feature.edges, kEdges);
    digest.add_all(feature.past, kBins);
    digest.add_all(feature.block, kBins);
    digest.add(feature.values);
    digest.add(feature.lag_sum);
    digest.add(feature.block_lag_sum);
    for (const Dispersion& learned : feature.learned) {
      digest.add(learned.mean);
      digest.add(learned.newest);
    }
    digest.add(feature.learned_from);
    digest.add(feature.last_bin);
  }
}

}  // namespace whittle
