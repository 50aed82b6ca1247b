#include "tools/simulate/charts.h"

#include <algorithm>
#include <cmath>

#include "tools/simulate/markup.h"
#include "tools/simulate/plot_area.h"

namespace whittle::simulate {
namespace {

constexpr std::size_t kMarks = 8;  // along a line

// What a name needs of the chart's left side, at 11 units a letter high.
std::string shortened(const std::string& name, std::size_t most) {
  std::string out;
  std::size_t letters = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(name[i]) & 0xC0) != 0x80;
    if (starts && ++letters > most) return out + "…";
    out += name[i];
  }
  return out;
}

std::string path_of(const PlotArea& area, const std::vector<double>& x, const Series& series) {
  std::string path;
  bool drawing = false;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    if (!std::isfinite(series.values[i])) {
      drawing = false;
      continue;
    }
    path += (drawing ? "L" : "M") + svg_number(area.x(x[i])) + " " +
            svg_number(area.y(series.values[i]));
    drawing = true;
  }
  return "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour_of(series.style) +
         "\" stroke-width=\"1.6\" stroke-dasharray=\"" + dashes_of(series.style) + "\"/>\n";
}

std::string legend_of(const std::vector<Series>& series) {
  std::string out = "<ul class=\"legend\">";
  for (const Series& one : series) {
    out += "<li><svg viewBox=\"0 0 26 10\" aria-hidden=\"true\"><path d=\"M0 5H26\" stroke=\"" +
           std::string(colour_of(one.style)) + "\" stroke-width=\"1.6\" stroke-dasharray=\"" +
           dashes_of(one.style) + "\"/>" + mark_of(one.style, 13, 5, 3) + "</svg>" +
           escaped(one.name) + "</li>";
  }
  return out + "</ul>";
}

Range range_of(const std::vector<double>& values) {
  Range range;
  for (const double value : values) range.add(value);
  return range;
}

const char* shade_of(double share) {
  static constexpr const char* kShades[] = {"#f2f2f2", "#c6dbef", "#7fb2d9", "#3b85bd", "#0b4f8a"};
  return kShades[std::isnan(share) ? 0 : static_cast<std::size_t>(std::lround(4 * share))];
}

}  // namespace

std::string line_chart(const Axes& axes, const std::vector<double>& x,
                       const std::vector<Series>& series) {
  Range across = range_of(x), up;
  across.add(0);
  for (const Series& one : series) {
    for (const double value : one.values) up.add(value);
  }
  up.widen(axes.from_zero);
  const PlotArea area(axes, across, up);
  std::string drawn = area.frame();
  for (const Series& one : series) {
    drawn += path_of(area, x, one);
    const std::size_t every = std::max<std::size_t>(1, x.size() / kMarks);
    for (std::size_t i = one.style % every; i < x.size(); i += every) {
      if (std::isfinite(one.values[i])) {
        drawn += mark_of(one.style, area.x(x[i]), area.y(one.values[i]), 2.5);
      }
    }
  }
  return area.figure(drawn, legend_of(series));
}

std::string scatter_chart(const Axes& axes, const std::vector<Point>& points) {
  Range across, up;
  std::vector<Series> names;
  for (const Point& point : points) {
    across.add(point.x);
    up.add(point.y);
    names.push_back({point.name, {}, point.style});
  }
  across.widen(false);
  up.widen(false);
  const PlotArea area(axes, across, up);
  std::string drawn = area.frame();
  for (const Point& point : points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    drawn += mark_of(point.style, area.x(point.x), area.y(point.y), 5);
  }
  return area.figure(drawn, legend_of(names));
}

std::string bar_chart(const Axes& axes, const std::vector<Bar>& bars) {
  constexpr double kRow = 14;
  Box box;
  box.left = 110;
  box.width = 180;
  box.height = kRow * static_cast<double>(bars.size());
  Range across;
  for (const Bar& bar : bars) across.add(bar.value);
  if (across.empty) across.add(0);
  across.low = std::min(across.low, 0.0);
  across.high = std::max(across.high, across.low + 1e-12);
  const PlotArea area(axes, across, {0, static_cast<double>(bars.size()), false}, box);
  std::string drawn = svg_text(2, box.top - 4, "start", axes.y);
  drawn += svg_text(box.right(), box.bottom() + 14, "end", axes.x);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const Bar& bar = bars[i];
    const double top = box.top + kRow * static_cast<double>(i);
    const std::string name = (bar.marked ? "✓ " : "") + shortened(bar.name, 13);
    drawn += svg_text(box.left - 4, top + 11, "end", name);
    if (!std::isfinite(bar.value)) continue;
    const double from = std::min(area.x(0), area.x(bar.value));
    const double length = std::fabs(area.x(bar.value) - area.x(0));
    drawn += "<rect x=\"" + svg_number(from) + "\" y=\"" + svg_number(top + 2) + "\" width=\"" +
             svg_number(length) + "\" height=\"10\" fill=\"" +
             (bar.marked ? "#0072b2" : "#b8b8b8") + "\"/>\n";
    drawn += svg_text(area.x(std::max(bar.value, 0.0)) + 3, top + 11, "start",
                      decimal(bar.value, std::fabs(bar.value) < 10 ? 3 : 1));
  }
  return area.figure(drawn);
}

std::string band_chart(const Axes& axes, const std::vector<double>& x,
                       const std::vector<Band>& bands) {
  constexpr double kRow = 12;
  Box box;
  box.left = 92;
  box.width = 228;
  box.height = kRow * static_cast<double>(bands.size());
  Range across = range_of(x);
  across.add(0);
  Axes bare = axes;
  bare.y.clear();
  const Range rows{0, 1, true};
  const PlotArea area(bare, across, rows, box);
  std::string drawn;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const Band& band = bands[i];
    const double top = box.top + kRow * static_cast<double>(i);
    drawn += svg_text(box.left - 4, top + 10, "end", shortened(band.name, 13));
    for (std::size_t first = 0; first < x.size();) {
      std::size_t last = first;  // equal shades in one piece
      const char* const shade = shade_of(band.shares[first]);
      while (last + 1 < x.size() && shade_of(band.shares[last + 1]) == shade) ++last;
      const double from = area.x(first == 0 ? 0 : x[first - 1]);
      drawn += "<rect x=\"" + svg_number(from) + "\" y=\"" + svg_number(top + 1) + "\" width=\"" +
               svg_number(area.x(x[last]) - from) + "\" height=\"" + svg_number(kRow - 2) +
               "\" fill=\"" + shade + "\"/>\n";
      first = last + 1;
    }
  }
  drawn += area.frame();
  std::string legend = "<ul class=\"legend\">";
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    legend += std::string("<li><span class=\"shade\" style=\"background:") + shade_of(share) +
              "\"></span>" + decimal(100 * share, 0) + " %</li>";
  }
  return area.figure(drawn, legend + "<li>of the samples have it</li></ul>");
}

}  // namespace whittle::simulate
