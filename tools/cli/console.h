// Console: where a command reads and writes. Tests hand in string streams.
#ifndef WHITTLE_TOOLS_CLI_CONSOLE_H_
#define WHITTLE_TOOLS_CLI_CONSOLE_H_

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>

namespace whittle::cli {

struct Console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  std::size_t out_columns = 0;  // of the terminal that the output goes to; 0: it goes elsewhere
  bool out_is_utf8 = false;     // it shows what is not ASCII
};

void warn(const Console& console, const std::string& text);
// What is no fault, but good to know. Seen at once.
void note(const Console& console, const std::string& text);

// Shows how far a long piece of work is, on a terminal and from its second second on: "samples 50
// of 200 (25 %)", or "rows read 50" where the total is not known.
class Progress {
 public:
  Progress(const Console& console, std::string what, std::size_t total);
  Progress(const Console& console, std::string what) : Progress(console, std::move(what), 0) {}
  ~Progress();  // removes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::size_t done);

 private:
  using Clock = std::chrono::steady_clock;
  const Console& console_;
  std::string what_;
  std::size_t total_;
  Clock::time_point next_;
  bool shown_ = false;
};

// Shows on a terminal, while it lives, what a piece of work is that cannot say how far it is.
class Notice {
 public:
  Notice(const Console& console, const std::string& what);
  ~Notice();
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;

 private:
  const Console& console_;
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_CONSOLE_H_
