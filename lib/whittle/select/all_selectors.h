// Every selector there is, for applications that link them all; the order is that of
// docs/methods.md.
#ifndef WHITTLE_SELECT_ALL_SELECTORS_H_
#define WHITTLE_SELECT_ALL_SELECTORS_H_

#include "whittle/select/cls.h"
#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/csfs.h"
#include "whittle/select/csfsr.h"
#include "whittle/select/drsvm.h"
#include "whittle/select/fisher.h"
#include "whittle/select/fsmanifold.h"
#include "whittle/select/jsfs.h"
#include "whittle/select/l0svm.h"
#include "whittle/select/l1svm.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/lsdf.h"
#include "whittle/select/mrmr.h"
#include "whittle/select/relieff.h"
#include "whittle/select/sc4.h"
#include "whittle/select/selector.h"
#include "whittle/select/senfs.h"
#include "whittle/select/spec_f2_r4.h"
#include "whittle/select/spec_f3_r.h"
#include "whittle/select/ss.h"
#include "whittle/select/sselect.h"
#include "whittle/select/uls.h"
#include "whittle/select/uss.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"
#include "whittle/select/wckm.h"

namespace whittle {

// Scores: of each feature by itself, nothing to refine.
inline constexpr const SelectorType* kFilterSelectors[] = {
    &kVariance, &kFisher,  &kCs1,      &kCs2,     &kUvs, &kUls,  &kSs,
    &kUss,      &kLs,      &kSselect,  &kSc4,     &kCls, &kCsfs, &kCsfsr,
    &kLsdf,     &kRelieff, &kSpecF2R4, &kSpecF3R, &kMrmr};

// Those and the embedded ones, which are refined.
inline constexpr const SelectorType* kAllSelectors[] = {
    &kVariance, &kFisher, &kCs1,   &kCs2,   &kUvs,   &kUls,        &kSs,      &kUss,      &kLs,
    &kSselect,  &kSc4,    &kCls,   &kCsfs,  &kCsfsr, &kLsdf,       &kRelieff, &kSpecF2R4, &kSpecF3R,
    &kMrmr,     &kSenfs,  &kDrsvm, &kL1svm, &kL0svm, &kFsmanifold, &kJsfs,    &kWckm,     &kL2gfs};

}  // namespace whittle

#endif  // WHITTLE_SELECT_ALL_SELECTORS_H_
