#include "tools/cli/chaos_options.h"

#include <string>

#include "tools/cli/address.h"

namespace whittle::cli {
namespace {

constexpr char kFooter[] =
    "Prints its address, as --to takes it, then carries bytes both ways until it is interrupted,\n"
    "and says on standard error what it did to them. The same bytes and the same seed give the\n"
    "same faults. A sender that goes may come again; a node that goes is waited for.\n"
    "\n"
    "Examples:\n"
    "  whittle chaos --listen tcp:4001 --to tcp:localhost:4000 --flip 1e-4\n"
    "  whittle chaos --listen pty --to qemu:mps2-an386 --delete 1e-4 --duplicate 0.01 --seed 7\n"
    "  whittle chaos --listen tcp:4001 --to serial:/dev/ttyUSB0 --piece 5 --delay 20";

}  // namespace

void add_chaos_options(CLI::App* command, ChaosOptions* options) {
  command->add_option("--listen", options->listen, "tcp:PORT (of this machine only) or pty")
      ->required();
  command->add_option("--to", options->address, std::string("the node: ") + kAddressHelp)
      ->required();
  command->add_option("--firmware", options->firmware, "for qemu: the node's ELF file");
  const auto rate = [&](const char* flag, double* share, const char* help) {
    command->add_option(flag, *share, help)->check(CLI::Range(0.0, 1.0).description(""));
  };
  rate("--flip", &options->rates.flip, "share of bytes with one bit the other way round");
  rate("--insert", &options->rates.insert, "share of bytes before which another comes");
  rate("--delete", &options->rates.remove, "share of bytes that are lost");
  rate("--drop", &options->rates.drop, "share of frames that are lost");
  rate("--duplicate", &options->rates.duplicate, "share of frames that come twice");
  command->add_option("--seed", options->seed, "of all chances")->capture_default_str();
  command->add_option("--piece", options->pace.piece, "bytes come in pieces of 1 to this many");
  command->add_option_function<unsigned>(
      "--delay",
      [options](unsigned delay) { options->pace.delay = std::chrono::milliseconds(delay); },
      "milliseconds that a piece may take at most");
  command->add_option("--rate", options->pace.bytes_per_second, "bytes a second each way")
      ->check(CLI::NonNegativeNumber.description(""));
  command->footer(kFooter);
}

}  // namespace whittle::cli
