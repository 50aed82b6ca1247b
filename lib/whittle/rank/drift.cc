#include "whittle/rank/drift.h"

#include "whittle/base/math.h"

namespace whittle {
namespace {

constexpr Real kMiddleBin = Real(7.5);
constexpr int kSteps = 10;

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

// A block and all before it, together: the probability of each bin and its two scores.
struct DriftDetector::Pool {
  explicit Pool(const Feature& feature) {
    const Real total = static_cast<Real>(feature.past_total) + feature.block_total;
    Real below = 0;
    for (std::size_t b = 0; b < kBins; ++b) {
      share[b] = (static_cast<Real>(feature.past[b]) + feature.block[b]) / total;
      location[b] = below + share[b] * Real(0.5) - Real(0.5);  // less the mean, which is 1/2
      spread[b] = location[b] * location[b];
      mean_spread += share[b] * spread[b];
      below += share[b];
    }
    for (Real& score : spread) score -= mean_spread;
  }

  // A lower bound of the maximum of t e - L(t) over t, for scores whose pooled mean is 0; 0 if that
  // is likely to be below `least`.
  Real exponent(const Real (&scores)[kBins], Real e, Real least) const {
    Real variance = 0;
    for (std::size_t b = 0; b < kBins; ++b) variance += share[b] * scores[b] * scores[b];
    // Far from unlikely, as nearly always: not worth the search.
    if (!(variance > 0) || e * e < Real(0.5) * least * variance) return 0;
    // Any t gives a bound; the best is where the mean under weights exp(t score) is e: by Newton's
    // steps, halved or doubled where they leave what is known of it.
    Real low = 0;
    Real high = kInfinity;
    Real t = e / variance;
    Real best = 0;
    for (int step = 0; step < kSteps; ++step) {
      Real sum = 0;
      Real first = 0;
      Real second = 0;
      for (std::size_t b = 0; b < kBins; ++b) {
        const Real weight = share[b] * exp(t * scores[b]);
        sum += weight;
        first += weight * scores[b];
        second += weight * scores[b] * scores[b];
      }
      if (!(sum < kInfinity)) {
        high = t;
        t = (low + high) * Real(0.5);
        continue;
      }
      const Real here = t * e - log(sum);
      if (here > best) best = here;
      const Real mean = first / sum;
      if (mean < e) {
        low = t;
      } else {
        high = t;
      }
      const Real curvature = second / sum - mean * mean;
      t += (e - mean) / curvature;
      if (!(t > low && t < high)) {
        t = high < kInfinity ? (low + high) * Real(0.5) : Real(2) * low;
      }
    }
    return best;
  }

  Real share[kBins];
  Real location[kBins];
  Real spread[kBins];
  Real mean_spread = 0;
};

void DriftDetector::place(Arena& arena, const DriftConfig& config) {
  block_ = config.block;
  if (block_ == 0) return;
  features_ = arena.array<Feature>(config.features);
  const Real tests = Real(4) * static_cast<Real>(config.features);
  log_level_ = log(tests * config.false_alarm_every / static_cast<Real>(block_));
}

void DriftDetector::restart() {
  for (Feature& feature : features_) feature = Feature();
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

// The part of a block that counts: 1 for independent values.
Real DriftDetector::independence(const Feature& feature) {
  const Real total = static_cast<Real>(feature.past_total);
  const Real pairs = total - static_cast<Real>(feature.blocks);
  Real mean = 0;
  Real square = 0;
  for (std::size_t b = 0; b < kBins; ++b) {
    const Real place = static_cast<Real>(b) - kMiddleBin;
    mean += static_cast<Real>(feature.past[b]) * place;
    square += static_cast<Real>(feature.past[b]) * place * place;
  }
  mean /= total;
  const Real variance = square / total - mean * mean;
  if (!(variance > 0)) return 1;
  const Real correlation = (feature.lag_sum / pairs - mean * mean) / variance;
  if (!(correlation > 0)) return 1;
  return correlation < 1 ? (Real(1) - correlation) / (Real(1) + correlation) : Real(0);
}

// By how much the surest of the four tests of a full block passes its level; 0 or less: none does.
Real DriftDetector::examine(const Feature& feature, DriftAlarm& alarm) const {
  const Pool pool(feature);
  const Real block = static_cast<Real>(feature.block_total);
  Real place = 0;
  Real spread = 0;
  for (std::size_t b = 0; b < kBins; ++b) {
    place += static_cast<Real>(feature.block[b]) * pool.location[b];
    spread += static_cast<Real>(feature.block[b]) * pool.spread[b];
  }
  place /= block;
  spread /= block;
  Real most = 0;
  const Real counted = block * independence(feature);
  if (!(counted > 0)) return 0;
  const Real least = log_level_ / counted;
  for (const DriftKind kind : {DriftKind::location, DriftKind::spread}) {
    const bool of_place = kind == DriftKind::location;
    const Real off = of_place ? place : spread;
    const bool up = off > 0;
    Real scores[kBins];
    for (std::size_t b = 0; b < kBins; ++b) {
      const Real score = of_place ? pool.location[b] : pool.spread[b];
      scores[b] = up ? score : -score;
    }
    const Real passes = counted * pool.exponent(scores, up ? off : -off, least) - log_level_;
    if (passes > most) {
      most = passes;
      alarm.kind = kind;
      alarm.up = up;
    }
  }
  return most;
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
    ++feature.blocks;
  }
  feature.block_total = 0;
  feature.block_lag_sum = 0;
}

bool DriftDetector::observe(Span<const Real> values) {
  Real most = 0;
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
    if (feature.past_total >= 2 * block_) {
      DriftAlarm alarm;
      alarm.feature = static_cast<std::uint32_t>(r);
      const Real passes = examine(feature, alarm);
      if (passes > most) {
        most = passes;
        alarm_ = alarm;
      }
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
    digest.add(feature.last_bin);
  }
}

}  // namespace whittle
