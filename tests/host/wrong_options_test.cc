// Command lines that are wrong: each ends with exit code 2 and says which option, which value and
// what is right. That is before any work, but for --keep, --nodes, --drift, --label, --param
// labelled and a budget: these are found when the file has been read.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/host/cli_harness.h"

namespace whittle {
namespace {

// 40 rows, 3 features, two classes.
std::string rows_csv() {
  std::string csv = "a,b,c,label\n";
  for (int i = 0; i < 40; ++i) {
    csv += std::to_string(i % 7) + ',' + std::to_string(i % 5) + ',' + std::to_string(i % 3) +
           (i % 2 == 0 ? ",on\n" : ",off\n");
  }
  return csv;
}

// What each command takes besides what is tried.
Arguments base_of(const std::string& command) {
  if (command == "rank") return {"rank", "-", "-s", "variance"};
  if (command == "stream") return {"stream", "-", "-s", "variance", "--to", "tcp:localhost:1"};
  if (command == "simulate") return {"simulate", "-", "--nodes", "2"};
  if (command == "node") return {"node", "--listen", "tcp:0"};
  if (command == "chaos") return {"chaos", "--listen", "tcp:0", "--to", "tcp:localhost:1"};
  if (command == "report") return {"report", "-"};
  return {command};
}

void expect_refused(const Arguments& arguments, const std::string& said) {
  std::string line;
  for (const std::string& argument : arguments) line += argument + '|';
  const Outcome outcome = run_whittle(arguments, rows_csv());
  EXPECT_EQ(outcome.code, 2) << line << outcome.err;
  EXPECT_EQ(outcome.out, "") << line;
  EXPECT_EQ(outcome.err.rfind("whittle: ", 0), 0U) << line << outcome.err;
  EXPECT_NE(outcome.err.find(said), std::string::npos) << line << outcome.err;
}

struct NumberOption {
  const char* command;
  const char* flag;
  const char* right;  // as the message says it
  bool zero = false;  // what is right, too
  bool whole = true;
};

constexpr NumberOption kNumbers[] = {
    {"rank", "--label-delay", "a whole number from 1 to 16777216"},
    {"rank", "--rescale-every", "a whole number from 1 to 4294967295"},
    {"rank", "--top", "a whole number from 1 to 1048576"},
    {"stream", "--label-delay", "a whole number from 1 to 16777216"},
    {"stream", "--timeout", "a whole number from 1 to 86400"},
    {"stream", "--snapshot-every", "a whole number from 1 to 4294967295"},
    {"node", "--arena", "a whole number from 1 to 1099511627776, or one with k, m or g"},
    {"chaos", "--flip", "a number from 0 to 1", true, false},
    {"chaos", "--insert", "a number from 0 to 1", true, false},
    {"chaos", "--delete", "a number from 0 to 1", true, false},
    {"chaos", "--drop", "a number from 0 to 1", true, false},
    {"chaos", "--duplicate", "a number from 0 to 1", true, false},
    {"chaos", "--seed", "a whole number from 0 to 18446744073709551615", true},
    {"chaos", "--piece", "a whole number from 0 to 1048576", true},
    {"chaos", "--delay", "a whole number from 0 to 86400000", true},
    {"chaos", "--rate", "a number from 0 to 1e+09", true, false},
    {"info", "--timeout", "a whole number from 1 to 86400"},
    {"simulate", "--nodes", "a whole number from 1 to 10000"},
    {"simulate", "--loss", "a number from 0 to 0.9", true, false},
    {"simulate", "--label-rate", "a number from 0 to 1", true, false},
    {"simulate", "--label-delay", "a whole number from 0 to 16777216", true},
    {"simulate", "--labelled", "a whole number from 1 to 16777216"},
    {"simulate", "--window", "a whole number from 1 to 16777216"},
    {"simulate", "--codebook", "a whole number from 0 to 16777216", true},
    {"simulate", "--learn", "a whole number from 0 to 16777216", true},
    {"simulate", "--half-life", "a number from 0 to 1e+09", true, false},
    {"simulate", "--seed", "a whole number from 0 to 18446744073709551615", true},
    {"simulate", "--keep", "a whole number from 1 to 1048576"},
};

TEST(WrongOptions, NumbersOfEveryOption) {
  for (const NumberOption& option : kNumbers) {
    Arguments values = {"",     "nan",  "inf",  "-inf", "-1",
                        "1e30", "text", "0x10", " ",    "99999999999999999999",
                        "1,5",  "+-3",  "3 4",  "1e",   "--"};
    if (!option.zero) values.emplace_back("0");
    if (option.whole) values.insert(values.end(), {"1.5", "+3", " 3", "3 ", "1e0"});
    Arguments base = base_of(option.command);
    if (option.command == std::string("info")) base = with(base, {"--to", "tcp:localhost:1"});
    if (option.flag == std::string("--nodes")) base.resize(2);
    for (const std::string& value : values) {
      const std::string said =
          std::string(option.flag) + ": '" + value + "' is not " + option.right;
      // One word, lest "--" and "-1" are taken for something else.
      const Arguments given =
          value.empty() ? Arguments{option.flag, ""} : Arguments{option.flag + ("=" + value)};
      expect_refused(with(base, given), said);
    }
    expect_refused(with(base, {option.flag, "1", option.flag, "1"}),
                   std::string(option.flag) + ": given 2 times; it takes one value");
  }
}

TEST(WrongOptions, TextsOfEveryOption) {
  const struct {
    const char* command;
    const char* flag;
    bool dash;  // stands for a standard stream, or is as good as any other
  } texts[] = {
      {"rank", "--label", true},
      {"rank", "--universum", true},
      {"rank", "--pairs", true},
      {"rank", "--predict", true},
      {"stream", "--firmware", false},
      {"stream", "--stats-file", false},
      {"node", "--state", false},
      {"chaos", "--firmware", false},
      {"info", "--to", true},
      {"info", "--firmware", false},
      {"simulate", "--drift", true},
      {"simulate", "--energy", true},
      {"simulate", "--costs", true},
      {"simulate", "--label", true},
      {"simulate", "--universum", true},
      {"simulate", "--report", false},
      {"simulate", "--csv", false},
      {"report", "--output", true},
      {"report", "--csv", false},
  };
  for (const auto& [command, flag, dash] : texts) {
    Arguments base = base_of(command);
    if (flag == std::string("--firmware") && command == std::string("info")) {
      base = with(base, {"--to", "qemu:x"});
    }
    const std::string name = flag;
    expect_refused(with(base, {flag, ""}), name + ": must not be empty");
    expect_refused(with(base, {flag, "x", flag, "y"}), name + ": given 2 times");
    if (!dash) expect_refused(with(base, {flag, "-"}), name + ": '-' is not a path");
  }
}

TEST(WrongOptions, ChoicesAndWhatIsParsedLater) {
  const struct {
    const char* command;
    Arguments more;
    const char* said;
  } wrong[] = {
      {"rank", {"--scale", "log"}, "--scale: 'log' is not one of none|minmax|zscore"},
      {"rank", {"--format", ""}, "--format: '' is not one of table|json|csv"},
      {"rank", {"--format", "csv", "--format", "csv"}, "--format: given 2 times"},
      {"rank", {"--selector", "ls"}, "--selector: given 2 times"},
      {"rank", {"--param", "window"}, "--param window: write it as name=value"},
      {"rank", {"--param", "window=-1"}, "'-1' is not a value of window"},
      {"rank", {"--param", "half_life=nan"}, "'nan' is not a value of half_life"},
      {"rank", {"--param", "window=1", "--param", "window=2"}, "given twice"},
      {"rank", {"--pairs", "-"}, "--pairs -: standard input can be read only once"},
      {"rank", {"--rescale-every", "9"}, "--param learn=N"},
      {"stream", {"--to", "tcp:localhost:1"}, "--to: given 2 times"},
      {"stream", {"--firmware", "x.elf"}, "--firmware is for qemu only"},
      {"simulate", {"--format", "yaml"}, "--format: 'yaml' is not one of table|json|csv"},
      {"simulate", {"--selector", "nothing"}, "no selector is called 'nothing'; there are"},
      {"simulate", {"-s", "cls", "-s", "cls"}, "--selector 'cls': given twice"},
      {"simulate", {"--policy", "best"}, "--policy 'best': there are all"},
      {"simulate", {"--policy", "top", "--policy", "top"}, "--policy 'top': given twice"},
      {"simulate",
       {"--policy", "budget=4", "--policy", "top", "--policy", "budget=4.0"},
       "--policy 'budget=4.0': given twice, first as 'budget=4'"},
      {"simulate",
       {"--policy", "threshold=-0", "--policy", "threshold=0e9"},
       "--policy 'threshold=0e9': given twice, first as 'threshold=-0'"},
      {"simulate", {"--policy", "threshold=x"}, "'threshold=x': give a number after ="},
      {"simulate", {"--policy", "threshold=nan"}, "'threshold=nan': give a number after ="},
      {"simulate", {"--policy", "threshold=inf"}, "'threshold=inf': give a number after ="},
      {"simulate",
       {"--policy", "threshold=1e999"},
       "'threshold=1e999': '1e999' is past what single precision holds"},
      {"simulate",
       {"--policy", "threshold=-1e39"},
       "'threshold=-1e39': '-1e39' is past what single precision holds"},
      {"simulate",
       {"--policy", "threshold=0", "--policy", "threshold=1e-50"},
       "'threshold=1e-50': '1e-50' is too small for single precision"},
      {"simulate",
       {"--policy", "budget=1e39"},
       "'budget=1e39': '1e39' is past what single precision holds"},
      {"simulate",
       {"--policy", "budget=1e-999"},
       "'budget=1e-999': '1e-999' is too small for single precision"},
      {"simulate", {"--policy", "budget=-1e39"}, "'budget=-1e39': give a number above 0 after ="},
      {"simulate", {"--policy", "budget=0e9"}, "'budget=0e9': give a number above 0 after ="},
      {"simulate", {"--policy", "budget=0"}, "'budget=0': give a number above 0 after ="},
      {"simulate", {"--policy", "budget=-1"}, "'budget=-1': give a number above 0 after ="},
      {"simulate", {"--policy", "budget=inf"}, "'budget=inf': give a number above 0 after ="},
      {"simulate", {"--policy", "budget=0.5"}, "'budget=0.5': the cheapest that can be sensed"},
      {"simulate", {"--prune", "warm_up"}, "--prune 'warm_up': give NAME=VALUE"},
      {"simulate", {"--prune", "patience=3"}, "--prune 'patience': there are warm_up"},
      {"simulate",
       {"--prune", "dwell=-1"},
       "dwell: '-1' is not a whole number from 0 to 4294967295"},
      {"simulate", {"--prune", "warm_up=4294967296"}, "'4294967296' is not a whole number from 0"},
      {"simulate", {"--prune", "update_every=0"}, "'0' is not a whole number from 1 to"},
      {"simulate", {"--prune", "drift_block=15"}, "'15' is not 0 or a whole number from 16 to 255"},
      {"simulate", {"--prune", "drift_block=256"}, "'256' is not 0 or a whole number from 16 to"},
      {"simulate", {"--prune", "false_alarm_every=0.9"}, "'0.9' is not a number from 1 on"},
      {"simulate", {"--prune", "false_alarm_every=nan"}, "'nan' is not a number from 1 on"},
      {"simulate",
       {"--prune", "false_alarm_every=1e39"},
       "false_alarm_every: '1e39' is past what single precision holds"},
      {"simulate", {"--prune", "dwell=1", "--prune", "dwell=1"}, "--prune dwell: given twice"},
      {"simulate", {"--drift", "permute"}, "--drift 'permute': give permute, rescale or shift"},
      {"simulate", {"--drift", "turn@5"}, "--drift 'turn@5': give permute"},
      {"simulate", {"--drift", "shift@0"}, "--drift 'shift@0': give permute"},
      {"simulate", {"--drift", "shift@20"}, "--drift 'shift@20': each node has 20 samples"},
      {"simulate", {"--energy", "solar"}, "--energy 'solar': there are 802.15.4"},
      {"simulate", {"--energy", "byte=-1"}, "--energy 'byte=-1': give NAME=MICROJOULES"},
      {"simulate", {"--energy", "byte=nan"}, "--energy 'byte=nan': give NAME=MICROJOULES"},
      {"simulate", {"--energy", "byte=inf"}, "--energy 'byte=inf': give NAME=MICROJOULES"},
      {"simulate", {"--energy", "byte"}, "--energy 'byte': there are 802.15.4"},
      {"simulate", {"--energy", "byte=1,"}, "--energy '': give NAME=MICROJOULES"},
      {"simulate",
       {"--energy", "byte=1e999"},
       "--energy 'byte=1e999': '1e999' is past what double precision holds"},
      {"simulate", {"--energy", "byte=1,sample=2,byte=3"}, "--energy byte: given twice"},
      {"simulate", {"--energy", "bits=1"}, "--energy 'bits': there are sample, feature, byte"},
      {"simulate", {"--costs", "-"}, "--costs -: standard input can be read only once"},
      {"simulate", {"--keep", "4"}, "--keep 4: the file has 3 features"},
      {"chaos", {"--firmware", "x.elf"}, "--firmware is for qemu only"},
      {"info", {"--firmware", "x.elf"}, "--firmware requires --to"},
      {"info", {"--timeout", "3"}, "--timeout requires --to"},
      {"info", {"--format", "json"}, "--format requires --to"},
      {"info", {"--to", "serial:/dev/x@0"}, "'0' is not a number of baud"},
      {"info",
       {"--to", "serial:/dev/x@123"},
       "--to serial:/dev/x@123: no speed of 123 baud; there are 9600, 19200"},
      {"rank",
       {"--label", "none"},
       "no column is called 'none' (--label); the header has 'a', 'b'"},
      {"rank",
       {"--param", "window=9", "--param", "labelled=1", "--param", "redundancy=tree"},
       "--param labelled=1: must be 0 or at least the number of classes in the file, 2"},
      {"simulate", {"--label", "none"}, "no column is called 'none' (--label)"},
      {"info", {"--to", "tcp:host:65536"}, "'65536' is not a port"},
      {"selectors", {"nothing"}, "no selector is called 'nothing'"},
  };
  for (const auto& [command, more, said] : wrong) {
    expect_refused(with(base_of(command), more), said);
  }
  expect_refused({"simulate", "-", "--nodes", "41"}, "--nodes 41: the file has 40 rows");
  expect_refused({"node", "--listen", "tcp:65536"}, "--listen tcp:65536: write tcp:PORT");
  expect_refused({"chaos", "--listen", "udp:1", "--to", "tcp:localhost:1"}, "--listen udp:1");
  for (const char* const line : {"pty", "pty:x", "serial:x", "tcp:localhost:1"}) {
    expect_refused({"stream", "-", "-s", "variance", "--to", line, "--firmware", "x.elf"},
                   std::string("--to ") + line + ": --firmware is for qemu only");
  }
  expect_refused({"stream", "/nowhere.csv", "-s", "variance", "--to", "serial:/dev/x@123"},
                 "no speed of 123 baud");
  expect_refused({"stream", "/nowhere.csv", "-s", "variance", "--to", "tcp:localhost"},
                 "--to tcp:localhost: the port is missing");
}

TEST(WrongOptions, WhatIsMisspeltIsNamedWithTheNearest) {
  const std::string commands =
      "there are rank, stream, node, chaos, simulate, report, selectors, info";
  const struct {
    Arguments arguments;
    std::string said;
    const char* help;
  } wrong[] = {
      {{}, "a command is missing; " + commands, ""},
      {{"rnak"}, "no command is called 'rnak'; did you mean rank?\n" + commands, ""},
      {{"simulat", "x.csv", "--nodes", "2"}, "'simulat'; did you mean simulate?\n", ""},
      {{"selector"}, "'selector'; did you mean selectors?\n", ""},
      {{"x"}, "no command is called 'x'\n" + commands, ""},
      {{"explain", "rank"}, "no command is called 'explain'\n" + commands, ""},
      {{"--verison"}, "there is no option '--verison'; did you mean --version?\n", ""},
      {{"rank", "x.csv", "--selctor", "cls"},
       "rank has no option '--selctor'; did you mean --selector?\n",
       "rank "},
      {{"rank", "-", "-s", "cls", "--tpo=3"},
       "rank has no option '--tpo'; did you mean --top?\n",
       "rank "},
      {{"simulate", "-", "--modle", "3"}, "simulate has no option '--modle'\n", "simulate "},
      {{"simulate", "-", "--label_rate", "1"}, "did you mean --label-rate?\n", "simulate "},
      {{"report", "-", "-x"}, "report has no option '-x'\n", "report "},
      {{"report", "-", "more", "-o", "x"}, "report: 'more' is not expected\n", "report "},
      {{"rank", "-", "-s", "cls", "rank"}, "rank: 'rank' is not expected\n", "rank "},
      {{"--top", "3", "rank", "-", "-s", "cls"},
       "'--top' stands before rank: give options behind the command\n",
       "rank "},
      {{"rank", "-"}, "--selector is required\n", "rank "},
      {{"simulate", "-", "--nodes", "0"}, "--nodes: '0' is not a whole number", "simulate "},
  };
  for (const auto& [arguments, said, help] : wrong) {
    expect_refused(arguments, said);
    const std::string err = run_whittle(arguments).err;
    const std::string hint = "\nwhittle " + std::string(help) + "--help says more\n";
    ASSERT_GE(err.size(), hint.size());
    EXPECT_EQ(err.substr(err.size() - hint.size()), hint) << said;
  }
}

// A line that is right but for one thing: what is refused above is refused for that alone.
TEST(WrongOptions, TheRestOfTheseCommandLinesIsRight) {
  for (const Arguments& arguments :
       {base_of("rank"), with(base_of("rank"), {"--param", "labelled=2"}),
        with(base_of("simulate"), {"--keep", "3", "--prune", "drift_block=0"})}) {
    const Outcome outcome = run_whittle(arguments, rows_csv());
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  EXPECT_EQ(run_whittle(base_of("stream"), rows_csv()).code, 1);  // nobody listens there
}

TEST(WrongOptions, StandardInputIsReadWhereItIsNamed) {
  const TempFile rows(rows_csv());
  const Outcome pairs = run_whittle({"rank", rows.path(), "-s", "cls", "--pairs", "-"},
                                    "first,second,link\n1,3,must\n1,2,maybe\n");
  EXPECT_EQ(pairs.code, 1);
  EXPECT_NE(pairs.err.find("<stdin>:3:3: 'maybe'"), std::string::npos) << pairs.err;
  const Arguments costs = {"simulate", rows.path(), "--nodes", "1",        "--policy",
                           "budget=9", "--costs",   "-",       "--format", "json"};
  const Outcome good = run_whittle(costs, "feature,cost\na,3\n");
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_NE(good.out.find("\"costs\":{\"cost\":[3.0,1.0,1.0]"), std::string::npos);
  EXPECT_NE(run_whittle(costs, "feature,cost\na,x\n").err.find("<stdin>:2:2"), std::string::npos);
}

}  // namespace
}  // namespace whittle
