// A page of a ranking, as a message.
#ifndef WHITTLE_NODE_RANKING_PAGE_H_
#define WHITTLE_NODE_RANKING_PAGE_H_

#include <cstddef>
#include <cstdint>

#include "whittle.pb.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle {

// Where pages can start: the features, then the numbers of the lists in info.
std::size_t page_positions(const FeatureRanker& ranker);

// Fills `page` with the features and positions from `first`, less than m, on: kPageFeatures of them
// or all that are left, and on page 0 the selector's info. From m on, with numbers of the lists in
// info instead. first < page_positions(); the ranking must be valid. Left to the caller: refused,
// ranked_at, refinable.
void fill_page(const FeatureRanker& ranker, std::uint32_t first, whittle_v1_Ranking& page);

}  // namespace whittle

#endif  // WHITTLE_NODE_RANKING_PAGE_H_
