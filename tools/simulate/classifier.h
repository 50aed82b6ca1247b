// Classifier: what the host makes of the samples that come in: the class of the nearest of the
// newest labelled ones (1-NN), over the features that both have.
#ifndef WHITTLE_TOOLS_SIMULATE_CLASSIFIER_H_
#define WHITTLE_TOOLS_SIMULATE_CLASSIFIER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "tools/simulate/readings.h"

namespace whittle::simulate {

class Classifier {
 public:
  // Features are divided by their standard deviation in `readings`, so that units do not matter.
  explicit Classifier(const Readings& readings);

  // NaN: not sensed. kNoClass while there is nothing to compare with.
  std::uint32_t classify(const std::vector<float>& values) const;
  void learn(const std::vector<float>& values, std::uint32_t label);

 private:
  struct Reference {
    std::vector<float> values;
    std::uint32_t label;
  };
  std::vector<double> gain_;  // by feature, squared
  std::deque<Reference> references_;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_CLASSIFIER_H_
