// SensorLine: a node that senses, in this process, at the other end of a line that loses and
// damages pieces of what it carries. It takes one sample whenever its line is read.
#ifndef WHITTLE_TESTS_HOST_SENSOR_LINE_H_
#define WHITTLE_TESTS_HOST_SENSOR_LINE_H_

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ports/posix/byte_stream.h"
#include "whittle/node/sensing.h"
#include "whittle/select/fisher.h"
#include "whittle/select/variance.h"

namespace whittle {

// Feature r of sample n; features 0 and 1 follow the class, which is n % 3 == 0.
class KnownSensors final : public SensorDriver {
 public:
  static constexpr std::size_t kFeatures = 6;
  std::size_t features() const override { return kFeatures; }
  void read(Span<const bool> mask, Span<Real> values) override {
    ++sample_;
    for (std::size_t r = 0; r < kFeatures; ++r) {
      if (mask[r]) values[r] = static_cast<Real>(value(sample_, r));
    }
  }
  static float value(std::uint64_t sample, std::size_t r) {
    const auto noise = static_cast<float>((sample * 7919 + r * 104729) * 2654435761U % 1000);
    const float follows = r < 2 && label(sample) == 1 ? 1.F : 0.F;
    return noise / 1000 + follows + static_cast<float>(r);
  }
  static std::uint32_t label(std::uint64_t sample) { return sample % 3 == 0 ? 1 : 0; }

 private:
  std::uint64_t sample_ = 0;
};

class SensorLine : public posix::ByteStream {
 public:
  explicit SensorLine(double lost_pieces = 0, double damaged_bytes = 0)
      : lost_(lost_pieces),
        damaged_(damaged_bytes),
        sensing_buffer_(1U << 16),
        buffer_(1U << 23),
        sensing_(sensors_, sensing_buffer_.data(), sensing_buffer_.size()),
        port_(*this),
        node_(port_, Catalog(kTypes, kAllParts), buffer_.data(), buffer_.size(), nullptr,
              &sensing_) {}

  std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds) override {
    sensing_.sample(node_);
    sensing_.transmit(node_);
    const std::size_t count = std::min(out.size(), to_host_.size());
    std::copy_n(to_host_.begin(), count, out.begin());
    to_host_.erase(to_host_.begin(), to_host_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  void write(Span<const std::uint8_t> bytes) override {
    const std::vector<std::uint8_t> arrived = disturb(bytes);
    node_.receive(Span<const std::uint8_t>(arrived.data(), arrived.size()));
  }
  std::string name() const override { return "sensor line"; }

  const Sensing& sensing() const { return sensing_; }
  const Node& node() const { return node_; }

 private:
  static constexpr const SelectorType* kTypes[] = {&kVariance, &kFisher};

  class NodePort final : public Port {
   public:
    explicit NodePort(SensorLine& line) : line_(line) {}
    std::size_t read(Span<std::uint8_t>) override { return 0; }
    void write(Span<const std::uint8_t> bytes) override {
      const std::vector<std::uint8_t> arrived = line_.disturb(bytes);
      line_.to_host_.insert(line_.to_host_.end(), arrived.begin(), arrived.end());
    }
    std::size_t receive_capacity() const override { return 4096; }
    std::uint64_t ticks() override { return ++ticks_; }
    std::uint32_t tick_rate() const override { return 20; }
    const char* board() const override { return "test"; }

   private:
    SensorLine& line_;
    std::uint64_t ticks_ = 0;
  };

  bool happens(double share) {
    return share > 0 && std::uniform_real_distribution<double>(0, 1)(random_) < share;
  }
  std::vector<std::uint8_t> disturb(Span<const std::uint8_t> bytes) {
    std::vector<std::uint8_t> out;
    if (happens(lost_)) return out;
    for (const std::uint8_t byte : bytes) {
      out.push_back(happens(damaged_) ? static_cast<std::uint8_t>(random_()) : byte);
    }
    return out;
  }

  double lost_;
  double damaged_;
  std::mt19937 random_{7};
  std::vector<std::uint8_t> to_host_;
  std::vector<unsigned char> sensing_buffer_;
  std::vector<unsigned char> buffer_;
  KnownSensors sensors_;
  Sensing sensing_;
  NodePort port_;
  Node node_;
};

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_SENSOR_LINE_H_
