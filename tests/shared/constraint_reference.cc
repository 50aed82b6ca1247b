#include "tests/shared/constraint_reference.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace whittle::testing {

Closure naive_closure(const std::vector<std::uint32_t>& labels,
                      const std::vector<ModelPair>& pairs) {
  const std::size_t n = labels.size();
  Closure closure;
  closure.must.assign(n, std::vector<bool>(n));
  closure.cannot = closure.must;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const bool labelled = labels[i] != kUnlabelled && labels[j] != kUnlabelled;
      closure.must[i][j] = i == j || (labelled && labels[i] == labels[j]);
      closure.cannot[i][j] = labelled && labels[i] != labels[j];
    }
  }
  for (const ModelPair& pair : pairs) {
    auto& table = pair.must_link ? closure.must : closure.cannot;
    table[pair.a][pair.b] = table[pair.b][pair.a] = true;
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (closure.must[i][k] && closure.must[k][j]) closure.must[i][j] = true;
      }
    }
  }
  for (int side = 0; side < 2; ++side) {
    const auto cannot = closure.cannot;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; closure.must[i][k] && j < n; ++j) {
          if (cannot[k][j]) closure.cannot[i][j] = closure.cannot[j][i] = true;
        }
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (closure.must[i][j] && closure.cannot[i][j]) closure.contradiction = true;
    }
  }
  return closure;
}

ConstrainedPoints::ConstrainedPoints(const MemoryConfig& config) : config_(config) {
  const std::size_t needed =
      HeldPoints::required_bytes(config) + Constraints::required_bytes(config);
  buffer_.resize(needed / sizeof(std::uint64_t));
  Arena arena(buffer_.data(), needed);
  points_.place(arena, config);
  const std::size_t before = arena.used();
  constraints_.place(arena, config);
  EXPECT_EQ(arena.used() - before, Constraints::required_bytes(config));
}

void ConstrainedPoints::arrive(std::uint32_t label) {
  if (const Slot victim = points_.victim(label); victim != kNoSlot) {
    const auto order = points_.order();
    depart(static_cast<std::size_t>(std::find(order.begin(), order.end(), victim) - order.begin()));
  }
  const Slot slot = points_.add(label, next_stamp_, next_stamp_);
  ++next_stamp_;
  *points_.row(slot) = 0;
  labels_.push_back(label);
}

void ConstrainedPoints::depart(std::size_t position) {
  const Slot leaving = slot(position);
  points_.remove(leaving);
  constraints_.forget(points_, leaving);
  labels_.erase(labels_.begin() + static_cast<std::ptrdiff_t>(position));
  std::erase_if(pairs_, [&](const ModelPair& p) { return p.a == position || p.b == position; });
  for (ModelPair& pair : pairs_) {
    pair.a -= pair.a > position ? 1 : 0;
    pair.b -= pair.b > position ? 1 : 0;
  }
}

bool ConstrainedPoints::give(std::size_t a, std::size_t b, bool must_link) {
  const auto same = [&](const ModelPair& pair) {
    return std::minmax(pair.a, pair.b) == std::minmax(a, b);
  };
  std::vector<ModelPair> more = pairs_;
  more.push_back({a, b, must_link});
  const bool contradiction = naive_closure(labels_, more).contradiction;
  const bool stored = std::any_of(pairs_.begin(), pairs_.end(), same);
  const bool full = pairs_.size() == config_.pairs;
  const std::uint64_t before = digest();
  const Status status = constraints_.add(points_, slot(a), slot(b), must_link);
  if (a == b) {
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
  } else if (contradiction) {
    EXPECT_EQ(status.code(), StatusCode::failed_precondition);
  } else if (!stored && full) {
    EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
    EXPECT_EQ(status.value(), config_.pairs);
  } else {
    EXPECT_TRUE(status.ok()) << status.reason();
    if (!stored) pairs_ = more;
    EXPECT_EQ(digest() == before, stored);
    return false;
  }
  EXPECT_EQ(digest(), before);
  return a != b && contradiction;
}

bool ConstrainedPoints::allows(std::size_t position, std::uint32_t label) const {
  auto labels = labels_;
  labels[position] = label;
  const bool other_label = labels_[position] != kUnlabelled && labels_[position] != label;
  const bool expected = !other_label && !naive_closure(labels, pairs_).contradiction;
  const Status status = constraints_.check_label(points_, slot(position), label);
  EXPECT_EQ(status.code(), expected ? StatusCode::ok : StatusCode::failed_precondition)
      << status.reason();
  return expected;
}

void ConstrainedPoints::relabelled(std::size_t position, std::uint32_t label) {
  constraints_.relabelled(points_, slot(position));
  labels_[position] = label;
}

void ConstrainedPoints::check() const {
  const Closure closure = naive_closure(labels_, pairs_);
  ASSERT_FALSE(closure.contradiction);
  std::uint32_t in_cannot_link = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    std::uint32_t partners = 0;
    for (std::size_t j = 0; j < size(); ++j) {
      if (closure.cannot[i][j]) ++partners;
      ASSERT_EQ(constraints_.cannot_link(points_, slot(i), slot(j)), closure.cannot[i][j]);
      if (i == j) continue;
      ASSERT_EQ(constraints_.must_link(points_, slot(i), slot(j)), closure.must[i][j]);
    }
    ASSERT_EQ(constraints_.cannot_link_partners(points_, slot(i)), partners);
    if (partners > 0) ++in_cannot_link;
  }
  ASSERT_EQ(constraints_.cannot_link_points(points_), in_cannot_link);
  check_groups(closure);
  check_pairs();
}

// Classes first, then the groups of explicit pairs by their oldest point.
void ConstrainedPoints::check_groups(const Closure& closure) const {
  std::vector<std::uint32_t> expected(size(), kNoGroup);
  std::vector<std::uint32_t> sizes(config_.classes);
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j < size(); ++j) {
      if (closure.must[i][j] && labels_[j] != kUnlabelled) expected[i] = labels_[j];
    }
  }
  for (std::size_t i = 0; i < size(); ++i) {
    const bool paired = std::any_of(pairs_.begin(), pairs_.end(), [&](const ModelPair& pair) {
      return pair.a == i || pair.b == i;
    });
    for (std::size_t j = 0; j < i && expected[i] == kNoGroup; ++j) {
      if (closure.must[i][j]) expected[i] = expected[j];
    }
    if (paired && expected[i] == kNoGroup) {
      expected[i] = static_cast<std::uint32_t>(sizes.size());
      sizes.push_back(0);
    }
    if (expected[i] != kNoGroup) ++sizes[expected[i]];
    ASSERT_EQ(constraints_.group(points_, slot(i)), expected[i]);
  }
  ASSERT_EQ(constraints_.groups(points_), sizes.size());
  ASSERT_LE(sizes.size(), Constraints::max_groups(config_));
  for (std::uint32_t g = 0; g < sizes.size(); ++g) {
    ASSERT_EQ(constraints_.group_size(points_, g), sizes[g]);
  }
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j < size(); ++j) {
      if (expected[i] == kNoGroup || expected[j] == kNoGroup) continue;
      ASSERT_EQ(constraints_.apart(points_, expected[i], expected[j]), closure.cannot[i][j]);
    }
  }
}

void ConstrainedPoints::check_pairs() const {
  std::vector<ModelPair> sorted = pairs_;
  for (ModelPair& pair : sorted) {
    if (pair.b < pair.a) std::swap(pair.a, pair.b);
  }
  std::sort(sorted.begin(), sorted.end(), [](const ModelPair& x, const ModelPair& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
  const Span<const ConstraintPair> held = constraints_.pairs();
  ASSERT_EQ(held.size(), sorted.size());
  for (std::size_t i = 0; i < held.size(); ++i) {
    ASSERT_EQ(held[i].older, slot(sorted[i].a));
    ASSERT_EQ(held[i].newer, slot(sorted[i].b));
    ASSERT_EQ(held[i].must_link, sorted[i].must_link);
  }
  for (std::size_t a = 0; a < size(); ++a) {
    for (std::size_t b = 0; b < size(); ++b) {
      const bool stored = std::any_of(sorted.begin(), sorted.end(), [&](const ModelPair& pair) {
        return pair.a == std::min(a, b) && pair.b == std::max(a, b);
      });
      ASSERT_EQ(constraints_.has_pair(points_, slot(a), slot(b)), stored);
      ASSERT_EQ(Constraints::implied_by_labels(points_, slot(a), slot(b)),
                labels_[a] != kUnlabelled && labels_[b] != kUnlabelled);
    }
  }
}

void ConstrainedPoints::check_history_is_forgotten(std::uint64_t seed) const {
  ConstrainedPoints fresh(config_);
  for (std::size_t i = 0; i < size(); ++i) {
    fresh.next_stamp_ = points_.stamp(slot(i));
    fresh.arrive(labels_[i]);
  }
  ASSERT_EQ(fresh.size(), size());
  std::vector<ModelPair> shuffled = pairs_;
  Random random(seed);
  for (std::size_t i = shuffled.size(); i > 1; --i) {
    std::swap(shuffled[i - 1], shuffled[random.below(static_cast<std::uint32_t>(i))]);
  }
  for (const ModelPair& pair : shuffled) fresh.give(pair.b, pair.a, pair.must_link);
  ASSERT_EQ(fresh.digest(), digest());
  for (std::size_t i = 0; i < size(); ++i) {
    ASSERT_EQ(fresh.constraints_.group(fresh.points_, fresh.slot(i)),
              constraints_.group(points_, slot(i)));
  }
}

std::uint64_t ConstrainedPoints::digest() const {
  Digest digest;
  constraints_.digest(points_, digest);
  return digest.value();
}

}  // namespace whittle::testing
