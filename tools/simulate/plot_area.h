// PlotArea: the frame of a chart: where values lie, its ticks and its labels.
#ifndef WHITTLE_TOOLS_SIMULATE_PLOT_AREA_H_
#define WHITTLE_TOOLS_SIMULATE_PLOT_AREA_H_

#include <string>
#include <vector>

#include "tools/simulate/charts.h"

namespace whittle::simulate {

struct Range {
  double low = 0, high = 1;
  bool empty = true;
  void add(double value);
  // Some room on both sides; never without width.
  void widen(bool from_zero);
};

struct Box {  // in units of the chart
  double left = 44, top = 14, width = 276, height = 140;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

class PlotArea {
 public:
  PlotArea(const Axes& axes, Range x, Range y, Box box = {});

  double x(double value) const;
  double y(double value) const;
  // Grid, tick labels, names of the axes, the drift and the alarms. No ticks for an empty y.
  std::string frame() const;
  // The figure around what was drawn.
  std::string figure(const std::string& drawn, const std::string& legend = "") const;

 private:
  const Axes& axes_;
  Range x_, y_;
  Box box_;
};

// Round numbers in the range, about `count` of them.
std::vector<double> ticks_of(const Range& range, int count);

std::string svg_number(double value);
std::string svg_text(double x, double y, const char* anchor, const std::string& text);

// Style of a series: the colours are Okabe and Ito's, darkened where they were faint on white.
const char* colour_of(std::size_t style);
const char* dashes_of(std::size_t style);
std::string mark_of(std::size_t style, double x, double y, double size);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_PLOT_AREA_H_
