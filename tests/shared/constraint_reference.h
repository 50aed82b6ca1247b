// Constraints by brute force: the closure as n x n truth tables, and held points with constraints
// beside a plain model of both that is compared after every step.
#ifndef WHITTLE_TESTS_SHARED_CONSTRAINT_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_CONSTRAINT_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "whittle/base/random.h"
#include "whittle/memory/constraints.h"

namespace whittle::testing {

struct ModelPair {
  std::size_t a = 0;  // positions among the points, oldest first
  std::size_t b = 0;
  bool must_link = false;
};

struct Closure {
  std::vector<std::vector<bool>> must;    // reflexive
  std::vector<std::vector<bool>> cannot;  // symmetric
  bool contradiction = false;
};

// ML + ML => ML, ML + CL => CL, from the labels and the pairs of n points.
Closure naive_closure(const std::vector<std::uint32_t>& labels,
                      const std::vector<ModelPair>& pairs);

class ConstrainedPoints {
 public:
  explicit ConstrainedPoints(const MemoryConfig& config);

  void arrive(std::uint32_t label);  // makes room first
  void depart(std::size_t position);
  // Gives a pair and expects what the naive closure says of it. Returns whether it was refused as a
  // contradiction.
  bool give(std::size_t a, std::size_t b, bool must_link);
  // Whether a late label is allowed; expects the naive closure to say the same.
  bool allows(std::size_t position, std::uint32_t label) const;
  // After points().relabel of an unlabelled point.
  void relabelled(std::size_t position, std::uint32_t label);
  // Compares everything that can be asked.
  void check() const;
  // Compares with the same points and pairs, given in another order, in memory never used before.
  void check_history_is_forgotten(std::uint64_t seed) const;

  std::size_t size() const { return labels_.size(); }
  std::uint32_t label(std::size_t position) const { return labels_[position]; }
  Slot slot(std::size_t position) const { return points_.order()[position]; }
  std::size_t pairs() const { return pairs_.size(); }
  std::uint64_t digest() const;

  HeldPoints& points() { return points_; }
  Constraints& constraints() { return constraints_; }
  const Constraints& constraints() const { return constraints_; }

 private:
  void check_groups(const Closure& closure) const;
  void check_pairs() const;

  MemoryConfig config_;
  std::vector<std::uint64_t> buffer_;
  HeldPoints points_;
  Constraints constraints_;
  std::uint64_t next_stamp_ = 0;
  std::vector<std::uint32_t> labels_;  // oldest first
  std::vector<ModelPair> pairs_;       // as given
};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_CONSTRAINT_REFERENCE_H_
