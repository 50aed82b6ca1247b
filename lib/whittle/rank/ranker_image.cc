#include "whittle/rank/ranker_image.h"

#include <cstring>

namespace whittle {
namespace {

constexpr char kAnchor = 0;  // its address tells where the program is

template <typename T>
std::uintptr_t number(T* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

// Moves an address along; null stays.
template <typename T>
void move(T*& pointer, std::uintptr_t by) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  if (pointer != nullptr) pointer = reinterpret_cast<T*>(number(pointer) + by);
}

template <typename T>
bool is_part(const T& object, const unsigned char* place) {
  return number(place) - number(&object) < sizeof object;
}

}  // namespace

RankerImage::RankerImage(FeatureRanker& ranker, Span<unsigned char> arena)
    : ranker_(ranker),
      object_(reinterpret_cast<unsigned char*>(&ranker)),
      arena_(arena),
      place_{number(&ranker), number(arena.data()), number(&kAnchor)} {
  static_assert(sizeof(FeatureRanker) % sizeof(Word) == 0);
}

void RankerImage::read(std::size_t first, Span<std::uint8_t> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = *at(first + i);
}

void RankerImage::overlay(const RankerPlace& from, std::size_t first,
                          Span<const std::uint8_t> bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(Word)) {
    unsigned char* const place = at(first + i);
    // The config is the same; what stands between its fields may be anything.
    if (is_part(ranker_.memory_.config(), place)) continue;
    Word fresh;
    Word saved;
    std::memcpy(&fresh, place, sizeof fresh);
    std::memcpy(&saved, bytes.data() + i, sizeof saved);
    if (!is_part(ranker_.info_, place)) {
      if (fresh - place_.program == saved - from.program) continue;
      if (lies_in(place_, fresh) && lies_in(from, saved)) saved += way(from, saved);
    }
    std::memcpy(place, &saved, sizeof saved);
  }
}

void RankerImage::finish(const RankerPlace& from) {
  const Word program = place_.program - from.program;
  for (InfoEntry& entry : ranker_.info_.entries_) {
    move(entry.name, program);
    move(entry.text, program);
    const Real* numbers = entry.numbers.data();
    if (numbers == nullptr) continue;
    move(numbers, way(from, number(numbers)));
    entry.numbers = Span<const Real>(numbers, entry.numbers.size());
  }
}

void RankerImage::move_config(const RankerPlace& from, RankerConfig& config) {
  const Word by = number(&kAnchor) - from.program;
  move(config.selector, by);
  move(config.tree, by);
  move(config.memory.full, by);
  move(config.memory.explicit_pairs, by);
  move(config.memory.scale_learning, by);
  move(config.memory.codebook_memory, by);
  move(config.memory.make_graph, by);
}

bool RankerImage::lies_in(const RankerPlace& place, Word address) const {
  // An empty array may begin at the end of the arena.
  return is_in_object(place, address) || address - place.arena <= arena_.size();
}

RankerImage::Word RankerImage::way(const RankerPlace& from, Word saved) const {
  return is_in_object(from, saved) ? place_.object - from.object : place_.arena - from.arena;
}

}  // namespace whittle
