#include "tools/simulate/classifier.h"

#include <cmath>
#include <limits>

#include "tools/simulate/spread.h"

namespace whittle::simulate {
namespace {

constexpr std::size_t kReferences = 200;

}  // namespace

Classifier::Classifier(const Readings& readings) {
  for (std::size_t r = 0; r < readings.features.size(); ++r) {
    const double deviation = spread_of(readings, r).deviation;
    gain_.push_back(deviation > 0 ? 1 / (deviation * deviation) : 0);
  }
}

std::uint32_t Classifier::classify(const std::vector<float>& values) const {
  double nearest = std::numeric_limits<double>::infinity();
  std::uint32_t label = kNoClass;
  for (const Reference& reference : references_) {
    double sum = 0;
    std::size_t common = 0;
    for (std::size_t r = 0; r < values.size(); ++r) {
      const auto difference = static_cast<double>(values[r] - reference.values[r]);
      if (std::isnan(difference)) continue;
      sum += difference * difference * gain_[r];
      ++common;
    }
    if (common == 0) continue;
    const double distance = sum / static_cast<double>(common);
    if (distance < nearest) {
      nearest = distance;
      label = reference.label;
    }
  }
  return label;
}

void Classifier::learn(const std::vector<float>& values, std::uint32_t label) {
  references_.push_back({values, label});
  if (references_.size() > kReferences) references_.pop_front();
}

}  // namespace whittle::simulate
