#include "whittle/base/math.h"

#include <cstdint>
#include <cstring>

namespace whittle {
namespace {

#ifdef WHITTLE_DOUBLE
using Bits = std::uint64_t;
constexpr int kMantissaBits = 52;
constexpr int kBias = 1023;
constexpr int kExpTerms = 14;
constexpr int kLogTerms = 12;
constexpr Real kLn2High = 0x1.62e42fefa3800p-1;
constexpr Real kLn2Low = 0x1.ef35793c76730p-45;
constexpr Real kExpMost = 710;
constexpr Real kExpLeast = -746;
#else
using Bits = std::uint32_t;
constexpr int kMantissaBits = 23;
constexpr int kBias = 127;
constexpr int kExpTerms = 8;
constexpr int kLogTerms = 6;
constexpr Real kLn2High = 0x1.62e000p-1F;
constexpr Real kLn2Low = 0x1.0bfbe8p-15F;
constexpr Real kExpMost = 88.8F;
constexpr Real kExpLeast = -104.0F;
#endif
constexpr Real kLog2E = Real(1.442695040888963407);
constexpr Bits kMantissaMask = (Bits{1} << kMantissaBits) - 1;

constexpr Real kInverseFactorial[] = {Real(1),
                                      Real(1),
                                      Real(1.0 / 2),
                                      Real(1.0 / 6),
                                      Real(1.0 / 24),
                                      Real(1.0 / 120),
                                      Real(1.0 / 720),
                                      Real(1.0 / 5040),
                                      Real(1.0 / 40320),
                                      Real(1.0 / 362880),
                                      Real(1.0 / 3628800),
                                      Real(1.0 / 39916800),
                                      Real(1.0 / 479001600),
                                      Real(1.0 / 6227020800.0)};
static_assert(kExpTerms <= sizeof(kInverseFactorial) / sizeof(Real));

// 2^k for an exponent of a normal number.
Real power_of_two(int k) {
  const Bits bits = static_cast<Bits>(k + kBias) << kMantissaBits;
  Real result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

// Without a branch. At the clamps the result has already run into 0 and +inf.
inline Real exp_of_number(Real x) {
  x = x < kExpLeast ? kExpLeast : x;
  x = x > kExpMost ? kExpMost : x;
  // x = k ln 2 + r with |r| <= ln 2 / 2; e^r by its series, which stops below half a last place.
  const Real scaled = x * kLog2E;
  const int k = static_cast<int>(scaled + (scaled < 0 ? Real(-0.5) : Real(0.5)));
  const Real r = (x - static_cast<Real>(k) * kLn2High) - static_cast<Real>(k) * kLn2Low;
  Real sum = kInverseFactorial[kExpTerms - 1];
  for (int i = kExpTerms - 2; i >= 0; --i) sum = sum * r + kInverseFactorial[i];
  // Two factors: 2^k itself may be subnormal or too large while the result is not.
  const int half = k / 2;
  return sum * power_of_two(half) * power_of_two(k - half);
}

}  // namespace

Real exp(Real x) { return x == x ? exp_of_number(x) : x; }

void exp_all(Real* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = exp_of_number(x[i]);
}

Real log(Real x) {
  if (!(x == x) || x < 0) return kNoScore;
  if (x == 0) return -kInfinity;
  if (x == kInfinity) return x;
  int exponent = 0;
  if (x < power_of_two(1 - kBias)) {  // subnormal
    x *= power_of_two(kMantissaBits + 1);
    exponent = -(kMantissaBits + 1);
  }
  // x = 2^exponent f with f in [sqrt(1/2), sqrt(2)); log f = 2 artanh((f - 1) / (f + 1)).
  Bits bits;
  std::memcpy(&bits, &x, sizeof bits);
  exponent += static_cast<int>(bits >> kMantissaBits) - kBias;
  bits = (bits & kMantissaMask) | (static_cast<Bits>(kBias) << kMantissaBits);
  Real f;
  std::memcpy(&f, &bits, sizeof f);
  if (f > Real(1.4142135623730951)) {
    f *= Real(0.5);
    ++exponent;
  }
  const Real s = (f - Real(1)) / (f + Real(1));
  const Real square = s * s;
  Real sum = Real(1) / static_cast<Real>(2 * kLogTerms - 1);
  for (int i = kLogTerms - 2; i >= 0; --i)
    sum = sum * square + Real(1) / static_cast<Real>(2 * i + 1);
  const Real k = static_cast<Real>(exponent);
  return k * kLn2High + (Real(2) * s * sum + k * kLn2Low);
}

Real pow(Real x, Real p) {
  if (p == 0) return Real(1);
  return exp(p * log(x));
}

}  // namespace whittle
