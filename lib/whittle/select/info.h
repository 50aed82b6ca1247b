// InfoList: named facts beside the scores (lambda_used, iterations, converged, ...). Fixed size, no
// strings owned: names and texts are literals.
#ifndef WHITTLE_SELECT_INFO_H_
#define WHITTLE_SELECT_INFO_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle {

enum class InfoKind : std::uint8_t { real = 0, integer = 1, boolean = 2, text = 3, list = 4 };

struct InfoEntry {
  const char* name = "";
  InfoKind kind = InfoKind::real;
  Real number = 0;             // for integer and boolean too
  const char* text = "";       // for text
  Span<const Real> numbers{};  // for list
};

class InfoList {
 public:
  static constexpr std::size_t kCapacity = 10;

  void real(const char* name, Real value) { add({name, InfoKind::real, value, "", {}}); }
  void integer(const char* name, std::uint32_t value) {
    add({name, InfoKind::integer, static_cast<Real>(value), "", {}});
  }
  void boolean(const char* name, bool value) {
    add({name, InfoKind::boolean, value ? Real(1) : Real(0), "", {}});
  }
  void text(const char* name, const char* value) { add({name, InfoKind::text, 0, value, {}}); }
  // Numbers that stand in the selector and change with it.
  void list(const char* name, Span<const Real> values) {
    add({name, InfoKind::list, 0, "", values});
  }
  // Of one problem a number, of several a list.
  void of_problems(const char* name, Span<const Real> values) {
    if (values.size() == 1) {
      real(name, values[0]);
    } else {
      list(name, values);
    }
  }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  const InfoEntry& operator[](std::size_t i) const { return entries_[i]; }

 private:
  friend class RankerImage;
  void add(const InfoEntry& entry) {
    if (size_ < kCapacity) entries_[size_++] = entry;
  }
  InfoEntry entries_[kCapacity];
  std::size_t size_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_INFO_H_
