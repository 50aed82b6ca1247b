#include "whittle/node/ranking_page.h"

#include <cstddef>

#include "whittle/node/text.h"
#include "whittle/wire/limits.h"

namespace whittle {
namespace {

void fill_features(const Ranking& ranking, std::size_t first, whittle_v1_Ranking& page) {
  const std::size_t left = ranking.scores().size() - first;
  const std::size_t count = left < kPageFeatures ? left : kPageFeatures;
  page.scores_count = static_cast<pb_size_t>(count);
  page.order_count = static_cast<pb_size_t>(count);
  page.mask.size = static_cast<pb_size_t>((count + 7) / 8);
  for (std::size_t i = 0; i < page.mask.size; ++i) page.mask.bytes[i] = 0;
  for (std::size_t i = 0; i < count; ++i) {
    page.scores[i] = static_cast<float>(ranking.scores()[first + i]);
    page.order[i] = static_cast<std::uint16_t>(ranking.order()[first + i]);
    const unsigned bit = ranking.selected()[first + i] ? 1U << i % 8 : 0U;
    page.mask.bytes[i / 8] = static_cast<pb_byte_t>(page.mask.bytes[i / 8] | bit);
  }
}

// The numbers of all lists, from the `first`-th on.
void fill_numbers(const InfoList& info, std::size_t first, whittle_v1_Ranking& page) {
  page.scores_count = page.order_count = 0;
  page.mask.size = 0;
  std::size_t position = 0;
  for (std::size_t i = 0; i < info.size(); ++i) {
    for (const Real number : info[i].numbers) {
      if (position++ < first || page.scores_count == kPageFeatures) continue;
      page.scores[page.scores_count++] = static_cast<float>(number);
    }
  }
}

void fill_info(const InfoList& info, whittle_v1_Ranking& page) {
  // With a small payload a message may have room for fewer than there are.
  constexpr std::size_t room = sizeof page.info / sizeof page.info[0];
  page.info_count = static_cast<pb_size_t>(info.size() < room ? info.size() : room);
  for (std::size_t i = 0; i < page.info_count; ++i) {
    whittle_v1_InfoEntry& entry = page.info[i];
    Text(entry.name).add(info[i].name);
    entry.kind = static_cast<std::uint8_t>(info[i].kind);
    entry.number = info[i].kind == InfoKind::list ? static_cast<float>(info[i].numbers.size())
                                                  : static_cast<float>(info[i].number);
    Text(entry.text).add(info[i].text);
  }
}

}  // namespace

std::size_t page_positions(const FeatureRanker& ranker) {
  std::size_t positions = ranker.memory().config().features;
  for (std::size_t i = 0; i < ranker.info().size(); ++i) {
    positions += ranker.info()[i].numbers.size();
  }
  return positions;
}

void fill_page(const FeatureRanker& ranker, std::uint32_t first, whittle_v1_Ranking& page) {
  const StreamMemory& memory = ranker.memory();
  page.first = first;
  page.total = memory.config().features;
  if (first < page.total) {
    fill_features(ranker.ranking(), first, page);
  } else {
    fill_numbers(ranker.info(), first - page.total, page);
  }
  page.labelled = memory.counts().labelled;
  page.unlabelled = memory.counts().unlabelled;
  page.universum = memory.counts().universum;
  page.held = static_cast<std::uint32_t>(memory.points().size());
  page.info_count = 0;
  if (first == 0) fill_info(ranker.info(), page);
}

}  // namespace whittle
