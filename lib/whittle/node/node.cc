#include "whittle/node/node.h"

#include "whittle/node/text.h"

namespace whittle {
namespace {

constexpr std::size_t kReadChunk = 64;
constexpr pb_size_t kNoBody = 0;

}  // namespace

void Node::poll() {
  std::uint8_t chunk[kReadChunk];
  for (;;) {
    const std::size_t count = link_.port().read(Span<std::uint8_t>(chunk));
    if (count == 0) return;
    receive(Span<const std::uint8_t>(chunk, count));
  }
}

void Node::receive(Span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) {
    if (link_.take(byte)) handle(link_.payload());
  }
}

void Node::handle(Span<const std::uint8_t> payload) {
  const bool decoded = decode(payload, message_);
  if (decoded && message_.which_body == whittle_v1_ToNode_hello_tag) return send_info();
  if (decoded && message_.which_body == whittle_v1_ToNode_stats_tag && message_.seq == 0) {
    (void)reply(false);
    return link_.send(reply_);
  }
  if (decoded && message_.which_body == kNoBody && sensing_ != nullptr &&
      sensing_->take(*this, payload)) {
    return;
  }
  std::uint64_t seq = 0;
  if (decoded) {
    seq = message_.seq;
  } else if (!decode_seq(payload, seq)) {
    seq = 0;
  }
  if (!decoded || seq == 0) ++counts_.undecodable;
  reply_.which_body = kNoBody;
  if (seq == 0) return send_no_seq();
  switch (session_.classify(seq)) {
    case Arrival::next:
      apply_next(decoded);
      break;
    case Arrival::repeated:
      ++counts_.duplicates;
      answer_again(decoded);
      break;
    case Arrival::old:
      ++counts_.duplicates;
      break;
    case Arrival::ahead:
      ++counts_.gaps;
      return send_nack();
  }
  if (reply_.which_body != kNoBody) link_.send(reply_);
  send_ack();
}

void Node::apply_next(bool decoded) {
  const char* subject = nullptr;
  Status status =
      decoded ? apply(subject) : Status(StatusCode::invalid_argument, "message cannot be decoded");
  if (status.ok() && keeper_ != nullptr) status = keeper_->applied(*this);
  session_.advance(!status.ok());
  last_body_ = decoded ? message_.which_body : kNoBody;
  refusal_.code = status.code();
  if (status.ok()) return;
  ++counts_.refused;
  describe(status, subject);
  reply_error(session_.last_seq());
}

void Node::answer_again(bool decoded) {
  if (refusal_.code != StatusCode::ok) return reply_error(session_.last_seq());
  if (!decoded || message_.which_body != last_body_) return;
  // Nothing to answer again if it asked nothing, or is not what was answered.
  if (!reply(true).ok()) reply_.which_body = kNoBody;
}

bool Node::asks_for_snapshots() const {
  return message_.which_body == whittle_v1_ToNode_snapshot_tag ||
         (message_.which_body == whittle_v1_ToNode_configure_tag &&
          message_.body.configure.snapshot_every > 0);
}

Status Node::apply(const char*& subject) {
  if (keeper_ == nullptr && asks_for_snapshots()) {
    return {StatusCode::unimplemented, "this node keeps no snapshots"};
  }
  switch (message_.which_body) {
    case whittle_v1_ToNode_configure_tag:
      return configure(subject);
    case whittle_v1_ToNode_scale_tag:
      return service_.scale(message_.body.scale);
    case whittle_v1_ToNode_sample_tag:
      return service_.sample(message_.body.sample, message_.seq, link_.port());
    case whittle_v1_ToNode_label_tag:
      return service_.label(message_.body.label);
    case whittle_v1_ToNode_constraint_tag:
      return service_.constraint(message_.body.constraint);
    case whittle_v1_ToNode_rescale_tag:
      return service_.rescale();
    case whittle_v1_ToNode_reset_tag:
      service_.reset();
      session_.reset();
      ++counts_.resets;
      return {};
    case whittle_v1_ToNode_snapshot_tag:
      return {};  // keeper_ takes it
    case kNoBody:
      if (sensing_ != nullptr) return sensing_->apply(*this, link_.payload());
      [[fallthrough]];
    default:
      return reply(false);
  }
}

Status Node::configure(const char*& subject) {
  const Status status = service_.configure(message_.body.configure, subject);
  if (status.ok()) session_.configure(message_.body.configure.session);
  return status;
}

void Node::describe(const Status& status, const char* subject) {
  Text text(refusal_.text);
  if (subject != nullptr) text.add(subject).add(": ");
  text.add(status);
  // Of a config that needs more; a pair too many is no matter of bytes.
  if (status.code() == StatusCode::resource_exhausted && !service_.configured()) {
    text.add(", there are ").add(service_.arena().capacity());
  }
}

std::uint32_t Node::credits() const {
  const std::size_t frames =
      link_.port().receive_capacity() / frame_bytes(service_.largest_payload());
  return frames > 0 ? static_cast<std::uint32_t>(frames) : 1;
}

}  // namespace whittle
