// StateDigest: a part to be linked by name (LinkedParts::digest): a node that has it tells the
// digest of its state in its statistics, so that two ends, or two boards, can be compared.
//
// Cost: a pass over the state, O(N m) of the held points, a few hundred bytes of code; no memory.
#ifndef WHITTLE_RANK_STATE_DIGEST_H_
#define WHITTLE_RANK_STATE_DIGEST_H_

#include <cstdint>

namespace whittle {

class FeatureRanker;

struct StateDigest {
  // FeatureRanker::state_digest() of a ranker that is created.
  std::uint64_t (*of)(const FeatureRanker& ranker);
};  // kStateDigest is declared where it is named, in select/catalog.h

}  // namespace whittle

#endif  // WHITTLE_RANK_STATE_DIGEST_H_
