#include "whittle/select/solve/svm_dual_methods.h"
#include "whittle/select/solve/svm_dual_newton.h"

namespace whittle {

template class SvmDual<float>;

}  // namespace whittle
