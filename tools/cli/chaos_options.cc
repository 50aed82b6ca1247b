#include "tools/cli/chaos_options.h"

#include <cstdint>

#include "tools/cli/options.h"

namespace whittle::cli {
namespace {

constexpr char kFooter[] =
    "Prints its address, as --to takes it, then carries bytes both ways until it is interrupted,\n"
    "and says on standard error what it did to them. The same bytes and the same seed give the\n"
    "same faults. A sender that goes may come again. The line to the node is open only while "
    "there\n"
    "is a sender, so that others may have the node in between; a node that is not there, or that\n"
    "goes, is tried again meanwhile (qemu and plain pty are opened at the start, and stay).\n"
    "\n"
    "Examples:\n"
    "  whittle chaos --listen tcp:4001 --to tcp:localhost:4000 --flip 1e-4\n"
    "  whittle chaos --listen pty --to qemu:mps2-an386 --delete 1e-4 --duplicate 0.01 --seed 7\n"
    "  whittle chaos --listen tcp:4001 --to serial:/dev/ttyUSB0 --piece 5 --delay 20";

constexpr std::uint64_t kMaxPiece = 1U << 20;
constexpr std::uint64_t kMaxDelay = 86400000;  // a day
constexpr double kMaxRate = 1e9;

}  // namespace

void add_chaos_options(CLI::App* command, ChaosOptions* options) {
  text_option(command, "--listen", &options->listen, "tcp:PORT (of this machine only) or pty")
      ->required();
  add_address(command, &options->address)->required();
  add_firmware(command, &options->firmware);
  const auto rate = [&](const char* flag, double* share, const char* help) {
    number_option(command, flag, share, 1, help);
  };
  rate("--flip", &options->rates.flip, "share of bytes with one bit the other way round");
  rate("--insert", &options->rates.insert, "share of bytes before which another comes");
  rate("--delete", &options->rates.remove, "share of bytes that are lost");
  rate("--drop", &options->rates.drop, "share of frames that are lost");
  rate("--duplicate", &options->rates.duplicate, "share of frames that come twice");
  whole_option(command, "--seed", &options->seed, 0, kMaxSeed, "of all chances");
  whole_option(command, "--piece", &options->pace.piece, 0, kMaxPiece,
               "bytes come in pieces of 1 to this many; 0: as they are");
  whole_option(command, "--delay", &options->pace.delay, 0, kMaxDelay,
               "milliseconds that a piece may take at most");
  number_option(command, "--rate", &options->pace.bytes_per_second, kMaxRate,
                "bytes a second each way; 0: as fast as they come");
  command->footer(kFooter);
}

}  // namespace whittle::cli
