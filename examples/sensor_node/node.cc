// Firmware node: every selector and every other part.
#include "catalog.h"
#include "whittle/select/all_selectors.h"

const whittle::Catalog& catalog() {
  static constexpr whittle::Catalog all(whittle::kAllSelectors, whittle::kAllParts);
  return all;
}
