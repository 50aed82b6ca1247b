// CSFSR: csfs without the features that say what a better one says. Smaller is better.
//
// Scores are those of csfs. Of the best h features a RedundancyTree keeps those that no better one
// makes redundant. order: the kept, then the rest, each by score; selected: the kept, or the first
// N of them where the top N are asked for. Source: [T] 3.5, Algorithm 12. Class E2: equal to the
// batch result on the points held.
//
// Parameters: those of csfs, h (m if that is less), min_mi. Cost: that of csfs and O(h^2 n).
// Memory: that of csfs and a RedundancyTree. Misleads where features are alike only in what the
// classes share: correlation is taken over all points, and in a tree of unrelated features
// neighbours go, too, unless min_mi is above 0. Errors of score: those of csfs.
#ifndef WHITTLE_SELECT_CSFSR_H_
#define WHITTLE_SELECT_CSFSR_H_

#include "whittle/select/csfs.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/redundancy_tree.h"

namespace whittle {

inline constexpr ParamSpec kCsfsrParams[] = {
    kCsfsNeighboursParam,
    kLambdaParam,
    kMetricParam,
    kMaxConstraintsParam,
    {"h", "best features that may be found redundant; m if that is less", ParamKind::integer,
     kTreeFeatures, 1, kMaxFeatures, nullptr},
    {"min_mi", "mutual information below which a neighbour in the tree stays", ParamKind::real, 0,
     0, 100, nullptr}};

class Csfsr final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& values) {
    return ByteCount{}
        .object<Csfsr>()
        .bytes(Csfs::scratch_bytes(memory, values))
        .bytes(RedundancyTree::required_bytes(memory.features, values.integer(4)))
        .total();
  }

  Csfsr(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;
  void decide(Span<const Real> scores, Span<std::uint32_t> order, Span<bool> selected) override;

 private:
  const StreamMemory& memory_;
  Csfs csfs_;
  RedundancyTree tree_;
  Real min_mi_;
};

inline constexpr SelectorType kCsfsr = {"csfsr",
                                        "csfs without redundant features",
                                        Direction::ascending,
                                        Exactness::held_points,
                                        kCsfsrParams,
                                        Csfs::configure,
                                        Csfsr::required_bytes,
                                        create_selector<Csfsr>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_CSFSR_H_
