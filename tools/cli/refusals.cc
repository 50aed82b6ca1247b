#include "tools/cli/refusals.h"

#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

constexpr std::size_t kShown = 3;
constexpr char kInAll[] = " in all; the ranking is of the others";

}  // namespace

void Refusals::List::add(const std::string& text) {
  ++count;
  if (first.size() < kShown) first.push_back(text);
}

void Refusals::List::report(const Console& console, std::size_t all, const char* noun,
                            const std::string& of_what) const {
  for (const std::string& text : first) warn(console, text);
  if (all > first.size()) warn(console, counted(all, noun) + " refused" + of_what);
}

void Refusals::resumed(const std::vector<Step>& script, std::size_t steps) {
  since_.clear();
  for (std::size_t i = 0; i < steps; ++i) {
    if (script[i].kind != Step::Kind::sample) continue;
    since_ = " since the stream went on after " + plan_.data.where(script[i].index);
  }
}

void Refusals::add(const Step& step, StatusCode code, const std::string& reason) {
  List& list = step.kind == Step::Kind::sample  ? samples_
               : step.kind == Step::Kind::pair  ? pairs_
               : step.kind == Step::Kind::label ? labels_
                                                : rescalings_;
  list.add(about(step, code, reason));
}

// Ids differ between here and a node; rows do not.
std::string Refusals::about(const Step& step, StatusCode code, const std::string& reason) const {
  const Dataset& data = plan_.data;
  const bool gone = code == StatusCode::not_found;
  switch (step.kind) {
    case Step::Kind::sample:
      if (code == StatusCode::invalid_argument) {
        return data.not_taken(step.index, "sample refused", reason);
      }
      return data.where(step.index) + ": sample refused: " + reason;
    case Step::Kind::pair: {
      const Pair& pair = plan_.pairs.list[step.index];
      return plan_.pairs.where(step.index) + ": pair refused, rows " +
             std::to_string(pair.earlier + 1) + " and " + std::to_string(pair.later + 1) + ": " +
             (gone ? "not both are held when the later one has come (--param window=N and "
                     "labelled=N say how many are), or one was refused"
                   : reason);
    }
    case Step::Kind::label:
      return data.where(step.index) + ": label refused: " +
             (gone ? "its sample is no longer held when it comes (--param window=N says how many "
                     "are), or was refused"
                   : reason);
    case Step::Kind::rescale:
      break;
  }
  return data.where(step.index) + ": rescaling refused: " + reason;
}

void Refusals::report_others(const Console& console, const std::string& of_what) const {
  pairs_.report(console, pairs_.count, "pair", of_what);
  labels_.report(console, labels_.count, "label", of_what);
  rescalings_.report(console, rescalings_.count, "rescaling", of_what);
}

std::string Refusals::of_what_is_known() const {
  return since_.empty() ? kInAll : since_ + "; the ranking is without them";
}

void Refusals::report(const Console& console, std::size_t samples) const {
  samples_.report(console, samples, "sample", kInAll);
  report_others(console, of_what_is_known());
}

void Refusals::report(const Console& console) const {
  samples_.report(console, samples_.count, "sample", of_what_is_known());
  report_others(console, of_what_is_known());
}

}  // namespace whittle::cli
