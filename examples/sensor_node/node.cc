// Firmware node: every selector.
#include "catalog.h"
#include "whittle/select/cls.h"
#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/fisher.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

const whittle::Catalog& catalog() {
  static constexpr const whittle::SelectorType* types[] = {
      &whittle::kVariance, &whittle::kFisher, &whittle::kCs1, &whittle::kCs2,
      &whittle::kUvs,      &whittle::kLs,     &whittle::kCls, &whittle::kL2gfs};
  static constexpr whittle::Catalog all(types);
  return all;
}
