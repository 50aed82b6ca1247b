// ChildProcess: a program started with a line to its standard input and output.
#ifndef WHITTLE_PORTS_POSIX_CHILD_PROCESS_H_
#define WHITTLE_PORTS_POSIX_CHILD_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "ports/posix/fd_stream.h"
#include "ports/posix/unique_fd.h"

namespace whittle::posix {

// Ends and reaps the program when destroyed; the program also ends when this process does.
class ChildProcess : public ByteStream {
 public:
  // Starts command[0], found on the PATH; `name` stands for it in messages. Throws LineError.
  ChildProcess(const std::vector<std::string>& command, std::string name);
  ~ChildProcess() override;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // When the program has ended, LineError tells what it wrote to its standard error.
  std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds timeout) override;
  void write(Span<const std::uint8_t> bytes) override;
  std::string name() const override { return line_.name(); }

 private:
  static FdStream start(const std::vector<std::string>& command, std::string name, int errors,
                        pid_t* child);
  std::string last_words() const;

  UniqueFd errors_;  // a file that takes the program's standard error
  pid_t child_ = -1;
  FdStream line_;
};

// A board in QEMU that runs `firmware`, its serial line the ByteStream. Board time counts
// instructions: 32 ns each.
std::vector<std::string> qemu_command(const std::string& board, const std::string& firmware);

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_CHILD_PROCESS_H_
