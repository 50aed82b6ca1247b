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

// The wire's enums have the numbers of the core's.
template <typename Enum, typename Field>
bool read(const Field& field, Enum last, Enum& value) {
  const std::uint32_t number = enum_number(field);
  if (number > static_cast<std::uint32_t>(last)) return false;
  value = static_cast<Enum>(number);
  return true;
}

template <typename Field>
Status unknown(const char* what, const Field& field) {
  return {StatusCode::invalid_argument, what, enum_number(field)};
}

Status set_enums(const whittle_v1_Configure& message, RankerConfig& config) {
  if (!read(message.scaling, Scaling::zscore, config.memory.scaling)) {
    return unknown("unknown scaling", message.scaling);
  }
  if (!read(message.geometry, Geometry::hybrid, config.memory.geometry)) {
    return unknown("unknown geometry", message.geometry);
  }
  if (!read(message.redundancy, Redundancy::tree, config.redundancy)) {
    return unknown("unknown redundancy", message.redundancy);
  }
  return {};
}

Status set_memory(const whittle_v1_Configure& message, MemoryConfig& memory) {
  if (message.features > kMaxSampleFeatures) {
    return {StatusCode::out_of_range, "a sample message has room for fewer features: at most",
            kMaxSampleFeatures};
  }
  memory.features = message.features;
  memory.classes = message.classes;
  memory.labelled = message.labelled;
  memory.window = message.window;
  memory.codebook = message.codebook;
  memory.pairs = message.pairs;
  memory.learn = message.learn;
  memory.half_life = static_cast<Real>(message.half_life);
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
  RankerConfig config(*selector, catalog_.parts());
  if (const Status status = fill(message, config, subject); !status.ok()) return status;
  return ranker_.create(arena_, config);
}

Status RankingService::fill(const whittle_v1_Configure& message, RankerConfig& config,
                            const char*& subject) {
  if (const Status status = set_memory(message, config.memory); !status.ok()) return status;
  if (const Status status = set_enums(message, config); !status.ok()) return status;
  return set_params(message, config, subject);
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

Status RankingService::sample(const whittle_v1_Sample& message, std::uint64_t seq, Port& clock) {
  const Status status = take(message, seq, clock);
  if (!status.ok()) samples_.add_refused(status.code());
  return status;
}

Status RankingService::check(const whittle_v1_Sample& message) const {
  if (!configured()) return not_configured();
  if (message.count != message.features_count) {
    return {StatusCode::invalid_argument, "as many features must follow as declared: followed",
            message.features_count};
  }
  return {};
}

Status RankingService::take(const whittle_v1_Sample& message, std::uint64_t seq, Port& clock) {
  if (const Status status = check(message); !status.ok()) return status;
  Sample sample;
  if (!read(message.kind, SampleKind::universum, sample.kind)) {
    return unknown("unknown kind of sample", message.kind);
  }
  if (message.has_label != (sample.kind == SampleKind::labelled)) {
    return {StatusCode::invalid_argument, message.has_label
                                              ? "a label is for samples of kind labelled only"
                                              : "a sample of kind labelled needs a label"};
  }
  sample.label = message.has_label ? message.label : 0;
  sample.features = reals_.view(Span<const float>(message.features, message.features_count));
  sample.id = seq;
  return observe(sample, clock);
}

Status RankingService::observe(const Sample& sample, Port& clock) {
  const std::uint64_t before = clock.ticks();
  if (const Status status = ranker_.observe(sample); !status.ok()) return status;
  samples_.add_taken(clock.ticks() - before);
  return {};
}

Status RankingService::label(const whittle_v1_Label& message) {
  if (!configured()) return not_configured();
  return ranker_.label(message.sample, message.label);
}

Status RankingService::constraint(const whittle_v1_Constraint& message) {
  if (!configured()) return not_configured();
  return ranker_.constrain(message.first, message.second, message.must_link);
}

Status RankingService::rescale() {
  if (!configured()) return not_configured();
  return ranker_.rescale();
}

Status RankingService::rank(const whittle_v1_Query& message, std::uint64_t seq, bool again) {
  const bool refines = message.refine_iterations > 0;
  std::uint32_t steps = again ? 0 : message.refine_iterations;
  // A graph that a rescale has unsettled comes first, so that a query has bounded work. Until it is
  // settled the ranking from before stays.
  const bool may_stay = refines && ranker_.ranking().valid();
  const std::uint32_t settled = may_stay ? ranker_.settle(steps) : 0;
  if (may_stay && !ranker_.memory().settled()) {
    refinable_ = true;
    return {};
  }
  steps -= settled;
  if (!again) {
    const Refinement done = refines ? ranker_.refine(steps) : Refinement();
    refinable_ = !done.converged && done.iterations + settled > 0;
  }
  const Status status = ranker_.rank(message.top);
  if (status.ok()) ranked_at_ = seq;
  return status;
}

Status RankingService::query(const whittle_v1_Query& message, std::uint64_t seq, bool again,
                             whittle_v1_Ranking& page) {
  if (!configured()) return not_configured();
  if (message.first == 0) {
    if (const Status status = rank(message, seq, again); !status.ok()) return status;
  } else if (!ranker_.ranking().valid()) {
    return {StatusCode::failed_precondition, "no ranking yet: ask for page 0 first"};
  }
  const std::size_t positions = page_positions(ranker_);
  if (message.first >= positions) {
    return {StatusCode::out_of_range, "the page must start before the end: positions", positions};
  }
  fill_page(ranker_, message.first, page);
  page.refinable = refinable_;
  page.refused = samples_.refused;
  page.ranked_at = ranked_at_;
  return {};
}

Status RankingService::predict(const whittle_v1_Sample& message, std::uint32_t& label) {
  if (const Status status = check(message); !status.ok()) return status;
  return ranker_.predict(reals_.view(Span<const float>(message.features, message.features_count)),
                         &label);
}

Status RankingService::memberships(std::uint64_t sample, whittle_v1_Memberships& message) {
  if (!configured()) return not_configured();
  const std::size_t classes = ranker_.memory().config().classes;
  if (classes > kMaxMemberships) {
    return {StatusCode::out_of_range, "a message has room for fewer classes: at most",
            kMaxMemberships};
  }
  static_assert(kMaxMemberships <= kMaxSampleFeatures);
  message.degrees_count = static_cast<pb_size_t>(classes);
  return reals_.fill(Span<float>(message.degrees, classes),
                     [&](Span<Real> degrees) { return ranker_.memberships(sample, degrees); });
}

std::size_t RankingService::largest_payload() const {
  if (!configured()) return kMaxPayload;
  const MemoryConfig& memory = ranker_.memory().config();
  const std::size_t sample = most(sample_payload(memory.features), kControlPayload);
  if (memory.scaling == Scaling::none) return sample;
  return most(sample, scale_payload(least(memory.features, kScaleChunk)));
}

}  // namespace whittle
