// What the scores from moments share: the parts of the memory, and the moments of the classes,
// taken together.
#ifndef WHITTLE_SELECT_CLASS_MOMENTS_H_
#define WHITTLE_SELECT_CLASS_MOMENTS_H_

#include <cstdint>

#include "whittle/memory/stream_memory.h"
#include "whittle/select/params.h"

namespace whittle {

// Moments, and, if the config holds samples, those as they came: a late label then counts as if the
// sample had come with it.
constexpr void configure_moments(MemoryConfig& memory, const ParamValues& /*values*/) {
  memory.moments = true;
  memory.geometry = Geometry::window;
  memory.points = memory.labelled > 0 || memory.window > 0;
  memory.raw_points = memory.points;
  if (!memory.points) memory.pairs = 0;
}

// Classes with at least one sample so far.
std::uint32_t classes_seen(const StreamMemory& memory);

// One feature over the labelled samples, in raw units.
struct ClassSpread {
  Real between;      // sum_c n_c (mu_c - mu)^2
  Real within;       // sum_c SS_c = sum_c n_c var_c
  Real must_link;    // sum of (f_i - f_j)^2 over unordered pairs of one class: sum_c n_c SS_c
  Real cannot_link;  // over unordered pairs of two classes: sum_c (n_L - n_c) SS_c + n_L between
};
ClassSpread class_spread(const StreamMemory& memory, std::size_t feature);

}  // namespace whittle

#endif  // WHITTLE_SELECT_CLASS_MOMENTS_H_
