// A page of a ranking, as a message.
#ifndef WHITTLE_NODE_RANKING_PAGE_H_
#define WHITTLE_NODE_RANKING_PAGE_H_

#include <cstdint>

#include "whittle.pb.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle {

// Fills `page` with the features and positions from `first`, less than m, on: kPageFeatures of them
// or all that are left, and on page 0 the selector's info. The ranking must be valid. Left to the
// caller: refused, ranked_at.
void fill_page(const FeatureRanker& ranker, std::uint32_t first, whittle_v1_Ranking& page);

}  // namespace whittle

#endif  // WHITTLE_NODE_RANKING_PAGE_H_
