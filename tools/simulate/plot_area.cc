#include "tools/simulate/plot_area.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tools/simulate/markup.h"

namespace whittle::simulate {
namespace {

constexpr double kWidth = 340;
constexpr const char* kColours[] = {"#444444", "#0072b2", "#b34700", "#00734f",
                                    "#a3397a", "#7a5c00", "#3b3b98", "#a00000"};
constexpr const char* kDashes[] = {"", "", "6 3", "2 2", "8 3 2 3", "4 4", "1 3", "10 4"};

// As few decimals as tell neighbouring ticks apart.
std::string tick_text(double value, double step) {
  const int decimals = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
  if (std::fabs(value) >= 1e6 || decimals > 4) {
    const double exponent = value == 0 ? 0 : std::floor(std::log10(std::fabs(value)));
    return decimal(value / std::pow(10, exponent), 1) + "e" + decimal(exponent, 0);
  }
  return decimal(value, decimals);
}

double step_of(const Range& range, int count) {
  const double raw = (range.high - range.low) / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * 1.0001) return factor * power;
  }
  return 10 * power;
}

std::string line(double x1, double y1, double x2, double y2, const char* look) {
  return "<line x1=\"" + svg_number(x1) + "\" y1=\"" + svg_number(y1) + "\" x2=\"" +
         svg_number(x2) + "\" y2=\"" + svg_number(y2) + "\" class=\"" + look + "\"/>\n";
}

}  // namespace

void Range::add(double value) {
  if (!std::isfinite(value)) return;
  low = empty ? value : std::min(low, value);
  high = empty ? value : std::max(high, value);
  empty = false;
}

void Range::widen(bool from_zero) {
  if (from_zero) low = std::min(low, 0.0), high = std::max(high, 0.0);
  const double width = high - low;
  const double room = width > 0 ? 0.06 * width : std::max(0.5, 0.1 * std::fabs(high));
  if (!from_zero || low < 0) low -= room;
  if (!from_zero || high > 0 || width == 0) high += room;
}

std::vector<double> ticks_of(const Range& range, int count) {
  const double step = step_of(range, count);
  std::vector<double> ticks;
  for (double k = std::ceil(range.low / step - 1e-9); k * step <= range.high + 1e-9 * step; ++k) {
    ticks.push_back(k * step);
  }
  return ticks;
}

std::string svg_number(double value) {
  std::string text = decimal(value, 1);
  if (text.size() > 2 && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string svg_text(double x, double y, const char* anchor, const std::string& text) {
  return "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" text-anchor=\"" + anchor +
         "\">" + escaped(text) + "</text>\n";
}

const char* colour_of(std::size_t style) { return kColours[style % std::size(kColours)]; }
const char* dashes_of(std::size_t style) { return kDashes[style % std::size(kDashes)]; }

std::string mark_of(std::size_t style, double x, double y, double size) {
  const std::string look = std::string("\" fill=\"") + colour_of(style) + "\"/>";
  const auto at = [&](double dx, double dy) {
    return svg_number(x + dx * size) + "," + svg_number(y + dy * size) + " ";
  };
  switch (style % 4) {
    case 0:
      return "<circle cx=\"" + svg_number(x) + "\" cy=\"" + svg_number(y) + "\" r=\"" +
             svg_number(size) + look;
    case 1:
      return "<polygon points=\"" + at(-1, -1) + at(1, -1) + at(1, 1) + at(-1, 1) + look;
    case 2:
      return "<polygon points=\"" + at(0, -1.2) + at(1.2, 1) + at(-1.2, 1) + look;
    default:
      return "<polygon points=\"" + at(0, -1.4) + at(1.4, 0) + at(0, 1.4) + at(-1.4, 0) + look;
  }
}

PlotArea::PlotArea(const Axes& axes, Range x, Range y, Box box)
    : axes_(axes), x_(x), y_(y), box_(box) {}

double PlotArea::x(double value) const {
  return box_.left + (value - x_.low) / (x_.high - x_.low) * box_.width;
}

double PlotArea::y(double value) const {
  const double share = (value - y_.low) / (y_.high - y_.low);
  return axes_.best_first ? box_.top + share * box_.height : box_.bottom() - share * box_.height;
}

std::string PlotArea::frame() const {
  std::string out;
  const double y_step = step_of(y_, 5), x_step = step_of(x_, 5);
  for (const double tick : y_.empty ? std::vector<double>() : ticks_of(y_, 5)) {
    out += line(box_.left, y(tick), box_.right(), y(tick), "grid");
    out += svg_text(box_.left - 4, y(tick) + 4, "end", tick_text(tick, y_step));
  }
  for (const double tick : ticks_of(x_, 5)) {
    out += line(x(tick), box_.bottom(), x(tick), box_.bottom() + 3, "axis");
    out += svg_text(x(tick), box_.bottom() + 14, "middle", tick_text(tick, x_step));
  }
  out += line(box_.left, box_.bottom(), box_.right(), box_.bottom(), "axis");
  out += svg_text(box_.right(), box_.bottom() + 28, "end", axes_.x);
  out += svg_text(2, box_.top - 4, "start", axes_.y);
  if (axes_.drift_at > 0) {
    out += line(x(axes_.drift_at), box_.top, x(axes_.drift_at), box_.bottom(), "drift");
    if (!y_.empty) out += svg_text(x(axes_.drift_at) + 3, box_.top + 10, "start", "drift");
  }
  for (const double alarm : axes_.alarms) {
    out += "<path class=\"alarm\" d=\"M" + svg_number(x(alarm)) + " " + svg_number(box_.top + 7) +
           "l-4 -7h8z\"/>\n";
  }
  return out;
}

std::string PlotArea::figure(const std::string& drawn, const std::string& legend) const {
  const std::string title = escaped(axes_.title);
  return "<figure><figcaption>" + title + "</figcaption><svg viewBox=\"0 0 " + svg_number(kWidth) +
         " " + svg_number(box_.bottom() + 34) + "\" role=\"img\" aria-label=\"" + title + "\">\n" +
         drawn + "</svg>" + legend + "</figure>\n";
}

}  // namespace whittle::simulate
