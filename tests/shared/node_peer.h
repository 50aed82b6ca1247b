// NodePeer: a node on a FakePort, and the host at the other end of its line.
#ifndef WHITTLE_TESTS_SHARED_NODE_PEER_H_
#define WHITTLE_TESTS_SHARED_NODE_PEER_H_

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/shared/fake_port.h"
#include "tests/shared/probe_selector.h"
#include "whittle/base/digest.h"
#include "whittle/node/node.h"
#include "whittle/select/variance.h"

namespace whittle::testing {

inline constexpr const SelectorType* kPeerTypes[] = {&kVariance, &kProbe};

using Message = std::unique_ptr<ToNode>;  // a kilobyte: not for the stack
using Replies = std::vector<FromNode>;

inline Message make_message(pb_size_t body) {
  auto message = std::make_unique<ToNode>();
  message->which_body = body;
  return message;
}

inline Message configure_message(const char* selector, std::uint32_t features,
                                 std::uint32_t classes = 2, std::uint32_t labelled = 4,
                                 std::uint32_t window = 4) {
  Message message = make_message(whittle_v1_ToNode_configure_tag);
  whittle_v1_Configure& configure = message->body.configure;
  std::strcpy(configure.selector, selector);
  configure.features = features;
  configure.classes = classes;
  configure.labelled = labelled;
  configure.window = window;
  return message;
}

inline void add_param(ToNode& message, const char* name, float value) {
  whittle_v1_Configure& configure = message.body.configure;
  whittle_v1_Param& param = configure.params[configure.params_count++];
  std::strcpy(param.name, name);
  param.value = value;
}

inline constexpr int kNoLabel = -1;

inline Message sample_message(const std::vector<float>& features, int label = kNoLabel) {
  Message message = make_message(whittle_v1_ToNode_sample_tag);
  whittle_v1_Sample& sample = message->body.sample;
  sample.count = static_cast<std::uint32_t>(features.size());
  sample.features_count = static_cast<pb_size_t>(features.size());
  for (std::size_t i = 0; i < features.size(); ++i) sample.features[i] = features[i];
  if (label == kNoLabel) return message;
  sample.kind = whittle_v1_Kind_LABELLED;
  sample.has_label = true;
  sample.label = static_cast<std::uint32_t>(label);
  return message;
}

inline Message scale_message(std::uint32_t first, const std::vector<float>& offset,
                             const std::vector<float>& gain) {
  Message message = make_message(whittle_v1_ToNode_scale_tag);
  whittle_v1_Scale& scale = message->body.scale;
  scale.first = first;
  scale.offset_count = static_cast<pb_size_t>(offset.size());
  scale.gain_count = static_cast<pb_size_t>(gain.size());
  for (std::size_t i = 0; i < offset.size(); ++i) scale.offset[i] = offset[i];
  for (std::size_t i = 0; i < gain.size(); ++i) scale.gain[i] = gain[i];
  return message;
}

inline Message query_message(std::uint32_t first = 0, std::uint32_t top = 0,
                             std::uint32_t refine_iterations = 0) {
  Message message = make_message(whittle_v1_ToNode_query_tag);
  message->body.query = {first, top, refine_iterations};
  return message;
}

inline Message label_message(std::uint64_t sample, std::uint32_t label) {
  Message message = make_message(whittle_v1_ToNode_label_tag);
  message->body.label = {sample, label};
  return message;
}

inline Message constraint_message(std::uint64_t first, std::uint64_t second, bool must_link) {
  Message message = make_message(whittle_v1_ToNode_constraint_tag);
  message->body.constraint = {first, second, must_link};
  return message;
}

inline Message rescale_message() { return make_message(whittle_v1_ToNode_rescale_tag); }

class NodePeer {
 public:
  explicit NodePeer(const Catalog& catalog = Catalog(kPeerTypes, kAllParts),
                    SnapshotKeeper* keeper = nullptr)
      : node(port, catalog, buffer, sizeof buffer, keeper) {}

  // The frame of a message; numbered with `seq`.
  static Bytes frame(ToNode& message, std::uint64_t seq) {
    message.seq = seq;
    Bytes payload(kMaxPayload);
    payload.resize(encode(message, Span<std::uint8_t>(payload.data(), payload.size())));
    return frame_of(payload);
  }
  Bytes next_frame(const Message& message) { return frame(*message, ++seq); }

  // Sends a message with the next seq, or bytes as they are, and collects the answers.
  Replies send(const Message& message) { return send_bytes(next_frame(message)); }
  Replies send_bytes(const Bytes& bytes) {
    append(port.to_node, bytes);
    node.poll();
    return replies();
  }
  Replies replies() {
    Replies all;
    for (const std::uint8_t byte : port.from_node) {
      if (!deframer_.push(byte)) continue;
      all.emplace_back();
      if (!decode(deframer_.payload(), all.back())) all.back().which_body = 0;
    }
    port.from_node.clear();
    return all;
  }

  // Of what the node remembers: the same for two nodes that applied the same messages.
  std::uint64_t state_digest() const {
    Digest digest;
    const RankingService& service = node.service();
    digest.add(service.configured());
    digest.add(static_cast<std::uint64_t>(service.arena().used()));
    digest.add(service.samples().taken);
    if (service.configured()) digest.add(service.ranker().state_digest());
    return digest.value();
  }

  // Of that and every byte of the arena, pointers and scratch too: a refused message changes none.
  std::uint64_t bytes_digest() const {
    Digest digest;
    digest.add(state_digest());
    digest.add_all(buffer, sizeof buffer);
    return digest.value();
  }

  alignas(kArenaAlignment) unsigned char buffer[16384] = {};
  FakePort port;
  Node node;
  std::uint64_t seq = 0;

 private:
  std::uint8_t receive_buffer_[kMaxPayload + kCrcBytes];
  Deframer deframer_{Span<std::uint8_t>(receive_buffer_)};
};

// What the replies are, one letter each: Info, Ack, Nack, Error, Ranking, Stats, Prediction,
// Memberships; ? undecodable.
inline std::string kinds(const Replies& replies) {
  std::string letters;
  for (const FromNode& reply : replies) letters += "?IANERSPM"[reply.which_body];
  return letters;
}

inline std::string error_text(const Replies& replies) {
  for (const FromNode& reply : replies) {
    if (reply.which_body == whittle_v1_FromNode_error_tag) return reply.body.error.text;
  }
  return "";
}

inline StatusCode error_code(const Replies& replies) {
  for (const FromNode& reply : replies) {
    if (reply.which_body == whittle_v1_FromNode_error_tag) {
      return static_cast<StatusCode>(reply.body.error.code);
    }
  }
  return StatusCode::ok;
}

inline whittle_v1_Ack ack_of(const Replies& replies) {
  for (const FromNode& reply : replies) {
    if (reply.which_body == whittle_v1_FromNode_ack_tag) return reply.body.ack;
  }
  ADD_FAILURE() << "no ack: " << kinds(replies);
  return {};
}

inline whittle_v1_Info info_of(NodePeer& peer) {
  const Message hello = make_message(whittle_v1_ToNode_hello_tag);
  const Replies replies = peer.send_bytes(NodePeer::frame(*hello, 12345));  // its seq is ignored
  EXPECT_EQ(kinds(replies), "I");
  return replies[0].body.info;
}

inline whittle_v1_Stats stats_of(NodePeer& peer) {
  const Replies replies = peer.send(make_message(whittle_v1_ToNode_stats_tag));
  EXPECT_EQ(kinds(replies), "SA");
  return replies[0].body.stats;
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_NODE_PEER_H_
