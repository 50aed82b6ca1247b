// Codebook: an online self-organising map of K units. Unlabelled samples that the memory does not
// keep train it, one at a time, so that K prototypes stand for all of them.
//
// Units sit on a rectangular grid of ceil(sqrt K) columns; where these do not divide K (a prime,
// say), the last row is shorter. The first K samples become the prototypes: each takes the free
// cell nearest on the grid to that of the prototype nearest to it (equally near: the lower cell),
// so that the map starts unfolded. From then on a sample x moves the winner v and the units beside
// it:
//   v = argmin_z |x - c_z|^2 sqrt(wins_z)
//   s_z <- min(s_z + tau_z, 5), then c_z += (tau_z / s_z) (x - c_z); s_z = 1 at first
//   tau_z = 1 for v, exp(-1 / (2 T^2)) beside it, T = e^-t after t K further samples
// Neighbours whose tau is below 0.2 stay, so a sample moves at most 5 prototypes, and after 0.58 K
// samples one. s_z, the sum of tau, makes c_z the weighted mean of [T] (3.14), section 3.3.2.
//
// A winner with more than 4 times its share of the wins, trained / K, has alone a part of the
// stream that came late. Then, unless x lies on it, it stays, and the unit with the fewest wins
// (equal: the first) goes to x and takes half of the winner's wins.
//
// Departures from [T]: tau is Gaussian in the grid distance (printed: exp(-d / 2T^2)) and ends at
// the adjacent cells; s_z stops at 5, so that prototypes follow a stream that drifts; the winner is
// chosen with a conscience, sqrt(wins) (Ahalt et al., 1990), and helped if it wins too much. So
// units come to win alike, and go where the samples are even if these come sorted: scores count
// every point once, which is right if all prototypes stand for equally many samples.
// tools/evidence measures how close the scores come.
//
// Missing values (NaN): distances over the present coordinates times m over their number; a missing
// coordinate of x moves nothing, and one of a prototype takes the first value that comes.
//
// Cost of train: K m + K operations, 5 m more for the moves. Memory: 16 bytes (20 for double) a
// unit beside the K m Reals of the prototypes, which belong to the caller. Misleads where cells are
// wide: a prototype is a mean, and has less noise than a sample.
#ifndef WHITTLE_MEMORY_CODEBOOK_H_
#define WHITTLE_MEMORY_CODEBOOK_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/memory/memory_config.h"

namespace whittle {

class Codebook {
 public:
  static constexpr std::size_t kMostMoved = 5;  // prototypes that one sample moves

  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    const std::size_t units = config.units();
    return ByteCount{}
        .array<Real>(units)
        .array<std::uint32_t>(units)
        .array<std::uint32_t>(units)
        .array<std::uint32_t>(units)
        .total();
  }
  // `prototypes`: K x m Reals by unit, written only here, which live as long as the codebook.
  void place(Arena& arena, const MemoryConfig& config, Real* prototypes);

  // Trains the map with a sample of m scaled features, some of which may be missing and none of
  // which is infinite; it must not lie in a prototype. Does nothing if K is 0. Calls moved(unit)
  // for each prototype that is new (its unit was size() before) or changed, the winner first, right
  // after its coordinates have changed and before the next one's do.
  template <typename Moved>
  void train(const Real* x, Moved moved) {
    const Span<const Step> steps = choose(x);
    for (const Step& step : steps) {
      if (move(step, x)) moved(step.unit);
    }
  }

  std::size_t size() const { return size_; }                           // prototypes there are
  std::size_t capacity() const { return wins_.size(); }                // K
  std::uint64_t trained() const { return trained_; }                   // samples
  std::uint32_t wins(std::size_t unit) const { return wins_[unit]; }   // sticks at the largest
  std::uint32_t cell(std::size_t unit) const { return cells_[unit]; }  // row by row
  std::size_t columns() const { return columns_; }
  const Real* prototype(std::size_t unit) const { return prototypes_ + unit * features_; }

  void digest(Digest& digest) const;

 private:
  struct Step {
    std::uint32_t unit;
    Real rate;  // of the way to the sample; 1: it becomes the prototype
  };

  Span<const Step> choose(const Real* x);
  bool move(const Step& step, const Real* x);
  Real squared_distance_to(std::size_t unit, const Real* x) const;
  std::uint32_t nearest(const Real* x) const;
  std::uint32_t winner(const Real* x) const;
  void grow(const Real* x);
  std::uint32_t free_cell_near(std::uint32_t cell) const;
  bool relieve(std::uint32_t unit, const Real* x);
  void add_step(std::uint32_t unit, Real weight);
  void add_neighbours(std::uint32_t unit);

  std::size_t features_ = 0;
  std::uint32_t columns_ = 0;
  std::uint32_t size_ = 0;
  std::uint64_t trained_ = 0;
  Real* prototypes_ = nullptr;   // K x m
  Span<Real> weights_;           // s, by unit
  Span<std::uint32_t> wins_;     // by unit
  Span<std::uint32_t> cells_;    // by unit
  Span<std::uint32_t> units_;    // by cell; kNoUnit if it is free
  Step steps_[kMostMoved] = {};  // of the sample at hand
  std::size_t step_count_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_CODEBOOK_H_
