// soak moments|graph|counters SAMPLES: 0 if all was within bounds.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/soak/soak.h"

int main(int argc, char** argv) {
  const char* const what = argc == 3 ? argv[1] : "";
  const std::uint64_t samples = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 0;
  bool (*run)(std::uint64_t) = nullptr;
  if (std::strcmp(what, "moments") == 0) run = whittle::soak::soak_moments;
  if (std::strcmp(what, "graph") == 0) run = whittle::soak::soak_graph;
  if (std::strcmp(what, "counters") == 0) run = whittle::soak::soak_counters;
  if (run == nullptr || samples < 2) {
    std::fputs("soak moments|graph|counters SAMPLES\n", stderr);
    return 2;
  }
  const bool good = run(samples);
  std::printf("\n%s\n\n", good ? "Within bounds." : "NOT WITHIN BOUNDS.");
  return good ? 0 : 1;
}
