#include "tools/client/line_faults.h"

namespace whittle {
namespace {

constexpr std::size_t kLongestFrame = 1U << 16;  // more is no frame, and not held back

}  // namespace

std::vector<std::uint8_t> LineFaults::pass(Span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t> out;
  counts_.bytes += bytes.size();
  const bool by_frame = rates_.drop > 0 || rates_.duplicate > 0;
  for (const std::uint8_t byte : bytes) {
    if (!by_frame) {
      carry(byte, out);
      continue;
    }
    frame_.push_back(byte);
    if (byte == 0 || frame_.size() == kLongestFrame) finish_frame(out);
  }
  return out;
}

void LineFaults::finish_frame(std::vector<std::uint8_t>& out) {
  int copies = 1;
  if (happens(rates_.drop)) {
    ++counts_.dropped;
    copies = 0;
  } else if (happens(rates_.duplicate)) {
    ++counts_.duplicated;
    copies = 2;
  }
  for (; copies > 0; --copies) {
    for (const std::uint8_t byte : frame_) carry(byte, out);
  }
  frame_.clear();
}

void LineFaults::carry(std::uint8_t byte, std::vector<std::uint8_t>& out) {
  if (happens(rates_.insert)) {
    ++counts_.inserted;
    out.push_back(static_cast<std::uint8_t>(random_() >> 56));
  }
  if (happens(rates_.remove)) {
    ++counts_.removed;
    return;
  }
  if (happens(rates_.flip)) {
    ++counts_.flipped;
    byte = static_cast<std::uint8_t>(byte ^ (1U << (random_() >> 61)));
  }
  out.push_back(byte);
}

// Not std::uniform_real_distribution, whose numbers differ between libraries.
bool LineFaults::happens(double share) {
  return share > 0 && static_cast<double>(random_() >> 11) * 0x1p-53 < share;
}

}  // namespace whittle
