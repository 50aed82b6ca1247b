// How much two rankings of the same features agree.
#ifndef WHITTLE_TOOLS_EVIDENCE_AGREEMENT_H_
#define WHITTLE_TOOLS_EVIDENCE_AGREEMENT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace whittle::evidence {

using Ranks = std::vector<std::uint32_t>;  // features, best first

// Share of the better half of the features that is in the better half of both.
inline double half_overlap(const Ranks& a, const Ranks& b) {
  const auto half = static_cast<std::ptrdiff_t>(a.size() / 2);
  Ranks x(a.begin(), a.begin() + half), y(b.begin(), b.begin() + half), both;
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(half);
}

// Kendall's tau: pairs in the same order less pairs that are not, over all pairs.
inline double kendall_tau(const Ranks& a, const Ranks& b) {
  std::vector<std::size_t> place(a.size());
  for (std::size_t i = 0; i < b.size(); ++i) place[b[i]] = i;
  double agreeing = 0, pairs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = i + 1; j < a.size(); ++j) {
      agreeing += place[a[i]] < place[a[j]] ? 1 : -1;
      ++pairs;
    }
  }
  return agreeing / pairs;
}

}  // namespace whittle::evidence

#endif  // WHITTLE_TOOLS_EVIDENCE_AGREEMENT_H_
