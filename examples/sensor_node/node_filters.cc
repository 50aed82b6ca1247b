// Firmware node_filters: every score, none of the selectors that are refined; every other part.
#include "catalog.h"
#include "whittle/select/all_selectors.h"

const whittle::Catalog& catalog() {
  static constexpr whittle::Catalog all(whittle::kFilterSelectors, whittle::kAllParts);
  return all;
}
