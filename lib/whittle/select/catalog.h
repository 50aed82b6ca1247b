// Catalog: the selectors and the other parts that an application chooses to link. Naming a
// SelectorType or a part here is what links it; nothing else does.
//
//   const SelectorType* const entries[] = {&kVariance, &kCls};
//   const Catalog catalog(entries);
#ifndef WHITTLE_SELECT_CATALOG_H_
#define WHITTLE_SELECT_CATALOG_H_

#include <cstddef>

#include "whittle/base/span.h"
#include "whittle/memory/codebook.h"
#include "whittle/memory/stream_memory.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/tree_elimination.h"

namespace whittle {

struct StateDigest;
// Of rank/state_digest.cc, a constant. NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern const StateDigest kStateDigest;

// Parts that a config may ask for and no selector of the application need name; nullptr: not there.
struct LinkedParts {
  const FullMemory* full = &kMomentsOnly;    // held samples, late labels
  const ExplicitPairs* pairs = nullptr;      // must-link and cannot-link pairs beside the labels
  const ScaleLearning* scales = nullptr;     // scales learned from the stream
  const CodebookMemory* codebook = nullptr;  // geometries other than the window
  const TreeElimination* tree = nullptr;     // elimination of redundant features
  const StateDigest* digest = nullptr;       // digest of the state in a node's statistics
};
inline constexpr LinkedParts kAllParts = {&kFullMemory,     &kExplicitPairs,   &kScaleLearning,
                                          &kCodebookMemory, &kTreeElimination, &kStateDigest};

class Catalog {
 public:
  constexpr explicit Catalog(Span<const SelectorType* const> types, LinkedParts parts = {})
      : types_(types), parts_(parts) {}

  const LinkedParts& parts() const { return parts_; }

  constexpr std::size_t size() const { return types_.size(); }
  constexpr const SelectorType& operator[](std::size_t i) const { return *types_[i]; }
  // The selector called `id`, or nullptr.
  const SelectorType* find(const char* id) const;

 private:
  Span<const SelectorType* const> types_;
  LinkedParts parts_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_CATALOG_H_
