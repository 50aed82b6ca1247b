// RankerImage: everything a FeatureRanker knows, as bytes that can be stored and put back.
//
// A ranker is its object and the bytes it took of its arena; memory, selector, solver and ranking
// all lie there, and nothing it knows lies elsewhere. So its image is those two runs of bytes,
// whatever the selector, and the very same program can go on from it, by the rules of ObjectImage,
// which tests hold for every selector. Nothing in a ranker changes an address in the program while
// it runs but InfoList, which is set right by itself.
//
// Shapes: size() bytes, object first. Cost: O(size). Memory: none of its own.
#ifndef WHITTLE_RANK_RANKER_IMAGE_H_
#define WHITTLE_RANK_RANKER_IMAGE_H_

#include "whittle/base/span.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/rank/object_image.h"

namespace whittle {

class RankerImage : public ObjectImage {
 public:
  // Of a created ranker that took the `arena` bytes, all of them.
  RankerImage(FeatureRanker& ranker, Span<unsigned char> arena);

  // After all bytes have been laid over it: InfoList.
  void finish(const ImagePlace& from);

  // Sets the addresses right in a config that was copied, as bytes, at `from`: they are all of the
  // program.
  static void move_config(const ImagePlace& from, RankerConfig& config);

 private:
  FeatureRanker& ranker_;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_RANKER_IMAGE_H_
