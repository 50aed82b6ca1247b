// VirtualNode: a whole node in the sensing role (whittle/node/sensing.h) in this process, with
// arenas of its own: what its firmware would be, on sensors that read a given row. A period of
// sampling is one second of its clock.
#ifndef WHITTLE_TOOLS_SIMULATE_VIRTUAL_NODE_H_
#define WHITTLE_TOOLS_SIMULATE_VIRTUAL_NODE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/simulate/costs.h"
#include "tools/simulate/node_setup.h"
#include "tools/simulate/policy.h"
#include "tools/simulate/unranked.h"
#include "whittle/node/node.h"
#include "whittle/node/sensing.h"

namespace whittle::simulate {

// Readings and masks that wait in a node until the host has acknowledged them: a node's default.
inline constexpr std::uint32_t kKeptReadings = 32;

class VirtualNode final : private SensorDriver, private Port {
 public:
  // Configured, and sensing. A node of policy random has only the sensors that chance gave it. The
  // selector must outlive it. Throws std::runtime_error: it refuses its config; a reading has not
  // room for as many features.
  VirtualNode(const RankerConfig& config, const Policy& policy, const FeatureCosts& costs,
              std::uint64_t seed);
  VirtualNode(const VirtualNode&) = delete;
  VirtualNode& operator=(const VirtualNode&) = delete;

  // A period has passed: takes one sample of `row` (all features) and sends what it may.
  void sample(Span<const Real> row);
  // Takes in bytes of the line, and goes on sending.
  void receive(Span<const std::uint8_t> bytes);
  // What it has written since the last call.
  std::vector<std::uint8_t> take_output();

  // The features that it has a sensor of; the line numbers them in this order.
  const std::vector<std::uint32_t>& sensors() const { return sensors_; }
  // Everything below is by feature, all of them.
  // What was sensed of the last sample, and the mask in force without probes.
  const std::vector<bool>& sensed() const { return sensed_; }
  std::vector<bool> mask() const;
  // Of the last ranking; NaN where there is none. Ranks from 1 on.
  std::vector<double> ranks() const;
  std::vector<double> scores() const;

  const FeaturePruner& pruner() const { return sensing_->pruner(); }
  std::size_t arena_bytes() const;
  // Messages it has applied since it was set up, and labels that met their sample.
  std::uint64_t applied() const { return node_->session().last_seq() - setup_seq_; }
  std::uint64_t labelled() const;
  // Why no ranking has made a mask, so that everything is sensed; nothing if one has, or none is
  // to. Asks for a ranking, a message that the node applies.
  Unranked why_unranked();
  // Of a node that prunes: whether it was to learn a scale and has not yet; how many features that
  // varied its scale takes for constant.
  bool unscaled() const;
  std::size_t flat() const;
  // Asks for its statistics beside the line.
  whittle_v1_Sensing sensing_statistics();
  whittle_v1_Stats node_statistics();
  std::uint64_t setup_seq() const { return setup_seq_; }

 private:
  const StreamMemory& memory() const { return node_->service().ranker().memory(); }
  NodeSetup choose(const RankerConfig& config, const Policy& policy, const FeatureCosts& costs,
                   std::uint64_t seed);
  void set_up(const NodeSetup& setup, const FeatureCosts& costs);
  template <typename Message>
  void give(const Message& message);
  template <typename Answer, typename Message>
  Answer ask(const Message& message);
  template <typename Message>
  void tell(Message message);

  std::size_t features() const override { return sensors_.size(); }
  void read(Span<const bool> mask, Span<Real> values) override;

  std::size_t read(Span<std::uint8_t>) override { return 0; }
  void write(Span<const std::uint8_t> bytes) override;
  std::size_t receive_capacity() const override { return 4096; }
  std::uint64_t ticks() override { return seconds_; }
  std::uint32_t tick_rate() const override { return 1; }
  const char* board() const override { return "virtual"; }

  const SelectorType* selector_[1];
  bool prunes_ = false;
  std::vector<std::uint32_t> sensors_;
  std::vector<bool> sensed_;
  Span<const Real> row_;
  std::vector<Real> first_;   // by sensor, value of its first sample; NaN: none yet
  std::vector<bool> varied_;  // by sensor, whether one after that was another
  std::uint64_t seconds_ = 0;
  std::vector<std::uint8_t> output_;
  std::uint64_t setup_seq_ = 0;
  std::unique_ptr<unsigned char[]> ranker_buffer_, sensing_buffer_;
  std::size_t sensing_bytes_ = 0;
  std::unique_ptr<Sensing> sensing_;
  std::unique_ptr<Node> node_;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_VIRTUAL_NODE_H_
