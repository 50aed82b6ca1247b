#include "whittle/base/arena.h"

#include <cstring>

namespace whittle {

Status Arena::check_left(std::size_t needed) const {
  if (needed <= left()) return {};
  return {StatusCode::resource_exhausted, "arena too small: bytes needed", needed};
}

void* Arena::take(std::size_t count, std::size_t size) {
  const std::size_t bytes = ByteCount{}.elements(count, size).total();
  if (bytes > left()) return nullptr;
  unsigned char* first = base_ + used_;
  used_ += bytes;
  if (bytes > 0) std::memset(first, 0, bytes);
  return first;
}

}  // namespace whittle
