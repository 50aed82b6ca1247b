// NodeClient's seqs: what is sent, sent again and forgotten, and when.
#include <algorithm>

#include "tools/client/message_frame.h"
#include "tools/client/node_client.h"

namespace whittle {
namespace {

// Messages of which an ack tells whether they were refused.
constexpr std::uint64_t kAckHistory = 64;

// A line that broke so often without progress between is one that another client takes.
constexpr std::uint64_t kContested = 3;
constexpr char kTaken[] =
    ": probably another client takes it (a node serves whoever connected last), or it ends again "
    "and again; see that it runs and that no other client uses it, then start again";
constexpr char kTakenOrGone[] =
    ": the node has ended, or another client has taken it (a node serves whoever connected last); "
    "see that it runs and that no other client uses it, then start again";

}  // namespace

// As far as the credits reach, but for one, left for hellos; and as far as one ack tells.
void NodeClient::transmit() {
  if (greeting_) return;
  const std::uint64_t room = credits_ > 2 ? credits_ - 1 : 1;
  while (transmitted_ + 1 < next_seq_ && transmitted_ - acknowledged_ + unread_ < room &&
         transmitted_ < settled_ + kAckHistory) {
    ++transmitted_;
    if (transmitted_ > newest_) {
      newest_ = transmitted_;
      if (!request_) round_trip_.start(newest_);
    }
    write(kept_[static_cast<std::size_t>(transmitted_ - first_kept_)]);
  }
}

// Everything not acknowledged is sent again, in order.
void NodeClient::go_back() {
  costs_.resent += transmitted_ - acknowledged_;
  transmitted_ = acknowledged_;
  round_trip_.cancel();
  resend_at_ = Clock::now() + resend_after_;
  transmit();
}

// Takes in what comes, for a while.
void NodeClient::pump() {
  if (line_.reopened() != reopened_) {
    deframer_.push(0);  // what came before is not continued
    greet();
  }
  check_time();
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(resend_at_ - Clock::now());
  std::uint8_t bytes[4096];
  const std::size_t count =
      read(Span<std::uint8_t>(bytes), std::max(wait, std::chrono::milliseconds(1)));
  costs_.bytes_received += count;
  for (std::size_t i = 0; i < count; ++i) {
    if (!deframer_.push(bytes[i])) continue;
    FromNode message;
    if (!decode(deframer_.payload(), message)) continue;  // of a later version
    heard_ = true;
    handle(message);
  }
  costs_.damaged = deframer_.counts().crc_errors + deframer_.counts().framing_errors;
}

void NodeClient::check_time() {
  const Clock::time_point now = Clock::now();
  if (now - progress_at_ > options_.patience) give_up();
  if (now < resend_at_) return;
  resend_after_ = std::min(2 * resend_after_, 8 * options_.resend_after);
  resend_at_ = now + resend_after_;
  if (greeting_) {
    send_hello();
  } else if (acknowledged_ + 1 < next_seq_) {
    // The node may just be busy, and its buffer full: a hello has room, and its answer tells what
    // is to be sent again.
    greeting_ = true;
    ++hello_seq_;
    send_hello();
  } else if (asking_stats_) {
    ask_stats();
  }
}

void NodeClient::give_up() const {
  const std::uint64_t broke = line_.reopened() - reopened_at_progress_;
  std::string text = line_.name() + ": ";
  if (broke >= kContested) text += "the line broke " + std::to_string(broke) + " times, and ";
  text += heard_                ? "the node answers, but has taken nothing in for "
          : broke >= kContested ? "the node has taken nothing in for "
          : connected_          ? "the node has been silent for "
                                : "no node has answered for ";
  text +=
      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(options_.patience).count()) +
      " s";
  if (broke >= kContested) throw posix::LineError(text + kTaken);
  if (!heard_) throw NodeSilent(text, connected_);
  throw posix::LineError(text);
}

void NodeClient::handle(const FromNode& message) {
  if (message.which_body == whittle_v1_FromNode_info_tag) return handle_info(message.body.info);
  if (!connected_) return;  // meant for an earlier sender
  if (is_answer(message)) answer_ = message;
  switch (message.which_body) {
    case whittle_v1_FromNode_ack_tag:
      return handle_ack(message.body.ack);
    case whittle_v1_FromNode_nack_tag:
      return handle_nack(message.body.nack);
    case whittle_v1_FromNode_error_tag:
      return handle_error(message.body.error);
    case whittle_v1_FromNode_stats_tag:
      if (asking_stats_) stats_ = message.body.stats;
      return;
    default:
      return;
  }
}

void NodeClient::handle_info(const whittle_v1_Info& info) {
  if (!greeting_ || info.hello_seq != hello_seq_) return;  // answers an earlier hello
  greeting_ = false;
  info_ = info;
  until_durable_ = info.snapshots;
  credits_ = std::max<std::uint64_t>(info.credits, 1);
  unread_ = 0;
  if (connected_) {
    resume(info);
  } else {
    begin(info);
  }
}

void NodeClient::begin(const whittle_v1_Info& info) {
  connected_ = true;
  acknowledged_ = transmitted_ = newest_ = settled_ = info.last_seq;
  told_.clear();
  gap_ = 0;
  durable_ = info.durable_seq;
  first_kept_ = next_seq_ = info.last_seq + 1;
  configured_seq_ = info.configured_seq;
  session_ = info.session;
  made_progress();
}

// All that was sent before the hello has come or is lost, and the node says where it is.
void NodeClient::resume(const whittle_v1_Info& info) {
  check_applied(info.last_seq);
  check_configured(info);
  // A node may go on counting from a snapshot that it could not read.
  if (configured_seq_ != 0 && info.last_seq >= configured_seq_ &&
      info.configured_seq != configured_seq_) {
    throw StateLost(line_.name(), configured_seq_, info.last_seq,
                    ": the node has restarted, or another client has reset it, and lost messages ");
  }
  if (info.last_seq < acknowledged_) {
    if (info.last_seq + 1 < first_kept_) {
      throw StateLost(line_.name(), info.last_seq + 1, first_kept_ - 1);
    }
    ++costs_.restarts;
    acknowledged_ = info.last_seq;
    gap_ = 0;
    durable_ = info.durable_seq;
    made_progress();
  } else {
    durable_ = std::max(durable_, info.durable_seq);
    // Whether it was refused, or answered, is not known without its ack: it is sent again.
    applied_until(info.last_seq > settled_ ? info.last_seq - 1 : info.last_seq);
  }
  go_back();
}

// Whether it answers the request that waits, which is the last message out. Answers to requests
// that were sent twice may come late.
bool NodeClient::is_answer(const FromNode& message) const {
  if (!request_) return false;
  const std::uint64_t seq = request_->seq;
  const ToNode& request = request_->message;
  switch (message.which_body) {
    case whittle_v1_FromNode_ranking_tag: {
      const whittle_v1_Ranking& page = message.body.ranking;
      const std::uint32_t first = request.body.query.first;
      return request.which_body == whittle_v1_ToNode_query_tag && page.first == first &&
             (first == 0 ? page.ranked_at == seq : ranked_at_ == 0 || page.ranked_at == ranked_at_);
    }
    case whittle_v1_FromNode_prediction_tag:
      return message.body.prediction.sample == seq;
    case whittle_v1_FromNode_memberships_tag:
      return message.body.memberships.seq == seq;
    case whittle_v1_FromNode_error_tag:
      return message.body.error.seq == seq;
    default:
      return false;
  }
}

void NodeClient::handle_ack(const whittle_v1_Ack& ack) {
  check_applied(ack.seq);
  durable_ = std::max(durable_, ack.durable_seq);
  credits_ = std::max<std::uint64_t>(ack.credits, 1);
  const bool again = wants_answer(ack);
  const std::uint64_t until = again ? ack.seq - 1 : ack.seq;
  settle(ack, until);
  applied_until(until);
  if (again) return go_back();
  transmit();
}

void NodeClient::check_applied(std::uint64_t seq) const {
  if (seq >= next_seq_) fail_used();
}

// A node that restarts may know an older configure, or none, but none newer.
void NodeClient::check_configured(const whittle_v1_Info& info) const {
  if (configured_seq_ == 0 || info.configured_seq < configured_seq_) return;
  if (info.configured_seq > configured_seq_ || info.session != session_) fail_used();
}

void NodeClient::fail_used() const {
  throw posix::LineError(line_.name() +
                         ": the node has applied messages of another sender; only one may "
                         "use it at a time: end the other one, then start again");
}

// Whether what the node said of its last message got lost, and it will say it again if that comes
// again: nothing later is on its way.
bool NodeClient::wants_answer(const whittle_v1_Ack& ack) const {
  if (ack.seq + 1 != next_seq_ || ack.seq <= settled_) return false;
  const bool asked = request_ && request_->seq == ack.seq;
  return asked ? !answer_ : (ack.refused & 1) != 0 && !is_told(ack.seq);
}

// Notes what was refused until there and has not been told.
void NodeClient::settle(const whittle_v1_Ack& ack, std::uint64_t until) {
  for (; settled_ < until; ++settled_) {
    const std::uint64_t seq = settled_ + 1;
    const std::uint64_t before = ack.seq - seq;
    const bool refused = before < kAckHistory && (ack.refused >> before & 1) != 0;
    if (refused && !is_told(seq)) {
      refuse({seq, StatusCode::data_loss, "refused; the line lost the reason"});
    }
  }
  std::erase_if(told_, [&](std::uint64_t seq) { return seq <= settled_; });
}

bool NodeClient::is_told(std::uint64_t seq) const {
  return seq <= settled_ || std::find(told_.begin(), told_.end(), seq) != told_.end();
}

void NodeClient::handle_nack(const whittle_v1_Nack& nack) {
  if (greeting_ || nack.expected >= next_seq_) return;
  // It may have restarted, or this is a late copy of an old one.
  if (nack.expected <= acknowledged_) return greet();
  credits_ = std::max<std::uint64_t>(nack.credits, 1);
  applied_until(nack.expected - 1);
  // Every message that was on its way behind the gap brings a nack, and makes room.
  if (nack.expected == gap_ && unread_ > 0) {
    --unread_;
    return transmit();
  }
  gap_ = nack.expected;
  const std::uint64_t out = transmitted_ - acknowledged_;
  unread_ = out > 2 ? out - 2 : 0;
  go_back();
}

void NodeClient::handle_error(const whittle_v1_Error& error) {
  const auto code = static_cast<StatusCode>(error.code);
  if (error.seq == 0) throw NodeRefusal({0, code, error.text});
  if (is_told(error.seq) || error.seq >= next_seq_) return;  // not ours
  told_.push_back(error.seq);
  refuse({error.seq, code, error.text});
}

void NodeClient::refuse(const NodeError& error) {
  if (error.seq == configured_seq_) configured_seq_ = 0;
  errors_.push_back(error);
}

void NodeClient::applied_until(std::uint64_t seq) {
  if (seq > acknowledged_) {
    acknowledged_ = seq;
    transmitted_ = std::max(transmitted_, seq);
    if (seq >= gap_) unread_ = 0;  // what was on its way before it was filled has been read
    round_trip_.finish(seq);
    made_progress();
    if (told_progress_) told_progress_();
  }
  forget();
}

// What need not be sent again whatever happens.
void NodeClient::forget() {
  const std::uint64_t until = until_durable_ ? std::min(durable_, acknowledged_) : acknowledged_;
  for (; first_kept_ <= until; ++first_kept_) kept_.pop_front();
}

void NodeClient::made_progress() {
  heard_ = false;
  reopened_at_progress_ = line_.reopened();
  resend_after_ = std::min(round_trip_.patience(), options_.resend_after);
  progress_at_ = Clock::now();
  resend_at_ = progress_at_ + resend_after_;
}

std::size_t NodeClient::read(Span<std::uint8_t> out, std::chrono::milliseconds timeout) try {
  return line_.read(out, timeout);
} catch (const posix::LineClosed& closed) {
  throw posix::LineClosed(closed.what() + std::string(kTakenOrGone));
}

void NodeClient::write(const Frame& frame) try {
  line_.write(Span<const std::uint8_t>(frame.data(), frame.size()));
  costs_.bytes_sent += frame.size();
} catch (const posix::LineClosed& closed) {
  throw posix::LineClosed(closed.what() + std::string(kTakenOrGone));
}

}  // namespace whittle
