// Streams for the tests: random samples of all kinds on a grid on which float arithmetic is exact,
// so that neighbours can be compared with a double-precision reference, ties included.
#ifndef WHITTLE_TESTS_SHARED_TEST_STREAMS_H_
#define WHITTLE_TESTS_SHARED_TEST_STREAMS_H_

#include <cstdint>
#include <vector>

#include "whittle/base/random.h"
#include "whittle/memory/sample.h"

namespace whittle::testing {

// The suite runs fifty times slower on an emulated board than on a host, and ten times under
// sanitizers. A loop that compares after every n-th prefix on a host does so after every
// (n x every(k))-th there.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WHITTLE_SLOW_TESTS
#endif
#endif
#if defined(__arm__) || defined(__SANITIZE_ADDRESS__)
#define WHITTLE_SLOW_TESTS
#endif
constexpr std::size_t every([[maybe_unused]] std::size_t when_slow) {
#ifdef WHITTLE_SLOW_TESTS
  return when_slow;
#else
  return 1;
#endif
}

struct Row {
  std::vector<Real> x;
  SampleKind kind = SampleKind::unlabelled;
  std::uint32_t label = 0;

  Sample sample() const { return {Span<const Real>(x.data(), x.size()), kind, label}; }
};

struct StreamShape {
  std::uint64_t seed = 1;
  std::size_t rows = 60;
  std::size_t features = 5;
  std::uint32_t classes = 2;
  Real labelled = Real(0.3);  // shares of the kinds
  Real universum = Real(0.1);
  Real duplicates = Real(0.1);   // share of rows that repeat an earlier one's values
  bool constant_feature = true;  // the last one
  Real offset = 0;
};

// Values are multiples of 1/64 within a few units of the offset. Feature 0 follows the class.
inline std::vector<Row> make_stream(const StreamShape& shape) {
  Random random(shape.seed);
  std::vector<Row> rows;
  while (rows.size() < shape.rows) {
    Row row;
    const Real kind = random.uniform();
    const std::uint32_t group = random.below(shape.classes == 0 ? 1 : shape.classes);
    if (kind < shape.labelled && shape.classes > 0) {
      row.kind = SampleKind::labelled;
      row.label = group;
    } else if (kind > Real(1) - shape.universum) {
      row.kind = SampleKind::universum;
    }
    for (std::size_t r = 0; r < shape.features; ++r) {
      const int steps = static_cast<int>(random.below(256)) - 128 + (r == 0 ? 96 * int(group) : 0);
      row.x.push_back(shape.offset + static_cast<Real>(steps) / Real(64));
    }
    if (!rows.empty() && random.uniform() < shape.duplicates) {
      row.x = rows[random.below(static_cast<std::uint32_t>(rows.size()))].x;
    }
    if (shape.constant_feature) row.x.back() = shape.offset + Real(0.5);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_TEST_STREAMS_H_
