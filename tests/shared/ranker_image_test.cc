// A ranker put back from its image, in another place, goes on to the same bits.
#include "whittle/rank/ranker_image.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/shared/busy_ranker.h"

namespace whittle::testing {
namespace {

using Image = std::vector<std::uint8_t>;

Image read_image(const RankerImage& image) {
  Image bytes(image.size());
  constexpr std::size_t kChunk = 104;
  for (std::size_t first = 0; first < bytes.size(); first += kChunk) {
    const std::size_t count = std::min(kChunk, bytes.size() - first);
    image.read(first, Span<std::uint8_t>(bytes.data() + first, count));
  }
  return bytes;
}

void put_back(const Image& bytes, const ImagePlace& from, RankerImage image) {
  ASSERT_EQ(image.size(), bytes.size());
  constexpr std::size_t kChunk = 40;
  for (std::size_t first = 0; first < bytes.size(); first += kChunk) {
    const std::size_t count = std::min(kChunk, bytes.size() - first);
    image.overlay(from, first, Span<const std::uint8_t>(bytes.data() + first, count));
  }
  image.finish(from);
}

// Three rankers take the same steps. The first of them goes on; the second is read and then
// overwritten, so that nothing can be read from it any more; the third is put back from that.
void expect_to_go_on(const BusyCase& busy, std::size_t steps, BusyRanker::Act act) {
  BusyRanker steady(busy);
  BusyRanker read(busy);
  BusyRanker restored(busy, 24);
  for (std::size_t step = 0; step < steps; ++step) {
    steady.step(step);
    read.step(step);
  }
  const Image bytes = read_image(read.image());
  const ImagePlace from = read.image().place();
  read.overwrite();
  put_back(bytes, from, restored.image());
  ASSERT_EQ(restored.state_digest(), steady.state_digest()) << busy.type->id << " at " << steps;
  for (BusyRanker* const ranker : {&steady, &restored}) {
    ranker->forget_results();
    ranker->act(act, steps);
    for (std::size_t step = steps; step < steps + 25; ++step) ranker->step(step);
  }
  ASSERT_EQ(restored.results(), steady.results()) << busy.type->id << " at " << steps;
  ASSERT_EQ(restored.state_digest(), steady.state_digest()) << busy.type->id << " at " << steps;
}

void expect_to_go_on(const BusyCase& busy) {
  expect_to_go_on(busy, 0, BusyRanker::Act::observe);
  expect_to_go_on(busy, 21, BusyRanker::Act::rank);
  expect_to_go_on(busy, 29, BusyRanker::Act::predict);
  expect_to_go_on(busy, 46, BusyRanker::Act::refine);
}

TEST(RankerImage, EverySelectorGoesOnToTheSameBits) {
  for (const SelectorType* type : kAllSelectors) expect_to_go_on({type});
}

TEST(RankerImage, EveryPartOfTheMemoryGoesOnToTheSameBits) {
  BusyCase busy;
  for (const SelectorType* type : {&kVariance, &kCls, &kCsfs, &kSenfs, &kL2gfs}) {
    busy = {type};
    busy.scaling = Scaling::zscore;
    busy.learn = 10;
    busy.pairs = 4;
    expect_to_go_on(busy);
    busy.scaling = Scaling::minmax;
    busy.geometry = Geometry::hybrid;
    busy.half_life = 20;
    expect_to_go_on(busy);
    busy.geometry = Geometry::codebook;
    busy.redundancy = Redundancy::tree;
    busy.keep_distances = false;
    expect_to_go_on(busy);
  }
}

// What has an address in it while a ranker runs had one when it was made (ranker_image.h).
std::size_t new_addresses(const Image& now, const ImagePlace& here, const Image& fresh,
                          const ImagePlace& there) {
  using Word = RankerImage::Word;
  const auto is_in = [&](const ImagePlace& place, Word word) {
    return word - place.object < sizeof(FeatureRanker) ||
           word - place.arena <= now.size() - sizeof(FeatureRanker);
  };
  std::size_t count = 0;
  // In front stands the config, with anything between its fields.
  for (std::size_t i = sizeof(MemoryConfig); i < now.size(); i += sizeof(Word)) {
    Word word;
    Word before;
    std::memcpy(&word, now.data() + i, sizeof word);
    std::memcpy(&before, fresh.data() + i, sizeof before);
    if (is_in(here, word) && !is_in(there, before)) ++count;
  }
  return count;
}

TEST(RankerImage, NoAddressComesLater) {
  for (const SelectorType* type : kAllSelectors) {
    const BusyCase busy{type};
    BusyRanker ranker(busy);
    BusyRanker fresh(busy);
    const Image before = read_image(fresh.image());
    for (std::size_t step = 0; step < 50; ++step) {
      ranker.step(step);
      ASSERT_EQ(new_addresses(read_image(ranker.image()), ranker.image().place(), before,
                              fresh.image().place()),
                0U)
          << type->id << " at " << step;
    }
  }
}

[[gnu::noinline]] void paint_stack(unsigned char value) {
  volatile unsigned char block[4096];
  for (volatile unsigned char& byte : block) byte = value;
}

TEST(RankerImage, ARankerIsMadeFromItsConfigAlone) {
  for (const SelectorType* type : kAllSelectors) {
    RankerConfig config = config_of({type});
    std::vector<unsigned char> buffer(FeatureRanker::required_bytes(config) + kArenaAlignment);
    alignas(FeatureRanker) unsigned char object[sizeof(FeatureRanker)];
    Image images[2];
    for (const int turn : {0, 1}) {
      std::fill(buffer.begin(), buffer.end(), static_cast<unsigned char>(turn));
      auto* const ranker = new (object) FeatureRanker();
      Arena arena(buffer.data(), buffer.size());
      unsigned char* const first = arena.next();
      paint_stack(turn == 0 ? 0xA5 : 0x3C);
      ASSERT_TRUE(ranker->create(arena, config).ok());
      images[turn] = read_image({*ranker, Span<unsigned char>(first, arena.used())});
      std::fill_n(images[turn].begin(), sizeof(MemoryConfig), std::uint8_t{0});
    }
    EXPECT_EQ(images[0], images[1]) << type->id;
  }
}

// Blocks of moments are swapped with a spare one as samples come: an odd number of times here, an
// even one there.
TEST(RankerImage, SwappedBuffersStaySwapped) {
  for (std::size_t steps = 1; steps <= 4; ++steps) {
    expect_to_go_on({&kVariance}, steps, BusyRanker::Act::rank);
  }
}

// The page of a ranking that has been made may be asked for later.
TEST(RankerImage, HoldsTheRankingAndWhatIsSaidBesideIt) {
  const BusyCase busy{&kSenfs};
  BusyRanker read(busy);
  BusyRanker restored(busy, 40);
  for (std::size_t step = 0; step < 30; ++step) read.step(step);
  read.act(BusyRanker::Act::rank, 30);
  ASSERT_TRUE(read.ranker().ranking().valid());
  put_back(read_image(read.image()), read.image().place(), restored.image());
  const InfoList& before = read.ranker().info();
  const InfoList& after = restored.ranker().info();
  ASSERT_GT(before.size(), 0U);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].name, before[i].name);
    EXPECT_EQ(after[i].text, before[i].text);
    EXPECT_EQ(after[i].number, before[i].number);
    ASSERT_EQ(after[i].numbers.size(), before[i].numbers.size());
    if (before[i].numbers.empty()) continue;
    EXPECT_NE(after[i].numbers.data(), before[i].numbers.data());
    EXPECT_EQ(after[i].numbers[0], before[i].numbers[0]);
  }
  EXPECT_TRUE(std::equal(before.size() > 0 ? read.ranker().ranking().order().begin() : nullptr,
                         read.ranker().ranking().order().end(),
                         restored.ranker().ranking().order().begin()));
}

}  // namespace
}  // namespace whittle::testing
