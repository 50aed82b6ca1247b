// Sample: one reading of all m features, as it comes from a sensor, a file or the line.
#ifndef WHITTLE_MEMORY_SAMPLE_H_
#define WHITTLE_MEMORY_SAMPLE_H_

#include <cstdint>

#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle {

enum class SampleKind : std::uint8_t {
  unlabelled = 0,
  labelled = 1,   // of a known class
  universum = 2,  // of the domain, but of no class
};

struct Sample {
  Span<const Real> features;  // m values, raw (unscaled)
  SampleKind kind = SampleKind::unlabelled;
  std::uint32_t label = 0;  // class, 0..C-1; read for labelled samples only
  // What later labels and constraints call it by; more than that of any sample before. 0: one more
  // than the last.
  std::uint64_t id = 0;
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_SAMPLE_H_
