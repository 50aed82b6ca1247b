#include "whittle/select/solve/svm_dual_methods.h"

namespace whittle {

template class SvmDual<float>;

}  // namespace whittle
