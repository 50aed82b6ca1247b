// Snapshots: whatever happens to the two slots (power cut while one is written or erased, bytes
// changed, slots copied over each other), what is restored is one of the states that were saved, or
// nothing; what was saved and not touched since is restored.
#include <cstring>
#include <memory>
#include <optional>

#include "tests/fuzz/fuzz_storage.h"
#include "tests/fuzz/messages.h"
#include "whittle/node/snapshots.h"
#include "whittle/select/all_selectors.h"

namespace whittle::fuzz {
namespace {

constexpr std::size_t kArenaBytes = 32768;

// A ranker made and fed by the input; restored ones are made of nothing but the storage.
struct Keeper {
  std::vector<std::uint64_t> buffer = std::vector<std::uint64_t>(kArenaBytes / 8);
  FeatureRanker ranker;
  Arena whole{buffer.data(), kArenaBytes};
  std::optional<RankerConfig> config;
};

class Script {
 public:
  explicit Script(Input input) : input_(input) {}

  void run() {
    if (!create()) return;
    while (!input_.empty()) step(input_.below(8));
    restore();
  }

 private:
  bool create() {
    ToNode message = {};
    make_configure(input_, message, shape_);
    const whittle_v1_Configure& asked = message.body.configure;
    for (const SelectorType* const type : kAllSelectors) {
      if (std::strcmp(type->id, asked.selector) != 0) continue;
      live_.config.emplace(*type, kAllParts);
      MemoryConfig& memory = live_.config->memory;
      memory.features = shape_.features;
      memory.classes = shape_.classes;
      memory.labelled = asked.labelled;
      memory.window = asked.window;
      memory.keep_distances = !asked.compute_distances;
      Arena arena = live_.whole;
      return live_.ranker.create(arena, *live_.config).ok();
    }
    return false;
  }

  void step(std::uint32_t what) {
    switch (what) {
      case 0:
      case 1:
        return observe();
      case 2:
        return save(FuzzStorage::kAlways);
      case 3:
        return save(input_.byte() * 64U + input_.byte());  // the power fails meanwhile
      case 4:
        return restore();
      case 5:
        (void)live_.ranker.refine(input_.below(8));
        return;
      default:
        return damage();
    }
  }

  void observe() {
    for (std::uint32_t count = input_.below(16); count > 0; --count) {
      ToNode message = {};
      make_sample(input_, shape_, message);
      const whittle_v1_Sample& made = message.body.sample;
      const std::vector<Real> values(made.features, made.features + shape_.features);
      Sample sample;
      sample.features = Span<const Real>(values.data(), values.size());
      sample.kind = static_cast<SampleKind>(made.kind);
      sample.label = made.label;
      sample.id = ++seq_;
      (void)live_.ranker.observe(sample);  // a refused one changes nothing
    }
  }

  void save(std::size_t bytes) {
    storage_.left = bytes;
    Snapshots snapshots(storage_, kHere);
    const Status status = snapshots.save(&live_.ranker, live_.whole, &*live_.config, seq_);
    storage_.left = FuzzStorage::kAlways;
    saved_.push_back(live_.ranker.state_digest());
    if (status.ok()) {
      kept_ = saved_.back();
      touched_ = false;
    }
  }

  void damage() {
    Bytes& slot = storage_.slots[input_.below(kSlots)];
    const std::size_t at = input_.byte() * 256U + input_.byte();
    switch (input_.below(3)) {
      case 0:
        slot[at] ^= static_cast<std::uint8_t>(input_.byte() | 1U);
        break;
      case 1:
        std::fill(slot.begin() + static_cast<std::ptrdiff_t>(at), slot.end(), input_.byte());
        break;
      default:
        slot = storage_.slots[input_.below(kSlots)];
        break;
    }
    touched_ = true;
  }

  void restore() {
    Keeper fresh;
    Arena arena = fresh.whole;
    Snapshots snapshots(storage_, kHere);
    const Status status = snapshots.restore(fresh.ranker, arena, fresh.config);
    require(status.ok() || !fresh.ranker.created(), "what is refused leaves no ranker");
    require(touched_ || !kept_ || status.ok(), "what was saved is restored");
    if (!status.ok() || !fresh.ranker.created()) return;
    const std::uint64_t digest = fresh.ranker.state_digest();
    require(std::find(saved_.begin(), saved_.end(), digest) != saved_.end(),
            "what is restored was saved");
    (void)fresh.ranker.refine(1);
    (void)fresh.ranker.rank(0);
  }

  Input input_;
  Shape shape_;
  FuzzStorage storage_;
  Keeper live_;
  std::uint64_t seq_ = 0;
  std::vector<std::uint64_t> saved_;   // digests of all that was tried to save
  std::optional<std::uint64_t> kept_;  // of the one that save() has reported last
  bool touched_ = false;               // by more than power cuts, since
};

}  // namespace
}  // namespace whittle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::make_unique<whittle::fuzz::Script>(whittle::fuzz::Input(data, size))->run();
  return 0;
}
