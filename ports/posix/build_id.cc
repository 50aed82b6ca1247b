#include "ports/posix/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstring>

namespace whittle::posix {
namespace {

using Id = Span<const std::uint8_t>;

std::size_t padded(std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; }

// The GNU build id among the notes of a segment; empty if there is none.
Id find_in(Id notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t name = sizeof note;
    const std::size_t id = name + padded(note.n_namesz);
    const std::size_t next = id + padded(note.n_descsz);
    if (next > notes.size()) return {};
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
        std::memcmp(notes.data() + name, "GNU", sizeof "GNU") == 0) {
      return notes.subspan(id, note.n_descsz);
    }
    notes = notes.subspan(next, notes.size() - next);
  }
  return {};
}

// Called with the program first, then with its libraries.
int look_at(dl_phdr_info* object, std::size_t /*size*/, void* found) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* const notes =
        // NOLINTNEXTLINE(performance-no-int-to-ptr): where the loader put it
        reinterpret_cast<const std::uint8_t*>(object->dlpi_addr + segment.p_vaddr);
    const Id id = find_in(Id(notes, segment.p_memsz));
    if (!id.empty()) *static_cast<Id*>(found) = id;
  }
  return 1;  // no further
}

}  // namespace

Span<const std::uint8_t> build_id() {
  Id id;
  ::dl_iterate_phdr(look_at, &id);
  return id;
}

}  // namespace whittle::posix
