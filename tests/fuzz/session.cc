// A whole session with a node that links every selector and keeps snapshots: configs, samples,
// labels, questions, restarts, and between them bytes that are no frames, payloads that are no
// messages, and seqs out of order. After each, what must hold whatever comes in (docs/security.md).
#include <memory>
#include <optional>

#include "tests/fuzz/fuzz_storage.h"
#include "tests/fuzz/messages.h"
#include "tests/shared/fake_port.h"
#include "whittle/base/digest.h"
#include "whittle/node/node.h"
#include "whittle/node/node_snapshots.h"
#include "whittle/select/all_selectors.h"

namespace whittle::fuzz {
namespace {

using testing::FakePort;
using testing::frame_of;
using testing::span_of;

constexpr std::size_t kArenaBytes[] = {512, 4096, 16384, 65536};
constexpr std::size_t kCapacities[] = {0, 100, 2048, 65536};  // bytes the line can hold

constexpr Catalog kEverything(kAllSelectors, kAllParts);

class Conversation {
 public:
  Conversation(std::size_t arena_bytes, std::size_t capacity)
      : arena_(arena_bytes / sizeof(std::uint64_t)) {
    port_.capacity = capacity;
    start();
    durable_digest_ = digest();
  }

  std::uint64_t next_seq() const { return node_->session().expected(); }

  // A message in order is applied or refused, and acked; asking changes nothing.
  void send_next(ToNode& message) {
    const std::uint64_t seq = next_seq();
    last_frame_ = frame(message, seq);
    const std::uint64_t before = digest();
    const std::uint64_t held_before = held_digest();
    const bool query = message.which_body == whittle_v1_ToNode_query_tag;
    // After a new scale the graph follows when it is asked for, whatever the answer.
    const bool settles = query && !is_settled();
    const bool refines = query && message.body.query.refine_iterations > 0;
    const Answers answers = deliver(last_frame_);
    require(node_->session().last_seq() == seq && answers.acks == 1, "a message uses up its seq");
    require(answers.acked_as_refused == answers.refused, "an ack tells of a refusal");
    // The steps of refine have been made even if what they lead to cannot be ranked.
    const bool same = settles || (refines ? held_digest() == held_before : digest() == before);
    require(same || !answers.refused, "a refused message changes nothing");
    require(same || !only_asks(message), "a question changes nothing");
  }

  // The last frame again, an old, a far or the same seq for another message: applied is none.
  void send_last_again() { deliver_without_effect(last_frame_); }
  void send_out_of_order(ToNode& message, std::uint64_t seq) {
    if (seq != next_seq()) deliver_without_effect(frame(message, seq));
  }

  // The node loses its power, and goes on from what it has called durable.
  void restart() {
    node_.reset();
    storage_.left = FuzzStorage::kAlways;
    start();
    // A snapshot that could not be finished in time may be whole all the same.
    const std::uint64_t last_seq = node_->session().last_seq();
    require(last_seq >= durable_seq_, "what was durable has been kept");
    require(last_seq > durable_seq_ || digest() == durable_digest_, "the state is the one kept");
    durable_seq_ = last_seq;
    durable_digest_ = digest();
    last_frame_ = {1, 0};
  }
  // Snapshots fail from so many bytes on, until it restarts.
  void wear_out(std::size_t bytes) { storage_.left = bytes; }

  // Hello, which no seq counts.
  void send_hello() {
    ToNode& hello = scratch_;
    hello.which_body = whittle_v1_ToNode_hello_tag;
    deliver_without_effect(frame(hello, 0));
  }

  // What is perhaps no message, in the frame of one.
  void send_payload(const Bytes& payload) {
    if (decode(span_of(payload), scratch_) && !is_cheap(scratch_)) return;
    deliver_anything(frame_of(payload));
  }
  // What is perhaps no frame.
  void send_bytes(const Bytes& bytes) { deliver_anything(bytes); }

 private:
  struct Answers {
    std::size_t acks = 0;
    bool refused = false;
    bool acked_as_refused = false;  // by the last ack
  };

  void start() {
    keeper_.emplace(storage_, kHere);
    node_ = std::make_unique<Node>(port_, kEverything, arena_.data(),
                                   arena_.size() * sizeof(std::uint64_t), &*keeper_);
    (void)keeper_->restore(*node_);
  }

  static Bytes frame(ToNode& message, std::uint64_t seq) {
    message.seq = seq;
    Bytes payload(kMaxPayload);
    payload.resize(encode(message, Span<std::uint8_t>(payload.data(), payload.size())));
    return frame_of(payload);
  }

  static bool only_asks(const ToNode& message) {
    switch (message.which_body) {
      case whittle_v1_ToNode_query_tag:
        return message.body.query.refine_iterations == 0;
      case whittle_v1_ToNode_stats_tag:
      case whittle_v1_ToNode_predict_tag:
      case whittle_v1_ToNode_memberships_tag:
        return true;
      default:
        return false;
    }
  }

  void deliver_without_effect(const Bytes& bytes) {
    const std::uint64_t before = digest();
    const std::uint64_t last_seq = node_->session().last_seq();
    deliver(bytes);
    require(digest() == before && node_->session().last_seq() == last_seq,
            "what is not next changes nothing");
  }

  void deliver_anything(const Bytes& bytes) {
    const std::uint64_t before = digest();
    const std::uint64_t last_seq = node_->session().last_seq();
    const Answers answers = deliver(bytes);
    const std::uint64_t applied = node_->session().last_seq() - last_seq;
    require(applied <= answers.acks, "no seq is used up without an ack");
    require(applied > 0 || digest() == before, "what uses up no seq changes nothing");
  }

  // A zero first, so that what came before without its end does not take the frame along.
  Answers deliver(const Bytes& bytes) {
    port_.to_node = {0};
    testing::append(port_.to_node, bytes);
    node_->poll();
    require(port_.to_node.empty(), "every byte is read");
    Answers answers;
    for (const std::uint8_t byte : port_.from_node) {
      if (!deframer_.push(byte)) continue;
      require(decode(deframer_.payload(), reply_), "every answer can be decoded");
      take_reply(answers);
    }
    port_.from_node.clear();
    require(deframer_.counts().crc_errors + deframer_.counts().framing_errors == 0,
            "answers are whole frames");
    return answers;
  }

  void take_reply(Answers& answers) {
    switch (reply_.which_body) {
      case whittle_v1_FromNode_ack_tag:
        ++answers.acks;
        answers.acked_as_refused = (reply_.body.ack.refused & 1) != 0;
        require(reply_.body.ack.seq <= node_->session().last_seq(), "an ack is of what has come");
        take_durable(reply_.body.ack.durable_seq);
        check_credits(reply_.body.ack.credits);
        break;
      case whittle_v1_FromNode_nack_tag:
        check_credits(reply_.body.nack.credits);
        break;
      case whittle_v1_FromNode_info_tag:
        check_credits(reply_.body.info.credits);
        break;
      case whittle_v1_FromNode_error_tag:
        answers.refused = true;
        break;
      case whittle_v1_FromNode_ranking_tag:
        check_page(reply_.body.ranking);
        break;
      default:
        break;
    }
  }

  // As many messages as there may be on their way fit into the buffer of the line. The answer may
  // have been given before a config or a reset that came later in the same bytes.
  void check_credits(std::uint32_t credits) const {
    const std::size_t smallest = frame_bytes(kControlPayload);
    require(credits >= 1, "there is always a credit");
    require(credits == 1 || credits * smallest <= port_.capacity, "credits fit into the line");
  }

  void take_durable(std::uint64_t seq) {
    require(seq >= durable_seq_ && seq <= node_->session().last_seq(), "durable is what has come");
    if (seq == durable_seq_) return;
    require(seq == node_->session().last_seq(), "what has just become durable is all");
    durable_seq_ = seq;
    durable_digest_ = digest();
  }

  static void check_page(const whittle_v1_Ranking& page) {
    require(page.total > 0, "a ranking has features");
    for (pb_size_t i = 0; i < page.order_count; ++i) {
      require(page.order[i] < page.total, "the order is of features");
      for (pb_size_t j = 0; j < i; ++j) {
        require(page.order[i] != page.order[j], "the order has no feature twice");
      }
    }
  }

  // False while the graph has to follow a new scale.
  bool is_settled() const {
    const RankingService& service = node_->service();
    return !service.configured() || service.ranker().memory().settled();
  }

  std::uint64_t digest() const {
    Digest digest;
    const RankingService& service = node_->service();
    digest.add(service.configured());
    digest.add(static_cast<std::uint64_t>(service.arena().used()));
    digest.add(service.samples().taken);
    if (service.configured()) digest.add(service.ranker().state_digest());
    return digest.value();
  }

  // What has been taken in.
  std::uint64_t held_digest() const {
    Digest digest;
    const RankingService& service = node_->service();
    if (service.configured()) service.ranker().memory().digest(digest);
    return digest.value();
  }

  std::vector<std::uint64_t> arena_;
  FakePort port_;
  FuzzStorage storage_;
  std::optional<NodeSnapshots> keeper_;
  std::unique_ptr<Node> node_;
  std::uint64_t durable_seq_ = 0;  // and the digest of the state then
  std::uint64_t durable_digest_ = 0;
  Bytes last_frame_{1, 0};
  ToNode scratch_;
  FromNode reply_;
  std::uint8_t buffer_[kMaxPayload + kCrcBytes];
  Deframer deframer_{Span<std::uint8_t>(buffer_)};
};

// From bytes of the input to what is sent.
class Script {
 public:
  explicit Script(Input input)
      : input_(input), talk_(kArenaBytes[input_.below(4)], kCapacities[input_.below(4)]) {}

  void run() {
    configure();
    while (!input_.empty()) step(input_.below(24));
  }

 private:
  void step(std::uint32_t what) {
    const std::uint64_t seq = talk_.next_seq();
    switch (what) {
      case 0:
        return configure();
      case 1:
        return ask(whittle_v1_ToNode_reset_tag);
      case 2:
        make_scale(input_, shape_, message_);
        return next();
      case 3:
        make_label(input_, shape_, seq, message_);
        return next();
      case 4:
        make_constraint(input_, seq, message_);
        return next();
      case 5:
        return ask(whittle_v1_ToNode_rescale_tag);
      case 6:
      case 7:
        make_query(input_, message_);
        return next();
      case 8:
        make_memberships(input_, seq, message_);
        return next();
      case 9:
        return ask(whittle_v1_ToNode_stats_tag);
      case 10:
        return ask(whittle_v1_ToNode_snapshot_tag);
      case 11:
        return predict();
      case 12:
        return talk_.send_hello();
      case 13:
        return payload(seq);
      case 14:
        return talk_.send_bytes(input_.bytes(input_.byte()));
      case 15:
        return out_of_order(seq);
      case 16:
        return many();
      case 17:
        return talk_.restart();
      case 18:
        return talk_.wear_out(input_.byte() * 256U);
      default:
        make_sample(input_, shape_, message_);
        return next();
    }
  }

  void next() { talk_.send_next(message_); }
  void configure() {
    make_configure(input_, message_, shape_);
    next();
  }
  void ask(pb_size_t body) {
    message_.which_body = body;
    next();
  }
  void predict() {
    make_sample(input_, shape_, message_);
    message_.which_body = whittle_v1_ToNode_predict_tag;
    next();
  }
  // A seq that fits, so that the body gets looked at.
  void payload(std::uint64_t seq) {
    Bytes payload = testing::RawMessage().number(1, seq).get();
    testing::append(payload, input_.bytes(input_.byte()));
    talk_.send_payload(payload);
  }
  void out_of_order(std::uint64_t seq) {
    const std::uint8_t how = input_.byte();
    if (how % 2 == 0) return talk_.send_last_again();
    make_sample(input_, shape_, message_);
    talk_.send_out_of_order(message_, how < 128 ? seq - how : seq * how);
  }
  // Samples enough to fill the memory, from few bytes.
  void many() {
    testing::TestRandom random(input_.byte() + 1U);
    for (std::uint32_t count = input_.below(64); count > 0; --count) {
      Bytes bytes(shape_.features + 1);
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(16 + random.below(232));
      Input some(bytes.data(), bytes.size());
      make_sample(some, shape_, message_);
      next();
    }
  }

  Input input_;
  Conversation talk_;
  Shape shape_;
  ToNode message_ = {};
};

}  // namespace
}  // namespace whittle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::make_unique<whittle::fuzz::Script>(whittle::fuzz::Input(data, size))->run();
  return 0;
}
