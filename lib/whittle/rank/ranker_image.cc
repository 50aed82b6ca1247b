#include "whittle/rank/ranker_image.h"

namespace whittle {
namespace {

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

}  // namespace

RankerImage::RankerImage(FeatureRanker& ranker, Span<unsigned char> arena)
    : ObjectImage(&ranker, sizeof ranker, arena, image_bytes(ranker.memory_.config()),
                  image_bytes(ranker.info_)),
      ranker_(ranker) {
  static_assert(sizeof(FeatureRanker) % sizeof(Word) == 0);
}

void RankerImage::finish(const ImagePlace& from) {
  const Word program = place().program - from.program;
  for (InfoEntry& entry : ranker_.info_.entries_) {
    move(entry.name, program);
    move(entry.text, program);
    const Real* numbers = entry.numbers.data();
    if (numbers == nullptr) continue;
    move(numbers, way(from, number(numbers)));
    entry.numbers = Span<const Real>(numbers, entry.numbers.size());
  }
}

void RankerImage::move_config(const ImagePlace& from, RankerConfig& config) {
  const Word by = program_place() - from.program;
  move(config.selector, by);
  move(config.tree, by);
  move(config.memory.full, by);
  move(config.memory.explicit_pairs, by);
  move(config.memory.scale_learning, by);
  move(config.memory.codebook_memory, by);
  move(config.memory.make_graph, by);
}

}  // namespace whittle
