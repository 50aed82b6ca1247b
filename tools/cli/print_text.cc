// A ranking for people (table) and for spreadsheets (csv).
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>

#include "tools/cli/number.h"
#include "tools/cli/plot.h"
#include "tools/cli/result.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

std::string score_text(Real score, const char* none) {
  return has_score(score) ? format_real(score) : std::string(none);
}

std::string info_text(const Result::Info& info) {
  switch (info.kind) {
    case InfoKind::text:
      return info.text;
    case InfoKind::boolean:
      return info.number != 0 ? "yes" : "no";
    case InfoKind::integer:
      return std::to_string(std::llround(info.number));
    case InfoKind::list: {
      std::string text;
      for (const Real number : info.numbers) {
        text += (text.empty() ? "" : " ") + score_text(number, "-");
      }
      return text;
    }
    case InfoKind::real:
      break;
  }
  return score_text(info.number, "-");
}

void print_summary(const Plan& plan, const Result& result, std::ostream& out) {
  const Result::Samples& samples = result.samples;
  out << plan.config.selector->id << ", "
      << (plan.config.selector->direction == Direction::ascending ? "smaller" : "larger")
      << " is better; " << samples.labelled << " labelled, " << samples.unlabelled
      << " unlabelled, " << samples.universum << " universum";
  if (samples.refused > 0) out << ", " << samples.refused << " refused";
  if (plan.config.configured_memory().points) out << "; " << samples.held << " held";
  out << '\n';
  for (const Result::Info& info : result.info) out << info.name << ' ' << info_text(info) << '\n';
}

}  // namespace

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t have = width_of(text);
  return have < width ? text + std::string(width - have, ' ') : text;
}

std::string printable(const std::string& name) {
  std::string text = name;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && !text.empty() && text.front() != ' ' &&
      text.back() != ' ') {
    return text;
  }
  std::string quoted_text = "\"";
  for (const char c : text) {
    if (c == '"') quoted_text += '"';
    quoted_text += c;
  }
  return quoted_text + '"';
}

void print_table(const Plan& plan, const Result& result, std::ostream& out) {
  std::size_t name_width = 7;
  for (const std::string& name : plan.data.names) name_width = std::max(name_width, width_of(name));
  const std::size_t rank_width =
      std::max<std::size_t>(4, std::to_string(result.order.size()).size());
  out << padded("rank", rank_width) << "  " << padded("feature", name_width)
      << "  selected  score\n";
  for (std::size_t place = 0; place < result.order.size(); ++place) {
    const std::uint32_t feature = result.order[place];
    out << std::setw(static_cast<int>(rank_width)) << place + 1 << "  "
        << padded(printable(plan.data.names[feature]), name_width) << "  "
        << (result.selected[feature] ? "yes       " : "no        ")
        << score_text(result.scores[feature], "-") << '\n';
  }
}

void print_csv(const Plan& plan, const Result& result, std::ostream& out) {
  out << "rank,index,name,score,selected\n";
  for (std::size_t place = 0; place < result.order.size(); ++place) {
    const std::uint32_t feature = result.order[place];
    out << place + 1 << ',' << feature << ',' << csv_text(plan.data.names[feature]) << ','
        << score_text(result.scores[feature], "") << ','
        << (result.selected[feature] ? "true" : "false") << '\n';
  }
}

void print(Format format, const Plan& plan, const Result& result, const Console& console,
           bool plot) {
  switch (format) {
    case Format::table:
      print_summary(plan, result, console.out);
      if (plot && console.out_columns > 0) {
        print_plot(plan, result, console.out_columns, console.out_is_utf8, console.out);
      } else {
        print_table(plan, result, console.out);
      }
      print_model_table(plan, result, console.out);
      break;
    case Format::json:
      return print_json(plan, result, console.out);
    case Format::csv:
      if (result.predictions || result.memberships) {
        print_model_csv(plan, result, console.out);
      } else {
        print_csv(plan, result, console.out);
      }
      break;
  }
  report_accuracy(plan, result, console);
}

}  // namespace whittle::cli
