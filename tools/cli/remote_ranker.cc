#include "tools/cli/remote_ranker.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

// Iterations asked for at once: few enough for a node to answer before it seems dead.
constexpr std::uint32_t kRefineStep = 50;

ToNode message_of(pb_size_t body) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = body;
  return message;
}

template <std::size_t N>
void copy_text(const char* text, char (&out)[N]) {
  std::strncpy(out, text, N - 1);
}

// What the node said of its solver; `missing` if it said nothing of the kind.
Real info_number(const whittle_v1_Ranking& page, const char* name, Real missing) {
  for (pb_size_t i = 0; i < page.info_count; ++i) {
    if (std::strcmp(page.info[i].name, name) == 0) return static_cast<Real>(page.info[i].number);
  }
  return missing;
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

}  // namespace

void RemoteRanker::configure(const whittle_v1_Info& node) {
  check(node);
  client_.send(message_of(whittle_v1_ToNode_reset_tag));
  send_config();
  client_.flush();
  fail_on_error();
  // An error's message can get lost on a bad line; the node itself says whether it is configured.
  if (!client_.hello().configured) throw Error("the node has not taken the configuration");
  send_scale();
  client_.flush();
  fail_on_error();
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

void RemoteRanker::send_config() {
  const RankerConfig& config = plan_.config;
  ToNode message = message_of(whittle_v1_ToNode_configure_tag);
  whittle_v1_Configure& body = message.body.configure;
  body.features = config.memory.features;
  body.classes = config.memory.classes;
  body.labelled = config.memory.labelled;
  body.window = config.memory.window;
  body.scaling = static_cast<whittle_v1_Scaling>(config.memory.scaling);
  body.compute_distances = !config.memory.keep_distances;
  body.geometry = static_cast<whittle_v1_Geometry>(config.memory.geometry);
  body.codebook = config.memory.codebook;
  body.pairs = config.memory.pairs;
  body.learn = config.memory.learn;
  body.half_life = static_cast<float>(config.memory.half_life);
  body.redundancy = static_cast<whittle_v1_Redundancy>(config.redundancy);
  copy_text(config.selector->id, body.selector);
  for (std::size_t i = 0; i < config.selector->params.size(); ++i) {
    whittle_v1_Param& param = body.params[body.params_count++];
    copy_text(config.selector->params[i].name, param.name);
    param.value = static_cast<float>(config.values[i]);
  }
  client_.send(message);
}

void RemoteRanker::send_scale() {
  const Scale& scale = plan_.scale;
  for (std::size_t first = 0; first < scale.offset.size(); first += kScaleChunk) {
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
  const std::string advice =
      errors[0].code == StatusCode::resource_exhausted ? memory_advice(plan_.config) : "";
  throw Error("the node refuses the configuration: " + describe(errors[0].code, errors[0].text) +
              advice);
}

Refusals RemoteRanker::observe_all(const Console& console) {
  Refusals refusals(plan_);
  const std::vector<Pair>& pairs = plan_.pairs.list;
  Progress progress(console, "messages", plan_.data.samples() + pairs.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < plan_.data.samples(); ++i) {
    seqs_.push_back(send_sample(i));
    first_seq_ = seqs_.front();
    sent_.push_back({false, i});
    for (; next < pairs.size() && pairs[next].later == i; ++next) {
      send_pair(next);
      sent_.push_back({true, next});
    }
    sort_errors(&refusals);
    progress.update(static_cast<std::size_t>(
        client_.acknowledged() >= first_seq_ ? client_.acknowledged() - first_seq_ + 1 : 0));
  }
  client_.flush();
  sort_errors(&refusals);
  return refusals;
}

std::uint64_t RemoteRanker::send_sample(std::size_t i) {
  const Dataset::Row& row = plan_.data.rows[i];
  const Span<const Real> values = plan_.data.values_of(i);
  ToNode message = message_of(whittle_v1_ToNode_sample_tag);
  whittle_v1_Sample& body = message.body.sample;
  body.count = static_cast<std::uint32_t>(values.size());
  body.features_count = static_cast<pb_size_t>(values.size());
  std::transform(values.begin(), values.end(), body.features,
                 [](Real value) { return static_cast<float>(value); });
  body.kind = static_cast<whittle_v1_Kind>(row.kind);
  body.has_label = row.kind == SampleKind::labelled;
  body.label = row.label;
  return client_.send(message);
}

void RemoteRanker::send_pair(std::size_t i) {
  const Pair& pair = plan_.pairs.list[i];
  ToNode message = message_of(whittle_v1_ToNode_constraint_tag);
  whittle_v1_Constraint& body = message.body.constraint;
  body.first = seqs_[pair.earlier];
  body.second = seqs_[pair.later];
  body.must_link = pair.must_link;
  client_.send(message);
}

void RemoteRanker::sort_errors(Refusals* refusals) {
  for (const NodeError& error : client_.take_errors()) {
    if (error.seq < first_seq_ || error.seq - first_seq_ >= sent_.size()) continue;
    const Sent& sent = sent_[static_cast<std::size_t>(error.seq - first_seq_)];
    const std::string reason = describe(error.code, error.text);
    if (sent.is_pair) {
      refusals->add_pair(sent.index, error.code, reason);
    } else if (error.code == StatusCode::failed_precondition) {
      throw Error(plan_.data.where(sent.index) + ": the node refuses the sample: " + reason);
    } else {
      refusals->add_sample(sent.index, reason);
    }
  }
}

whittle_v1_Ranking RemoteRanker::first_page(std::uint32_t top) {
  const bool refines = plan_.config.selector->exactness == Exactness::anytime;
  whittle_v1_Query query = whittle_v1_Query_init_zero;
  query.top = top;
  query.refine_iterations = refines ? kRefineStep : 0;
  Real iterations = -1;
  for (;;) {
    const whittle_v1_Ranking page = client_.query(query);
    const Real done = info_number(page, "iterations", 0);
    if (!refines || info_number(page, "converged", 1) != 0 || done == iterations) return page;
    iterations = done;
  }
}

Result RemoteRanker::rank(std::uint32_t top) try {
  const whittle_v1_Ranking head = first_page(top);
  Result result = begin_result(head);
  add_page(head, &result);
  while (result.scores.size() < head.total) {
    whittle_v1_Query query = whittle_v1_Query_init_zero;
    query.first = static_cast<std::uint32_t>(result.scores.size());
    query.top = top;
    const whittle_v1_Ranking page = client_.query(query);
    if (page.scores_count == 0) break;  // check_complete tells
    add_page(page, &result);
  }
  check_complete(result, plan_.data.features());
  return result;
} catch (const NodeRefusal& refusal) {
  throw Error(refusal.what());
}

}  // namespace whittle::cli
