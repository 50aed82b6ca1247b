#include "tools/cli/selectors.h"

#include <cstring>
#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/text.h"
#include "whittle/select/all_selectors.h"

namespace whittle::cli {
namespace {

struct PairReader {
  const char* id;
  const char* unless_off;  // the parameter without which it does not; nullptr: it always does
};
// No selector declares it; Pairs.CountForTheSelectorsThatReadThemAndNoOthers ranks with each.
constexpr PairReader kPairReaders[] = {{"cs1", nullptr},   {"cs2", nullptr}, {"ls", "use_labels"},
                                       {"sc4", nullptr},   {"cls", nullptr}, {"csfs", nullptr},
                                       {"csfsr", nullptr}, {"lsdf", nullptr}};

bool is_on(const RankerConfig& config, const char* parameter) {
  const Span<const ParamSpec> specs = config.selector->params;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (std::strcmp(specs[i].name, parameter) == 0) return config.values.boolean(i);
  }
  return false;
}

}  // namespace

Catalog all_selectors() { return Catalog(kAllSelectors, kAllParts); }

const SelectorType& find_selector(const std::string& id) {
  const Catalog catalog = all_selectors();
  if (const SelectorType* type = catalog.find(id.c_str())) return *type;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < catalog.size(); ++i) ids.emplace_back(catalog[i].id);
  throw UsageError("no selector is called " + in_quotes(id) + "; there are " +
                   listed(ids, ids.size()));
}

bool reads_pairs(const RankerConfig& config) {
  for (const PairReader& reader : kPairReaders) {
    if (std::strcmp(reader.id, config.selector->id) != 0) continue;
    return reader.unless_off == nullptr || is_on(config, reader.unless_off);
  }
  return false;
}

std::string pair_readers() {
  std::vector<std::string> readers;
  for (const PairReader& reader : kPairReaders) {
    readers.emplace_back(reader.id);
    if (reader.unless_off != nullptr) {
      readers.back() += " (" + std::string(reader.unless_off) + "=true)";
    }
  }
  return listed(readers, readers.size());
}

}  // namespace whittle::cli
