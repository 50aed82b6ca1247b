#include "tests/shared/drift_reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace whittle::testing {
namespace {

constexpr std::size_t kBins = 16;

std::vector<double> count(const int* first, const int* last) {
  std::vector<double> counts(kBins);
  for (; first < last; ++first) ++counts[static_cast<std::size_t>(*first)];
  return counts;
}

double mean(const std::vector<double>& share, const std::vector<double>& of) {
  return std::inner_product(share.begin(), share.end(), of.begin(), 0.0);
}

std::vector<double> shares(std::vector<double> counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (double& count : counts) count /= total;
  return counts;
}

// Of each bin, less their mean: the share of values below, ties half; or its square about 1/2.
std::vector<double> scores_of(const std::vector<double>& share, DriftKind kind) {
  std::vector<double> scores(kBins);
  for (std::size_t b = 0; b < kBins; ++b) {
    const auto here = share.begin() + static_cast<std::ptrdiff_t>(b);
    const double rank = std::accumulate(share.begin(), here, share[b] / 2) - 0.5;
    scores[b] = kind == DriftKind::location ? rank : rank * rank;
  }
  const double middle = mean(share, scores);
  for (double& score : scores) score -= middle;
  return scores;
}

double variance(const std::vector<double>& share, const std::vector<double>& scores) {
  double sum = 0;
  for (std::size_t b = 0; b < kBins; ++b) sum += share[b] * scores[b] * scores[b];
  return sum;
}

}  // namespace

DriftReference::DriftReference(const DriftConfig& config)
    : config_(config), features_(config.features) {}

// Blocks weigh alike, two before the first that showed 1 too, the oldest fading after 64 in all.
double DriftReference::mean_of(const Feature& feature, DriftKind kind, std::size_t but_last) {
  const std::vector<double>& squares = feature.squares[static_cast<std::size_t>(kind)];
  double mean = 1;
  for (std::size_t i = 0; i + but_last - 1 < squares.size(); ++i) {
    mean += (squares[i] - mean) / static_cast<double>(std::min<std::size_t>(i + 3, 64));
  }
  return mean;
}

double DriftReference::typical(DriftKind kind) const {
  double sum = 0;
  double count = 0;
  for (const Feature& feature : features_) {
    if (feature.squares[0].empty()) continue;
    sum += std::log(std::max(1.0, mean_of(feature, kind, 1)));
    ++count;
  }
  return count > 0 ? std::exp(sum / count) : 1;
}

double DriftReference::independent(const Feature& feature) const {
  const std::size_t past = feature.bins.size() - config_.block;
  double sum = 0;
  double square = 0;
  double products = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < past; ++i) {
    const double place = feature.bins[i] - 7.5;
    sum += place;
    square += place * place;
    if (i % config_.block == 0) continue;
    products += place * (feature.bins[i - 1] - 7.5);
    ++pairs;
  }
  const double middle = sum / static_cast<double>(past);
  const double spread = square / static_cast<double>(past) - middle * middle;
  if (spread <= 0) return config_.block;
  const double a = std::max(0.0, (products / pairs - middle * middle) / spread);
  return a < 1 ? config_.block * (1 - a) / (1 + a) : 0;
}

bool DriftReference::passes(const Bins& share, const Bins& scores, double off, double size) const {
  const double tests = 4.0 * config_.features;
  const double level = std::log(tests * double(config_.false_alarm_every) / config_.block);
  double best = 0;
  for (double t = 0.1; t < 500; t *= 1.02) {
    double sum = 0;
    for (std::size_t b = 0; b < kBins; ++b) {
      sum += share[b] * std::exp(off > 0 ? t * scores[b] : -t * scores[b]);
    }
    best = std::max(best, t * std::abs(off) - std::log(sum));
  }
  return size * best > level;
}

bool DriftReference::examine(Feature& feature) {
  const int* const end = feature.bins.data() + feature.bins.size();
  const double total = static_cast<double>(feature.bins.size());
  const double block = config_.block;
  const Bins share = shares(count(feature.bins.data(), end));
  const Bins newest = shares(count(end - config_.block, end));
  if (*std::max_element(share.begin(), share.end()) == 1) return false;
  bool alarm = false;
  double squares[2];
  for (const DriftKind kind : {DriftKind::location, DriftKind::spread}) {
    const Bins scores = scores_of(share, kind);
    const double spread = variance(share, scores);
    const double off = mean(newest, scores);
    const double square = spread > 0 ? off * off / spread * block * total / (total - block) : 0;
    squares[static_cast<std::size_t>(kind)] = std::min(square, 64.0);
    if (total < 3 * block || square < 8) continue;  // far from any level
    const double own = mean_of(feature, kind, 2);
    const double independent = this->independent(feature);
    const auto at = [&](double phi) {
      return passes(share, scores, off, std::min(phi > 2 ? block / phi : block, independent));
    };
    alarm = alarm || (at(own) && at(std::max(own, typical(kind))));
  }
  for (std::size_t k = 0; k < 2; ++k) feature.squares[k].push_back(squares[k]);
  return alarm;
}

bool DriftReference::observe(const std::vector<Real>& x) {
  bool alarm = false;
  for (std::size_t r = 0; r < x.size(); ++r) {
    Feature& feature = features_[r];
    const double value = static_cast<double>(x[r]);
    if (!std::isfinite(value)) continue;
    if (feature.edges.size() < 15) {
      if (feature.values++ % 8 == 0) feature.edges.push_back(value);
      continue;
    }
    const auto below = [&](double edge) { return value > edge; };
    feature.bins.push_back(
        static_cast<int>(std::count_if(feature.edges.begin(), feature.edges.end(), below)));
    const bool full = feature.bins.size() % config_.block == 0;
    if (full && feature.bins.size() > config_.block && examine(feature)) alarm = true;
  }
  if (!alarm) return false;
  for (Feature& feature : features_) {
    feature.values = 0;
    feature.edges.clear();
    feature.bins.clear();
  }
  return true;
}

}  // namespace whittle::testing
