#include "tools/simulate/lossy_link.h"

#include "tools/simulate/frame_bytes.h"

namespace whittle::simulate {
namespace {

constexpr int kWindow = 8;  // frames a period

}  // namespace

std::vector<std::uint64_t> LossyLink::step() {
  std::vector<std::uint64_t> arrived;
  for (int i = 0; i < kWindow && !waiting_.empty(); ++i) {
    Frame& frame = waiting_.front();
    ++counts_.frames;
    counts_.bytes += frame.bytes;
    if (frame.sent) ++counts_.resent;
    frame.sent = true;
    if (lost()) {
      ++counts_.lost;
      break;
    }
    if (frame.arrived) {
      ++counts_.duplicates;
    } else {
      arrived.push_back(frame.what);
      frame.arrived = true;
    }
    counts_.ack_bytes += kAckBytes;
    if (lost()) break;
    waiting_.pop_front();
  }
  return arrived;
}

}  // namespace whittle::simulate
