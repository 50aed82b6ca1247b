// Firmware node: every selector and every other part.
#include "catalog.h"
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

const whittle::Catalog& catalog() {
  static constexpr const whittle::SelectorType* types[] = {
      &whittle::kVariance, &whittle::kFisher,  &whittle::kCs1,  &whittle::kCs2,
      &whittle::kUvs,      &whittle::kUls,     &whittle::kSs,   &whittle::kUss,
      &whittle::kLs,       &whittle::kSselect, &whittle::kSc4,  &whittle::kCls,
      &whittle::kCsfs,     &whittle::kCsfsr,   &whittle::kLsdf, &whittle::kRelieff,
      &whittle::kSpecF2R4, &whittle::kSpecF3R, &whittle::kMrmr, &whittle::kL2gfs,
  };
  static constexpr whittle::Catalog all(types, whittle::kAllParts);
  return all;
}
