#include "tools/cli/remote_ranker.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/memory_need.h"
#include "tools/cli/steps.h"
#include "tools/cli/stream_name.h"
#include "tools/cli/text.h"
#include "tools/client/configure_message.h"

namespace whittle::cli {
namespace {

ToNode message_of(pb_size_t body) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = body;
  return message;
}

void add_page(const whittle_v1_Ranking& page, Result* result) {
  if (page.order_count != page.scores_count || page.mask.size * 8U < page.scores_count) {
    throw Error("the node's ranking is not whole");
  }
  for (pb_size_t i = 0; i < page.scores_count; ++i) {
    result->scores.push_back(static_cast<Real>(page.scores[i]));
    result->selected.push_back((page.mask.bytes[i / 8] >> i % 8 & 1) != 0);
  }
  for (pb_size_t i = 0; i < page.order_count; ++i) result->order.push_back(page.order[i]);
}

Result begin_result(const whittle_v1_Ranking& page) {
  Result result;
  result.samples = {page.labelled, page.unlabelled, page.universum, page.held, page.refused};
  for (pb_size_t i = 0; i < page.info_count; ++i) {
    const whittle_v1_InfoEntry& entry = page.info[i];
    result.info.push_back({entry.name, static_cast<InfoKind>(entry.kind),
                           static_cast<Real>(entry.number), entry.text});
  }
  return result;
}

bool is_list(const Result::Info& info) { return info.kind == InfoKind::list; }

// Deals the numbers of all lists out: each list says how many are its own.
void fill_lists(const std::vector<Real>& numbers, Result* result) {
  auto next = numbers.begin();
  for (Result::Info& info : result->info) {
    if (!is_list(info)) continue;
    const auto end = next + static_cast<std::ptrdiff_t>(info.number);
    info.numbers.assign(next, end);
    info.number = 0;
    next = end;
  }
}

// How many numbers the lists have. A count is used to index: it must be one.
std::size_t list_numbers(const Result& result) {
  std::size_t numbers = 0;
  for (const Result::Info& info : result.info) {
    if (!is_list(info)) continue;
    if (!(info.number >= 0 && info.number <= Real(1U << 20))) {
      throw Error("the node's info is not whole");
    }
    numbers += static_cast<std::size_t>(info.number);
  }
  return numbers;
}

[[noreturn]] void pass_on(const NodeRefusal& refusal) {
  throw ModelRefusal(refusal.error().code, describe(refusal.error().code, refusal.error().text));
}

// More than any selector's max_iter asks for: a node that says it is never done is not waited for.
constexpr std::size_t kMostIterations = 1U << 24;

// A ranking is used to index: it must be whole.
void check_complete(const Result& result, std::size_t features) {
  std::vector<bool> seen(features);
  for (const std::uint32_t feature : result.order) {
    if (feature < features) seen[feature] = true;
  }
  if (result.scores.size() != features || result.order.size() != features ||
      std::count(seen.begin(), seen.end(), false) != 0) {
    throw Error("the node's ranking is not one of the " + counted(features, "feature") +
                " it was sent");
  }
}

// Shows how much of a stream the node has taken in, also while one message waits for room.
class TakenIn {
 public:
  TakenIn(const Console& console, NodeClient& client, std::uint64_t first_seq, std::size_t messages)
      : client_(client), progress_(console, "messages", messages) {
    client.on_progress([this, first_seq] {
      if (client_.acknowledged() < first_seq) return;
      progress_.update(static_cast<std::size_t>(client_.acknowledged() - first_seq + 1));
    });
  }
  ~TakenIn() { client_.on_progress(nullptr); }
  TakenIn(const TakenIn&) = delete;
  TakenIn& operator=(const TakenIn&) = delete;

 private:
  NodeClient& client_;
  Progress progress_;
};

}  // namespace

void RemoteRanker::configure(const whittle_v1_Info& node) {
  check(node);
  client_.send(message_of(whittle_v1_ToNode_reset_tag));
  first_seq_ = client_.send(config_message()) + scale_messages() + 1;
  next_step_ = 0;
  client_.flush();
  fail_on_error();
  send_scale(0);
  client_.flush();
  fail_on_error();
}

bool RemoteRanker::holds_part(const whittle_v1_Info& node) const {
  return node.configured && node.session == config_message().body.configure.session;
}

// The rows before the next step.
std::uint64_t RemoteRanker::rows_held() const {
  const auto end = script_.begin() + static_cast<std::ptrdiff_t>(next_step_);
  return static_cast<std::uint64_t>(std::count_if(
      script_.begin(), end, [](const Step& step) { return step.kind == Step::Kind::sample; }));
}

void RemoteRanker::go_on_after(const whittle_v1_Info& node) {
  first_seq_ = node.configured_seq + scale_messages() + 1;
  next_step_ = 0;
  if (node.last_seq < first_seq_) return;
  next_step_ = static_cast<std::size_t>(
      std::min<std::uint64_t>(node.last_seq + 1 - first_seq_, script_.size()));
}

bool RemoteRanker::resume(whittle_v1_Info node) {
  check(node);
  for (;;) {
    if (!holds_part(node)) return false;
    go_on_after(node);
    const whittle_v1_Stats stats = client_.stats();
    const std::uint64_t rows = stats.samples + stats.refused_samples;
    if (rows == rows_held()) break;
    // It may have started again between the two answers.
    const std::uint64_t last_seq = node.last_seq;
    node = client_.hello();
    if (node.last_seq != last_seq) continue;
    throw Error("the node holds " + std::to_string(rows) +
                " rows of this stream, but by its count of messages it should be " +
                std::to_string(rows_held()) +
                ": somebody else has told it something since; stream without --resume");
  }
  send_scale(static_cast<std::size_t>(
      std::min<std::uint64_t>(node.last_seq - node.configured_seq, scale_messages())));
  return true;
}

void RemoteRanker::check(const whittle_v1_Info& node) const {
  std::vector<std::string> selectors;
  for (pb_size_t i = 0; i < node.selectors_count; ++i) selectors.emplace_back(node.selectors[i]);
  const std::string wanted = plan_.config.selector->id;
  if (std::find(selectors.begin(), selectors.end(), wanted) == selectors.end()) {
    throw Error("the node (" + std::string(node.board) + ") has no selector " + in_quotes(wanted) +
                "; it has " + listed(selectors, selectors.size()));
  }
  const std::size_t most = std::min<std::size_t>(node.max_features, kMaxSampleFeatures);
  if (plan_.data.features() > most) {
    throw Error("a message to this node carries at most " + counted(most, "feature") +
                ", the file has " + std::to_string(plan_.data.features()) +
                "; build both sides with a larger WHITTLE_MAX_PAYLOAD");
  }
}

ToNode RemoteRanker::config_message() const {
  ToNode message = configure_message(plan_.config);
  whittle_v1_Configure& body = message.body.configure;
  body.snapshot_every = snapshot_every_;
  body.session = stream_name(plan_, script_, body);
  return message;
}

std::size_t RemoteRanker::scale_messages() const {
  return (plan_.scale.offset.size() + kScaleChunk - 1) / kScaleChunk;
}

void RemoteRanker::send_scale(std::size_t first_message) {
  const Scale& scale = plan_.scale;
  for (std::size_t first = first_message * kScaleChunk; first < scale.offset.size();
       first += kScaleChunk) {
    ToNode message = message_of(whittle_v1_ToNode_scale_tag);
    whittle_v1_Scale& body = message.body.scale;
    const std::size_t count = std::min(kScaleChunk, scale.offset.size() - first);
    body.first = static_cast<std::uint32_t>(first);
    body.offset_count = body.gain_count = static_cast<pb_size_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
      body.offset[i] = static_cast<float>(scale.offset[first + i]);
      body.gain[i] = static_cast<float>(scale.gain[first + i]);
    }
    client_.send(message);
  }
}

void RemoteRanker::fail_on_error() {
  const std::vector<NodeError> errors = client_.take_errors();
  if (errors.empty()) return;
  std::string advice;
  if (errors[0].code == StatusCode::resource_exhausted) advice = memory_advice(plan_.config);
  if (errors[0].code == StatusCode::failed_precondition) {  // it had just been reset
    advice = "; another client uses it, too: end that one, then start again";
  }
  throw Error("the node refuses the configuration: " +
              cli::describe(errors[0].code, errors[0].text) + advice);
}

Refusals RemoteRanker::observe_all(const Console& console) {
  Refusals refusals(plan_);
  refusals.resumed(script_, next_step_);
  seqs_.clear();
  for (std::size_t i = 0; i < script_.size(); ++i) {
    if (script_[i].kind == Step::Kind::sample) seqs_.push_back(first_seq_ + i);
  }
  const TakenIn shown(console, client_, first_seq_, script_.size());
  for (std::size_t i = next_step_; i < script_.size(); ++i) {
    send(script_[i]);
    sort_errors(&refusals);
  }
  client_.flush();
  sort_errors(&refusals);
  return refusals;
}

std::uint64_t RemoteRanker::send(const Step& step) {
  switch (step.kind) {
    case Step::Kind::sample:
      return send_sample(step.index);
    case Step::Kind::pair: {
      const Pair& pair = plan_.pairs.list[step.index];
      return client_.constrain(seqs_[pair.earlier], seqs_[pair.later], pair.must_link);
    }
    case Step::Kind::label:
      return client_.label(seqs_[step.index], plan_.data.rows[step.index].label);
    case Step::Kind::rescale:
      break;
  }
  return client_.rescale();
}

std::uint64_t RemoteRanker::send_sample(std::size_t i) {
  const Sample sample = sample_of(plan_, i);
  ToNode message = message_of(whittle_v1_ToNode_sample_tag);
  whittle_v1_Sample& body = message.body.sample;
  body.count = static_cast<std::uint32_t>(sample.features.size());
  body.features_count = static_cast<pb_size_t>(sample.features.size());
  std::transform(sample.features.begin(), sample.features.end(), body.features,
                 [](Real value) { return static_cast<float>(value); });
  body.kind = static_cast<whittle_v1_Kind>(sample.kind);
  body.has_label = sample.kind == SampleKind::labelled;
  body.label = sample.label;
  return client_.send(message);
}

void RemoteRanker::sort_errors(Refusals* refusals) {
  for (const NodeError& error : client_.take_errors()) {
    if (error.seq < first_seq_ || error.seq - first_seq_ >= script_.size()) continue;
    const Step& step = script_[static_cast<std::size_t>(error.seq - first_seq_)];
    const std::string reason = cli::describe(error.code, error.text);
    if (step.kind == Step::Kind::sample && error.code == StatusCode::failed_precondition) {
      throw Error(plan_.data.where(step.index) + ": the node refuses the sample: " + reason);
    }
    refusals->add(step, error.code, reason);
  }
}

// Page 0, once nothing is left to refine.
whittle_v1_Ranking RemoteRanker::refined_page(std::uint32_t top, const Console& console) {
  Progress progress(console, "iterations asked for");
  RefineSteps steps;
  std::size_t asked = 0;
  for (;;) {
    whittle_v1_Query query = whittle_v1_Query_init_zero;
    query.top = top;
    query.refine_iterations = steps.next();
    const auto before = std::chrono::steady_clock::now();
    const whittle_v1_Ranking page = client_.query(query);
    steps.took(std::chrono::steady_clock::now() - before);
    if (!page.refinable) return page;
    progress.update(asked += query.refine_iterations);
    if (asked > kMostIterations) {
      throw Error("the node does not finish: after " + std::to_string(asked) +
                  " iterations it says that more would change something");
    }
  }
}

Result RemoteRanker::rank(std::uint32_t top, const Console& console) try {
  const whittle_v1_Ranking head = refined_page(top, console);
  if (head.total != plan_.data.features()) throw Error("the node's ranking is not whole");
  Result result = begin_result(head);
  add_page(head, &result);
  const std::size_t numbers = list_numbers(result);
  std::vector<Real> listed;
  while (result.scores.size() < head.total || listed.size() < numbers) {
    whittle_v1_Query query = whittle_v1_Query_init_zero;
    query.first = static_cast<std::uint32_t>(result.scores.size() + listed.size());
    query.top = top;
    const whittle_v1_Ranking page = client_.query(query);
    if (page.scores_count == 0) break;  // what follows tells
    if (result.scores.size() < head.total) {
      add_page(page, &result);
    } else {
      listed.insert(listed.end(), page.scores, page.scores + page.scores_count);
    }
  }
  check_complete(result, plan_.data.features());
  if (listed.size() != numbers) throw Error("the node's info is not whole");
  fill_lists(listed, &result);
  return result;
} catch (const NodeRefusal& refusal) {
  throw Error(refusal.what());
}

// Samples that were refused put a snapshot off, so it is due then at the soonest.
SnapshotsOfStream RemoteRanker::snapshots(const whittle_v1_Info& node,
                                          std::uint64_t samples) const {
  SnapshotsOfStream snapshots;
  snapshots.first_seq = first_seq_;
  snapshots.durable_seq = node.durable_seq;
  const std::uint64_t taken = std::min<std::uint64_t>(samples, seqs_.size());
  const std::uint64_t due = snapshot_every_ == 0 ? 0 : taken - taken % snapshot_every_;
  if (due > 0) snapshots.due_seq = seqs_[static_cast<std::size_t>(due - 1)];
  const auto after = std::upper_bound(seqs_.begin(), seqs_.end(), node.durable_seq);
  if (after != seqs_.begin()) {
    snapshots.durable_row = plan_.data.where(static_cast<std::size_t>(after - seqs_.begin()) - 1);
  }
  return snapshots;
}

std::string RemoteRanker::describe(const StateLost& lost) const {
  std::string text = lost.what();
  std::size_t rows = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < script_.size(); ++i) {
    const std::uint64_t seq = first_seq_ + i;
    if (script_[i].kind != Step::Kind::sample || seq < lost.first() || seq > lost.last()) continue;
    ++rows;
    last = script_[i].index;
  }
  if (rows > 0) {
    text += ", with " + counted(rows, "row") + " (the last is " + plan_.data.where(last) + ")";
  }
  const std::string refused = client_.info().snapshot_refused;
  text += !refused.empty()            ? "; its snapshot was refused: " + refused
          : !client_.info().snapshots ? "; it keeps no snapshots"
                                      : "; its snapshots are gone, too";
  return text + ". Stream the file again: with --resume, from where the node is";
}

std::uint32_t RemoteRanker::predict(Span<const Real> raw) try {
  std::vector<float> features;
  for (const Real value : raw) features.push_back(static_cast<float>(value));
  return client_.predict(features);
} catch (const NodeRefusal& refusal) {
  pass_on(refusal);
}

std::vector<Real> RemoteRanker::memberships(std::size_t row) try {
  const std::vector<float> degrees = client_.memberships(seqs_[row]);
  if (degrees.size() != plan_.data.classes.size()) {
    throw Error("the node's memberships are not of as many classes");
  }
  return {degrees.begin(), degrees.end()};
} catch (const NodeRefusal& refusal) {
  pass_on(refusal);
}

}  // namespace whittle::cli
