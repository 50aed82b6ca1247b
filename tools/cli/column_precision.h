// ColumnPrecision: what the core's precision leaves of the columns of a file. It is told from some
// of the rows: from all of a small file, from a random choice of a large one.
#ifndef WHITTLE_TOOLS_CLI_COLUMN_PRECISION_H_
#define WHITTLE_TOOLS_CLI_COLUMN_PRECISION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace whittle::cli {

class ColumnPrecision {
 public:
  // One value per column, NaN if it is missing.
  void add(const std::vector<double>& row);

  // If half of a column's different values or more lie within 512 distances of neighbouring Reals,
  // wherever the others are, and rounding has moved one of them: that distance. Values that differ
  // by the rounding of double precision only do not count.
  struct Coarse {
    double step;
    std::vector<double> apart;  // values far from the others, if they are few
  };
  std::optional<Coarse> coarse(std::size_t column) const;

  // A cell of the row to be added next is not 0, but is as a Real.
  void vanishes(std::size_t column, std::size_t line);

  // The cells that vanish, if the column has no value beside which they are nothing anyway: none of
  // a normal Real's size.
  struct Vanished {
    std::size_t cells = 0;
    std::size_t line = 0;  // of the first
  };
  std::optional<Vanished> vanished(std::size_t column) const;

 private:
  std::vector<double> different_values(std::size_t column) const;  // that are finite, ascending

  std::vector<std::vector<double>> kept_;
  std::map<std::size_t, Vanished> vanished_;  // by column
  std::vector<bool> normal_;                  // by column: whether it has such a value
  std::uint64_t rows_ = 0;
  std::minstd_rand random_;
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_COLUMN_PRECISION_H_
