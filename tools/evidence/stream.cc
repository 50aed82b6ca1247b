#include "tools/evidence/stream.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "whittle/base/random.h"

namespace whittle::evidence {
namespace {

void shuffle(std::vector<std::size_t>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[random.below(static_cast<std::uint32_t>(i))]);
  }
}

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> items(count);
  std::iota(items.begin(), items.end(), std::size_t{0});
  return items;
}

// Column by column; missing values stay missing.
void standardise(std::vector<Real>& values, std::size_t features) {
  for (std::size_t r = 0; r < features; ++r) {
    double count = 0, sum = 0, squares = 0;
    for (std::size_t i = r; i < values.size(); i += features) {
      if (is_missing(values[i])) continue;
      sum += static_cast<double>(values[i]);
      ++count;
    }
    const double mean = sum / count;
    for (std::size_t i = r; i < values.size(); i += features) {
      if (is_missing(values[i])) continue;
      const double d = static_cast<double>(values[i]) - mean;
      squares += d * d;
    }
    const double scale = squares > 0 ? 1 / std::sqrt(squares / count) : 0;
    for (std::size_t i = r; i < values.size(); i += features) {
      values[i] = static_cast<Real>((static_cast<double>(values[i]) - mean) * scale);
    }
  }
}

}  // namespace

Stream::Stream(const cli::Dataset& data, Order order, double labelled_share, std::uint64_t seed)
    : features_(data.features()),
      classes_(static_cast<std::uint32_t>(data.classes.size())),
      values_(data.values) {
  standardise(values_, features_);
  Random random(seed);
  std::vector<std::size_t> rows = all_of(data.samples());
  shuffle(rows, random);
  if (order == Order::sorted) {
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return data.rows[a].label < data.rows[b].label;
    });
  }
  for (const std::size_t row : rows) {
    const Span<const Real> x(values_.data() + row * features_, features_);
    samples_.push_back({x, SampleKind::unlabelled, 0});
  }
  std::vector<std::size_t> places = all_of(rows.size());
  shuffle(places, random);
  places.resize(static_cast<std::size_t>(labelled_share * static_cast<double>(rows.size())));
  for (const std::size_t place : places) {
    const cli::Dataset::Row& row = data.rows[rows[place]];
    samples_[place].kind = row.kind;
    samples_[place].label = row.label;
  }
}

std::size_t Stream::labelled() const {
  return static_cast<std::size_t>(std::count_if(samples_.begin(), samples_.end(), [](auto& sample) {
    return sample.kind == SampleKind::labelled;
  }));
}

}  // namespace whittle::evidence
