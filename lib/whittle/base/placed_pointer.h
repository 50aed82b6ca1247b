// PlacedPointer: the address of something in the same arena or object, set not when its owner is
// made but later. Where none is set it holds its own address instead of null: so it can be told
// from a number, and moved along, when arena and object are restored in another place
// (rank/ranker_image.h). A pointer that is set when its owner is made needs none of this.
#ifndef WHITTLE_BASE_PLACED_POINTER_H_
#define WHITTLE_BASE_PLACED_POINTER_H_

namespace whittle {

template <typename T>
class PlacedPointer {
 public:
  PlacedPointer() : address_(this) {}
  PlacedPointer(const PlacedPointer& other) : PlacedPointer() { *this = other.get(); }
  PlacedPointer& operator=(const PlacedPointer& other) {
    if (this != &other) *this = other.get();
    return *this;
  }
  PlacedPointer& operator=(T* target) {
    address_ = target == nullptr ? static_cast<const void*>(this) : target;
    return *this;
  }

  T* get() const { return address_ == this ? nullptr : target(); }
  // Only where one is set.
  T& operator*() const { return *target(); }
  T* operator->() const { return target(); }

 private:
  T* target() const { return static_cast<T*>(const_cast<void*>(address_)); }

  const void* address_;
};

}  // namespace whittle

#endif  // WHITTLE_BASE_PLACED_POINTER_H_
