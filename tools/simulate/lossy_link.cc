#include "tools/simulate/lossy_link.h"

#include <utility>

namespace whittle::simulate {

void LossyLink::write(Span<const std::uint8_t> bytes) {
  counts_.bytes += bytes.size();
  for (const std::uint8_t byte : bytes) {
    arrived_.push_back(byte);
    if (byte == 0) end_frame();
  }
}

void LossyLink::end_frame() {
  ++counts_.frames;
  if (static_cast<double>(random_.uniform()) < loss_) {
    ++counts_.lost;
    arrived_.resize(frame_);
  }
  frame_ = arrived_.size();
}

std::vector<std::uint8_t> LossyLink::take() {
  std::vector<std::uint8_t> whole(arrived_.begin(),
                                  arrived_.begin() + static_cast<std::ptrdiff_t>(frame_));
  arrived_.erase(arrived_.begin(), arrived_.begin() + static_cast<std::ptrdiff_t>(frame_));
  frame_ = 0;
  return whole;
}

}  // namespace whittle::simulate
