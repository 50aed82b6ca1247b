// Selector: one method that scores features from a StreamMemory; and SelectorType, how a Catalog
// knows it.
//
// Life of a selector: create (checks everything, takes its bytes) -> observe (bounded) -> refine
// (budgeted, iterative methods only) -> score (any number of times, changes nothing).
#ifndef WHITTLE_SELECT_SELECTOR_H_
#define WHITTLE_SELECT_SELECTOR_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/memory/memory_config.h"
#include "whittle/memory/stream_memory.h"
#include "whittle/select/description.h"
#include "whittle/select/info.h"
#include "whittle/select/params.h"

namespace whittle {

struct ModelAnswers;

enum class Direction : std::uint8_t { ascending, descending };  // which scores are better

// How the streaming score relates to the batch formula (docs/methods.md).
enum class Exactness : std::uint8_t {
  whole_stream,  // E1: equal over everything seen
  held_points,   // E2: equal over the points now held
  anytime,       // E3: equal over the points now held once refine has converged
};

struct Refinement {
  std::uint32_t iterations = 0;  // done by this call
  bool converged = true;         // nothing is left to do until the memory changes
};

class Selector {
 public:
  // Told of every sample after the memory took it in. Bounded work.
  virtual void observe(const Observation&) {}

  // Told when held points have changed otherwise than by a sample: a late label, a constraint, a
  // new scale.
  virtual void held_changed() {}

  // At most `max_iterations` steps of an iterative method; scores are usable after any number.
  // Nothing happens while there are too few samples or labels for score().
  virtual Refinement refine(std::uint32_t /*max_iterations*/) { return {}; }

  // Writes m scores (kNoScore where a feature has none) and, if `info` is given, what a reader
  // should know beside them. Errors: failed_precondition, naming what the method lacks; `scores`
  // is then unspecified.
  virtual Status score(Span<Real> scores, InfoList* info) = 0;

  // For a method that settles order or selection itself: told after score() of the order by score,
  // best first, and of the usual selection, by feature; may rewrite both.
  virtual void decide(Span<const Real> /*scores*/, Span<std::uint32_t> /*order*/,
                      Span<bool> /*selected*/) {}

  // The class that the features selected last tell of a sample: m scaled values, none missing.
  // Errors: unimplemented (the method does not classify), failed_precondition (nothing learned
  // yet). After a new scale it is right again once refine has converged.
  virtual Status predict(const Real* /*x*/, std::uint32_t* /*label*/) const {
    return {StatusCode::unimplemented, "the selector does not classify"};
  }

  // How far a held point belongs to each class, C numbers in 0..1 that sum to 1. Errors:
  // unimplemented (the method does not cluster), failed_precondition (nothing learned yet).
  virtual Status memberships(Slot /*slot*/, Span<Real> /*degrees*/) const {
    return {StatusCode::unimplemented, "the selector has no memberships"};
  }

  // The selector's own state, if it has one beside the memory.
  virtual void digest(Digest&) const {}

 protected:
  ~Selector() = default;
};

// The usual create of a selector class T: checks the room and constructs T(arena, memory, values).
template <typename T>
Status create_selector(Arena& arena, const StreamMemory& memory, const ParamValues& values,
                       Selector** selector) {
  const Status status = arena.check_left(T::required_bytes(memory.config(), values));
  if (status.ok()) *selector = arena.object<T>(arena, memory, values);
  return status;
}

struct SelectorType {
  const char* id;       // "cls"
  Description summary;  // one line
  Direction direction;
  Exactness exactness;
  Span<const ParamSpec> params;

  // Sets the parts of the memory that the selector reads.
  void (*configure)(MemoryConfig& memory, const ParamValues& values);
  // Bytes of the arena that create takes, for a configured memory.
  std::size_t (*required_bytes)(const MemoryConfig& memory, const ParamValues& values);
  // Places the selector in the arena. `memory` must outlive it. Errors: invalid_argument (values
  // that do not go together), resource_exhausted (required_bytes do not fit; value: bytes needed).
  Status (*create)(Arena& arena, const StreamMemory& memory, const ParamValues& values,
                   Selector** selector);
  // What it tells of single samples: &kClassifies if it has predict(), &kClusters if it has
  // memberships() (model_answers.h).
  const ModelAnswers* answers = nullptr;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SELECTOR_H_
