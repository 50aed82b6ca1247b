// For the tests of the codebook: one in a buffer, streams of samples, and a distance.
#ifndef WHITTLE_TESTS_SHARED_CODEBOOK_FIXTURE_H_
#define WHITTLE_TESTS_SHARED_CODEBOOK_FIXTURE_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "whittle/base/random.h"
#include "whittle/memory/codebook.h"

namespace whittle::testing {

using Reals = std::vector<Real>;
using RealRows = std::vector<Reals>;

inline MemoryConfig codebook_config(std::uint32_t units, std::uint32_t features) {
  MemoryConfig config;
  config.features = features;
  config.points = true;
  config.codebook = units;
  config.geometry = Geometry::codebook;
  return config;
}

// A codebook in exactly the bytes it asks for, with guards around them and around its prototypes.
class CodebookInBuffer {
 public:
  CodebookInBuffer(std::uint32_t units, std::uint32_t features)
      : features_(features),
        needed_(Codebook::required_bytes(codebook_config(units, features))),
        bytes_(needed_ + 2 * kGuard, kPattern),
        prototypes_(std::size_t{units} * features + 2 * kGuard, kMark) {
    Arena arena(bytes_.data() + kGuard, needed_);
    codebook_.place(arena, codebook_config(units, features), prototypes_.data() + kGuard);
    EXPECT_EQ(arena.left(), 0U);
  }
  ~CodebookInBuffer() {
    for (std::size_t i = 0; i < kGuard; ++i) {
      EXPECT_EQ(bytes_[i], kPattern);
      EXPECT_EQ(bytes_[kGuard + needed_ + i], kPattern);
      EXPECT_EQ(prototypes_[i], kMark);
      EXPECT_EQ(prototypes_[prototypes_.size() - 1 - i], kMark);
    }
  }

  // The prototypes that came or changed, in order.
  std::vector<std::size_t> train(const Reals& x) {
    std::vector<std::size_t> moved;
    codebook_.train(x.data(), [&](std::size_t unit) { moved.push_back(unit); });
    return moved;
  }
  void train_all(const RealRows& samples) {
    for (const Reals& x : samples) train(x);
  }

  Reals prototype(std::size_t unit) const {
    return Reals(codebook_.prototype(unit), codebook_.prototype(unit) + features_);
  }
  RealRows prototypes() const {
    RealRows all;
    for (std::size_t unit = 0; unit < codebook_.size(); ++unit) all.push_back(prototype(unit));
    return all;
  }
  std::uint64_t digest() const {
    Digest digest;
    codebook_.digest(digest);
    return digest.value();
  }
  const Codebook* operator->() const { return &codebook_; }

 private:
  static constexpr std::size_t kGuard = 64;
  static constexpr unsigned char kPattern = 0xA5;
  static constexpr Real kMark = Real(-12345);
  std::size_t features_;
  std::size_t needed_;
  std::vector<unsigned char> bytes_;
  std::vector<Real> prototypes_;
  Codebook codebook_;
};

inline RealRows uniform_samples(std::uint64_t seed, std::size_t count, std::size_t features) {
  Random random(seed);
  RealRows samples(count, Reals(features));
  for (Reals& x : samples) {
    for (Real& value : x) value = random.uniform();
  }
  return samples;
}

// RealRows of `clusters` groups far apart, one group after the other if `sorted`.
inline RealRows clustered_samples(std::uint64_t seed, std::size_t count, std::size_t clusters,
                                  bool sorted) {
  Random random(seed);
  RealRows samples;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t group =
        sorted ? i * clusters / count : random.below(static_cast<std::uint32_t>(clusters));
    Reals x(3);
    for (std::size_t r = 0; r < x.size(); ++r) {
      x[r] = static_cast<Real>((group >> r) & 1U) * Real(8) + random.uniform();
    }
    samples.push_back(x);
  }
  return samples;
}

// Squared distance over the present coordinates, times m over their number.
inline double distance_of(const std::vector<double>& a, const Reals& x) {
  double sum = 0;
  std::size_t present = 0;
  for (std::size_t r = 0; r < x.size(); ++r) {
    const double d = a[r] - static_cast<double>(x[r]);
    if (std::isnan(d)) continue;
    sum += d * d;
    ++present;
  }
  return present == 0 ? std::numeric_limits<double>::infinity()
                      : sum * static_cast<double>(x.size()) / static_cast<double>(present);
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_CODEBOOK_FIXTURE_H_
