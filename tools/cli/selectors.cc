#include "tools/cli/selectors.h"

#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/text.h"
#include "whittle/select/all_selectors.h"

namespace whittle::cli {
Catalog all_selectors() { return Catalog(kAllSelectors, kAllParts); }

const SelectorType& find_selector(const std::string& id) {
  const Catalog catalog = all_selectors();
  if (const SelectorType* type = catalog.find(id.c_str())) return *type;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < catalog.size(); ++i) ids.emplace_back(catalog[i].id);
  throw UsageError("no selector is called " + in_quotes(id) + "; there are " +
                   listed(ids, ids.size()));
}

}  // namespace whittle::cli
