#include "tools/cli/app.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <ostream>
#include <string>

#include "tools/cli/chaos_options.h"
#include "tools/cli/describe_commands.h"
#include "tools/cli/error.h"
#include "tools/cli/node_command.h"
#include "tools/cli/options.h"
#include "tools/cli/rank_command.h"
#include "tools/cli/simulate_options.h"
#include "tools/cli/stream_command.h"
#include "tools/cli/text.h"
#include "tools/cli/usage.h"
#include "tools/client/node_client.h"
#include "whittle/node/version.h"

namespace whittle::cli {
namespace {

constexpr std::uint32_t kMaxRows = ~std::uint32_t{0};  // of a period

constexpr char kFooter[] =
    "Exit codes: 0 done; 1 the data, the node or the machine is at fault; 2 the command line is;\n"
    "3 the node has lost what it was sent.\n"
    "An option is given once, unless it is said to be repeatable. No file is both read and\n"
    "written; one that cannot be written is found before the work begins.\n"
    "`whittle COMMAND --help` shows a command's options and examples.";

constexpr char kRankFooter[] =
    "FILE.csv has a header row, no two names alike. The label column holds a sample's class,\n"
    "nothing (unlabelled), or the universum value (of the domain but of no class); every other\n"
    "column is a feature. An empty cell or `nan` is a missing value or label; a row that has only\n"
    "missing values is refused, and counted.\n"
    "\n"
    "--param sets what `whittle selectors ID` lists: the selector's own parameters, and those of\n"
    "the memory, such as window=N, geometry=hybrid, half_life=N, redundancy=tree. The whole file\n"
    "is held, where a selector reads held samples, unless window or labelled says less.\n"
    "\n"
    "--pairs names a CSV file with the header first,second,link: two data rows of FILE.csv,\n"
    "counted from 1, and must or cannot. A pair counts from its later row on.\n"
    "\n"
    "--predict, with selectors that classify, is of another file with columns of the same names;\n"
    "only those of the selected features need be there. Where its rows have labels, the accuracy\n"
    "is reported. --memberships is for selectors that cluster. Both come after the table, as\n"
    "further keys of the JSON, and in place of the ranking in CSV.\n"
    "\n"
    "Examples:\n"
    "  whittle rank sonar.csv --selector cls                  labels where there are some\n"
    "  whittle rank sonar.csv --selector fisher --top 10      select the best ten\n"
    "  whittle rank - --selector variance --format json       from standard input, for programs\n"
    "  whittle rank room.csv --selector cls --label state --scale zscore\n"
    "      --param k=5 --param window=200                     hold the newest 200 unlabelled only\n"
    "  whittle rank room.csv --selector ls --param codebook=64\n"
    "      --param redundancy=tree                            64 prototypes of the whole past; of\n"
    "                                                         features that say the same, one\n"
    "  whittle rank room.csv --selector cls --pairs same.csv  rows known to be alike or not";

constexpr char kStreamStart[] =
    "Sends the file sample by sample to a node and prints the node's ranking: the same, byte for\n"
    "byte, as `whittle rank` with the same options prints of its own. Features at most: ";

constexpr char kStreamFooter[] =
    ".\n"
    "\n"
    "With --resume, it goes on where the node is, if that holds a part of this very stream (the\n"
    "same rows, the same options), and starts at the first row if not; and a line that breaks is\n"
    "opened again. So the sender and the node may both be killed and started again at any time.\n"
    "If the node restarts and has lost rows for good, the exit code is 3; the same command then\n"
    "sends them again. A node serves whoever connected last: of two senders to one node, one ends\n"
    "and says so (exit code 1).\n"
    "\n"
    "--timeout bounds the time without an answer, not the whole: a long computation is asked for "
    "in\n"
    "steps. A node is silent during one; give more than the longest takes.\n"
    "\n"
    "A snapshot takes time, on a host some 30 ms for each megabyte that the node holds: with\n"
    "--snapshot-every 1 a stream may be hundreds of times slower. One that the node could not "
    "write\n"
    "is no failure of the stream: a warning says at the end whether a restart of the node would\n"
    "lose rows, and --stats counts.\n"
    "\n"
    "Examples:\n"
    "  whittle stream sonar.csv --selector cls --to qemu:mps2-an386 --stats\n"
    "  whittle stream sonar.csv --selector variance --to serial:/dev/ttyUSB0@230400\n"
    "  whittle stream sonar.csv --selector ls --param window=100 --to tcp:localhost:4000";

constexpr char kNodeFooter[] =
    "Prints its address, as --to takes it, then serves whoever connected last until it is\n"
    "interrupted: a newer client takes it from an older one. What it has been sent outlives a\n"
    "connection.\n"
    "\n"
    "SIGINT and SIGTERM end it, exit code 0; if it is computing, a second later or at the second\n"
    "signal, exit code 128 and the signal's number. That loses no snapshot.\n"
    "\n"
    "A snapshot that cannot be written does not stop it: it says so on standard error, naming the\n"
    "file and the reason, and again only once another has been written. What is wrong with\n"
    "the files it starts from it says, too. A file that is removed is made anew.\n"
    "\n"
    "Examples:\n"
    "  whittle node --listen tcp:4000\n"
    "  whittle node --listen pty --arena 64k --state node";

constexpr char kBusy[] =
    "; it may be busy computing (while it does, a node answers nobody): a longer --timeout waits";
constexpr char kNobody[] =
    "; there may be none at the other end (behind `whittle chaos`, too), or it is set to another "
    "baud rate, or busy computing: a longer --timeout waits";

constexpr char kInfoFooter[] =
    "Asking changes nothing in a node, but takes a TCP node from the client it has: a stream "
    "without\n"
    "--resume ends. A serial line or a pseudo-terminal that is in use is refused.\n"
    "\n"
    "Examples:\n"
    "  whittle info\n"
    "  whittle info --to qemu:mps2-an386";

class Program {
 public:
  explicit Program(const Console& console) : console_(console) {
    app_.set_version_flag("--version", std::string("whittle ") + kVersion);
    app_.footer(kFooter);
    app_.require_subcommand(1);
    app_.failure_message(
        [](const CLI::App* app, const CLI::Error& error) { return usage_message(*app, error); });
    add_rank();
    add_stream();
    add_node();
    add_chaos();
    add_simulate();
    add_report();
    add_selectors();
    add_info();
  }

  int run(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
      return finish_output();
    } catch (const CLI::ParseError& error) {
      const int code = app_.exit(error, console_.out, console_.err);
      return code == 0 ? finish_output() : kExitUsage;
    } catch (const Error& error) {
      return fail(error.what(), error.exit_code());
    } catch (const NodeSilent& silent) {
      return fail(silent.what() + std::string(silent.ever_answered() ? kBusy : kNobody),
                  kExitFailure);
    } catch (const std::bad_alloc&) {
      return fail("out of memory", kExitFailure);
    } catch (const std::exception& error) {
      return fail(error.what(), kExitFailure);
    }
  }

 private:
  int fail(const std::string& text, int code) const {
    console_.err << "whittle: " << text << '\n';
    return code;
  }

  // A reader that has seen enough (`| head`) is no failure; a full disk is.
  int finish_output() const {
    console_.out << std::flush;  // errno is that of the first write that failed
    if (console_.out.good() || errno == EPIPE) return kExitOk;
    return fail(std::string("cannot write the output: ") + std::strerror(errno), kExitFailure);
  }

  static void add_rank_options(CLI::App* command, RankOptions* options) {
    text_option(command, "FILE.csv", &options->file, "CSV file; - for standard input")->required();
    text_option(command, "-s,--selector", &options->selector,
                "method; `whittle selectors` lists them")
        ->required();
    text_option(command, "--label", &options->dataset.label,
                "label column; default `label`, if there is one");
    text_option(command, "--universum", &options->dataset.universum, "label of universum samples");
    choice_option<Scaling>(
        command, "--scale", &options->scaling,
        {{"none", Scaling::none}, {"minmax", Scaling::minmax}, {"zscore", Scaling::zscore}},
        "none (default), minmax (to 0..1) or zscore, found in a first pass");
    repeatable_option(command, "--param", &options->parameters,
                      "parameter of the selector or of the memory (`whittle selectors ID` lists "
                      "them)")
        ->option_text("NAME=VALUE ...");
    text_option(command, "--pairs", &options->pairs,
                "CSV file of rows that must or cannot link: first,second,link");
    whole_option(command, "--label-delay", &options->label_delay, 1, kMaxHeld,
                 "a row's label follows this many rows after it, as labels do on a device");
    whole_option(
        command, "--rescale-every", &options->rescale_every, 1, kMaxRows,
        "once the scale is learned (needs --param learn=N), learn it again after every so many "
        "rows");
    text_option(command, "--predict", &options->predict,
                "CSV file whose rows are classified by the selected features");
    command->add_flag("--memberships", options->memberships,
                      "say how far each row that is held belongs to each class");
    whole_option(command, "--top", &options->top, 1, kMaxFeatures,
                 "how many to select; default all with a score");
    add_format(command, &options->format);
  }

  static CLI::Option* add_timeout(CLI::App* command, unsigned* patience, const char* help) {
    return whole_option(command, "--timeout", patience, 1, 86400, help);
  }

  void add_rank() {
    CLI::App* const command = app_.add_subcommand("rank", "Rank the features of a CSV file");
    add_rank_options(command, &rank_);
    command->add_flag("--plot", rank_.plot, "draw the scores as bars, in a terminal");
    command->footer(kRankFooter);
    command->callback([this] { rank_command(rank_, console_); });
  }

  void add_stream() {
    CLI::App* const command =
        app_.add_subcommand("stream", "Rank the features of a CSV file on a node");
    add_rank_options(command, &stream_.rank);
    add_address(command, &stream_.address)->required();
    add_firmware(command, &stream_.firmware);
    add_timeout(command, &stream_.patience,
                "seconds in which the node takes nothing in and answers nothing before giving up");
    command->add_flag("--resume", stream_.resume,
                      "go on where the node is, and through restarts of either side");
    whole_option(command, "--snapshot-every", &stream_.snapshot_every, 1, kMaxRows,
                 "the node saves its state after every so many rows; warns if it could not");
    command->add_flag("--stats", stream_.stats, "print the node's statistics on standard error");
    path_option(command, "--stats-file", &stream_.stats_file,
                "write the node's statistics to a file");
    command->footer(kStreamStart + std::to_string(kMaxSampleFeatures) + kStreamFooter);
    command->callback([this] { stream_command(stream_, console_); });
  }

  void add_node() {
    CLI::App* const command = app_.add_subcommand("node", "Be a node, for `whittle stream`");
    text_option(command, "--listen", &node_.listen, "tcp:PORT (of this machine only) or pty")
        ->required();
    size_option(command, "--arena", &node_.arena_bytes, "bytes of memory; 64k, 16m");
    path_option(command, "--state", &node_.state,
                "keep snapshots in the files STATE.0 and STATE.1, and go on from them");
    command->footer(kNodeFooter);
    command->callback([this] { node_command(node_, console_); });
  }

  void add_simulate() {
    CLI::App* const command =
        app_.add_subcommand("simulate", "Simulate nodes that prune, on the rows of a CSV file");
    add_simulate_options(command, &simulate_);
    command->callback([this] { simulate_command(simulate_, console_); });
  }

  void add_report() {
    CLI::App* const command = app_.add_subcommand("report", "Show a simulation as an HTML page");
    add_report_options(command, &report_);
    command->callback([this] { report_command(report_, console_); });
  }

  void add_chaos() {
    CLI::App* const command =
        app_.add_subcommand("chaos", "Be a bad line between a sender and a node");
    add_chaos_options(command, &chaos_);
    command->callback([this] { chaos_command(chaos_, console_); });
  }

  void add_selectors() {
    CLI::App* const command =
        app_.add_subcommand("selectors", "List the selectors, or one's parameters");
    text_option(command, "ID", &selector_, "show this one's parameters");
    command->footer("Examples:\n  whittle selectors\n  whittle selectors cls");
    command->callback([this] { selectors_command(selector_, console_); });
  }

  void add_info() {
    CLI::App* const command =
        app_.add_subcommand("info", "Show version and limits, or how a node is doing");
    CLI::Option* const node = add_address(command, &info_.address);
    add_firmware(command, &info_.firmware)->needs(node);
    add_timeout(command, &info_.patience, "seconds to wait for the node")->needs(node);
    choice_option<bool>(command, "--format", &info_.json, {{"table", false}, {"json", true}},
                        "output about a node; default table")
        ->needs(node);
    command->footer(kInfoFooter);
    command->callback([this] { info_command(info_, console_); });
  }

  const Console& console_;
  CLI::App app_{"Ranks the features of a stream of samples, of which few are labelled.", "whittle"};
  RankOptions rank_;
  StreamOptions stream_;
  NodeOptions node_;
  ChaosOptions chaos_;
  SimulateOptions simulate_;
  ReportOptions report_;
  InfoOptions info_;
  std::string selector_;
};

}  // namespace

int run(int argc, const char* const* argv, const Console& console) {
  return Program(console).run(argc, argv);
}

}  // namespace whittle::cli
