#include "tools/cli/selectors.h"

#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/text.h"
#include "whittle/select/cls.h"
#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/fisher.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

namespace whittle::cli {
namespace {

constexpr const SelectorType* kSelectors[] = {&kVariance, &kFisher, &kCs1, &kCs2,
                                              &kUvs,      &kLs,     &kCls, &kL2gfs};

}  // namespace

Catalog all_selectors() { return Catalog(kSelectors); }

const SelectorType& find_selector(const std::string& id) {
  const Catalog catalog = all_selectors();
  if (const SelectorType* type = catalog.find(id.c_str())) return *type;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < catalog.size(); ++i) ids.emplace_back(catalog[i].id);
  throw UsageError("no selector is called " + in_quotes(id) + "; there are " +
                   listed(ids, ids.size()));
}

}  // namespace whittle::cli
