#include "whittle/node/ranking_service.h"

#include <new>
#include <type_traits>

#include "whittle/node/ranking_page.h"
#include "whittle/wire/codec.h"

namespace whittle {
namespace {

constexpr Status not_configured() {
  return {StatusCode::failed_precondition, "not configured: send configure first"};
}

constexpr std::size_t least(std::size_t a, std::size_t b) { return a < b ? a : b; }
constexpr std::size_t most(std::size_t a, std::size_t b) { return a < b ? b : a; }

Status set_memory(const whittle_v1_Configure& message, MemoryConfig& memory) {
  if (message.features > kMaxSampleFeatures) {
    return {StatusCode::out_of_range, "a sample message has room for fewer features: at most",
            kMaxSampleFeatures};
  }
  const std::uint32_t scaling = enum_number(message.scaling);
  if (scaling > static_cast<std::uint32_t>(Scaling::zscore)) {
    return {StatusCode::invalid_argument, "unknown scaling", scaling};
  }
  memory.features = message.features;
  memory.classes = message.classes;
  memory.labelled = message.labelled;
  memory.window = message.window;
  memory.scaling = static_cast<Scaling>(scaling);
  memory.keep_distances = !message.compute_distances;
  return {};
}

Status set_params(const whittle_v1_Configure& message, RankerConfig& config, const char*& subject) {
  for (std::size_t i = 0; i < message.params_count; ++i) {
    const whittle_v1_Param& param = message.params[i];
    const Status status =
        config.values.set(config.selector->params, param.name, static_cast<Real>(param.value));
    if (!status.ok()) {
      subject = param.name;
      return status;
    }
  }
  return {};
}

}  // namespace

Status RankingService::configure(const whittle_v1_Configure& message, const char*& subject) {
  if (configured()) {
    return {StatusCode::failed_precondition, "already configured: send reset first"};
  }
  const SelectorType* const selector = catalog_.find(message.selector);
  if (selector == nullptr) {
    subject = message.selector;
    return {StatusCode::not_found, "no such selector in this node"};
  }
  RankerConfig config(*selector);
  if (const Status status = set_memory(message, config.memory); !status.ok()) return status;
  if (const Status status = set_params(message, config, subject); !status.ok()) return status;
  return ranker_.create(arena_, config);
}

void RankingService::reset() {
  static_assert(std::is_trivially_destructible_v<FeatureRanker>);
  new (&ranker_) FeatureRanker();
  arena_ = whole_;
  samples_ = SampleStatistics();
}

Status RankingService::scale(const whittle_v1_Scale& message) {
  if (!configured()) return not_configured();
  static_assert(2 * kScaleChunk <= kMaxSampleFeatures);
  return ranker_.set_scale(
      message.first, reals_.view(Span<const float>(message.offset, message.offset_count)),
      reals_.view(Span<const float>(message.gain, message.gain_count), kScaleChunk));
}

Status RankingService::sample(const whittle_v1_Sample& message, Port& clock) {
  const Status status = take(message, clock);
  if (!status.ok()) ++samples_.refused;
  return status;
}

Status RankingService::take(const whittle_v1_Sample& message, Port& clock) {
  if (!configured()) return not_configured();
  if (message.count != message.features_count) {
    return {StatusCode::invalid_argument, "as many features must follow as declared: followed",
            message.features_count};
  }
  const std::uint32_t kind = enum_number(message.kind);
  if (kind > static_cast<std::uint32_t>(SampleKind::universum)) {
    return {StatusCode::invalid_argument, "unknown kind of sample", kind};
  }
  Sample sample;
  sample.kind = static_cast<SampleKind>(kind);
  if (message.has_label != (sample.kind == SampleKind::labelled)) {
    return {StatusCode::invalid_argument, message.has_label
                                              ? "a label is for samples of kind labelled only"
                                              : "a sample of kind labelled needs a label"};
  }
  sample.label = message.has_label ? message.label : 0;
  sample.features = reals_.view(Span<const float>(message.features, message.features_count));
  const std::uint64_t before = clock.ticks();
  if (const Status status = ranker_.observe(sample); !status.ok()) return status;
  samples_.add_taken(clock.ticks() - before);
  return {};
}

Status RankingService::query(const whittle_v1_Query& message, std::uint64_t seq, bool again,
                             whittle_v1_Ranking& page) {
  if (!configured()) return not_configured();
  const std::uint32_t features = ranker_.memory().config().features;
  if (message.first >= features) {
    return {StatusCode::out_of_range, "the page must start below the number of features", features};
  }
  if (message.first == 0) {
    // Ranked before refining, too: a query that cannot be answered must not move the solver.
    Status status = ranker_.rank(message.top);
    if (status.ok() && message.refine_iterations > 0 && !again) {
      const Refinement done = ranker_.refine(message.refine_iterations);
      if (done.iterations > 0) status = ranker_.rank(message.top);
    }
    if (!status.ok()) return status;
    ranked_at_ = seq;
  } else if (!ranker_.ranking().valid()) {
    return {StatusCode::failed_precondition, "no ranking yet: ask for page 0 first"};
  }
  fill_page(ranker_, message.first, page);
  page.refused = samples_.refused;
  page.ranked_at = ranked_at_;
  return {};
}

std::size_t RankingService::largest_payload() const {
  if (!configured()) return kMaxPayload;
  const MemoryConfig& memory = ranker_.memory().config();
  const std::size_t sample = most(sample_payload(memory.features), kControlPayload);
  if (memory.scaling == Scaling::none) return sample;
  return most(sample, scale_payload(least(memory.features, kScaleChunk)));
}

}  // namespace whittle
