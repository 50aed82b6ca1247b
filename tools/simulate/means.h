// Means: of many series, place by place.
#ifndef WHITTLE_TOOLS_SIMULATE_MEANS_H_
#define WHITTLE_TOOLS_SIMULATE_MEANS_H_

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace whittle::simulate {

// What is NaN does not count; NaN where there is nothing else.
class Means {
 public:
  explicit Means(std::size_t size) : sums_(size, 0), counts_(size, 0) {}
  void add(const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      sums_[i] += values[i];
      ++counts_[i];
    }
  }
  std::vector<double> values() const {
    std::vector<double> means;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      means.push_back(counts_[i] > 0 ? sums_[i] / counts_[i]
                                     : std::numeric_limits<double>::quiet_NaN());
    }
    return means;
  }

 private:
  std::vector<double> sums_, counts_;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_MEANS_H_
