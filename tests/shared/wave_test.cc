// wckm and l2gfs on Breiman's waveforms: which relevance tells waves from noise, by the scaling.
#include "tests/shared/clustering_streams.h"
#include "tests/shared/filled_reference.h"
#include "tools/evidence/waveform.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/wckm.h"

namespace whittle::testing {
namespace {

using Samples = std::vector<evidence::WaveSample>;

// AUC of the features that carry waves; all but each third sample are labelled.
double auc_of(const SelectorType& type, const Samples& samples, bool effective) {
  RankerInBuffer ranker(
      clustering_config(type, evidence::kWaveFeatures, evidence::kWaveClasses, effective, 120, 60));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const bool labelled = i % 3 != 0;
    const Sample sample = {Span<const Real>(samples[i].x.data(), evidence::kWaveFeatures),
                           labelled ? SampleKind::labelled : SampleKind::unlabelled,
                           labelled ? samples[i].label : 0};
    EXPECT_TRUE(ranker->observe(sample).ok());
  }
  EXPECT_TRUE(ranker->refine(1000).converged);
  EXPECT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 1);
  EXPECT_EQ(info_of(*ranker, "collapsed"), 0);
  return evidence::wave_auc(ranker->ranking().scores());
}

TEST(Wave, TheWeightTellsOnRawDataAndTheEffectOnScaledData) {
  const Samples raw = evidence::make_waveforms(3, 180);
  Samples scaled = raw;
  evidence::standardise(scaled);
  for (const SelectorType* type : {&kWckm, &kL2gfs}) {
    SCOPED_TRACE(type->id);
    EXPECT_GT(auc_of(*type, raw, false), 0.9);
    EXPECT_GT(auc_of(*type, scaled, true), 0.9);
    EXPECT_LT(auc_of(*type, raw, true), 0.1);  // swapped, both invert
    EXPECT_LT(auc_of(*type, scaled, false), 0.1);
  }
}

}  // namespace
}  // namespace whittle::testing
