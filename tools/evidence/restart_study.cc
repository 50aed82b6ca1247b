// How often a clustering that goes on from the stream ends elsewhere than the batch algorithm from
// its own start, which wckm and l2gfs take in the end:
//   restart_study FILE.csv...
//
// Per file (z-scored, a tenth labelled, a window of 96 unlabelled samples and 16 labelled ones) and
// method: refinements, one after every tenth sample; how many of them ended more than 1e-3 of the
// objective higher or lower than from the cold start; passes of each.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/dataset.h"
#include "tools/evidence/stream.h"
#include "whittle/memory/stream_memory.h"
#include "whittle/select/solve/hard_clustering.h"
#include "whittle/select/solve/soft_clustering.h"

namespace whittle::evidence {
namespace {

constexpr std::uint32_t kMaxPasses = 200;
constexpr std::size_t kEvery = 10;
constexpr std::size_t kMostSamples = 3000;

struct Tally {
  int refinements = 0, higher = 0, lower = 0;
  double warm_passes = 0, cold_passes = 0;

  void add(double warm, double cold) {
    ++refinements;
    if (warm > cold * (1 + 1e-3)) ++higher;
    if (warm < cold * (1 - 1e-3)) ++lower;
  }
};

MemoryConfig config_for(const Stream& stream) {
  MemoryConfig config;
  config.features = static_cast<std::uint32_t>(stream.features());
  config.classes = stream.classes();
  config.labelled = 16;
  config.window = 96;
  hold_samples(config);
  return config;
}

template <typename Clustering>
void run(Clustering& clustering, const FilledPoints& points) {
  while (!clustering.converged() && clustering.passes() < kMaxPasses) clustering.pass(points);
}

template <typename Clustering>
Tally study(const Stream& stream) {
  const MemoryConfig config = config_for(stream);
  std::vector<unsigned char> bytes(StreamMemory::required_bytes(config) +
                                   2 * Clustering::required_bytes(config) +
                                   FilledPoints::required_bytes(config.features) + kArenaAlignment);
  Arena arena(bytes.data(), bytes.size());
  StreamMemory memory;
  if (!memory.create(arena, config).ok()) throw std::runtime_error("the memory is refused");
  FilledPoints filled;
  filled.place(arena, config.features);
  Clustering clusterings[2];
  for (Clustering& one : clusterings) one.place(arena, config, Real(-0.1));
  Clustering* warm = &clusterings[0];
  Clustering* cold = &clusterings[1];
  Tally tally;
  std::size_t count = 0;
  for (const Sample& sample : stream.samples()) {
    Observation seen;
    if (!memory.observe(sample, &seen).ok()) continue;
    filled.update(memory.points());
    const bool labelled = sample.kind == SampleKind::labelled;
    warm->take(filled.row(seen.slot, 0), labelled ? sample.label : kUnlabelled, seen.slot);
    if (++count == kMostSamples) break;
    if (count % kEvery != 0 || memory.points().classes_present() < 2) continue;
    cold->start_cold(filled, 0);
    run(*cold, filled);
    if (warm->start_warm(filled)) {
      run(*warm, filled);
      tally.add(static_cast<double>(warm->objective()), static_cast<double>(cold->objective()));
      tally.warm_passes += warm->passes();
      tally.cold_passes += cold->passes();
    }
    std::swap(warm, cold);
  }
  return tally;
}

void print(const std::string& path, const char* method, const Tally& tally) {
  std::printf("| %-28s | %-5s | %4d | %3d | %3d | %5.1f | %5.1f |\n", path.c_str(), method,
              tally.refinements, tally.higher, tally.lower, tally.warm_passes / tally.refinements,
              tally.cold_passes / tally.refinements);
}

}  // namespace
}  // namespace whittle::evidence

int main(int count, char** arguments) {
  using namespace whittle::evidence;
  std::printf("| file | method | refinements | higher | lower | warm passes | cold passes |\n");
  try {
    for (int i = 1; i < count; ++i) {
      const std::string path = arguments[i];
      const Stream stream(whittle::cli::read_dataset_file(path, std::cin, {}), Order::shuffled, 0.1,
                          1);
      const std::string name = path.substr(path.find_last_of('/') + 1);
      print(name, "wckm", study<whittle::SoftClustering>(stream));
      print(name, "l2gfs", study<whittle::HardClustering>(stream));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "restart_study: %s\n", error.what());
    return 1;
  }
  return count > 1 ? 0 : 2;
}
