// SensorLine: a node that senses, in this process, at the other end of a DisturbedLine. It takes
// one sample whenever its line is read, and can be restarted.
#ifndef WHITTLE_TESTS_HOST_SENSOR_LINE_H_
#define WHITTLE_TESTS_HOST_SENSOR_LINE_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/host/disturbed_line.h"
#include "tests/shared/flash_model.h"
#include "whittle/node/node_snapshots.h"
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
  std::uint64_t sensed() const { return sample_; }  // samples so far

 private:
  std::uint64_t sample_ = 0;
};

class SensorLine : public DisturbedLine {
 public:
  explicit SensorLine(double lost_pieces = 0, double damaged_bytes = 0, bool snapshots = false)
      : DisturbedLine({0, damaged_bytes, lost_pieces, 0, 7}, 4096, 20),
        keeps_snapshots_(snapshots),
        sensing_buffer_(1U << 16),
        buffer_(1U << 23) {
    restart();
  }

  // The power of the node goes and comes back.
  void restart() {
    if (keeps_snapshots_) snapshots_.emplace(flash_, ProgramIdentity{Span(kBuild), "test"});
    sensing_ = std::make_unique<Sensing>(sensors_, sensing_buffer_.data(), sensing_buffer_.size());
    node_ =
        std::make_unique<Node>(port(), Catalog(kTypes, kAllParts), buffer_.data(), buffer_.size(),
                               snapshots_ ? &*snapshots_ : nullptr, sensing_.get());
    if (snapshots_) (void)snapshots_->restore(*node_);
  }

  std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds wait) override {
    sensing_->sample(*node_);
    if (sensing_->running()) sensed_[sensing_->samples()].push_back(sensors_.sensed());
    sensing_->transmit(*node_);
    return DisturbedLine::read(out, wait);
  }
  std::string name() const override { return "sensor line"; }

  const Sensing& sensing() const { return *sensing_; }
  const Node& node() const { return *node_; }
  // How many had been sensed before, in all lives of the node, when it gave a sample this number:
  // each time that it did.
  const std::vector<std::uint64_t>& sensed(std::uint64_t number) { return sensed_[number]; }

 private:
  static constexpr const SelectorType* kTypes[] = {&kVariance, &kFisher};
  static constexpr std::uint8_t kBuild[] = {1, 2, 3, 4};

  void arrive(Span<const std::uint8_t> bytes) override { node_->receive(bytes); }

  bool keeps_snapshots_;
  testing::FlashModel flash_{4096, 64, 8};
  std::vector<unsigned char> sensing_buffer_;
  std::vector<unsigned char> buffer_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> sensed_;
  KnownSensors sensors_;
  std::optional<NodeSnapshots> snapshots_;
  std::unique_ptr<Sensing> sensing_;
  std::unique_ptr<Node> node_;
};

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_SENSOR_LINE_H_
