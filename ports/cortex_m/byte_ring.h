// A ring of bytes between one writer (an interrupt) and one reader (the main program).
#ifndef WHITTLE_PORTS_CORTEX_M_BYTE_RING_H_
#define WHITTLE_PORTS_CORTEX_M_BYTE_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"

namespace whittle::ports {

template <std::uint32_t kCapacity>
class ByteRing {
  static_assert(kCapacity != 0 && (kCapacity & (kCapacity - 1)) == 0, "a power of two");

 public:
  // Writer. A byte that finds the ring full is lost and counted.
  void push(std::uint8_t byte) {
    const std::uint32_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == kCapacity) {
      lost_.store(lost_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      return;
    }
    bytes_[head % kCapacity] = byte;
    head_.store(head + 1, std::memory_order_release);
  }

  // Reader. Moves the oldest bytes, at most out.size(), and returns how many.
  std::size_t pop(Span<std::uint8_t> out) {
    const std::uint32_t tail = tail_.load(std::memory_order_relaxed);
    const std::uint32_t held = head_.load(std::memory_order_acquire) - tail;
    const std::uint32_t count = out.size() < held ? static_cast<std::uint32_t>(out.size()) : held;
    for (std::uint32_t i = 0; i < count; ++i) out[i] = bytes_[(tail + i) % kCapacity];
    tail_.store(tail + count, std::memory_order_release);
    return count;
  }

  bool empty() const {
    return head_.load(std::memory_order_acquire) == tail_.load(std::memory_order_relaxed);
  }

  // How many bytes were lost, modulo 2^32.
  std::uint32_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  // Both count up for ever and wrap; their difference is what the ring holds.
  std::atomic<std::uint32_t> head_{0};
  std::atomic<std::uint32_t> tail_{0};
  std::atomic<std::uint32_t> lost_{0};
  std::uint8_t bytes_[kCapacity] = {};
};

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_BYTE_RING_H_
