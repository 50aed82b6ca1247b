#include "tools/cli/plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tools/cli/error.h"
#include "tools/cli/files.h"
#include "tools/cli/parameters.h"
#include "tools/cli/selectors.h"
#include "tools/cli/text.h"
#include "tools/cli/warnings.h"

namespace whittle::cli {
namespace {

using Names = std::set<std::string>;  // of the parameters given

// Distances between the points held are kept up to this many bytes, where points may have to leave:
// that bounds the work of every sample, which matters on a node.
constexpr std::size_t kMostDistanceBytes = 256 * 1024;

// Whether samples are held although neither labelled nor window says so.
bool holds_samples(const RankerConfig& config, const Pairs& pairs, const RankOptions& options) {
  RankerConfig bare = config;
  bare.memory.labelled = 0;
  bare.memory.window = 0;
  return bare.configured_memory().points || !pairs.list.empty() || options.label_delay > 0;
}

void settle_geometry(const Names& given, MemoryConfig* memory) {
  if (given.count("geometry") == 0 && memory->codebook > 0) {
    memory->geometry = given.count("window") > 0 ? Geometry::hybrid : Geometry::codebook;
  }
  if (given.count("codebook") == 0 && memory->geometry != Geometry::window) {
    memory->codebook = kDefaultCodebook;
  }
  if (memory->codebook == 0 && memory->geometry != Geometry::window) {
    throw UsageError("--param codebook=0: this geometry needs one prototype or more");
  }
}

// Samples that wait for their labels at one time, at most.
std::size_t most_waiting(const Dataset& data, const RankOptions& options) {
  if (options.label_delay == 0) return 0;
  return std::min<std::size_t>(data.count(SampleKind::labelled), options.label_delay + 1U);
}

void settle_capacities(const Names& given, const Dataset& data, const RankOptions& options,
                       bool holds, MemoryConfig* memory) {
  const auto settle = [&](const char* name, std::size_t all, std::uint32_t* capacity) {
    if (given.count(name) > 0) return;
    const std::size_t samples = holds ? all : 0;
    if (samples > kMaxHeld) {
      throw Error("at most " + std::to_string(kMaxHeld) + " samples can be held; give --param " +
                  name + "=N");
    }
    *capacity = static_cast<std::uint32_t>(samples);
  };
  settle("labelled", data.count(SampleKind::labelled), &memory->labelled);
  settle("window", data.count(SampleKind::unlabelled) + most_waiting(data, options),
         &memory->window);
}

// A model learns from samples of every class, so has to hold one of each.
void check_labelled(const Names& given, const RankerConfig& config) {
  const MemoryConfig memory = config.configured_memory();
  if (given.count("labelled") == 0 || memory.labelled == 0 || !memory.points) return;
  if (memory.labelled >= memory.classes) return;
  throw UsageError("--param labelled=" + std::to_string(memory.labelled) +
                   ": must be 0 or at least the number of classes in the file, " +
                   std::to_string(memory.classes));
}

bool may_leave(const Dataset& data, const MemoryConfig& memory) {
  return memory.labelled < data.count(SampleKind::labelled) ||
         memory.window < data.count(SampleKind::unlabelled) || memory.units() > 0;
}

void settle_distances(const Dataset& data, RankerConfig* config) {
  const MemoryConfig memory = config->configured_memory();
  const std::size_t bytes = memory.capacity() * memory.capacity() * sizeof(Real);
  config->memory.keep_distances = may_leave(data, memory) && bytes <= kMostDistanceBytes;
}

void warn_of_idle_parameters(const Names& given, const RankerConfig& config,
                             const Console& console) {
  const MemoryConfig memory = config.configured_memory();
  for (const MemoryParameter& parameter : memory_parameters()) {
    const std::string text = parameter.text(config);
    if (given.count(parameter.name) == 0 || text == parameter.off) continue;
    if (parameter.in_use(config, memory)) continue;
    warn(console, "--param " + std::string(parameter.name) + "=" + text +
                      " has no effect here: it is for " + parameter.needs);
  }
}

// A sample that waits for its label trains it, too, if it has to leave the window.
void warn_of_idle_codebook(const Dataset& data, const RankOptions& options,
                           const RankerConfig& config, const Console& console) {
  const MemoryConfig memory = config.configured_memory();
  if (memory.units() == 0) return;
  const std::size_t in_window = data.count(SampleKind::unlabelled) + most_waiting(data, options);
  if (in_window == 0) {
    warn(console, "--param codebook=" + std::to_string(memory.codebook) +
                      " has no effect here: no sample is unlabelled, so none trains the codebook");
  } else if (memory.geometry == Geometry::hybrid && memory.window >= in_window) {
    warn(console,
         "geometry=hybrid: all unlabelled samples fit the window, so none trains the "
         "codebook; give --param window=N");
  }
}

// None if they cannot change the scores.
Pairs load_pairs(const RankOptions& options, const RankerConfig& config, const Dataset& data,
                 const Console& console) {
  if (options.pairs.empty()) return {};
  Pairs pairs = read_pairs_file(options.pairs, console.in, data);
  if (!reads_pairs(config)) {
    warn(console, "--pairs has no effect here: it is for " + pair_readers());
    pairs.list.clear();
  }
  return pairs;
}

void check_learning(const RankerConfig& config) {
  if (config.memory.learn == 0 || config.memory.scaling != Scaling::none) return;
  throw UsageError("--param learn=" + std::to_string(config.memory.learn) +
                   ": a scale is learned with --scale minmax or zscore");
}

void check_late_changes(const RankOptions& options, const RankerConfig& config) {
  if (options.rescale_every > 0 && config.memory.learn == 0) {
    throw UsageError(
        "--rescale-every: the scale is learned again only where it is learned: give "
        "--param learn=N");
  }
}

// The selectors whose types have an answer of this kind.
template <typename Answer>
std::string selectors_with(Answer ModelAnswers::*answer) {
  const Catalog catalog = all_selectors();
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < catalog.size(); ++i) {
    const ModelAnswers* const answers = catalog[i].answers;
    if (answers != nullptr && answers->*answer != nullptr) ids.emplace_back(catalog[i].id);
  }
  return ids.empty() ? "none does" : listed(ids, ids.size()) + " do";
}

void check_questions(const RankOptions& options, const SelectorType& type) {
  const ModelAnswers answers = type.answers == nullptr ? ModelAnswers() : *type.answers;
  if (!options.predict.empty() && answers.predict == nullptr) {
    throw UsageError("--predict: " + std::string(type.id) + " does not classify; " +
                     selectors_with(&ModelAnswers::predict));
  }
  if (options.memberships && answers.memberships == nullptr) {
    throw UsageError("--memberships: " + std::string(type.id) + " has no memberships; " +
                     selectors_with(&ModelAnswers::memberships));
  }
  if (!options.predict.empty() && options.memberships && options.format == Format::csv) {
    throw UsageError("--format csv has room for one answer: --predict or --memberships");
  }
}

}  // namespace

Plan make_plan(const RankOptions& options, const Console& console) {
  RankerConfig config(find_selector(options.selector), kAllParts);
  MemoryConfig& memory = config.memory;
  memory.scaling = options.scaling;
  const Names given = set_parameters(options.parameters, &config);
  check_learning(config);
  check_late_changes(options, config);
  check_questions(options, *config.selector);
  check_inputs(
      {{"FILE.csv", options.file}, {"--pairs", options.pairs}, {"--predict", options.predict}});
  settle_geometry(given, &memory);

  Dataset data = load_dataset(options.file, options.dataset, "rows read", console);
  warn_of_labels(data, options.dataset, console);
  Pairs pairs = load_pairs(options, config, data, console);
  memory.features = static_cast<std::uint32_t>(data.features());
  memory.classes = static_cast<std::uint32_t>(data.classes.size());
  if (given.count("pairs") == 0) memory.pairs = static_cast<std::uint32_t>(pairs.list.size());
  settle_capacities(given, data, options, holds_samples(config, pairs, options), &memory);
  check_labelled(given, config);
  settle_distances(data, &config);
  warn_of_idle_parameters(given, config, console);
  warn_of_idle_codebook(data, options, config, console);
  Scale scale;
  if (memory.learn == 0) scale = find_scale(data, options.scaling);
  std::optional<TestRows> test;
  if (!options.predict.empty()) {
    test = read_test_rows(options.predict, data, options.dataset, console);
  }
  return {config,           std::move(data),     std::move(pairs),
          std::move(scale), options.label_delay, options.rescale_every,
          std::move(test),  options.memberships};
}

}  // namespace whittle::cli
