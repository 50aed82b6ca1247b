// RankerImage: everything a FeatureRanker knows, as bytes that can be stored and put back.
//
// A ranker is its object and the bytes it took of its arena; memory, selector, solver and ranking
// all lie there, and nothing it knows lies elsewhere. So its image is those two runs of bytes,
// whatever the selector, and the very same program can go on from it. Only addresses have to be set
// right, since object, arena and (on a host) the program may lie elsewhere then. To restore, a
// ranker is created anew from the same config, so that every address in it is right for its new
// place, and the image is laid over it word by word:
//
//   an address in the program   stays as it is. Told by its distance from another address of the
//                               program, which is the same in the image: virtual tables, tables of
//                               functions, names. Nothing in a ranker changes those while it runs
//                               but InfoList, which is set right by itself.
//   an address in object or arena
//                               is moved along. Told by the word in the new ranker being one, and
//                               that in the image, too: buffers that are swapped while a ranker
//                               runs are found by that.
//   any other word              is copied.
//
// This rests on two rules, which tests hold for every selector: where there is an address while a
// ranker runs, there is one from the start (PlacedPointer: also where none is known yet); and what
// create makes depends on the config alone. A word that is no address is taken for one only if it
// is, freshly made, a number that lies in the new place and, in the image, one that lies in the old
// place; and where nothing has moved, as on a board, all rules copy.
//
// Shapes: size() bytes, object first. Cost: O(size). Memory: none of its own.
#ifndef WHITTLE_RANK_RANKER_IMAGE_H_
#define WHITTLE_RANK_RANKER_IMAGE_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle {

// Where a ranker and its program are, or were.
struct RankerPlace {
  std::uintptr_t object = 0;
  std::uintptr_t arena = 0;
  std::uintptr_t program = 0;
};

class RankerImage {
 public:
  using Word = std::uintptr_t;

  // Of a created ranker that took the `arena` bytes, all of them.
  RankerImage(FeatureRanker& ranker, Span<unsigned char> arena);

  std::size_t size() const { return sizeof(FeatureRanker) + arena_.size(); }  // whole words
  const RankerPlace& place() const { return place_; }

  // Copies bytes [first, first + out.size()) of the image; they must be within it.
  void read(std::size_t first, Span<std::uint8_t> out) const;

  // Lays bytes [first, first + bytes.size()) of an image that was read at `from` over the ranker:
  // whole words, within the image. The ranker must have been created as that one was.
  void overlay(const RankerPlace& from, std::size_t first, Span<const std::uint8_t> bytes);

  // After all of them: InfoList.
  void finish(const RankerPlace& from);

  // Sets the addresses right in a config that was copied, as bytes, at `from`: they are all of the
  // program.
  static void move_config(const RankerPlace& from, RankerConfig& config);

 private:
  unsigned char* at(std::size_t position) const {
    return position < sizeof(FeatureRanker) ? object_ + position
                                            : arena_.data() + (position - sizeof(FeatureRanker));
  }
  static bool is_in_object(const RankerPlace& place, Word address) {
    return address - place.object < sizeof(FeatureRanker);
  }
  bool lies_in(const RankerPlace& place, Word address) const;
  Word way(const RankerPlace& from, Word saved) const;  // from there to here

  FeatureRanker& ranker_;
  unsigned char* object_;
  Span<unsigned char> arena_;
  RankerPlace place_;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_RANKER_IMAGE_H_
