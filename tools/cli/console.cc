#include "tools/cli/console.h"

#include <ostream>
#include <utility>

namespace whittle::cli {

void warn(const Console& console, const std::string& text) {
  console.err << "whittle: warning: " << text << '\n';
}

Progress::Progress(const Console& console, std::string what, std::size_t total)
    : console_(console),
      what_(std::move(what)),
      total_(total),
      next_(Clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) console_.err << "\r\033[K" << std::flush;
}

void Progress::update(std::size_t done) {
  if (!console_.err_is_terminal) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  console_.err << "\r\033[K" << what_ << ' ' << done << " of " << total_ << " ("
               << (total_ > 0 ? 100 * done / total_ : 100) << " %)" << std::flush;
}

}  // namespace whittle::cli
