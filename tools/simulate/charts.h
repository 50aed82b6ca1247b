// Charts as SVG, 340 units wide so that their text is readable where a phone shows them 1:1. What
// colours tell, dashes, marks or words tell too.
#ifndef WHITTLE_TOOLS_SIMULATE_CHARTS_H_
#define WHITTLE_TOOLS_SIMULATE_CHARTS_H_

#include <cstddef>
#include <string>
#include <vector>

namespace whittle::simulate {

struct Series {
  std::string name;
  std::vector<double> values;  // NaN: none
  std::size_t style = 0;       // colour, dashes and mark
};

struct Axes {
  std::string title;
  std::string x, y;              // what they are, and the unit
  bool from_zero = false;        // y
  bool best_first = false;       // y grows downwards: ranks
  double drift_at = 0;           // a line across, unless 0
  std::vector<double> alarms{};  // marks at the top
};

// A legend below names the series.
std::string line_chart(const Axes& axes, const std::vector<double>& x,
                       const std::vector<Series>& series);

struct Point {
  std::string name;
  double x = 0, y = 0;
  std::size_t style = 0;
};
std::string scatter_chart(const Axes& axes, const std::vector<Point>& points);

struct Bar {
  std::string name;
  double value = 0;
  bool marked = false;  // full colour, and a tick
};
std::string bar_chart(const Axes& axes, const std::vector<Bar>& bars);

// Rows of shares 0..1 over x.
struct Band {
  std::string name;
  std::vector<double> shares;
};
std::string band_chart(const Axes& axes, const std::vector<double>& x,
                       const std::vector<Band>& bands);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_CHARTS_H_
