// MarginModels: the linear models w'x + b of a two-class method, one per problem of OneVsRest, kept
// while held points come and go, and the ElasticNetSvm that solves them one after the other.
//
// What is tied to a point follows its slot: a newcomer starts with no place and no role. Biases are
// for the solver's origin and follow it when it moves. Cost: prepare O(n m), score, objectives
// and gaps O(P n m) for P problems. Memory: P MarginModels, P (m + N + 1) Reals, 2 P N + 8 N + P
// bytes, FilledPoints, ElasticNetSvm.
#ifndef WHITTLE_SELECT_SOLVE_MARGIN_MODELS_H_
#define WHITTLE_SELECT_SOLVE_MARGIN_MODELS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/digest.h"
#include "whittle/memory/filled_points.h"
#include "whittle/memory/memory_config.h"
#include "whittle/select/one_vs_rest.h"
#include "whittle/select/solve/elastic_net_svm.h"

namespace whittle {

class MarginModels {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config, bool proximal) {
    const std::size_t problems = max_problems(config.classes);
    const std::size_t m = config.features;
    const std::size_t capacity = config.capacity();
    return ByteCount{}
        .array<MarginModel>(problems)
        .array<Real>(problems, m)
        .array<Real>(problems)
        .array<bool>(problems)
        .array<Place>(problems, capacity)
        .array<Role>(problems, capacity)
        .array<Real>(problems, capacity)
        .array<std::uint64_t>(capacity)
        .bytes(FilledPoints::required_bytes(m))
        .bytes(ElasticNetSvm::required_bytes(m, capacity, proximal))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config, bool proximal);

  // Follows the points now held; the origin is their mean, or that of the unlabelled ones. To be
  // called before the solver is, when they have changed.
  void prepare(const HeldPoints& points, bool unlabelled_origin);

  std::size_t problems() const { return models_.size(); }
  MarginModel& model(std::size_t problem) { return models_[problem]; }
  const MarginModel& model(std::size_t problem) const { return models_[problem]; }
  // The bias that is reported and predicted with.
  void set_bias(std::size_t problem, Real bias) {
    biases_[problem] = bias;
    exists_[problem] = true;
  }
  Real bias(std::size_t problem) const { return biases_[problem]; }
  // The middle of the biases that are as good as the one of a model that has just been solved for
  // its labelled points.
  Real middle_bias(const MarginModel& model) const;

  // Gives labelled points their roles, unlabelled ones none.
  void take_labels(std::size_t problem, MarginModel& model) const;

  const FilledPoints& points() const { return filled_; }
  ElasticNetSvm& solver() { return solver_; }
  Real margin(std::size_t problem, const Real* x) const {
    return solver_.product(models_[problem].weights.data(), x) + biases_[problem];
  }

  // |w_r|, the largest over the problems that exist; kNoScore of a feature that is constant over
  // the held points.
  void score(const HeldPoints& points, Span<Real> scores);
  // l1 |w|_1 + l2/2 |w|^2, the hinge losses of the labelled points held, and the losses of the
  // unlabelled ones, clipped at s: [S] (6) without its constant.
  Real objective(std::size_t problem, const MarginModel& model, Real bias,
                 const HingePenalty& penalty, Real s) const;
  // How far that is from the minimum at most, by the slopes of the solver's last step for the
  // model; of unlabelled points with the concave part of their loss replaced by its tangent at g.
  // Under the balance constraint (`balanced`) if it holds.
  Real gap(std::size_t problem, const MarginModel& model, Real bias, const HingePenalty& penalty,
           Real s, bool balanced);
  // The same as a part of that objective, 0 to 1.
  Real relative_gap(std::size_t problem, const MarginModel& model, Real bias,
                    const HingePenalty& penalty, Real s, bool balanced, Real objective);
  // The class of x: of two, by the sign of the one model, 0 being the positive class; of more, the
  // one whose model is largest, the first on a tie. Errors: failed_precondition when a problem has
  // no model (not refined yet), or there are not two classes.
  Status predict(const HeldPoints& points, const Real* x, std::uint32_t* label) const;

  void digest(const HeldPoints& points, Digest& digest) const;
  // Of one model: its weights, its bias and what it says of the points held.
  void digest_one(const MarginModel& model, const HeldPoints& points, Digest& digest) const;

 private:
  FilledPoints filled_;
  ElasticNetSvm solver_;
  Span<MarginModel> models_;
  Span<Real> biases_;
  Span<bool> exists_;           // by problem: a step of the solver has led to it
  Span<std::uint64_t> stamps_;  // N: of the points that the models know
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_MARGIN_MODELS_H_
