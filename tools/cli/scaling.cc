#include "tools/cli/scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/cli/error.h"
#include "tools/cli/number.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

// A range of so many times the root of the least Real: its square has 12 binary digits, those of
// most differences have half of that.
constexpr double kCoarse = 64;

// Minimum and maximum of every feature.
struct Ranges {
  explicit Ranges(std::size_t features)
      : least(features, std::numeric_limits<double>::infinity()),
        most(features, -std::numeric_limits<double>::infinity()) {}
  void add(std::size_t r, double value) {
    least[r] = std::min(least[r], value);
    most[r] = std::max(most[r], value);
  }
  bool varies(std::size_t r) const { return least[r] < most[r]; }
  std::vector<double> least, most;
};

// Also mean and population standard deviation.
struct Spread : Ranges {
  explicit Spread(std::size_t features) : Ranges(features), mean(features), deviation(features) {}
  std::vector<double> mean, deviation;
};

// Of the samples that count: neither universum nor refused.
std::vector<std::size_t> ordinary_rows(const Dataset& data) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < data.samples(); ++i) {
    if (data.rows[i].kind != SampleKind::universum && data.is_usable(i)) rows.push_back(i);
  }
  return rows;
}

// Every present value of these rows.
template <typename Visit>
void for_each_value(const Dataset& data, const std::vector<std::size_t>& rows, Visit visit) {
  for (const std::size_t i : rows) {
    const Span<const Real> values = data.values_of(i);
    for (std::size_t r = 0; r < values.size(); ++r) {
      if (!is_missing(values[r])) visit(r, static_cast<double>(values[r]));
    }
  }
}

Ranges find_ranges(const Dataset& data, const std::vector<std::size_t>& rows) {
  Ranges ranges(data.features());
  for_each_value(data, rows, [&](std::size_t r, double value) { ranges.add(r, value); });
  return ranges;
}

// A power of two, so that it rounds nothing, times which distances have squares that fit a double.
double unit_of(const Ranges& ranges, std::size_t r) {
  const double width = ranges.most[r] - ranges.least[r];
  if (!ranges.varies(r) || !std::isfinite(width)) return 1;
  return std::scalbn(1.0, std::clamp(-std::ilogb(width), -1000, 1000));
}

Spread find_spread(const Dataset& data, const std::vector<std::size_t>& rows) {
  Spread spread(data.features());
  std::vector<double> present(data.features());
  for_each_value(data, rows, [&](std::size_t r, double value) {
    spread.add(r, value);
    present[r] += 1;
    spread.mean[r] += value;
  });
  for (std::size_t r = 0; r < data.features(); ++r) spread.mean[r] /= present[r];
  std::vector<double> unit(data.features());
  for (std::size_t r = 0; r < data.features(); ++r) unit[r] = unit_of(spread, r);
  for_each_value(data, rows, [&](std::size_t r, double value) {
    const double distance = (value - spread.mean[r]) * unit[r];
    spread.deviation[r] += distance * distance;
  });
  for (std::size_t r = 0; r < data.features(); ++r) {
    spread.deviation[r] = std::sqrt(spread.deviation[r] / present[r]) / unit[r];
  }
  return spread;
}

// Offset and gain of a feature that is not constant; an Error if the core cannot compute with them.
void add_scale(const Dataset& data, const Spread& spread, std::size_t r, bool minmax,
               Scale* scale) {
  const double width = minmax ? spread.most[r] - spread.least[r] : spread.deviation[r];
  const Real offset = to_real(minmax ? spread.least[r] : spread.mean[r]);
  const Real gain = to_real(1 / width);
  // The core subtracts first: differences must fit, too.
  const bool fits = std::isfinite(to_real(spread.most[r]) - offset) &&
                    std::isfinite(offset - to_real(spread.least[r]));
  if (!fits || !std::isfinite(gain) || gain == 0) {
    throw Error(data.file + ": column " + in_quotes(data.names[r]) +
                ": its values differ too little or too much to be scaled; use other units or "
                "--scale none");
  }
  scale->offset.push_back(offset);
  scale->gain.push_back(gain);
}

}  // namespace

Scale find_scale(const Dataset& data, Scaling scaling) {
  Scale scale;
  if (scaling == Scaling::none) return scale;
  const Spread spread = find_spread(data, ordinary_rows(data));
  for (std::size_t r = 0; r < data.features(); ++r) {
    if (!spread.varies(r)) {  // constant, or no value at all
      scale.offset.push_back(std::isfinite(spread.least[r]) ? to_real(spread.least[r]) : Real(0));
      scale.gain.push_back(0);
      continue;
    }
    add_scale(data, spread, r, scaling == Scaling::minmax, &scale);
  }
  return scale;
}

std::vector<std::size_t> features_that_vary_too_late(const Dataset& data, std::uint32_t learn,
                                                     std::uint32_t rescale_every) {
  std::vector<std::size_t> rows = ordinary_rows(data);
  if (rows.size() < learn) return {};
  const Ranges all = find_ranges(data, rows);
  const std::size_t again = rescale_every == 0 ? 0 : data.samples() / rescale_every * rescale_every;
  const auto later = std::lower_bound(rows.begin() + learn, rows.end(), again);
  rows.erase(later, rows.end());
  const Ranges learned = find_ranges(data, rows);
  std::vector<std::size_t> features;
  for (std::size_t r = 0; r < data.features(); ++r) {
    if (all.varies(r) && !learned.varies(r)) features.push_back(r);
  }
  return features;
}

std::vector<std::size_t> features_whose_squares_do_not_fit(const Dataset& data,
                                                           const std::vector<Real>& gain) {
  using Limits = std::numeric_limits<Real>;
  const std::vector<std::size_t> rows = ordinary_rows(data);
  const Ranges ranges = find_ranges(data, rows);
  const double least = std::sqrt(static_cast<double>(Limits::min()));
  const double most = std::sqrt(static_cast<double>(Limits::max()) /
                                static_cast<double>(std::max<std::size_t>(data.features(), 1))) /
                      static_cast<double>(rows.size());
  std::vector<std::size_t> features;
  for (std::size_t r = 0; r < data.features(); ++r) {
    const double factor = gain.empty() ? 1 : static_cast<double>(gain[r]);
    const double width = (ranges.most[r] - ranges.least[r]) * factor;
    if (ranges.varies(r) && factor != 0 && !(width >= least && width <= most)) {
      features.push_back(r);
    }
  }
  return features;
}

std::vector<std::size_t> features_whose_squares_are_coarse(const Dataset& data) {
  const double unit = std::sqrt(static_cast<double>(std::numeric_limits<Real>::denorm_min()));
  const Ranges ranges = find_ranges(data, ordinary_rows(data));
  std::vector<std::size_t> features;
  for (std::size_t r = 0; r < data.features(); ++r) {
    if (ranges.varies(r) && ranges.most[r] - ranges.least[r] < kCoarse * unit) {
      features.push_back(r);
    }
  }
  return features;
}

}  // namespace whittle::cli
