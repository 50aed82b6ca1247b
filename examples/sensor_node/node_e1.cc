// Firmware node_e1: the scores from moments; no sample is kept.
#include "catalog.h"
#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/fisher.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

const whittle::Catalog& catalog() {
  static constexpr const whittle::SelectorType* types[] = {
      &whittle::kVariance, &whittle::kFisher, &whittle::kCs1, &whittle::kCs2, &whittle::kUvs};
  static constexpr whittle::Catalog all(types);
  return all;
}
