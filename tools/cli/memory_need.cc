#include "tools/cli/memory_need.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "tools/cli/error.h"
#include "whittle/base/arena.h"

namespace whittle::cli {
namespace {

// What is named frees at least this part of all bytes when it is halved.
constexpr std::size_t kWorthNaming = 10;

[[noreturn]] void refuse(const MemoryNeed& need, const std::string& why) {
  const std::string file =
      need.file_bytes == 0 ? "" : " beside the " + std::to_string(need.file_bytes) + " of the file";
  throw Error(need.who + " needs " + std::to_string(need.bytes) + " bytes" + file + ", " + why +
              need.advice);
}

using Size = std::uint32_t MemoryConfig::*;

constexpr struct {
  const char* name;
  Size size;
} kParameters[] = {{"window", &MemoryConfig::window},
                   {"labelled", &MemoryConfig::labelled},
                   {"codebook", &MemoryConfig::codebook},
                   {"pairs", &MemoryConfig::pairs}};

// But for what there has to be.
void halve(Size size, MemoryConfig* memory) {
  const std::uint32_t least = size == &MemoryConfig::labelled ? memory->classes : 1;
  memory->*size = std::min(memory->*size, std::max(memory->*size / 2, least));
}

std::size_t freed_by(const RankerConfig& config, const RankerConfig& less) {
  const std::size_t all = FeatureRanker::required_bytes(config);
  return all - std::min(all, FeatureRanker::required_bytes(less));
}

// Whether halving the number of columns frees more than halving all that is a parameter.
bool columns_drive(const RankerConfig& config) {
  RankerConfig narrow = config, small = config;
  halve(&MemoryConfig::features, &narrow.memory);
  for (const auto& parameter : kParameters) halve(parameter.size, &small.memory);
  return freed_by(config, narrow) > freed_by(config, small);
}

}  // namespace

void check_memory(const MemoryNeed& need) {
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  const std::size_t machine = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (need.bytes < machine - std::min(machine, need.file_bytes)) return;
  refuse(need, "the machine has " + std::to_string(machine));
}

void refuse_memory(const MemoryNeed& need) { refuse(need, "this program does not get as much"); }

std::unique_ptr<unsigned char[]> allocate(const MemoryNeed& need) {
  check_memory(need);
  std::unique_ptr<unsigned char[]> buffer(
      new (std::nothrow) unsigned char[need.bytes + kArenaAlignment]);
  if (!buffer) refuse_memory(need);
  return buffer;
}

std::string memory_advice(const RankerConfig& config, const std::string& before,
                          const std::string& after) {
  const auto now = [&](Size size) { return " (now " + std::to_string(config.memory.*size) + ")"; };
  std::vector<std::pair<std::size_t, std::string>> drivers;  // bytes freed, and by what
  for (const auto& [name, size] : kParameters) {
    RankerConfig less = config;
    halve(size, &less.memory);
    std::string driver = before;
    driver += name + after + now(size);
    drivers.emplace_back(freed_by(config, less), std::move(driver));
  }
  std::stable_sort(drivers.begin(), drivers.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  const auto add = [&](const std::string& driver) {
    text += text.empty() ? "; " + driver + " takes most" : ", then " + driver;
  };
  if (columns_drive(config)) add("the number of columns" + now(&MemoryConfig::features));
  const std::size_t least = FeatureRanker::required_bytes(config) / kWorthNaming;
  for (const auto& [freed, driver] : drivers) {
    if (freed > 0 && freed >= least) add(driver);
  }
  return text;
}

}  // namespace whittle::cli
