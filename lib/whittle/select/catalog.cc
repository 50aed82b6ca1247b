#include "whittle/select/catalog.h"

#include <cstring>

namespace whittle {

const SelectorType* Catalog::find(const char* id) const {
  for (const SelectorType* type : types_) {
    if (std::strcmp(type->id, id) == 0) return type;
  }
  return nullptr;
}

}  // namespace whittle
