// PruningService: applies policies and costs, as they come over the line, to a FeaturePruner in a
// buffer of its own. Every call that fails changes nothing.
#ifndef WHITTLE_NODE_PRUNING_SERVICE_H_
#define WHITTLE_NODE_PRUNING_SERVICE_H_

#include <cstddef>
#include <cstdint>

#include "whittle.pb.h"
#include "whittle/base/arena.h"
#include "whittle/base/status.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/rank/object_image.h"
#include "whittle/rank/pruning.h"

namespace whittle {

class PruningService {
 public:
  PruningService(void* buffer, std::size_t size) : whole_(buffer, size), arena_(whole_) {}

  // A pruner for this ranker's features. Errors: failed_precondition (the ranker is not created;
  // there is a policy), invalid_argument (unknown rule), those of FeaturePruner::create.
  Status policy(const whittle_v1_Policy& message, const FeatureRanker& ranker);

  // Errors: failed_precondition (no policy), those of FeaturePruner::set_features and
  // set_group_costs.
  Status costs(const whittle_v1_Costs& message);

  // A pruner of this config: to be restored from a snapshot. Errors: those of
  // FeaturePruner::create.
  Status create(const PruningConfig& config) { return pruner_.create(arena_, config); }

  void reset();

  // Of the pruner and all that was taken of the arena since the start. Its addresses are fixed when
  // it is created, and in the arena there are none.
  ObjectImage image();

  FeaturePruner& pruner() { return pruner_; }
  const FeaturePruner& pruner() const { return pruner_; }
  Arena& arena() { return arena_; }  // what the pruner has left

 private:
  Arena whole_;
  Arena arena_;
  FeaturePruner pruner_;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_PRUNING_SERVICE_H_
