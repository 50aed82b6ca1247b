#include "whittle/select/catalog.h"

#include "whittle/base/same_text.h"

namespace whittle {

const SelectorType* Catalog::find(const char* id) const {
  for (const SelectorType* type : types_) {
    if (same_text(type->id, id)) return type;
  }
  return nullptr;
}

}  // namespace whittle
