// StreamMemory: what is remembered of the stream, in fixed memory.
//
// Parts, each there only if the config asks for it: moments of everything seen, per class,
// unlabelled and universum; the held points (a labelled buffer, a window of the newest unlabelled
// samples, the prototypes of a codebook); the neighbour graph over them; constraints between them.
// Scaling is applied as a sample enters the held points; moments stay raw.
//
// Cost of observe: O(m) for moments, O(m) for a held point, O(N (m + k)) for the graph; without
// kept distances N m more for each point whose list has run short. Memory: the sum of its parts,
// and 2 m Reals for a scale.
#ifndef WHITTLE_MEMORY_STREAM_MEMORY_H_
#define WHITTLE_MEMORY_STREAM_MEMORY_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/memory/codebook.h"
#include "whittle/memory/constraints.h"
#include "whittle/memory/held_points.h"
#include "whittle/memory/learned_scale.h"
#include "whittle/memory/memory_config.h"
#include "whittle/memory/memory_parts.h"
#include "whittle/memory/moments.h"
#include "whittle/memory/neighbour_graph.h"
#include "whittle/memory/pair_sums.h"
#include "whittle/memory/sample.h"

namespace whittle {

struct SampleCounts {  // accepted samples
  std::uint64_t labelled = 0;
  std::uint64_t unlabelled = 0;
  std::uint64_t universum = 0;
  constexpr std::uint64_t total() const { return labelled + unlabelled + universum; }
};

// What a selector is told of a sample that the memory took in.
struct Observation {
  const Real* raw = nullptr;  // m values, as they came
  SampleKind kind = SampleKind::unlabelled;
  std::uint32_t label = 0;
  Slot slot = kNoSlot;  // where it is held; kNoSlot if it is not
};

class StreamMemory {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config);

  // Once. Errors: invalid_argument or out_of_range (a config that makes no sense, naming the
  // field), unimplemented (a part that is not linked), resource_exhausted (value: bytes needed).
  // Nothing is placed on error.
  Status create(Arena& arena, const MemoryConfig& config);

  // Offset and gain of features first .. first + size - 1: scaled = (raw - offset) * gain. For
  // scaling other than none, all features must be given, in order, before the first sample.
  // Errors: failed_precondition (scaling none, samples seen), out_of_range (not the next feature,
  // more than m), invalid_argument (not finite, sizes differ).
  Status set_scale(std::size_t first, Span<const Real> offset, Span<const Real> gain);

  // Takes a sample in and fills `seen`. Errors, each leaving everything as it was:
  //   invalid_argument: not m features (value: m); an infinity (value: which feature); every value
  //     missing (NaN); unknown kind
  //   out_of_range: unknown class (value: C); a value that overflows once scaled (value: which)
  //   failed_precondition: the scale is not complete (value: the next feature)
  Status observe(const Sample& sample, Observation* seen);

  // Labels a sample that is held without a label, as if it had come with it: a labelled buffer that
  // is then too full evicts one, which may be this one. Errors, each leaving everything as it was:
  // not_found (it is not held, or no longer), out_of_range (unknown class), failed_precondition (it
  // has a label; no labelled samples are held; the label contradicts a constraint).
  Status label(std::uint64_t id, std::uint32_t label);

  // Ties two held samples by a must-link or cannot-link pair. Errors, each leaving everything as it
  // was: not_found (one is not held), and those of Constraints::add.
  Status constrain(std::uint64_t first, std::uint64_t second, bool must_link);

  // Learns the scale again from all samples so far and scales the held points by it. The graph
  // follows in steps of one point each: settle() does at most `steps`, and says how many it did.
  // Errors: failed_precondition (the config has no learn, or too few samples came for it).
  Status rescale();
  std::uint32_t settle(std::uint32_t steps);
  bool settled() const { return unsettled_ == 0; }
  std::uint32_t scales_learned() const { return scales_learned_; }  // how often

  // Makes the graph ready for scoring: settles it, and takes the means of today where values are
  // missing.
  void prepare();

  const MemoryConfig& config() const { return config_; }
  const SampleCounts& counts() const { return counts_; }
  const Moments& moments() const { return moments_; }
  // Moments of all samples seen, one feature, in raw units, whether or not they are still held:
  // over a class, over all labelled ones, over labelled and unlabelled ones.
  Moment moment(std::size_t group, std::size_t feature) const;
  Moment labelled_moment(std::size_t feature) const;
  Moment ordinary_moment(std::size_t feature) const;
  std::uint64_t count(std::size_t group) const;
  // Of the explicit pairs of the stream that no labels imply, where points are held raw: how many,
  // and the sum of (f_i - f_j)^2 over them.
  std::uint64_t explicit_pairs(bool must_link) const;
  Real explicit_pair_sum(bool must_link, std::size_t feature) const;
  const HeldPoints& points() const { return points_; }
  const Codebook& codebook() const { return *codebook_; }  // if the config has units
  const Constraints& constraints() const { return constraints_; }
  const NeighbourGraph& graph() const { return *graph_; }  // if the config has neighbours

  // Everything that is remembered: no scratch, no pointers.
  void digest(Digest& digest) const;

  // Scaling of one feature; 0 and 1 with scaling none.
  Real offset(std::size_t feature) const { return offset_.empty() ? Real(0) : offset_[feature]; }
  Real gain(std::size_t feature) const { return gain_.empty() ? Real(1) : gain_[feature]; }
  Real scaled(const Real* raw, std::size_t feature) const {
    return (raw[feature] - offset(feature)) * gain(feature);
  }

 private:
  Status check(const Sample& sample) const;
  static Status check_values(Span<const Real> features);
  Status add_to_moments(const Sample& sample);
  void count(const Sample& sample);
  static Status not_held(std::uint64_t id) {
    return {StatusCode::not_found, "the sample is not held, or no longer: id", id};
  }
  std::size_t group_of(std::uint32_t label) const {
    return label == kUnlabelled ? moments_.unlabelled() : label;
  }
  std::size_t group_of(const Sample& sample) const {
    if (sample.kind == SampleKind::universum) return moments_.universum();
    return sample.kind == SampleKind::labelled ? sample.label : moments_.unlabelled();
  }
  // full_memory.cc and raw_points.cc: what FullMemory points to, and what that needs; then the same
  // of explicit_pairs.cc and scale_learning.cc.
  friend struct FullMemory;
  static Status check_moments_only(const MemoryConfig& config);
  void place_nothing(Arena&) {}
  Status take_moments(const Sample& sample, Observation* seen);
  static Status check_full(const MemoryConfig& config);
  void place_full(Arena& arena);
  Status take(const Sample& sample, Observation* seen);
  Status label_held(std::uint64_t id, std::uint32_t label);
  Status constrain_held(std::uint64_t first, std::uint64_t second, bool must_link);
  void prepare_held();
  std::uint64_t count_held(std::size_t group) const;
  Moment held_moment(std::size_t group, std::size_t feature) const;
  Status take_point(const Sample& sample, Observation* seen);
  Status check_scaled(const Real* x) const;
  Slot hold(const Sample& sample, std::uint32_t label, bool whole);
  void let_go(Slot slot);

  friend struct ExplicitPairs;
  void place_pairs(Arena& arena);
  Status tie(Slot a, Slot b, bool must_link);
  Status check_label(Slot slot, std::uint32_t label) const;
  void relabelled(Slot slot);
  void untie(Slot slot);
  std::uint64_t count_pairs(bool must_link) const;
  Real pair_sum(bool must_link, std::size_t feature) const;
  void digest_pairs(Digest& digest) const;
  bool counts(const ConstraintPair& pair, bool must_link) const;
  Real weight(const ConstraintPair& pair) const;
  Real pair_decay() const;

  friend struct CodebookMemory;
  void place_codebook(Arena& arena);
  void train(const Real* x);
  void train_scaled(const Real* raw);
  void digest_codebook(Digest& digest) const;

  friend struct ScaleLearning;
  void place_scale(Arena& arena);
  void learn_from(const Real* x);
  Status learn_again();
  std::uint32_t settle_lists(std::uint32_t steps);
  void digest_scale(Digest& digest) const;
  void learn_scale();
  void scale_again(std::size_t feature, const FeatureScale& scale);

  Real weight_of(Slot slot) const {
    return moments_.weight_at_age(counts_.total() - 1 - points_.arrival(slot));
  }

  MemoryConfig config_;
  SampleCounts counts_;
  Span<Real> offset_;
  Span<Real> gain_;
  std::size_t scale_known_ = 0;  // features whose scale has been given or learned
  std::uint64_t last_id_ = 0;
  std::uint64_t unsettled_ = 0;  // points with a smaller stamp have a list that is not settled ...
  std::uint64_t settled_ = 0;    // ... unless theirs is smaller than this
  std::uint32_t scales_learned_ = 0;
  LearnedScale learned_;
  PairSums pair_sums_;           // of explicit pairs of which a sample has left ...
  std::uint64_t pairs_now_ = 0;  // ... as of this many samples
  Moments moments_;
  HeldPoints points_;
  Constraints constraints_;
  Codebook* codebook_ = nullptr;
  Span<Real> leaving_;  // m: what trains the codebook
  NeighbourGraph* graph_ = nullptr;
};

// The tables of memory_parts.h; the members they name are private.
constexpr FullMemory FullMemory::make_moments_only() {
  FullMemory none{};  // the rest is not called without held samples
  none.check = &StreamMemory::check_moments_only;
  none.required_bytes = &no_bytes;
  none.place = &StreamMemory::place_nothing;
  none.take = &StreamMemory::take_moments;
  return none;
}
constexpr FullMemory FullMemory::make() {
  return {
      &StreamMemory::check_full,   &bytes,
      &StreamMemory::place_full,   &StreamMemory::take,
      &StreamMemory::label_held,   &StreamMemory::constrain_held,
      &StreamMemory::prepare_held, &StreamMemory::count_held,
      &StreamMemory::held_moment,
  };
}
constexpr ExplicitPairs ExplicitPairs::make() {
  return {&StreamMemory::place_pairs, &StreamMemory::tie,         &StreamMemory::check_label,
          &StreamMemory::relabelled,  &StreamMemory::untie,       &StreamMemory::count_pairs,
          &StreamMemory::pair_sum,    &StreamMemory::digest_pairs};
}
constexpr ScaleLearning ScaleLearning::make() {
  return {&StreamMemory::place_scale, &StreamMemory::learn_from, &StreamMemory::learn_again,
          &StreamMemory::settle_lists, &StreamMemory::digest_scale};
}
constexpr CodebookMemory CodebookMemory::make() {
  return {&StreamMemory::place_codebook, &StreamMemory::train, &StreamMemory::train_scaled,
          &StreamMemory::digest_codebook};
}
inline constexpr FullMemory kFullMemory = FullMemory::make();
inline constexpr FullMemory kMomentsOnly = FullMemory::make_moments_only();
inline constexpr ExplicitPairs kExplicitPairs = ExplicitPairs::make();
inline constexpr ScaleLearning kScaleLearning = ScaleLearning::make();
inline constexpr CodebookMemory kCodebookMemory = CodebookMemory::make();

constexpr std::size_t StreamMemory::required_bytes(const MemoryConfig& config) {
  return ByteCount{}
      .array<Real>(config.scaling == Scaling::none ? 0 : config.features, 2)
      .bytes(Moments::required_bytes(config))
      .bytes(config.full->required_bytes(config))
      .total();
}

// For a selector that reads held points.
constexpr void hold_samples(MemoryConfig& config) {
  config.points = true;
  config.full = &kFullMemory;
}

}  // namespace whittle

#endif  // WHITTLE_MEMORY_STREAM_MEMORY_H_
