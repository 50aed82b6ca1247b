// CodebookMemory: what the window does not hold, or no longer, trains a codebook.
#include <algorithm>

#include "whittle/memory/stream_memory.h"

namespace whittle {

void StreamMemory::place_codebook(Arena& arena) {
  codebook_ = arena.object<Codebook>();
  codebook_->place(arena, config_, points_.row(0));
  leaving_ = arena.array<Real>(config_.features);
}

void StreamMemory::train_scaled(const Real* raw) {
  for (std::size_t r = 0; r < config_.features; ++r) leaving_[r] = scaled(raw, r);
  train(leaving_.data());
}

void StreamMemory::train(const Real* x) {
  if (x != leaving_.data()) std::copy(x, x + config_.features, leaving_.begin());
  codebook_->train(leaving_.data(), [&](std::size_t unit) {
    const bool is_new = unit == points_.units();
    const Slot slot = is_new ? points_.add_unit() : static_cast<Slot>(unit);
    const Real* row = points_.row(slot);
    points_.note_missing(slot, std::any_of(row, row + config_.features, is_missing));
    if (graph_ != nullptr) graph_->move(points_, slot);
  });
}

void StreamMemory::digest_codebook(Digest& digest) const { codebook_->digest(digest); }

}  // namespace whittle
