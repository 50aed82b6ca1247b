// Description: a line for people, of a selector or a parameter.
//
// No node sends one, so a build for a board leaves the texts out of the image
// (WHITTLE_NO_DESCRIPTIONS); they are "" there.
#ifndef WHITTLE_SELECT_DESCRIPTION_H_
#define WHITTLE_SELECT_DESCRIPTION_H_

namespace whittle {

class Description {
 public:
#ifdef WHITTLE_NO_DESCRIPTIONS
  constexpr Description(const char* /*text*/) : text_("") {}
#else
  constexpr Description(const char* text) : text_(text) {}
#endif
  constexpr operator const char*() const { return text_; }

 private:
  const char* text_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_DESCRIPTION_H_
