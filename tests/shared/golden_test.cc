// Golden digests: the same stream gives the same score bits, state and order on every port. The
// numbers change only when the arithmetic is meant to change; they are then the same again on all.

#include "tests/shared/ranker_fixture.h"
#include "whittle/base/digest.h"
#include "whittle/base/math.h"
#include "whittle/select/all_selectors.h"

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
  RankerConfig config(*golden.type, kAllParts);
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
      {&kVariance, false, 0x90b0986b6fddff88, 0xb0f8ae7be9e5e8f9},
      {&kFisher, false, 0x117c81281068fe97, 0x2f5bd3879762a9b},
      {&kCs1, false, 0xfa2124f6c0c26fe2, 0x7d92ea808443f8de},
      {&kCs2, false, 0x6b711ca16e88dc10, 0xe335d79b69a0ab18},
      {&kUvs, false, 0xa89c1e37a5591990, 0x12c1f6247243a815},
      {&kLs, false, 0x18f1b99fdb552b6, 0x61bc5dce75aa3f25},
      {&kLs, true, 0x1b9a972f2a951096, 0xdcd5beeeea31ce0f},
      {&kCls, false, 0x77370e67f04a29e6, 0x65d12177c3d16616},
      {&kCls, true, 0xecb9f73ad4472b68, 0x78b54fca90d8d7ac},
      {&kSselect, false, 0xca91cc4fe25da575, 0x15e2ac626a746cad},
      {&kSc4, false, 0x6d9b0c15645c2bcb, 0xa6cf72b8f9d464e3},
      {&kUls, false, 0x46b4832fa6d09e2f, 0x86d20dd67bb286f7},
      {&kLsdf, false, 0xe918f46f0e7d8931, 0x56a4c12dc8558b0c},
      {&kCsfs, false, 0xffba9cf4061b9e58, 0x4b115bedd6ee477c},
      {&kCsfsr, false, 0x97cbddb92f4bdcd8, 0xad6a12deab27fbbc},
      {&kRelieff, false, 0xa4d286278a7d2cc0, 0xddd4c9317c99de8a},
      {&kMrmr, false, 0x8dd8124208a33b8f, 0xd11b310800fa7131},
      {&kSs, false, 0xdf2d3de5a7a990b, 0x6143dcfd7ab4b0ea},
      {&kUss, false, 0x3a397a2283a3568f, 0x19a020aa63f1fa43},
      {&kSpecF2R4, false, 0x6e038f12c18c24cd, 0x90b6c816cb516dab},
      {&kSpecF3R, false, 0xa1661b33bb95d210, 0xa81d39c172e13a7},
      {&kSenfs, false, 0xf5f8964079a9a632, 0x930eb7e40f82b5ae},
      {&kDrsvm, false, 0xc23edc70e5ba123c, 0x4c07e6ddc5c69c91},
      {&kL1svm, false, 0x23701e4747d64ae2, 0x5dce48837dfd604d},
      {&kL0svm, false, 0x49a1223c5cea81c4, 0xebb440cc70d1959},
      {&kFsmanifold, false, 0x641a0314bde55cf7, 0xc6c48dc41d099883},
      {&kJsfs, false, 0x8b4259f5654e87d2, 0x29908ab396f030c0},
      {&kWckm, false, 0xd275cb849c79fe9b, 0x61777e0e349fad34},
      {&kL2gfs, false, 0xec2d0dc29e4466a2, 0xcef6999c6ab48b1d},
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
