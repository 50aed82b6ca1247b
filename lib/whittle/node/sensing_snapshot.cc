// Sensing in a snapshot: what is saved as it is, and an image of the pruner and of all that lies in
// the buffer; and where it goes on after a restart.
#include <type_traits>

#include "whittle/base/digest.h"
#include "whittle/node/sensing.h"

namespace whittle {

struct Sensing::Saved {
  State state;
  PruningConfig config;  // 0 features: there is no policy
  ReadingRing::Position ring;
  std::uint32_t kept = 0;
  ImagePlace place;
  std::uint64_t digest = 0;
};

SnapshotPart& Sensing::part(const Node& node) {
  static_cast<void>(ready(node));
  return *this;
}

std::size_t Sensing::bytes() {
  return sizeof(Saved) + (service_.pruner().created() ? service_.image().size() : 0);
}

std::uint64_t Sensing::digest() const {
  Digest digest;
  service_.pruner().digest(digest);
  return digest.value();
}

Status Sensing::save(SlotWriter& out) {
  static_assert(std::is_trivially_copyable_v<Saved>, "saved as bytes");
  Saved saved;
  saved.state = state_;
  const bool created = service_.pruner().created();
  if (created) {
    saved.config = service_.pruner().config();
    saved.ring = ring_.position();
    saved.kept = ring_.places();
    saved.place = service_.image().place();
    saved.digest = digest();
  }
  const Status status = out.add({reinterpret_cast<const std::uint8_t*>(&saved), sizeof saved});
  return status.ok() && created ? out.add(service_.image()) : status;
}

Status Sensing::load(SlotReader& in) {
  Saved saved;
  Status status = in.read({reinterpret_cast<std::uint8_t*>(&saved), sizeof saved});
  if (status.ok() && saved.config.features > 0) status = load_pruner(in, saved);
  if (status.ok()) {
    state_ = saved.state;
  } else {
    withdraw();
  }
  return status;
}

Status Sensing::load_pruner(SlotReader& in, const Saved& saved) {
  if (saved.config.features != driver_.features()) {
    return {StatusCode::invalid_argument, "snapshot of other sensors: features",
            saved.config.features};
  }
  if (const Status status = service_.create(saved.config); !status.ok()) return status;
  if (const Status status = place(saved.kept); !status.ok()) return status;
  ObjectImage image = service_.image();
  const bool fits = in.left() == image.size() && ring_.resume(saved.ring);
  if (!fits) return {StatusCode::data_loss, "snapshot damaged: size of the role"};
  if (const Status status = in.read(saved.place, image); !status.ok()) return status;
  if (digest() == saved.digest) return {};
  return {StatusCode::data_loss, "snapshot damaged: digest of the role"};
}

void Sensing::resumed(std::uint64_t skip) {
  state_.samples += skip;
  first_new_ = state_.samples;
  sent_ = ring_.acked();
  resumed_ = service_.pruner().created();
  unsaved_ = true;
  patience_ = 0;
}

// What the host has taken, though the node, restarted, may not know of it.
void Sensing::let_go(const whittle_v1_Readings& readings) {
  if (readings.mask) {
    // Numbers that have been given twice all the same, since snapshots failed.
    if (resumed_) state_.dropped += ring_.readings(first_new_, readings.sample);
    ring_.let_go(readings.sample);
    if (resumed_) {
      ring_.skip_to(readings.acked);
      patience_ = 1;
      resumed_ = false;
      sent_ = 0;
    }
    if (sent_ < ring_.acked()) sent_ = ring_.acked();
  }
  if (state_.samples < readings.sample) state_.samples = readings.sample;
}

}  // namespace whittle
