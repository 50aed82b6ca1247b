// The build id of the running program: differs between any two programs that differ. The linker
// writes it (-Wl,--build-id).
#ifndef WHITTLE_PORTS_POSIX_BUILD_ID_H_
#define WHITTLE_PORTS_POSIX_BUILD_ID_H_

#include <cstdint>

#include "whittle/base/span.h"

namespace whittle::posix {

// Empty if the program was linked without.
Span<const std::uint8_t> build_id();

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_BUILD_ID_H_
