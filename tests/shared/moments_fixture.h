// Moments in a buffer of exactly the bytes they ask for.
#ifndef WHITTLE_TESTS_SHARED_MOMENTS_FIXTURE_H_
#define WHITTLE_TESTS_SHARED_MOMENTS_FIXTURE_H_

#include <gtest/gtest.h>

#include <vector>

#include "whittle/memory/moments.h"

namespace whittle::testing {

struct MomentsInBuffer {
  MomentsInBuffer(std::uint32_t features, std::uint32_t classes, Real half_life = 0) {
    MemoryConfig config;
    config.features = features;
    config.classes = classes;
    config.half_life = half_life;
    config.moments = true;
    bytes.resize(Moments::required_bytes(config));
    Arena arena(bytes.data(), bytes.size());
    moments.place(arena, config);
    EXPECT_EQ(arena.left(), 0U);
  }
  std::uint64_t digest() const {
    Digest digest;
    moments.digest(digest);
    return digest.value();
  }

  std::vector<unsigned char> bytes;
  Moments moments;
};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_MOMENTS_FIXTURE_H_
