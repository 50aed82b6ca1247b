#include "tools/cli/plan.h"

#include <utility>

#include "tools/cli/parameters.h"
#include "tools/cli/selectors.h"

namespace whittle::cli {
namespace {

// Stands for a capacity that the command line does not give.
constexpr std::uint32_t kEverything = kMaxHeld + 1;

// Every labelled (unlabelled) sample of the file, unless a number was given; says whether one was
// too small.
bool settle_capacity(std::size_t samples, std::uint32_t* capacity) {
  if (*capacity == kEverything) *capacity = static_cast<std::uint32_t>(samples);
  return *capacity < samples;
}

}  // namespace

Plan make_plan(const RankOptions& options, std::istream& in) {
  RankerConfig config(find_selector(options.selector));
  MemoryConfig& memory = config.memory;
  memory.labelled = kEverything;
  memory.window = kEverything;
  for (const std::string& assignment : options.parameters) set_parameter(assignment, &config);

  Dataset data = read_dataset_file(options.file, in, options.dataset);
  memory.features = static_cast<std::uint32_t>(data.features());
  memory.classes = static_cast<std::uint32_t>(data.classes.size());
  memory.scaling = options.scaling;
  const bool labelled_leave = settle_capacity(data.count(SampleKind::labelled), &memory.labelled);
  const bool unlabelled_leave = settle_capacity(data.count(SampleKind::unlabelled), &memory.window);
  memory.keep_distances = labelled_leave || unlabelled_leave;
  Scale scale = find_scale(data, options.scaling);
  return {config, std::move(data), std::move(scale)};
}

}  // namespace whittle::cli
