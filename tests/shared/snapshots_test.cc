// Snapshots of a ranker in flash: torn, worn, damaged, of other programs.
#include "whittle/node/snapshots.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "tests/shared/busy_ranker.h"
#include "tests/shared/flash_model.h"

namespace whittle::testing {
namespace {

// Boards, which are slow, try every third byte.
constexpr std::size_t kStride = sizeof(void*) == 4 ? 3 : 1;

constexpr std::uint8_t kBuild[20] = {0xAB, 1, 2, 3, 4, 5, 6, 7};
constexpr ProgramIdentity kHere = {Span<const std::uint8_t>(kBuild), "model"};

// Small, so that every byte can be tried.
BusyCase small() { return {&kVariance}; }

FlashModel flash_for(const BusyCase& busy, std::size_t write_unit = 8) {
  constexpr std::size_t kPage = 256;
  return {kPage, Snapshots::required_bytes(config_of(busy), 8) / kPage + 1, write_unit};
}

Status save(Storage& storage, BusyRanker& busy, std::uint64_t seq) {
  Snapshots snapshots(storage, kHere);
  const std::uint64_t record = ~seq;
  std::uint8_t bytes[8];
  std::memcpy(bytes, &record, sizeof bytes);
  return snapshots.save(&busy.ranker(), busy.arena(), &busy.config(), seq, bytes);
}

// What is restored into a new ranker.
struct Restored {
  explicit Restored(Storage& storage, std::size_t arena_bytes, const ProgramIdentity& here = kHere)
      : buffer(arena_bytes + kArenaAlignment), snapshots(storage, here) {
    Arena arena(buffer.data(), buffer.size());
    status = snapshots.restore(ranker, arena, config, record);
    used = arena.used();
    EXPECT_TRUE(status.ok() || !ranker.created());
    EXPECT_TRUE(ranker.created() || used == 0);
  }
  std::uint64_t digest() const { return ranker.created() ? ranker.state_digest() : 0; }

  std::vector<unsigned char> buffer;
  FeatureRanker ranker;
  std::optional<RankerConfig> config;
  std::uint8_t record[8] = {};
  Snapshots snapshots;
  Status status;
  std::size_t used = 0;
};

std::size_t arena_bytes(const BusyCase& busy) {
  return FeatureRanker::required_bytes(config_of(busy));
}

TEST(Snapshots, RestoreARankerThatGoesOn) {
  BusyCase cases[] = {small(), {&kCls}, {&kSenfs}, {&kJsfs}, {&kL2gfs}, {&kCls}};
  cases[5].geometry = Geometry::hybrid;
  for (const BusyCase& busy : cases) {
    FlashModel flash = flash_for(busy, 16);
    BusyRanker ranker(busy);
    for (std::size_t step = 0; step < 40; ++step) ranker.step(step);
    ASSERT_TRUE(save(flash, ranker, 41).ok());
    Restored restored(flash, arena_bytes(busy));
    ASSERT_TRUE(restored.status.ok()) << restored.status.reason();
    EXPECT_EQ(restored.snapshots.seq(), 41U);
    EXPECT_EQ(restored.record[0], 0xFF - 41);
    EXPECT_EQ(restored.used, arena_bytes(busy));
    ASSERT_TRUE(restored.config.has_value());
    EXPECT_EQ(restored.config->selector, busy.type);
    EXPECT_EQ(restored.config->memory.window, ranker.config().memory.window);
    Digest scores[2];
    FeatureRanker* const both[] = {&restored.ranker, &ranker.ranker()};
    for (const int i : {0, 1}) {
      (void)both[i]->refine(3);
      EXPECT_TRUE(both[i]->rank(0).ok());
      const Span<const Real> values = both[i]->ranking().scores();
      scores[i].add_all(values.data(), values.size());
    }
    EXPECT_EQ(restored.digest(), ranker.state_digest()) << busy.type->id;
    EXPECT_EQ(scores[0].value(), scores[1].value()) << busy.type->id;
    EXPECT_EQ(flash.misuses(), 0U);
  }
}

TEST(Snapshots, NothingIsRestoredFromErasedSlots) {
  FlashModel flash = flash_for(small());
  const Restored restored(flash, 4096);
  EXPECT_EQ(restored.status.code(), StatusCode::not_found);
  EXPECT_STREQ(restored.snapshots.refusal(), "");
  EXPECT_EQ(restored.snapshots.seq(), 0U);
}

TEST(Snapshots, HoldThatThereIsNoRanker) {
  FlashModel flash = flash_for(small());
  BusyRanker ranker(small());
  ASSERT_TRUE(save(flash, ranker, 3).ok());
  Snapshots snapshots(flash, kHere);
  const std::uint8_t record[8] = {9};
  ASSERT_TRUE(snapshots.save(nullptr, Arena(nullptr, 0), nullptr, 4, record).ok());
  const Restored restored(flash, 0);
  EXPECT_TRUE(restored.status.ok());
  EXPECT_FALSE(restored.ranker.created());
  EXPECT_EQ(restored.record[0], 9);
  EXPECT_EQ(restored.snapshots.seq(), 4U);
}

// The power goes at every byte written and every page erased: what was there before is there still.
TEST(Snapshots, TornAtAnyByteLeaveTheOneBefore) {
  for (const unsigned before : {1U, 2U}) {  // so that each of the slots is torn
    BusyRanker ranker(small());
    FlashModel flash = flash_for(small());
    for (unsigned i = 0; i < before; ++i) ASSERT_TRUE(save(flash, ranker, i + 1).ok());
    const std::uint64_t digest = ranker.state_digest();
    for (std::size_t step = 0; step < 5; ++step) ranker.step(step);
    std::size_t torn = 0;
    for (std::size_t cut = 1;; cut += before == 1 ? kStride : 13) {
      FlashModel trial = flash;
      trial.cut_after(cut);
      const bool saved = save(trial, ranker, before + 1).ok();
      trial.power_up();
      const Restored restored(trial, arena_bytes(small()));
      ASSERT_TRUE(restored.status.ok()) << cut << restored.status.reason();
      // A write that is whole but for the answer may count.
      const bool newer = restored.snapshots.seq() == before + 1;
      ASSERT_EQ(restored.digest(), newer ? ranker.state_digest() : digest) << cut;
      ASSERT_EQ(restored.snapshots.seq(), newer ? before + 1 : before) << cut;
      ASSERT_EQ(trial.misuses(), 0U) << cut;
      if (saved) {
        ASSERT_TRUE(newer);
        break;
      }
      ++torn;
      if (cut % 64 >= kStride) continue;
      ASSERT_TRUE(save(trial, ranker, before + 1).ok()) << cut;
      ASSERT_EQ(Restored(trial, arena_bytes(small())).digest(), ranker.state_digest()) << cut;
    }
    EXPECT_GT(torn, 100U);
  }
}

TEST(Snapshots, AnyByteDamagedIsFoundOut) {
  BusyRanker ranker(small());
  FlashModel flash = flash_for(small());
  for (std::size_t step = 0; step < 5; ++step) ranker.step(step);
  ASSERT_TRUE(save(flash, ranker, 7).ok());
  const std::size_t bytes = Snapshots::required_bytes(ranker.config(), 8);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < bytes; i += kStride) {
    if (i >= sizeof(SnapshotHeader) && i < kSnapshotHeaderBytes) continue;  // says nothing
    flash.bytes(0)[i] ^= static_cast<std::uint8_t>(1U << i % 8);
    const Restored restored(flash, arena_bytes(small()));
    ASSERT_FALSE(restored.status.ok()) << i;
    ASSERT_NE(restored.snapshots.refusal()[0], '\0') << i;
    ++refused;
    flash.bytes(0)[i] ^= static_cast<std::uint8_t>(1U << i % 8);
  }
  EXPECT_GE(refused * kStride, bytes - kSnapshotHeaderBytes);
  EXPECT_TRUE(Restored(flash, arena_bytes(small())).status.ok());
}

// A damaged one leaves the one before, and is overwritten first.
TEST(Snapshots, FallBackToTheOneBefore) {
  BusyRanker ranker(small());
  FlashModel flash = flash_for(small());
  ASSERT_TRUE(save(flash, ranker, 1).ok());
  const std::uint64_t digest = ranker.state_digest();
  ranker.step(0);
  ASSERT_TRUE(save(flash, ranker, 2).ok());
  flash.bytes(1)[kSnapshotHeaderBytes + 100] ^= 4;
  Restored restored(flash, arena_bytes(small()));
  ASSERT_TRUE(restored.status.ok());
  EXPECT_EQ(restored.digest(), digest);
  EXPECT_EQ(restored.snapshots.seq(), 1U);
  EXPECT_STREQ(restored.snapshots.refusal(), "snapshot damaged");
  ASSERT_TRUE(restored.snapshots
                  .save(&ranker.ranker(), ranker.arena(), &ranker.config(), 3, restored.record)
                  .ok());
  EXPECT_EQ(flash.wear(0, 0), 1U);
  EXPECT_EQ(flash.wear(1, 0), 2U);
  EXPECT_EQ(Restored(flash, arena_bytes(small())).snapshots.seq(), 3U);
}

// A snapshot whose header has been changed as another program would have written it.
std::string refusal_of(void (*change)(SnapshotHeader&), StatusCode code) {
  BusyRanker ranker(small());
  FlashModel flash = flash_for(small());
  EXPECT_TRUE(save(flash, ranker, 77).ok());
  SnapshotHeader header;
  std::memcpy(&header, flash.bytes(0).data(), sizeof header);
  change(header);
  header.seal();
  std::memcpy(flash.bytes(0).data(), &header, sizeof header);
  const Restored restored(flash, arena_bytes(small()));
  EXPECT_EQ(restored.status.code(), code);
  EXPECT_EQ(restored.snapshots.seq(), header.version == kSnapshotVersion ? 77U : 0U);
  return restored.snapshots.refusal();
}

TEST(Snapshots, OfOtherProgramsAreRefusedAndNamed) {
  constexpr StatusCode kOther = StatusCode::failed_precondition;
  EXPECT_EQ(refusal_of([](SnapshotHeader& h) { h.version = 9; }, kOther),
            "snapshot of format 9, this is 1");
  EXPECT_EQ(refusal_of([](SnapshotHeader& h) { h.build[1] = 0xFE; }, kOther),
            "snapshot of build abfe02030405, this is ab0102030405");
  EXPECT_EQ(refusal_of([](SnapshotHeader& h) { std::strcpy(h.board, "other"); }, kOther),
            "snapshot of board other, this is model");
  EXPECT_EQ(refusal_of([](SnapshotHeader& h) { h.word_bytes = 2; }, kOther),
            sizeof(void*) == 4 ? "snapshot with words of 16 bits, here of 32"
                               : "snapshot with words of 16 bits, here of 64");
  EXPECT_EQ(refusal_of([](SnapshotHeader& h) { h.real_bytes = 16; }, kOther),
            sizeof(Real) == 4 ? "snapshot with numbers of 128 bits, here of 32"
                              : "snapshot with numbers of 128 bits, here of 64");
}

TEST(Snapshots, WithSizesThatDoNotGoTogetherAreRefused) {
  constexpr StatusCode kLoss = StatusCode::data_loss;
  EXPECT_EQ(refusal_of([](SnapshotHeader& h) { h.body_bytes += 8; }, kLoss),
            "snapshot damaged: sizes");
  EXPECT_EQ(refusal_of([](SnapshotHeader& h) { h.image_bytes = 0xFFFFFFFF; }, kLoss),
            "snapshot damaged: sizes");
  EXPECT_EQ(refusal_of([](SnapshotHeader& h) { h.record_bytes = 0; }, StatusCode::invalid_argument),
            "snapshot of another application");
  EXPECT_EQ(refusal_of([](SnapshotHeader& h) { h.state_digest ^= 1; }, kLoss),
            "snapshot damaged: digest of the state");
}

TEST(Snapshots, NeedAnArenaAsLargeAsBefore) {
  BusyRanker ranker(small());
  FlashModel flash = flash_for(small());
  ASSERT_TRUE(save(flash, ranker, 5).ok());
  const Restored restored(flash, arena_bytes(small()) - kArenaAlignment - 1);
  EXPECT_EQ(restored.status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(restored.status.value(), arena_bytes(small()));
  EXPECT_EQ(std::string(restored.snapshots.refusal()).substr(0, 30),
            "arena too small: bytes needed:");
}

TEST(Snapshots, NeedABuildIdAndRoomInASlot) {
  BusyRanker ranker(small());
  FlashModel tiny(256, 2, 4);
  const Status status = save(tiny, ranker, 1);
  EXPECT_EQ(status.code(), StatusCode::out_of_range);
  EXPECT_EQ(status.value(), Snapshots::required_bytes(ranker.config(), 8));
  FlashModel flash = flash_for(small());
  Snapshots nameless(flash, {});
  EXPECT_EQ(nameless.save(nullptr, Arena(nullptr, 0), nullptr, 1).code(),
            StatusCode::failed_precondition);
  EXPECT_EQ(Restored(flash, 0, {}).status.code(), StatusCode::failed_precondition);
  EXPECT_EQ(flash.steps() + tiny.steps(), 0U);
}

TEST(Snapshots, TheSlotsTakeTurns) {
  BusyRanker ranker(small());
  FlashModel flash = flash_for(small(), 256);
  for (std::size_t seq = 1; seq <= 11; ++seq) {
    ranker.step(seq);
    ASSERT_TRUE(save(flash, ranker, seq).ok());
    const Restored restored(flash, arena_bytes(small()));
    ASSERT_EQ(restored.snapshots.seq(), seq);
    ASSERT_EQ(restored.digest(), ranker.state_digest());
  }
  for (std::size_t page = 0; page * 256 < Snapshots::required_bytes(ranker.config(), 8); ++page) {
    EXPECT_EQ(flash.wear(0, page), 6U);
    EXPECT_EQ(flash.wear(1, page), 5U);
  }
  EXPECT_EQ(flash.misuses(), 0U);
}

// Flash that has worn out: the snapshot is not reported as taken, and the one before remains.
TEST(Snapshots, AreReadBackBeforeTheyCount) {
  BusyRanker ranker(small());
  FlashModel flash = flash_for(small());
  ASSERT_TRUE(save(flash, ranker, 1).ok());
  const std::uint64_t digest = ranker.state_digest();
  ranker.step(0);
  std::size_t at = kSnapshotHeaderBytes;  // a bit that is to be 0
  flash.break_bit(1, at, 0);
  ASSERT_TRUE(save(flash, ranker, 2).ok());
  while ((flash.bytes(1)[at] & 1) != 0) ++at;
  flash.break_bit(1, at, 1);
  ASSERT_TRUE(save(flash, ranker, 3).ok());  // to the other slot
  const std::uint64_t newest = ranker.state_digest();
  EXPECT_EQ(save(flash, ranker, 4).code(), StatusCode::data_loss);
  const Restored restored(flash, arena_bytes(small()));
  EXPECT_EQ(restored.snapshots.seq(), 3U);
  EXPECT_EQ(restored.digest(), newest);
  EXPECT_NE(restored.digest(), digest);
}

}  // namespace
}  // namespace whittle::testing
