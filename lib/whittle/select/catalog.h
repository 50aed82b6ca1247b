// Catalog: the selectors an application chooses to link, and whether the codebook. Naming a
// SelectorType here is what links it; nothing else does.
//
//   const SelectorType* const entries[] = {&kVariance, &kCls};
//   const Catalog catalog(entries);
#ifndef WHITTLE_SELECT_CATALOG_H_
#define WHITTLE_SELECT_CATALOG_H_

#include <cstddef>

#include "whittle/base/span.h"
#include "whittle/select/selector.h"

namespace whittle {

class Catalog {
 public:
  // `codebook`: make_codebook, for an application that offers geometries other than the window.
  constexpr explicit Catalog(Span<const SelectorType* const> types,
                             CodebookMaker codebook = nullptr)
      : types_(types), codebook_(codebook) {}

  CodebookMaker codebook_maker() const { return codebook_; }

  constexpr std::size_t size() const { return types_.size(); }
  constexpr const SelectorType& operator[](std::size_t i) const { return *types_[i]; }
  // The selector called `id`, or nullptr.
  const SelectorType* find(const char* id) const;

 private:
  Span<const SelectorType* const> types_;
  CodebookMaker codebook_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_CATALOG_H_
