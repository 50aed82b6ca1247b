#include "tools/cli/spelling.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace whittle::cli {
namespace {

constexpr std::size_t kMostWrong = 2;

// Optimal string alignment.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> two_above, above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = above;
    above = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t wrong = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + wrong});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_above[j - 2] + 1);
      }
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& words) {
  std::string best;
  std::size_t least = kMostWrong + 1;
  for (const std::string& candidate : words) {
    const std::size_t wrong = distance(word, candidate);
    if (wrong >= least || 2 * wrong >= std::max(word.size(), candidate.size())) continue;
    best = candidate;
    least = wrong;
  }
  return best;
}

}  // namespace whittle::cli
