#include "tools/cli/console.h"

#include <ostream>
#include <utility>

namespace whittle::cli {
namespace {

constexpr char kClear[] = "\r\033[K";  // the line on a terminal

}  // namespace

void warn(const Console& console, const std::string& text) {
  console.err << "whittle: warning: " << text << '\n';
}

void note(const Console& console, const std::string& text) {
  console.err << "whittle: note: " << text << '\n' << std::flush;
}

Progress::Progress(const Console& console, std::string what, std::size_t total)
    : console_(console),
      what_(std::move(what)),
      total_(total),
      next_(Clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) console_.err << kClear << std::flush;
}

void Progress::update(std::size_t done) {
  if (!console_.err_is_terminal) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  console_.err << kClear << what_ << ' ' << done;
  if (total_ > 0) console_.err << " of " << total_ << " (" << 100 * done / total_ << " %)";
  console_.err << std::flush;
}

Notice::Notice(const Console& console, const std::string& what) : console_(console) {
  if (console_.err_is_terminal) console_.err << kClear << what << std::flush;
}

Notice::~Notice() {
  if (console_.err_is_terminal) console_.err << kClear << std::flush;
}

}  // namespace whittle::cli
