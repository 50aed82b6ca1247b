// SensorClient: the host's side of a conversation with a node in the sensing role, over any
// ByteStream: sets it up, takes its readings, labels them later.
//
//   SensorClient client(line, features);
//   client.connect();
//   client.send(configure); client.send(policy); client.send(costs);
//   client.start();
//   for (...) for (const SensedSample& sample : client.poll(std::chrono::milliseconds(100))) ...
//   client.label(number, 1);
//
// What is sent goes one message at a time, each until it is acknowledged; readings that come
// meanwhile are kept for the next poll. A node that keeps snapshots may be restarted at any time:
// readings still come once each and in order, with a gap in their numbers, and what the node was
// told since its snapshot is sent again. Errors: LineError (the line broke, the node does not
// answer for `patience`, or has forgotten what it was told), NodeRefusal (it refused a message,
// which is then used up).
#ifndef WHITTLE_TOOLS_CLIENT_SENSOR_CLIENT_H_
#define WHITTLE_TOOLS_CLIENT_SENSOR_CLIENT_H_

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "ports/posix/byte_stream.h"
#include "tools/client/node_client.h"
#include "tools/client/reading_receiver.h"
#include "whittle/wire/codec_sensing.h"
#include "whittle/wire/frame.h"

namespace whittle {

class SensorClient {
 public:
  SensorClient(posix::ByteStream& line, std::size_t features, Fill fill = Fill::missing,
               ClientOptions options = {});
  SensorClient(const SensorClient&) = delete;
  SensorClient& operator=(const SensorClient&) = delete;

  // `last_sample`: number of the last sample that a client before this one took of the node; it is
  // then not given out again.
  whittle_v1_Info connect(std::uint64_t last_sample = 0);

  void send(ToNode message);
  void send(ToSensor message);  // policy or costs
  void label(std::uint64_t sample, std::uint32_t label);

  void start();
  void stop();

  // The readings that have come, or come within this time.
  std::vector<SensedSample> poll(std::chrono::milliseconds wait);
  // The page that answers the query.
  whittle_v1_Ranking query(const whittle_v1_Query& query);
  whittle_v1_Sensing status();
  whittle_v1_Stats stats();

  const ReadingReceiver& receiver() const { return receiver_; }
  std::uint64_t bytes_received() const { return bytes_received_; }
  std::uint64_t bytes_sent() const { return bytes_sent_; }
  // Alarms come by themselves, with the statistics.
  std::uint64_t alarms() const { return alarms_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Sent {
    std::uint64_t seq;
    std::vector<std::uint8_t> frame;
    bool is_policy;
  };

  void keep(const std::vector<std::uint8_t>& frame, bool is_policy = false);
  void send_frame(const std::vector<std::uint8_t>& frame, bool is_policy);
  template <typename Done>
  void repeat_until(const std::vector<std::uint8_t>& frame, const Done& done);
  void pump(std::chrono::milliseconds wait);
  void take(Span<const std::uint8_t> payload);
  bool take_sensed(Span<const std::uint8_t> payload);
  void take_ack(const whittle_v1_Ack& ack);
  void send_again(std::uint64_t seq);
  void write(const std::vector<std::uint8_t>& bytes);

  posix::ByteStream& line_;
  ClientOptions options_;
  ReadingReceiver receiver_;
  std::array<std::uint8_t, kMaxPayload + kCrcBytes> buffer_{};
  Deframer deframer_;
  std::vector<SensedSample> readings_;
  std::optional<whittle_v1_Info> info_;
  std::optional<whittle_v1_Sensing> status_;
  std::optional<whittle_v1_Ranking> ranking_;
  std::optional<whittle_v1_Stats> stats_;
  bool refused_ = false;  // the last message, as its acknowledgement says
  std::optional<NodeError> refusal_;
  std::uint64_t hello_seq_ = 0;
  std::uint64_t acked_ = 0;
  std::uint64_t last_seq_ = 0;
  std::deque<Sent> kept_;      // that are not in a snapshot yet
  bool forgotten_ = false;     // what it was told, and is not kept
  std::uint64_t rewound_ = 0;  // seq up to which it knows what it was told, again
  bool rewinding_ = false;     // since it has been restarted
  std::uint64_t alarms_ = 0;
  std::uint64_t bytes_received_ = 0;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_TOOLS_CLIENT_SENSOR_CLIENT_H_
