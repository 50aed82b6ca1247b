#include "tools/cli/plot.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tools/cli/number.h"

namespace whittle::cli {
namespace {

constexpr std::size_t kShortestBar = 8;
constexpr std::size_t kLongestScore = 15;

// A name cut to so many columns.
std::string fitted(const std::string& name, std::size_t width) {
  if (width_of(name) <= width) return padded(name, width);
  std::string out;
  std::size_t columns = 0;
  for (const char c : name) {
    const bool starts = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (starts && ++columns > width - 1) break;
    out += c;
  }
  return out + '~';
}

std::string bar(double share, std::size_t width, bool blocks) {
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double length = std::clamp(share, 0.0, 1.0) * static_cast<double>(width);
  if (!blocks) return std::string(static_cast<std::size_t>(std::lround(length)), '#');
  const auto eighths = static_cast<std::size_t>(std::lround(8 * length));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  return out + kEighths[eighths % 8];
}

struct Reach {  // of the finite scores, and 0
  double low = 0, high = 0;
  double share_of(Real score) const {
    if (score == kInfinity) return 1;
    if (score == -kInfinity || high <= low) return 0;
    return (static_cast<double>(score) - low) / (high - low);
  }
};

Reach reach_of(const Result& result) {
  Reach reach;
  for (const Real score : result.scores) {
    const auto value = static_cast<double>(score);
    if (!std::isfinite(value)) continue;
    reach.low = std::min(reach.low, value);
    reach.high = std::max(reach.high, value);
  }
  return reach;
}

}  // namespace

void print_plot(const Plan& plan, const Result& result, std::size_t columns, bool blocks,
                std::ostream& out) {
  std::size_t name_width = 7, score_width = 5;
  for (const std::string& name : plan.data.names) {
    name_width = std::max(name_width, width_of(printable(name)));
  }
  for (const Real score : result.scores) {
    if (has_score(score)) score_width = std::max(score_width, format_real(score).size());
  }
  score_width = std::min(score_width, kLongestScore);
  const std::size_t rank_width =
      std::max<std::size_t>(4, std::to_string(result.order.size()).size());
  const std::size_t others = rank_width + score_width + 7;  // gaps, and the mark
  const std::size_t room = columns > others + kShortestBar ? columns - others - kShortestBar : 1;
  name_width = std::min(name_width, std::max<std::size_t>(room, 3));
  const std::size_t used = others + name_width;
  const std::size_t bar_width = columns > used ? columns - used : 0;
  const Reach reach = reach_of(result);
  for (std::size_t place = 0; place < result.order.size(); ++place) {
    const std::uint32_t feature = result.order[place];
    const Real score = result.scores[feature];
    const std::string rank = std::to_string(place + 1);
    out << std::string(rank_width - rank.size(), ' ') << rank << "  "
        << fitted(printable(plan.data.names[feature]), name_width)
        << (result.selected[feature] ? " * " : "   ")
        << padded(has_score(score) ? format_real(score) : "-", score_width);
    if (has_score(score)) out << "  " << bar(reach.share_of(score), bar_width, blocks);
    out << '\n';
  }
  out << "* selected\n";
}

}  // namespace whittle::cli
