// The build id of the image: differs between any two images that differ. The linker writes it into
// images that are linked with -Wl,--build-id (whittle_snapshots in CMakeLists.txt).
#ifndef WHITTLE_PORTS_CORTEX_M_BUILD_ID_H_
#define WHITTLE_PORTS_CORTEX_M_BUILD_ID_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"

// Of an ELF note, from the linker script: 16 bytes of header and name, then the id.
extern "C" const std::uint8_t __build_id_start[], __build_id_end[];

namespace whittle::ports {

// Empty if the image was linked without.
inline Span<const std::uint8_t> build_id() {
  constexpr std::size_t kHeader = 16;
  const auto bytes = static_cast<std::size_t>(__build_id_end - __build_id_start);
  if (bytes <= kHeader) return {};
  return {__build_id_start + kHeader, bytes - kHeader};
}

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_BUILD_ID_H_
