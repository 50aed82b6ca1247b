// No allocation after start: a stream through every selector, ranking included, while the
// program's own malloc and operator new count their calls.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "tests/shared/test_streams.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/select/all_selectors.h"

static long allocations = 0;

// The linker sends malloc and its kin here (--wrap).
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* block, std::size_t size);
void* __wrap_malloc(std::size_t size) {
  ++allocations;
  return __real_malloc(size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __real_calloc(count, size);
}
void* __wrap_realloc(void* block, std::size_t size) {
  ++allocations;
  return __real_realloc(block, size);
}
}

void* operator new(std::size_t size) {
  ++allocations;
  return __real_malloc(size);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace whittle::testing {
namespace {

TEST(NoAllocation, IsCounted) {
  const long before = allocations;
  // Through a volatile pointer: a pair of new and delete may be optimised away.
  int* volatile one = new int(1);
  delete one;
  EXPECT_GT(allocations, before);
}

TEST(NoAllocation, AfterStart) {
  StreamShape shape;
  shape.rows = 120;
  shape.features = 9;
  const std::vector<Row> rows = make_stream(shape);
  for (const SelectorType* type : kAllSelectors) {
    RankerConfig config(*type, kAllParts);
    config.memory.features = 9;
    config.memory.classes = 2;
    config.memory.labelled = 8;
    config.memory.window = 16;
    std::vector<unsigned char> buffer(FeatureRanker::required_bytes(config));
    const long before = allocations;
    Arena arena(buffer.data(), buffer.size());
    FeatureRanker ranker;
    bool ok = ranker.create(arena, config).ok();
    for (const Row& row : rows) ok = ranker.observe(row.sample()).ok() && ok;
    ok = !ranker.observe(Row().sample()).ok() && ok;
    ranker.refine(20);
    ok = ranker.rank(3).ok() && ok;
    EXPECT_EQ(allocations, before) << type->id;
    EXPECT_TRUE(ok) << type->id;
  }
}

}  // namespace
}  // namespace whittle::testing
