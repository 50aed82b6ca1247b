// LinearModels: a linear decision function w'(x - c) + b for each one-vs-rest problem of a
// selector, about one centre c that may move: the functions stay what they are.
//
// Cost: O(m) for a problem. Memory: P (m + 1) + m Reals and P bools, P the most problems.
#ifndef WHITTLE_SELECT_SOLVE_LINEAR_MODELS_H_
#define WHITTLE_SELECT_SOLVE_LINEAR_MODELS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/memory/memory_config.h"
#include "whittle/select/one_vs_rest.h"

namespace whittle {

class LinearModels {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    const std::size_t problems = max_problems(config.classes);
    return ByteCount{}
        .array<Real>(problems, config.features)
        .array<Real>(problems)
        .array<bool>(problems)
        .array<Real>(config.features)
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Moves the centre; to be called before a model that is about it is set.
  void move_centre(const Real* centre);
  // To write the weights of a problem to, m Reals.
  Real* weights(std::size_t problem) { return weights_.data() + problem * centre_.size(); }
  const Real* weights(std::size_t problem) const {
    return weights_.data() + problem * centre_.size();
  }
  void set_bias(std::size_t problem, Real bias) {
    biases_[problem] = bias;
    exists_[problem] = true;
  }
  bool exists(std::size_t problem) const { return exists_[problem]; }

  // The class of x: of two, by the sign of the one function, 0 being the positive class; of more,
  // the one whose function is largest, the first on a tie. Errors: failed_precondition when a
  // problem has no model (not refined yet), or there are not two classes.
  Status predict(const HeldPoints& points, const Real* x, std::uint32_t* label) const;

  void digest(Digest& digest) const;

 private:
  Real decision(std::size_t problem, const Real* x) const;

  Span<Real> weights_;  // P x m
  Span<Real> biases_;
  Span<bool> exists_;
  Span<Real> centre_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_LINEAR_MODELS_H_
