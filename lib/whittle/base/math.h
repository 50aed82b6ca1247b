// The core's own exp, log and pow: C libraries differ in the last bits, and scores must not.
//
// Relative error below 2 units in the last place over the whole range, for float and double; the
// operations used (+ - * / on Real, integer arithmetic on the exponent) give the same bits on every
// IEEE 754 machine. Cost: exp about 15, log about 20 operations in float.
#ifndef WHITTLE_BASE_MATH_H_
#define WHITTLE_BASE_MATH_H_

#include <cstddef>

#include "whittle/base/real.h"

namespace whittle {

// e^x; 0 far below, +inf far above; NaN for NaN.
Real exp(Real x);

// e^x of each of `count` numbers, none of them NaN, in place: the bits of exp, in a loop that
// becomes SIMD code.
void exp_all(Real* x, std::size_t count);

// Natural logarithm; -inf at 0, NaN below.
Real log(Real x);

// x^p for x >= 0, as exp(p log x): its relative error grows with |p log x|. 0^p is 0, 1 or +inf by
// the sign of p.
Real pow(Real x, Real p);

}  // namespace whittle

#endif  // WHITTLE_BASE_MATH_H_
