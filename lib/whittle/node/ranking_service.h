// RankingService: applies the bodies of messages to a FeatureRanker in the caller's buffer. Knows
// nothing of the order of seqs, nor of frames.
//
// Every call that fails changes nothing but SampleStatistics::refused; a query that fails leaves no
// ranking behind.
#ifndef WHITTLE_NODE_RANKING_SERVICE_H_
#define WHITTLE_NODE_RANKING_SERVICE_H_

#include <cstddef>
#include <cstdint>

#include "whittle.pb.h"
#include "whittle/base/arena.h"
#include "whittle/base/status.h"
#include "whittle/node/port.h"
#include "whittle/node/reals.h"
#include "whittle/node/statistics.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/select/catalog.h"
#include "whittle/wire/limits.h"

namespace whittle {

class RankingService {
 public:
  RankingService(const Catalog& catalog, void* buffer, std::size_t size)
      : catalog_(catalog), whole_(buffer, size), arena_(whole_) {}

  // On error, `subject` may name what it is about: a selector or parameter of the message.
  // Errors: failed_precondition (configured already), not_found (selector, parameter),
  // out_of_range (more features than a sample message carries), invalid_argument (scaling, geometry
  // or redundancy unknown: value), those of ParamValues::set and of FeatureRanker::create;
  // resource_exhausted (value: bytes needed).
  Status configure(const whittle_v1_Configure& message, const char*& subject);

  // Forgets config, samples and their statistics.
  void reset();

  // Errors: failed_precondition before configure; those of StreamMemory::set_scale.
  Status scale(const whittle_v1_Scale& message);

  // `seq` is what later labels and constraints call the sample by; more than that of any before.
  // Errors: failed_precondition before configure; invalid_argument (not as many features as
  // declared, label without the kind or the kind without label, unknown kind); those of
  // StreamMemory::observe.
  Status sample(const whittle_v1_Sample& message, std::uint64_t seq, Port& clock);

  // A sample of the node's own. Errors: those of StreamMemory::observe.
  Status observe(const Sample& sample, Port& clock);

  // Errors: failed_precondition before configure; those of StreamMemory::label, constrain, rescale.
  Status label(const whittle_v1_Label& message);
  Status constraint(const whittle_v1_Constraint& message);
  Status rescale();

  // Writes a page of the ranking and, for first = 0, refines and ranks before. A query that is
  // asked again (`again`) does not refine again, so it gets the answer that was lost. After a
  // rescale, the steps of refine_iterations first settle the graph; until that is done the answer
  // is the ranking from before, refinable; without one, or without iterations, all is done at once.
  // Errors: failed_precondition (not configured, no sample yet, what the selector lacks, a later
  // page of no ranking; an overflow, which alone keeps the steps that found it),
  // out_of_range (first past the features and the numbers of lists; value: how many).
  Status query(const whittle_v1_Query& message, std::uint64_t seq, bool again,
               whittle_v1_Ranking& page);

  // Errors: failed_precondition before configure; invalid_argument (not as many features as
  // declared); those of FeatureRanker::predict.
  Status predict(const whittle_v1_Sample& message, std::uint32_t& label);
  // Of the sample with this seq. Errors: failed_precondition before configure; out_of_range (more
  // classes than a message has room for: value); those of FeatureRanker::memberships.
  Status memberships(std::uint64_t sample, whittle_v1_Memberships& message);

  // The largest message to expect now, bytes.
  std::size_t largest_payload() const;

  bool configured() const { return ranker_.created(); }
  const Catalog& catalog() const { return catalog_; }
  const Arena& arena() const { return arena_; }
  const FeatureRanker& ranker() const { return ranker_; }
  FeatureRanker& ranker() { return ranker_; }
  const SampleStatistics& samples() const { return samples_; }

 private:
  friend class NodeSnapshots;
  static Status fill(const whittle_v1_Configure& message, RankerConfig& config,
                     const char*& subject);
  Status check(const whittle_v1_Sample& message) const;
  Status take(const whittle_v1_Sample& message, std::uint64_t seq, Port& clock);
  Status rank(const whittle_v1_Query& message, std::uint64_t seq, bool again);

  Catalog catalog_;
  Arena whole_;  // as it was at the start
  Arena arena_;
  FeatureRanker ranker_;
  SampleStatistics samples_;
  std::uint64_t ranked_at_ = 0;  // seq of the query that made the ranking
  bool refinable_ = false;       // what it answered
  Reals<kMaxSampleFeatures> reals_;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_RANKING_SERVICE_H_
