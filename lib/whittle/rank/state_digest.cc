#include "whittle/rank/state_digest.h"

#include "whittle/rank/feature_ranker.h"

namespace whittle {
namespace {

std::uint64_t digest_of(const FeatureRanker& ranker) { return ranker.state_digest(); }

}  // namespace

const StateDigest kStateDigest = {digest_of};

}  // namespace whittle
