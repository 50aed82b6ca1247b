// memcpy, memmove and memset in 100 bytes, for firmware built to be small: the C library's take
// 700. They are slower, six instructions a byte, or a word where all is aligned, as rows of values
// are.
#include <cstddef>
#include <cstdint>

using Word [[gnu::may_alias]] = std::uint32_t;

extern "C" {

void* memcpy(void* to, const void* from, std::size_t count);
void* memmove(void* to, const void* from, std::size_t count);
void* memset(void* to, int value, std::size_t count);

void* memcpy(void* to, const void* from, std::size_t count) {
  auto* out = static_cast<unsigned char*>(to);
  const auto* in = static_cast<const unsigned char*>(from);
  std::size_t i = 0;
  const auto bits = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if (bits % sizeof(Word) == 0) {
    for (; i + sizeof(Word) <= count; i += sizeof(Word)) {
      *reinterpret_cast<Word*>(out + i) = *reinterpret_cast<const Word*>(in + i);
    }
  }
  for (; i < count; ++i) out[i] = in[i];
  return to;
}

void* memmove(void* to, const void* from, std::size_t count) {
  auto* out = static_cast<unsigned char*>(to);
  const auto* in = static_cast<const unsigned char*>(from);
  if (out <= in) return memcpy(to, from, count);
  for (std::size_t i = count; i-- > 0;) out[i] = in[i];
  return to;
}

void* memset(void* to, int value, std::size_t count) {
  auto* out = static_cast<unsigned char*>(to);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<unsigned char>(value);
  return to;
}

}  // extern "C"
