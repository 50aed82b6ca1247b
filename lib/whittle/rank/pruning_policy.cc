#include "whittle/rank/pruning_policy.h"

#include <limits>

#include "whittle/base/heap_sort.h"

namespace whittle {
namespace {

constexpr std::uint32_t kUnscored = std::numeric_limits<std::uint32_t>::max();

bool finite(Real score) { return score - score == Real(0); }

}  // namespace

void PruningPolicy::place(Arena& arena, const PruningConfig& config, const PruningUnits& units) {
  config_ = &config;
  units_ = &units;
  const std::size_t m = config.features;
  mask_ = arena.array<bool>(m);
  wanted_ = arena.array<bool>(m);
  values_ = arena.array<Real>(m);
  position_ = arena.array<std::uint32_t>(m);
  order_ = arena.array<std::uint32_t>(m);
  switched_at_ = arena.array<std::uint64_t>(m);
  if (config.rule == PruningRule::budget) budget_.place(arena, m);
  for (bool& on : mask_) on = true;
}

Status PruningPolicy::choose(const Ranking& ranking, Direction direction, std::uint64_t now,
                             bool fresh, std::uint32_t* switched) {
  if (!look_up(ranking)) {
    return {StatusCode::failed_precondition, "no feature has a score to choose by"};
  }
  const Update update = {ranking, direction, now, fresh};
  for (bool& unit : wanted_) unit = false;
  switch (config_->rule) {
    case PruningRule::top:
      choose_top(update);
      break;
    case PruningRule::threshold:
      choose_better(update);
      break;
    case PruningRule::decision:
      choose_decided(update);
      break;
    case PruningRule::budget:
      choose_within_budget(update);
      break;
  }
  choose_one();
  *switched = apply(update);
  return {};
}

// Of each unit its best position; whether there is one at all.
bool PruningPolicy::look_up(const Ranking& ranking) {
  bool any = false;
  for (std::uint32_t& position : position_) position = kUnscored;
  for (std::size_t p = 0; p < position_.size(); ++p) {
    const std::uint32_t feature = ranking.order()[p];
    if (!has_score(ranking.scores()[feature])) continue;
    any = true;
    std::uint32_t& position = position_[units_->leader(feature)];
    if (position == kUnscored) position = static_cast<std::uint32_t>(p);
  }
  return any;
}

bool PruningPolicy::locked(const Update& update, std::size_t unit) const {
  return !update.fresh && update.now - switched_at_[unit] < config_->dwell;
}

void PruningPolicy::choose_top(const Update& update) {
  const std::uint32_t most = kept_features(*config_);
  std::uint32_t kept = 0;
  std::uint32_t count = 0;
  for (std::uint32_t u = 0; u < mask_.size(); ++u) {
    if (!units_->leads(u)) continue;
    if (locked(update, u)) {
      wanted_[u] = mask_[u];
      if (mask_[u]) kept += units_->size(u);
    } else if (position_[u] != kUnscored) {
      order_[count++] = u;
    }
  }
  // Those of the mask compare as if they stood further to the front; on a tie they come first.
  const auto place = [&](std::uint32_t u) {
    return std::uint64_t{position_[u]} + (keeps(update, u) ? 0 : config_->rank_margin);
  };
  heap_sort(order_.subspan(0, count), [&](std::uint32_t a, std::uint32_t b) {
    if (place(a) != place(b)) return place(a) < place(b);
    if (keeps(update, a) != keeps(update, b)) return keeps(update, a);
    return position_[a] < position_[b];
  });
  for (const std::uint32_t u : order_.subspan(0, count)) {
    const std::uint32_t size = units_->size(u);
    if (kept > most || size > most - kept) continue;
    wanted_[u] = true;
    kept += size;
  }
}

void PruningPolicy::choose_better(const Update& update) {
  const Real threshold = config_->threshold;
  const Real margin = config_->score_margin * (threshold < 0 ? -threshold : threshold);
  const bool ascending = update.direction == Direction::ascending;
  for (std::size_t u = 0; u < mask_.size(); ++u) {
    if (!units_->leads(u)) continue;
    if (locked(update, u)) {
      wanted_[u] = mask_[u];
      continue;
    }
    if (position_[u] == kUnscored) continue;
    const Real score = update.ranking.scores()[update.ranking.order()[position_[u]]];
    const Real slack = keeps(update, u) ? margin : Real(0);
    wanted_[u] = ascending ? score <= threshold + slack : score >= threshold - slack;
  }
}

void PruningPolicy::choose_decided(const Update& update) {
  for (std::size_t r = 0; r < mask_.size(); ++r) {
    const std::uint32_t unit = units_->leader(r);
    if (locked(update, unit)) {
      wanted_[unit] = mask_[unit];
    } else if (update.ranking.selected()[r]) {
      wanted_[unit] = true;
    }
  }
}

// Writes the value of every unit.
void PruningPolicy::value_units(const Ranking& ranking) {
  const Span<const std::uint32_t> order = ranking.order();
  std::size_t scored = 0;
  std::size_t first = order.size();  // of the finite scores; so if there is none
  std::size_t last = 0;
  for (std::size_t p = 0; p < order.size(); ++p) {
    const Real score = ranking.scores()[order[p]];
    if (has_score(score)) scored = p + 1;
    if (!finite(score)) continue;
    if (first == order.size()) first = p;
    last = p;
  }
  const bool all_same = first >= last;
  const Real worst = all_same ? Real(0) : ranking.scores()[order[last]];
  const Real range = all_same ? Real(1) : ranking.scores()[order[first]] - worst;
  for (Real& value : values_) value = 0;
  for (std::size_t p = 0; p < scored; ++p) {
    Real value = 1;
    if (config_->value == PruningValue::rank) {
      value = static_cast<Real>(scored - p) / static_cast<Real>(scored);
    } else if (p > last && first < order.size()) {
      value = 0;  // infinitely bad
    } else if (p >= first && !all_same) {
      value = (ranking.scores()[order[p]] - worst) / range;
    }
    values_[units_->leader(order[p])] += value;
  }
}

void PruningPolicy::choose_within_budget(const Update& update) {
  Real room = config_->budget;
  std::uint32_t count = 0;
  value_units(update.ranking);
  for (std::uint32_t u = 0; u < mask_.size(); ++u) {
    if (!units_->leads(u)) continue;
    if (locked(update, u)) {
      wanted_[u] = mask_[u];
      if (mask_[u]) room -= units_->cost(u);
    } else if (position_[u] != kUnscored) {
      if (keeps(update, u)) values_[u] *= Real(1) + config_->score_margin;
      order_[count++] = u;
    }
  }
  const Span<std::uint32_t> items = order_.subspan(0, count);
  budget_.choose(items, values_, units_->costs(), room > 0 ? room : Real(0), config_->search_steps);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (budget_.chosen(i)) wanted_[items[i]] = true;
  }
}

// A sample must have a value: if nothing has been chosen, the best unit; under a budget the
// cheapest.
void PruningPolicy::choose_one() {
  std::size_t best = mask_.size();
  for (std::size_t u = 0; u < mask_.size(); ++u) {
    if (wanted_[u]) return;
    if (!units_->leads(u)) continue;
    const bool better = best == mask_.size() ||
                        (config_->rule == PruningRule::budget ? units_->cost(u) < units_->cost(best)
                                                              : position_[u] < position_[best]);
    if (better) best = u;
  }
  wanted_[best] = true;
}

std::uint32_t PruningPolicy::apply(const Update& update) {
  std::uint32_t switched = 0;
  for (std::size_t r = 0; r < mask_.size(); ++r) {
    const std::uint32_t unit = units_->leader(r);
    const bool on = wanted_[unit];
    if (unit == r && on != mask_[r]) {
      ++switched;
      switched_at_[r] = update.now;
    }
    mask_[r] = on;
  }
  return switched;
}

Real PruningPolicy::cost() const {
  Real sum = 0;
  for (std::size_t u = 0; u < mask_.size(); ++u) {
    if (units_->leads(u) && mask_[u]) sum += units_->cost(u);
  }
  return sum;
}

void PruningPolicy::digest(Digest& digest) const {
  for (std::size_t r = 0; r < mask_.size(); ++r) {
    digest.add(mask_[r]);
    digest.add(switched_at_[r]);
  }
}

}  // namespace whittle
