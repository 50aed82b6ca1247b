// Simulates a few sensor nodes on a host: each is a real node, with its own arena and its own line
// in memory, that samples the same kind of signal with its own noise. Prints what each would keep,
// and what it costs in bytes.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "memory_line.h"
#include "signal_source.h"
#include "whittle/node/node.h"
#include "whittle/select/cls.h"
#include "whittle/wire/codec.h"

namespace {

constexpr std::uint32_t kFeatures = 12;
constexpr int kSamples = 300;

whittle::ToNode configure() {
  whittle::ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_configure_tag;
  whittle_v1_Configure& body = message.body.configure;
  body.features = kFeatures;
  body.classes = 2;
  body.labelled = 16;
  body.window = 48;
  std::snprintf(body.selector, sizeof body.selector, "%s", whittle::kCls.id);
  return message;
}

whittle::ToNode sample(const Reading& reading) {
  whittle::ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_sample_tag;
  whittle_v1_Sample& body = message.body.sample;
  body.count = kFeatures;
  body.features_count = kFeatures;
  for (std::uint32_t i = 0; i < kFeatures; ++i) body.features[i] = reading.values[i];
  if (reading.labelled) {
    body.kind = whittle_v1_Kind_LABELLED;
    body.has_label = true;
    body.label = reading.state;
  }
  return message;
}

whittle::ToNode query(std::uint32_t top) {
  whittle::ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_query_tag;
  message.body.query.top = top;
  return message;
}

}  // namespace

int main() {
  static constexpr const whittle::SelectorType* types[] = {&whittle::kCls};
  const whittle::Catalog catalog(types);
  for (std::uint64_t number = 1; number <= 3; ++number) {
    std::vector<unsigned char> arena(64 * 1024);
    MemoryLine line;
    whittle::Node node(line, catalog, arena.data(), arena.size());
    SignalSource signals(number, kFeatures);

    if (!line.ask(node, configure())) return 1;
    for (int i = 0; i < kSamples; ++i) {
      if (!line.ask(node, sample(signals.read()))) return 1;
    }
    if (!line.ask(node, query(4))) return 1;

    std::printf("node %llu keeps", static_cast<unsigned long long>(number));
    for (int i = 0; i < 4; ++i) std::printf(" %u", unsigned{line.ranking().order[i]});
    std::printf(" of %u; %zu bytes of arena, %zu up the line, %zu down\n", kFeatures,
                node.service().arena().used(), line.bytes_up(), line.bytes_down());
  }
}
