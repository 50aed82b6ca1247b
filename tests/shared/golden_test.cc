// Golden digests: the same stream gives the same score bits, state and order on every port. The
// numbers change only when the arithmetic is meant to change; they are then the same again on all.

#include "tests/shared/ranker_fixture.h"
#include "whittle/base/digest.h"
#include "whittle/base/math.h"
#include "whittle/select/cls.h"
#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/fisher.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

// Values that use every bit of a Real, unlike those of make_stream.
std::vector<Row> rough_stream() {
  Random random(20);
  std::vector<Row> rows;
  for (int i = 0; i < 400; ++i) {
    Row row;
    const std::uint32_t group = random.below(3);
    const std::uint32_t kind = random.below(10);
    if (kind < 3) row = {{}, SampleKind::labelled, group};
    if (kind == 9) row.kind = SampleKind::universum;
    for (std::uint32_t r = 0; r < 13; ++r) {
      const Real noise = log(random.uniform() + Real(0.01)) * Real(0.3);
      row.x.push_back(noise + (r % 4 == group ? Real(1) : Real(0)) +
                      static_cast<Real>(r) * Real(7.1));
    }
    rows.push_back(row);
  }
  return rows;
}

struct Golden {
  const SelectorType* type;
  bool cosine;
  std::uint64_t scores_float;
  std::uint64_t scores_double;
};

// scores after every 50 samples, with the order and, at the end, the state.
std::uint64_t digest_of(const Golden& golden) {
  RankerConfig config(*golden.type);
  config.memory.features = 13;
  config.memory.classes = 3;
  config.memory.labelled = 24;
  config.memory.window = 40;
  config.memory.scaling = Scaling::zscore;
  if (golden.cosine) {
    EXPECT_TRUE(config.values.set(golden.type->params, "metric", 1).ok());
  }
  RankerInBuffer ranker(config);
  std::vector<Real> offset, gain;
  for (int r = 0; r < 13; ++r) {
    offset.push_back(static_cast<Real>(r) * Real(7.1));
    gain.push_back(Real(1.7) + static_cast<Real>(r) * Real(0.013));
  }
  EXPECT_TRUE(ranker->set_scale(0, {offset.data(), 13}, {gain.data(), 13}).ok());
  Digest digest;
  std::size_t count = 0;
  for (const Row& row : rough_stream()) {
    EXPECT_TRUE(ranker->observe(row.sample()).ok());
    if (++count % 50 != 0) continue;
    ranker->refine(5);
    EXPECT_TRUE(ranker->rank(0).ok());
    digest.add_all(ranker->ranking().scores().data(), 13);
    digest.add_all(ranker->ranking().order().data(), 13);
  }
  digest.add(ranker->state_digest());
  return digest.value();
}

TEST(Golden, ScoreBitsAreTheSameOnEveryPort) {
  const Golden all[] = {
      {&kVariance, false, 0xd0f713e3761aeb6f, 0x71014aa0277993b6},
      {&kFisher, false, 0x3fa01cad9810fc41, 0x6bbd68abda87f7f},
      {&kCs1, false, 0x3610140f778236b8, 0x696faf16a08c8ffe},
      {&kCs2, false, 0x5cf70cd5351637f5, 0x53b5da11cf148eba},
      {&kUvs, false, 0x8e4d6b86061a8fbd, 0xd38215f6d072b033},
      {&kLs, false, 0xdce39a06142d4d59, 0xf4cfc6f1543cf8},
      {&kLs, true, 0x385a97cdc9e825a4, 0x1af9cc636e9d4b26},
      {&kCls, false, 0xc2d46887fbf3c2ca, 0x91b7d5fa7127de92},
      {&kCls, true, 0x61f41203a0a5d22d, 0xc8529ce8cc667bfb},
      {&kL2gfs, false, 0xed305fbec3813715, 0xb7e58517d4077cc8},
  };
  for (const Golden& golden : all) {
    const std::uint64_t digest = digest_of(golden);
    EXPECT_EQ(digest, sizeof(Real) == 4 ? golden.scores_float : golden.scores_double)
        << golden.type->id << (golden.cosine ? " cosine" : "") << " 0x" << std::hex << digest;
  }
}

TEST(Golden, ExpAndLogBitsAreTheSameOnEveryPort) {
  Digest digest;
  for (int i = -4000; i < 4000; ++i) {
    const Real x = static_cast<Real>(i) * Real(0.0213);
    digest.add(exp(x));
    digest.add(log(exp(x)));
  }
  EXPECT_EQ(digest.value(), sizeof(Real) == 4 ? std::uint64_t{0xb885e5424f4dd03e}
                                              : std::uint64_t{0x609c84d17a59ec16})
      << "0x" << std::hex << digest.value();
}

}  // namespace
}  // namespace whittle::testing
