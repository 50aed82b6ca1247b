#include "tools/cli/selectors.h"

#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/text.h"
#include "whittle/memory/codebook.h"
#include "whittle/select/cls.h"
#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/csfs.h"
#include "whittle/select/csfsr.h"
#include "whittle/select/fisher.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/lsdf.h"
#include "whittle/select/mrmr.h"
#include "whittle/select/relieff.h"
#include "whittle/select/sc4.h"
#include "whittle/select/spec_f2_r4.h"
#include "whittle/select/spec_f3_r.h"
#include "whittle/select/ss.h"
#include "whittle/select/sselect.h"
#include "whittle/select/uls.h"
#include "whittle/select/uss.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

namespace whittle::cli {
namespace {

constexpr const SelectorType* kSelectors[] = {&kVariance, &kFisher,   &kCs1,     &kCs2,   &kUvs,
                                              &kUls,      &kSs,       &kUss,     &kLs,    &kSselect,
                                              &kSc4,      &kCls,      &kCsfs,    &kCsfsr, &kLsdf,
                                              &kRelieff,  &kSpecF2R4, &kSpecF3R, &kMrmr,  &kL2gfs};

}  // namespace

Catalog all_selectors() { return Catalog(kSelectors, kAllParts); }

const SelectorType& find_selector(const std::string& id) {
  const Catalog catalog = all_selectors();
  if (const SelectorType* type = catalog.find(id.c_str())) return *type;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < catalog.size(); ++i) ids.emplace_back(catalog[i].id);
  throw UsageError("no selector is called " + in_quotes(id) + "; there are " +
                   listed(ids, ids.size()));
}

}  // namespace whittle::cli
