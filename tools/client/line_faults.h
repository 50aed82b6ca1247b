// LineFaults: what a bad line makes of the bytes it carries one way. The same bytes and the same
// seed give the same faults, however the bytes are cut into pieces.
//
// Single bytes are changed, inserted and deleted; whole frames (up to their 0x00) are lost and
// doubled. With rates for frames, a frame is held back until its end has come.
#ifndef WHITTLE_TOOLS_CLIENT_LINE_FAULTS_H_
#define WHITTLE_TOOLS_CLIENT_LINE_FAULTS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "whittle/base/span.h"

namespace whittle {

// Shares, 0..1.
struct FaultRates {
  double flip = 0;  // of bytes: one bit is the other way round
  double insert = 0;
  double remove = 0;
  double drop = 0;  // of frames
  double duplicate = 0;
};

struct FaultCounts {
  std::uint64_t bytes = 0;  // that came in
  std::uint64_t flipped = 0;
  std::uint64_t inserted = 0;
  std::uint64_t removed = 0;
  std::uint64_t dropped = 0;  // frames
  std::uint64_t duplicated = 0;
};

class LineFaults {
 public:
  LineFaults(const FaultRates& rates, std::uint64_t seed) : rates_(rates), random_(seed) {}

  // What arrives of these bytes, and of those held back before.
  std::vector<std::uint8_t> pass(Span<const std::uint8_t> bytes);

  const FaultCounts& counts() const { return counts_; }

 private:
  bool happens(double share);
  void finish_frame(std::vector<std::uint8_t>& out);
  void carry(std::uint8_t byte, std::vector<std::uint8_t>& out);

  FaultRates rates_;
  FaultCounts counts_;
  std::mt19937_64 random_;
  std::vector<std::uint8_t> frame_;  // held back
};

}  // namespace whittle

#endif  // WHITTLE_TOOLS_CLIENT_LINE_FAULTS_H_
