#include "tools/cli/memory_parameters.h"

#include <cmath>
#include <optional>

#include "tools/cli/number.h"
#include "tools/cli/selectors.h"

namespace whittle::cli {
namespace {

constexpr char kWhole[] = "a whole number from 0 to 16777216";
static_assert(kMaxHeld == 16777216);

template <std::uint32_t MemoryConfig::*member>
bool set_whole(const std::string& text, RankerConfig* config) {
  const std::optional<std::uint64_t> value = parse_whole(text, kMaxHeld);
  if (value) config->memory.*member = static_cast<std::uint32_t>(*value);
  return value.has_value();
}

template <std::uint32_t MemoryConfig::*member>
std::string whole_text(const RankerConfig& config) {
  return std::to_string(config.memory.*member);
}

bool set_half_life(const std::string& text, RankerConfig* config) {
  const std::optional<double> value = parse_number(text);
  if (!value || !(*value >= 0 && *value <= 1e9)) return false;
  config->memory.half_life = to_real(*value);
  return true;
}

// A choice is set by its place in `names`.
template <typename Choice, std::size_t N>
bool set_choice(const std::string& text, const char* const (&names)[N], Choice* choice) {
  for (std::size_t i = 0; i < N; ++i) {
    if (text != names[i]) continue;
    *choice = static_cast<Choice>(i);
    return true;
  }
  return false;
}

constexpr const char* kGeometries[] = {"window", "codebook", "hybrid"};
constexpr const char* kRedundancies[] = {"none", "tree"};

constexpr MemoryParameter kParameters[] = {
    {"labelled", "newest labelled samples held, no class ever left without", kWhole,
     "all of the file, for what reads held samples", "0", "", true,
     set_whole<&MemoryConfig::labelled>, whole_text<&MemoryConfig::labelled>,
     [](const RankerConfig&, const MemoryConfig& memory) { return memory.points; }},
    {"window", "newest unlabelled samples held", kWhole,
     "all of the file, for what reads held samples", "0", "geometry=window or hybrid", true,
     set_whole<&MemoryConfig::window>, whole_text<&MemoryConfig::window>,
     [](const RankerConfig&, const MemoryConfig& memory) {
       return memory.points && memory.geometry != Geometry::codebook;
     }},
    {"geometry",
     "unlabelled samples held: the newest (window), prototypes of all (codebook), or the newest "
     "and prototypes of those before (hybrid)",
     "window, codebook or hybrid",
     "window; with codebook=K hybrid if window=N is given, else codebook", "window",
     "a selector that reads held samples", false,
     [](const std::string& text, RankerConfig* config) {
       return set_choice(text, kGeometries, &config->memory.geometry);
     },
     [](const RankerConfig& config) {
       return std::string(kGeometries[static_cast<std::size_t>(config.memory.geometry)]);
     },
     [](const RankerConfig&, const MemoryConfig& memory) {
       return memory.points && memory.geometry != Geometry::window;
     }},
    {"codebook", "prototypes that stand for the unlabelled samples not held themselves", kWhole,
     "64 if geometry is codebook or hybrid, else 0", "0",
     "geometry=codebook or hybrid and a selector that reads held samples", true,
     set_whole<&MemoryConfig::codebook>, whole_text<&MemoryConfig::codebook>,
     [](const RankerConfig&, const MemoryConfig& memory) { return memory.units() > 0; }},
    {"half_life", "samples after which a sample counts half in moments; 0: never less",
     "a number from 0 to 1000000000", "0", "0", "a score from moments, or learn=N with zscore",
     true, set_half_life,
     [](const RankerConfig& config) { return format_real(config.memory.half_life); },
     [](const RankerConfig&, const MemoryConfig& memory) {
       return memory.half_life > 0 && memory.moments;
     }},
    {"learn", "samples from which a live node learns the scale; 0: it is found in a first pass",
     kWhole, "0", "0", "--scale minmax or zscore", true, set_whole<&MemoryConfig::learn>,
     whole_text<&MemoryConfig::learn>,
     [](const RankerConfig&, const MemoryConfig& memory) {
       return memory.learn > 0 && memory.scaling != Scaling::none;
     }},
    {"pairs", "explicit pairs held at most", kWhole, "as many as the file of --pairs has", "0",
     "--pairs and a selector that reads them", true, set_whole<&MemoryConfig::pairs>,
     whole_text<&MemoryConfig::pairs>,
     [](const RankerConfig& config, const MemoryConfig& memory) {
       return memory.points && memory.pairs > 0 && reads_pairs(config);
     }},
    {"redundancy", "features redundant to a better one are not selected (tree), or are (none)",
     "none or tree", "none", "none", "", false,
     [](const std::string& text, RankerConfig* config) {
       return set_choice(text, kRedundancies, &config->redundancy);
     },
     [](const RankerConfig& config) {
       return std::string(kRedundancies[static_cast<std::size_t>(config.redundancy)]);
     },
     [](const RankerConfig& config, const MemoryConfig&) {
       return config.redundancy != Redundancy::none;
     }},
};

}  // namespace

Span<const MemoryParameter> memory_parameters() { return kParameters; }

}  // namespace whittle::cli
