// BalancedRounds: the concave-convex procedure of senfs for one model.
//
// An unlabelled point has the clipped loss C_star (H_1(g) + H_1(-g) - H_s(g) - H_s(-g)), H_a(z) =
// max(0, a - z); its concave part is replaced by its tangent, which leaves C_star (H_1(g) + H_1(-g)
// - t g) with the pull t = [g > -s] - [g < s], under the balance constraint mean(g) = mean(y). A
// round solves that with ElasticNetSvm and takes the pulls anew; the objective [S] (6) falls with
// every round. Rounds go on until no pull changes, or kMostRounds. Cold start: the linear machine
// of the labelled points (l1 = 0), moved so that g = 0 at the mean of the unlabelled ones; the
// first pulls are the signs of g. Warm start: the model as it is, with the pulls it had; a
// newcomer's by its g. Without unlabelled points, or C_star = 0, the problem is convex: one round.
//
// A step is one of ElasticNetSvm. No memory of its own.
#ifndef WHITTLE_SELECT_SOLVE_BALANCED_ROUNDS_H_
#define WHITTLE_SELECT_SOLVE_BALANCED_ROUNDS_H_

#include "whittle/base/placed_pointer.h"
#include "whittle/select/solve/margin_models.h"

namespace whittle {

class BalancedRounds {
 public:
  static constexpr std::uint32_t kMostRounds = 50;

  void set(MarginModels& models, const HingePenalty& penalty, Real s, std::uint32_t max_steps) {
    models_ = &models;
    penalty_ = penalty;
    s_ = s;
    max_steps_ = max_steps;
  }

  // `model` must stay; `origin`s are those of MarginModels::prepare. For a cold start `first`: the
  // weights that the first round starts from, m; it settles how long that takes, not where it ends.
  // nullptr: 0.
  void begin_warm(std::size_t problem, MarginModel& model);
  void begin_cold(std::size_t problem, MarginModel& model, const Real* first);
  // One step; true when the rounds have come to an end.
  bool step();

  bool convex() const { return !balanced() || penalty_.unlabelled == 0; }
  bool started() const { return !starting_; }  // the rounds, by the machine of the labelled points
  std::uint32_t rounds() const { return rounds_; }
  bool converged() const { return converged_; }
  // The mean of g over the unlabelled points less that of the labels; 0 if there are none.
  Real balance_residual(std::size_t problem, const MarginModel& model) const;

  void digest(Digest& digest) const;

 private:
  bool balanced() const {
    return models_->points().held().size() > models_->points().held().labelled();
  }
  Real mean_label(std::size_t problem) const;
  void take_pulls(Real s, bool only_new);
  bool renew_pulls();
  void begin_round();
  bool solve_step();

  MarginModels* models_ = nullptr;
  HingePenalty penalty_;
  Real s_ = 0;
  std::uint32_t max_steps_ = 1;
  std::size_t problem_ = 0;
  PlacedPointer<MarginModel> model_;
  PlacedPointer<const Real> first_;
  std::uint32_t rounds_ = 0;
  std::uint32_t steps_ = 0;  // of this round
  bool starting_ = false;
  bool solved_ = false;  // the last problem, within max_steps
  bool converged_ = false;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_BALANCED_ROUNDS_H_
