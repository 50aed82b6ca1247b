#include "whittle/select/sselect.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/math.h"

namespace whittle {
namespace {

// p(a, b) log(p(a, b) / (p(a) p(b))) from counts among `all`.
Real shared_information(std::uint32_t both, std::uint32_t a, std::uint32_t b, std::uint32_t all) {
  if (both == 0) return Real(0);
  const Real lift = real_count(std::uint64_t{both} * all) / real_count(std::uint64_t{a} * b);
  return static_cast<Real>(both) / static_cast<Real>(all) * log(lift);
}

// -p log p: what a part shares with itself.
Real entropy_term(std::uint32_t part, std::uint32_t all) {
  return shared_information(part, part, part, all);
}

// I / sqrt(H H) between class and side. The two sides of a class are added before the classes, so
// that features which differ in the sign of g only have the same bits.
Real normalised_information(Span<const std::uint32_t> members, Span<const std::uint32_t> on_plus) {
  std::uint32_t all = 0;
  std::uint32_t plus = 0;
  for (std::size_t c = 0; c < members.size(); ++c) {
    all += members[c];
    plus += on_plus[c];
  }
  Real information = 0;
  Real class_entropy = 0;
  for (std::size_t c = 0; c < members.size(); ++c) {
    information += shared_information(on_plus[c], plus, members[c], all) +
                   shared_information(members[c] - on_plus[c], all - plus, members[c], all);
    class_entropy += entropy_term(members[c], all);
  }
  const Real side_entropy = entropy_term(plus, all) + entropy_term(all - plus, all);
  if (class_entropy == 0 || side_entropy == 0) return Real(0);
  const Real shared = information / std::sqrt(class_entropy * side_entropy);
  return std::min(std::max(shared, Real(0)), Real(1));  // what it is before rounding
}

}  // namespace

Sselect::Sselect(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory), eta_(values[3]) {
  const MemoryConfig& config = memory.config();
  rule_.lambda = values[1];
  scatter_.place(arena, config);
  sums_.place(arena, config.features);
  peaks_ = arena.array<Real>(config.features);
  const Span<std::uint32_t> counts = arena.array<std::uint32_t>(2 * std::size_t{config.classes});
  members_ = counts.subspan(0, config.classes);
  on_plus_ = counts.subspan(config.classes, config.classes);
}

Status Sselect::score(Span<Real> scores, InfoList* info) {
  if (const Status status = scatter_.build(memory_, rule_); !status.ok()) return status;
  if (info != nullptr) info->real("lambda_used", scatter_.lambda());
  laplacian_scores(memory_.points(), scatter_, sums_, scores);
  note_peaks();
  for (std::size_t r = 0; r < scores.size(); ++r) {
    if (!has_score(scores[r])) continue;
    count_classes(r);
    const Real disagreement = Real(1) - normalised_information(members_, on_plus_);
    scores[r] = eta_ * scores[r] + (Real(1) - eta_) * disagreement;
  }
  return {};
}

// Reads mu_D, which laplacian_scores left in the sums.
void Sselect::note_peaks() {
  const HeldPoints& points = memory_.points();
  const Real* origin = sums_.origin();
  const Real* means = sums_.means();
  std::fill(peaks_.begin(), peaks_.end(), Real(0));
  for (const Slot slot : points.order()) {
    const Real* x = points.row(slot);
    for (std::size_t r = 0; r < peaks_.size(); ++r) {
      const Real g = std::abs((x[r] - origin[r]) - means[r]);
      peaks_[r] = peaks_[r] < g ? g : peaks_[r];  // not if it is missing
    }
  }
}

void Sselect::count_classes(std::size_t feature) {
  const HeldPoints& points = memory_.points();
  const Real origin = sums_.origin()[feature];
  const Real mean = sums_.means()[feature];
  const Real least = Real(-1e-6) * peaks_[feature];
  std::fill(members_.begin(), members_.end(), 0U);
  std::fill(on_plus_.begin(), on_plus_.end(), 0U);
  for (const Slot slot : points.order()) {
    const std::uint32_t label = points.label(slot);
    if (label == kUnlabelled) continue;
    const Real value = points.row(slot)[feature];
    if (is_missing(value)) continue;
    ++members_[label];
    if ((value - origin) - mean >= least) ++on_plus_[label];
  }
}

}  // namespace whittle
