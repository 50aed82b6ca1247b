// DriftDetector by its definition, in double: the bins of all values since the last alarm and the
// squares of all blocks ever are kept; the bound's maximum is searched for on a grid.
#ifndef WHITTLE_TESTS_SHARED_DRIFT_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_DRIFT_REFERENCE_H_

#include <cstddef>
#include <vector>

#include "whittle/rank/drift.h"

namespace whittle::testing {

class DriftReference {
 public:
  explicit DriftReference(const DriftConfig& config);

  bool observe(const std::vector<Real>& x);
  double dispersion(std::size_t feature, DriftKind kind) const {
    return mean_of(features_[feature], kind, 2);
  }

 private:
  using Bins = std::vector<double>;  // 16: counts, or scores
  struct Feature {
    int values = 0;
    std::vector<double> edges;
    std::vector<int> bins;           // of all values since the edges
    std::vector<double> squares[2];  // of all blocks ever, by kind
  };

  static double mean_of(const Feature& feature, DriftKind kind, std::size_t but_last);
  double typical(DriftKind kind) const;
  double independent(const Feature& feature) const;
  bool passes(const Bins& share, const Bins& scores, double off, double size) const;
  bool examine(Feature& feature);

  DriftConfig config_;
  std::vector<Feature> features_;
};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_DRIFT_REFERENCE_H_
