// Stream: the samples of a data set in some order, with most labels hidden.
#ifndef WHITTLE_TOOLS_EVIDENCE_STREAM_H_
#define WHITTLE_TOOLS_EVIDENCE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/cli/dataset.h"
#include "whittle/memory/sample.h"

namespace whittle::evidence {

enum class Order {
  shuffled,  // at random
  sorted,    // at random, then one class after the other
};

class Stream {
 public:
  // Scales to mean 0 and population standard deviation 1, and keeps a share of the labels, chosen
  // at random. The same seed gives the same stream.
  Stream(const cli::Dataset& data, Order order, double labelled_share, std::uint64_t seed);

  std::size_t size() const { return samples_.size(); }
  std::size_t features() const { return features_; }
  std::uint32_t classes() const { return classes_; }
  std::size_t labelled() const;
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  std::size_t features_;
  std::uint32_t classes_;
  std::vector<Real> values_;
  std::vector<Sample> samples_;  // into values_
};

}  // namespace whittle::evidence

#endif  // WHITTLE_TOOLS_EVIDENCE_STREAM_H_
