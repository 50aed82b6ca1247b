// The byte streams themselves.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ports/posix/child_process.h"
#include "ports/posix/fd_stream.h"
#include "ports/posix/posix_port.h"
#include "ports/posix/reopening_stream.h"
#include "ports/posix/serial.h"

namespace whittle::posix {
namespace {

using std::chrono::milliseconds;

struct Pair {
  Pair() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    a = UniqueFd(ends[0]);
    b = UniqueFd(ends[1]);
  }
  UniqueFd a, b;
};

Span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string read_all(ByteStream& stream, std::size_t count) {
  std::string text;
  while (text.size() < count) {
    std::uint8_t buffer[1000];
    const std::size_t got = stream.read(Span<std::uint8_t>(buffer), milliseconds(5000));
    if (got == 0) break;
    text.append(reinterpret_cast<const char*>(buffer), got);
  }
  return text;
}

TEST(FdStream, TimesOutWithoutBytes) {
  Pair pair;
  FdStream stream(std::move(pair.a), "line");
  std::uint8_t byte[1];
  EXPECT_EQ(stream.read(Span<std::uint8_t>(byte), milliseconds(1)), 0U);
}

TEST(FdStream, ClosedByTheOtherSide) {
  Pair pair;
  FdStream stream(std::move(pair.a), "line");
  pair.b.reset();
  std::uint8_t byte[1];
  EXPECT_THROW(stream.read(Span<std::uint8_t>(byte), milliseconds(1)), LineError);
  try {
    stream.write(bytes_of("x"));
    FAIL() << "written";
  } catch (const LineError& error) {
    EXPECT_STREQ(error.what(), "line: closed by the other side");
  }
}

// Two sides that both send more than the kernel buffers before they read.
TEST(FdStream, TwoWritersDoNotBlockEachOther) {
  constexpr std::size_t kSize = 4U << 20;
  Pair pair;
  FdStream a(std::move(pair.a), "a");
  FdStream b(std::move(pair.b), "b");
  const std::string text(kSize, 'x');
  std::string got;
  std::thread other([&] {
    b.write(bytes_of(text));
    got = read_all(b, kSize);
  });
  a.write(bytes_of(text));
  EXPECT_EQ(read_all(a, kSize).size(), kSize);
  other.join();
  EXPECT_EQ(got.size(), kSize);
}

TEST(Serial, PseudoTerminalIsTransparent) {
  Pty pty = open_pty();
  const auto device = open_serial(pty.device, 115200);
  FdStream node(std::move(pty.fd), "node");
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  device->write(bytes_of(all));
  EXPECT_EQ(read_all(node, 256), all);
  node.write(bytes_of(all));
  EXPECT_EQ(read_all(*device, 256), all);
}

TEST(Serial, HasOneReaderAtATime) {
  const Pty pty = open_pty();
  auto first = open_serial(pty.device, 0);
  try {
    open_serial(pty.device, 0);
    FAIL() << "opened twice";
  } catch (const LineError& error) {
    EXPECT_EQ(error.what(),
              pty.device + ": is in use by another program, and a line has one reader at a time");
  }
  first.reset();
  EXPECT_NE(open_serial(pty.device, 0), nullptr);
}

TEST(Serial, UnknownSpeedListsTheKnownOnes) {
  const Pty pty = open_pty();
  try {
    open_serial(pty.device, 12345);
    FAIL() << "opened";
  } catch (const LineError& error) {
    EXPECT_NE(std::string(error.what()).find("no speed of 12345 baud; there are 9600, 19200"),
              std::string::npos)
        << error.what();
  }
}

TEST(ChildProcess, TalksOverStandardInputAndOutput) {
  ChildProcess cat({"cat"}, "cat");
  cat.write(bytes_of("hello"));
  EXPECT_EQ(read_all(cat, 5), "hello");
}

TEST(ChildProcess, LastWordsAreInTheError) {
  ChildProcess child({"sh", "-c", "echo no such board >&2; exit 1"}, "child");
  try {
    read_all(child, 1);
    FAIL() << "still there";
  } catch (const LineError& error) {
    EXPECT_STREQ(error.what(), "child: closed by the other side\nno such board");
  }
}

TEST(ChildProcess, MissingProgramIsAnError) {
  ChildProcess child({"/nonexistent/program"}, "child");
  try {
    read_all(child, 1);
    FAIL() << "started";
  } catch (const LineError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be started: No such file or directory"),
              std::string::npos)
        << error.what();
  }
}

TEST(ChildProcess, IsGoneAfterwards) {
  std::string pid;
  {
    ChildProcess child({"sh", "-c", "trap '' TERM; printf '%6d' $$; sleep 100 & wait; wait"},
                       "child");
    pid = read_all(child, 6);
  }
  EXPECT_NE(::kill(std::stoi(pid), 0), 0);
}

// The longest that a line is left alone, in milliseconds; half of it is the shortest.
void expect_pause(const ReopeningPace& pace, ReopeningPace::Clock::time_point now, int longest) {
  EXPECT_LE(pace.next_try() - now, milliseconds(longest));
  EXPECT_GE(pace.next_try() - now, milliseconds(longest / 2));
}

TEST(ReopeningPace, LineThatBreaksSoonIsLeftAloneLongerAndLonger) {
  ReopeningPace pace;
  auto now = ReopeningPace::Clock::now();
  EXPECT_LE(pace.next_try(), now);
  for (const int longest : {50, 100, 200, 400, 800, 1600, 2000, 2000}) {
    pace.opened(now);
    now += milliseconds(10);
    pace.broke(now);
    expect_pause(pace, now, longest);
    now = pace.next_try();
  }
  EXPECT_EQ(pace.broke_soon(), 8U);
  // One that held for as long as the other needs is no contest.
  pace.opened(now);
  now += milliseconds(5001);
  pace.broke(now);
  expect_pause(pace, now, 50);
  EXPECT_EQ(pace.broke_soon(), 0U);
}

// A node that is restarted again and again is found soon, each time.
TEST(ReopeningPace, LineThatCouldNotBeOpenedIsNoContest) {
  ReopeningPace pace;
  auto now = ReopeningPace::Clock::now();
  for (int restart = 0; restart < 10; ++restart) {
    pace.opened(now);
    pace.broke(now);
    expect_pause(pace, now, 50);
    for (const int longest : {5, 10, 20, 40, 80, 160, 320, 500, 500}) {
      pace.cannot_open(now);
      expect_pause(pace, now, longest);
    }
    EXPECT_EQ(pace.broke_soon(), 0U);
  }
}

// So that a client that asked something in between gets its answer.
TEST(ReopeningStream, IsNotOpenedAgainAtOnce) {
  class Broken final : public ByteStream {
   public:
    std::size_t read(Span<std::uint8_t>, milliseconds) override { throw LineClosed("broken"); }
    void write(Span<const std::uint8_t>) override { throw LineClosed("broken"); }
    std::string name() const override { return "broken"; }
  };
  int opened = 0;
  ReopeningStream stream(
      [&] {
        ++opened;
        return std::make_unique<Broken>();
      },
      milliseconds(1000));
  const auto until = ReopeningPace::Clock::now() + milliseconds(400);
  while (ReopeningPace::Clock::now() < until) {
    std::uint8_t byte[1];
    EXPECT_EQ(stream.read(Span<std::uint8_t>(byte), milliseconds(10)), 0U);
  }
  EXPECT_GE(opened, 2);
  EXPECT_LE(opened, 6);  // after 25, 75, 175, 375 ms at the earliest
}

TEST(PosixPort, LosesWhatIsWrittenToAClosedLine) {
  const std::atomic<bool> stopped{false};
  PosixPort port(stopped);
  port.write(bytes_of("nobody"));
  Pair pair;
  port.attach(std::move(pair.a));
  pair.b.reset();
  std::uint8_t byte[1];
  EXPECT_EQ(port.read(Span<std::uint8_t>(byte)), 0U);
  EXPECT_FALSE(port.attached());
  port.write(bytes_of("nobody"));
}

TEST(PosixPort, StoppedWriteGivesUp) {
  std::atomic<bool> stopped{false};
  PosixPort port(stopped);
  Pair pair;
  port.attach(std::move(pair.a));
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(50));
    stopped = true;
  });
  port.write(bytes_of(std::string(4U << 20, 'x')));  // nobody reads
  stopper.join();
  EXPECT_TRUE(port.attached());
}

}  // namespace
}  // namespace whittle::posix
