// The scores from moments, by brute force in double precision over all samples seen: pairs are
// enumerated, missing cells skipped, each sample has its weight.
#ifndef WHITTLE_TESTS_SHARED_E1_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_E1_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "tests/shared/ranker_fixture.h"

namespace whittle::testing {

// A value and what it weighs.
struct Weighed {
  double value;
  double weight;
};

struct DoubleMoment {
  double count = 0;
  double mean = 0;
  double deviations = 0;
};
DoubleMoment moment_of(const std::vector<Weighed>& values);

// Relative to the spread: what a float mean at a large offset must be good for.
void expect_moment(const Moment& got, const DoubleMoment& want, double tolerance);

// 0.5^(age / half_life) for each of n samples, oldest first; 1 if the half-life is 0.
std::vector<double> weights_by_age(std::size_t n, double half_life);

// Feeds the rows to every selector that reads moments and compares its scores, after every prefix,
// with the formula over all of it, however many samples of each kind are held.
void check_e1_prefixes(const std::vector<Row>& rows, std::uint32_t classes, double half_life,
                       std::uint32_t held);

// Takes cells away: feature 1 has no value in the first rows, feature 2 none at all, feature 3 none
// in class 1, and of the others every fourth is missing. Every row keeps a value.
std::vector<Row> with_missing(std::vector<Row> rows, std::uint64_t seed);

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_E1_REFERENCE_H_
