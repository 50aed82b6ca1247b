#include "whittle/rank/object_image.h"

#include <cstring>

namespace whittle {
namespace {

constexpr char kAnchor = 0;  // its address tells where the program is

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

bool is_part(Span<const unsigned char> bytes, const unsigned char* place) {
  return number(place) - number(bytes.data()) < bytes.size();
}

}  // namespace

ObjectImage::ObjectImage(void* object, std::size_t bytes, Span<unsigned char> arena,
                         Span<const unsigned char> same, Span<const unsigned char> plain)
    : object_(static_cast<unsigned char*>(object), bytes),
      arena_(arena),
      same_(same),
      plain_(plain),
      place_{number(object), number(arena.data()), program_place()} {}

ObjectImage::Word ObjectImage::program_place() { return number(&kAnchor); }

void ObjectImage::read(std::size_t first, Span<std::uint8_t> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = *at(first + i);
}

void ObjectImage::overlay(const ImagePlace& from, std::size_t first,
                          Span<const std::uint8_t> bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(Word)) {
    unsigned char* const place = at(first + i);
    if (is_part(same_, place)) continue;
    Word fresh;
    Word saved;
    std::memcpy(&fresh, place, sizeof fresh);
    std::memcpy(&saved, bytes.data() + i, sizeof saved);
    if (!is_part(plain_, place)) {
      if (fresh - place_.program == saved - from.program) continue;
      if (lies_in(place_, fresh) && lies_in(from, saved)) saved += way(from, saved);
    }
    std::memcpy(place, &saved, sizeof saved);
  }
}

bool ObjectImage::lies_in(const ImagePlace& place, Word address) const {
  // An empty array may begin at the end of the arena.
  return is_in_object(place, address) || address - place.arena <= arena_.size();
}

ObjectImage::Word ObjectImage::way(const ImagePlace& from, Word saved) const {
  return is_in_object(from, saved) ? place_.object - from.object : place_.arena - from.arena;
}

}  // namespace whittle
