// MemoryConfig: how much of the stream a StreamMemory remembers. Every size is fixed at start.
#ifndef WHITTLE_MEMORY_MEMORY_CONFIG_H_
#define WHITTLE_MEMORY_MEMORY_CONFIG_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/real.h"

namespace whittle {

// Which distance chooses neighbours (docs/methods.md). Edge weights are Euclidean in both.
enum class Metric : std::uint8_t { euclidean = 0, cosine = 1 };

// What the offset and gain per feature stand for. The core applies the numbers it is given; it
// needs the name only where a method depends on it (l2gfs's relevance = auto).
enum class Scaling : std::uint8_t { none = 0, minmax = 1, zscore = 2 };

// How unlabelled samples are remembered.
enum class Geometry : std::uint8_t {
  window = 0,    // the newest W
  codebook = 1,  // K prototypes, trained by every one of them
  hybrid = 2,    // the newest W; what leaves the window trains K prototypes
};

struct MemoryConfig;
struct FullMemory;
struct ExplicitPairs;
struct ScaleLearning;
struct CodebookMemory;
class Arena;
class NeighbourGraph;
// constexpr, in stream_memory.h. NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern const FullMemory kMomentsOnly;
using GraphMaker = NeighbourGraph* (*)(Arena& arena, const MemoryConfig& config);

struct MemoryConfig {
  std::uint32_t features = 0;  // m, 1..kMaxFeatures
  std::uint32_t classes = 0;   // C, 0..kMaxClasses; 0: no sample may be labelled
  std::uint32_t labelled = 0;  // L, labelled samples held; 0 or at least C
  std::uint32_t window = 0;    // W, unlabelled samples held
  std::uint32_t codebook = 0;  // K, prototypes of the codebook
  std::uint32_t pairs = 0;     // P, explicit must-link and cannot-link pairs held
  Geometry geometry = Geometry::window;
  // &kFullMemory, if samples are held: naming it is what links all that does so. A selector that
  // reads held points sets it; for one that reads moments it is the choice of the application.
  const FullMemory* full = &kMomentsOnly;
  // Likewise: &kExplicitPairs, if there are pairs; &kScaleLearning, if there is learn;
  // &kCodebookMemory, if the geometry is not window.
  const ExplicitPairs* explicit_pairs = nullptr;
  const ScaleLearning* scale_learning = nullptr;
  const CodebookMemory* codebook_memory = nullptr;
  Scaling scaling = Scaling::none;
  std::uint32_t learn = 0;  // samples from which the scale is learned; 0: it is given
  Real half_life = 0;       // samples after which a statistic counts half; 0: nothing is forgotten

  // What the selector in use needs. SelectorType::configure sets these; a part not needed takes no
  // bytes.
  bool moments = false;  // count, mean, deviations per class, unlabelled, universum
  bool points = false;   // the held samples themselves: see hold_samples
  // Points are held as they came, for moments that are exact although labels come late: a held
  // sample enters the moments of its class, or of the unlabelled, only when it leaves.
  bool raw_points = false;
  std::uint32_t neighbours = 0;  // k of the neighbour graph, 0: no graph
  // make_neighbour_graph, if there are neighbours: naming it is what links the graph.
  GraphMaker make_graph = nullptr;
  Metric metric = Metric::euclidean;
  // Keep all pairwise distances, N^2 Reals. A list that has lost a neighbour then reads a row to
  // find the next one when it is read, which bounds the work of every sample. Otherwise lists have
  // spare places and are now and then computed again: less memory and less work on average, more at
  // worst.
  bool keep_distances = true;

  constexpr std::size_t units() const {  // prototypes there are: K or none
    return points && geometry != Geometry::window ? codebook : 0;
  }
  constexpr std::size_t samples() const {  // held at most
    if (!points) return 0;
    return std::size_t{labelled} + (geometry == Geometry::codebook ? 0 : window);
  }
  constexpr std::size_t capacity() const { return units() + samples(); }  // N, points held at most
};

inline constexpr std::uint32_t kMaxFeatures = 1U << 20;
inline constexpr std::uint32_t kMaxClasses = 1024;
inline constexpr std::uint32_t kMaxHeld = 1U << 24;

}  // namespace whittle

#endif  // WHITTLE_MEMORY_MEMORY_CONFIG_H_
