#include "tools/evidence/rank_rows.h"

#include <algorithm>
#include <stdexcept>

namespace whittle::evidence {
namespace {

void check(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.reason());
}

}  // namespace

RankerConfig config_with(const SelectorType& type, const char* name, Real value) {
  RankerConfig config(type, kAllParts);
  if (name != nullptr) check(config.values.set(type.params, name, value));
  return config;
}

Ranks rank_rows(RankerConfig config, const cli::Dataset& data, const Rows& rows,
                const Rows& labelled) {
  config.memory.features = static_cast<std::uint32_t>(data.features());
  config.memory.classes = static_cast<std::uint32_t>(data.classes.size());
  config.memory.labelled = static_cast<std::uint32_t>(labelled.size() + data.classes.size());
  config.memory.window = static_cast<std::uint32_t>(rows.size());
  std::vector<unsigned char> bytes(FeatureRanker::required_bytes(config) + kArenaAlignment);
  Arena arena(bytes.data(), bytes.size());
  FeatureRanker ranker;
  check(ranker.create(arena, config));
  for (const std::size_t row : rows) {
    const bool known = std::find(labelled.begin(), labelled.end(), row) != labelled.end();
    check(ranker.observe({Span<const Real>(&data.values[row * data.features()], data.features()),
                          known ? SampleKind::labelled : SampleKind::unlabelled,
                          known ? data.rows[row].label : 0}));
  }
  while (!ranker.refine(1).converged) {
  }
  check(ranker.rank(0));
  const Span<const std::uint32_t> order = ranker.ranking().order();
  return Ranks(order.begin(), order.end());
}

}  // namespace whittle::evidence
