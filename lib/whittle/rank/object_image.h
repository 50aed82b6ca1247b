// ObjectImage: an object and the bytes that it took of its arena, as bytes that can be stored and
// put back, here or in another place.
//
// To put it back, the object is made anew from the same config, so that every address in it is
// right for its new place, and the image is laid over it word by word:
//
//   an address in the program   stays as it is. Told by its distance from another address of the
//                               program, which is the same in the image: virtual tables, tables of
//                               functions, names.
//   an address in object or arena
//                               is moved along. Told by the word in the new object being one, and
//                               that in the image, too: buffers that are swapped while it runs are
//                               found by that.
//   any other word              is copied.
//
// This rests on two rules: where there is an address while the object runs, there is one from the
// start (PlacedPointer: also where none is known yet); and what making it gives depends on the
// config alone. A word that is no address is taken for one only if it is, freshly made, a number
// that lies in the new place and, in the image, one that lies in the old place; and where nothing
// has moved, as on a board, all rules copy.
//
// Shapes: size() bytes, object first. Cost: O(size). Memory: none of its own.
#ifndef WHITTLE_RANK_OBJECT_IMAGE_H_
#define WHITTLE_RANK_OBJECT_IMAGE_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"

namespace whittle {

// Where an object, its arena and its program are, or were.
struct ImagePlace {
  std::uintptr_t object = 0;
  std::uintptr_t arena = 0;
  std::uintptr_t program = 0;
};

class ObjectImage {
 public:
  using Word = std::uintptr_t;

  // Of an object of so many bytes and the `arena` bytes that it took, all of them; both whole
  // words. The words of `same` are never changed: a config, which is the same by itself, whatever
  // stands between its fields. Those of `plain` are copied, whatever they are.
  ObjectImage(void* object, std::size_t bytes, Span<unsigned char> arena,
              Span<const unsigned char> same = {}, Span<const unsigned char> plain = {});

  std::size_t size() const { return object_.size() + arena_.size(); }
  const ImagePlace& place() const { return place_; }

  // Copies bytes [first, first + out.size()) of the image; they must be within it.
  void read(std::size_t first, Span<std::uint8_t> out) const;

  // Lays bytes [first, first + bytes.size()) of an image that was read at `from` over the object:
  // whole words, within the image. The object must have been made as that one was.
  void overlay(const ImagePlace& from, std::size_t first, Span<const std::uint8_t> bytes);

 protected:
  Word way(const ImagePlace& from, Word saved) const;  // from there to here
  static Word program_place();                         // as in ImagePlace

 private:
  unsigned char* at(std::size_t position) const {
    return position < object_.size() ? object_.data() + position
                                     : arena_.data() + (position - object_.size());
  }
  bool is_in_object(const ImagePlace& place, Word address) const {
    return address - place.object < object_.size();
  }
  bool lies_in(const ImagePlace& place, Word address) const;

  Span<unsigned char> object_;
  Span<unsigned char> arena_;
  Span<const unsigned char> same_;
  Span<const unsigned char> plain_;
  ImagePlace place_;
};

// The bytes of an object, as parameters of ObjectImage.
template <typename T>
Span<const unsigned char> image_bytes(const T& object) {
  return {reinterpret_cast<const unsigned char*>(&object), sizeof object};
}

}  // namespace whittle

#endif  // WHITTLE_RANK_OBJECT_IMAGE_H_
