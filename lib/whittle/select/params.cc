#include "whittle/select/params.h"

#include <cmath>
#include <cstdint>

#include "whittle/base/same_text.h"

namespace whittle {
namespace {

// Without std::floor, which would be a library function more. From 2^30 on, out of every range.
bool is_whole(Real value) {
  return !(std::fabs(value) < Real(1 << 30)) ||
         value == static_cast<Real>(static_cast<std::int32_t>(value));
}

}  // namespace

Status ParamValues::set(Span<const ParamSpec> specs, const char* name, Real value) {
  for (std::size_t i = 0; i < specs.size() && i < kMaxParams; ++i) {
    const ParamSpec& spec = specs[i];
    if (!same_text(spec.name, name)) continue;
    const bool is_auto = spec.kind == ParamKind::real_or_auto && value == kAutoParam;
    if (!is_auto) {
      const bool whole = spec.kind != ParamKind::real && spec.kind != ParamKind::real_or_auto;
      if (std::isnan(value) || (whole && !is_whole(value))) {
        return {StatusCode::invalid_argument, "not a valid value: parameter", i};
      }
      if (value < spec.least || value > spec.most) {
        return {StatusCode::out_of_range, "value out of range: parameter", i};
      }
    }
    values_[i] = value;
    given_ |= std::uint32_t{1} << i;
    return {};
  }
  return {StatusCode::not_found, "no such parameter"};
}

}  // namespace whittle
