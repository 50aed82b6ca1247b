#include "whittle/rank/stability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "whittle/base/random.h"

namespace whittle::testing {
namespace {

using Mask = std::vector<std::uint8_t>;

class StabilityInBuffer {
 public:
  StabilityInBuffer(std::size_t features, std::uint32_t masks)
      : bytes_(MaskStability::required_bytes(features, masks) + 8) {
    Arena arena(bytes_.data(), bytes_.size());
    stability.place(arena, features, masks);
    EXPECT_EQ(arena.used(), MaskStability::required_bytes(features, masks));
  }
  void add(const Mask& mask) {
    bool row[64];
    for (std::size_t r = 0; r < mask.size(); ++r) row[r] = mask[r] != 0;
    stability.add(Span<const bool>(row, mask.size()));
  }

  MaskStability stability;

 private:
  std::vector<unsigned char> bytes_;
};

// Definition 4 of the paper, as printed.
double stability_of(const std::vector<Mask>& masks) {
  const double count = static_cast<double>(masks.size());
  const double features = static_cast<double>(masks[0].size());
  double variance = 0;
  double size = 0;
  for (std::size_t r = 0; r < masks[0].size(); ++r) {
    double share = 0;
    for (const Mask& mask : masks) share += mask[r] / count;
    variance += count / (count - 1) * share * (1 - share) / features;
    size += share;
  }
  return 1 - variance / (size / features * (1 - size / features));
}

TEST(MaskStability, IsThatOfThePaperOverTheLastMasks) {
  Random random(3);
  StabilityInBuffer kept(13, 6);
  std::vector<Mask> masks;
  for (int step = 0; step < 40; ++step) {
    Mask mask(13);
    for (std::uint8_t& on : mask) on = random.below(step < 20 ? 2 : 5) == 0;
    mask[0] = 1;
    mask[12] = 0;
    kept.add(mask);
    masks.push_back(mask);
    if (masks.size() > 6) masks.erase(masks.begin());
    if (masks.size() < 2) continue;
    EXPECT_NEAR(static_cast<double>(kept.stability.value()), stability_of(masks), 1e-5) << step;
  }
}

TEST(MaskStability, KnownValues) {
  StabilityInBuffer kept(3, 10);
  kept.add({1, 1, 0});
  EXPECT_FALSE(has_score(kept.stability.value()));  // one mask
  kept.add({1, 1, 0});
  EXPECT_EQ(kept.stability.value(), Real(1));
  kept.stability.clear();
  kept.add({1, 1, 0});
  kept.add({1, 0, 1});
  EXPECT_NEAR(static_cast<double>(kept.stability.value()), -0.5, 1e-6);
  kept.stability.clear();
  kept.add({1, 1, 1});
  kept.add({1, 1, 1});
  EXPECT_FALSE(has_score(kept.stability.value()));  // every feature, always
}

TEST(MaskStability, OfNoMasksTakesNothing) {
  EXPECT_EQ(MaskStability::required_bytes(100, 0), 0U);
  StabilityInBuffer none(3, 0);
  none.add({1, 1, 0});
  none.add({1, 0, 0});
  EXPECT_FALSE(has_score(none.stability.value()));
}

}  // namespace
}  // namespace whittle::testing
