// whittle rank, and the program's other answers that need no node.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/host/cli_harness.h"

namespace whittle {
namespace {

// Variances by hand: x {1,3,5}: 8/3 over {1,3,5}; here {0,2,4,6}: 5; y constant; z {1,1,1,5}: 3.
constexpr char kByHand[] = "x,label,y,z\n0,a,7,1\n2,,7,1\n100,universum,0,0\n4,b,7,1\n6,,7,5\n";

TEST(RankCommand, JsonOfAFileWorkedOutByHand) {
  const Outcome outcome = run_whittle(
      {"rank", "-", "--selector", "variance", "--format", "json", "--top", "1"}, kByHand);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(
      outcome.out,
      "{\"selector\":\"variance\",\"direction\":\"desc\",\"samples\":{\"labelled\":2,"
      "\"unlabelled\":2,\"universum\":1,\"held\":0,\"refused\":0},\"params\":{},\"features\":["
      "{\"index\":0,\"name\":\"x\",\"score\":5,\"rank\":1,\"selected\":true},"
      "{\"index\":1,\"name\":\"y\",\"score\":null,\"rank\":3,\"selected\":false},"
      "{\"index\":2,\"name\":\"z\",\"score\":3,\"rank\":2,\"selected\":false}],"
      "\"order\":[0,2,1],\"selected\":[0],\"info\":{}}\n");
}

TEST(RankCommand, TableAndCsvSayTheSame) {
  const Outcome table = run_whittle({"rank", "-", "--selector", "variance"}, kByHand);
  EXPECT_EQ(table.out,
            "variance, larger is better; 2 labelled, 2 unlabelled, 1 universum\n"
            "rank  feature  selected  score\n"
            "   1  x        yes       5\n"
            "   2  z        yes       3\n"
            "   3  y        no        -\n");
  const Outcome csv =
      run_whittle({"rank", "-", "--selector", "variance", "--format", "csv"}, kByHand);
  EXPECT_EQ(csv.out, "rank,index,name,score,selected\n1,0,x,5,true\n2,2,z,3,true\n3,1,y,,false\n");
}

TEST(RankCommand, ScalesInAFirstPass) {
  // minmax: x and z in [0,1]: variances 5/36 and 3/16; zscore: both 1.
  const Outcome minmax = run_whittle(
      {"rank", "-", "--selector", "variance", "--format", "json", "--scale", "minmax"}, kByHand);
  const auto scaled = nlohmann::json::parse(minmax.out);
  EXPECT_FLOAT_EQ(scaled["features"][0]["score"], 5.0F / 36);
  EXPECT_FLOAT_EQ(scaled["features"][2]["score"], 3.0F / 16);
  EXPECT_TRUE(scaled["features"][1]["score"].is_null());
  const Outcome zscore = run_whittle(
      {"rank", "-", "--selector", "variance", "--format", "json", "--scale", "zscore"}, kByHand);
  const auto standard = nlohmann::json::parse(zscore.out);
  EXPECT_FLOAT_EQ(standard["features"][0]["score"], 1.0F);
  EXPECT_FLOAT_EQ(standard["features"][2]["score"], 1.0F);
}

TEST(RankCommand, InfiniteScoreIsAString) {
  // Both classes lie on one point each: spread between over nothing within.
  const Outcome outcome = run_whittle({"rank", "-", "--selector", "fisher", "--format", "json"},
                                      "x,label\n1,a\n1,a\n2,b\n2,b\n");
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["features"][0]["score"], "inf");
}

TEST(RankCommand, ParamsInEffectAreShown) {
  const Outcome outcome =
      run_whittle({"rank", "-", "-s", "ls", "--param", "k=2", "--param", "use_labels=off",
                   "--param", "metric=cosine", "--param", "window=1", "--format", "json"},
                  kByHand);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\"params\":{\"k\":2,\"lambda\":\"auto\",\"metric\":\"cosine\","
                             "\"use_labels\":false,\"labelled\":2,\"window\":1}"),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["samples"]["held"], 3);
}

TEST(RankCommand, HoldsTheWholeFileUnlessToldOtherwise) {
  const std::string csv = mixed_csv(5, 60, 1);
  const auto all =
      nlohmann::json::parse(run_whittle({"rank", "-", "-s", "cls", "--format", "json"}, csv).out);
  EXPECT_EQ(all["samples"]["held"].get<int>(),
            all["samples"]["labelled"].get<int>() + all["samples"]["unlabelled"].get<int>());
  EXPECT_EQ(all["params"]["window"], all["samples"]["unlabelled"]);
}

TEST(RankCommand, RefusedSamplesAreCountedAndNamed) {
  const Outcome outcome = run_whittle({"rank", "-", "-s", "variance", "--format", "json"},
                                      "x,y\n1,2\n3,\n4,inf\n5,6\nnan,7\n1,1e999\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["samples"]["refused"], 4);
  EXPECT_NE(outcome.err.find("warning: <stdin>:3:2: column 'y': sample refused: unimplemented"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("warning: <stdin>:4:2: column 'y': sample refused: invalid_argument"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("warning: <stdin>:6:1: column 'x'"), std::string::npos);
  EXPECT_NE(outcome.err.find("4 samples refused in all"), std::string::npos);
}

TEST(RankCommand, RefusedSamplesDoNotScale) {
  const std::string clean = "x,y\n1,2\n5,6\n3,9\n";
  const std::string dirty = "x,y\n1,2\n1000,\n5,6\n-1000,inf\n3,9\n";
  const auto features = [](const std::string& csv) {
    return nlohmann::json::parse(run_whittle({"rank", "-", "-s", "ls", "--param", "k=1", "--scale",
                                              "minmax", "--format", "json"},
                                             csv)
                                     .out)["features"];
  };
  EXPECT_EQ(features(clean), features(dirty));
}

TEST(RankCommand, NamesInAnyEncodingPrint) {
  const Outcome outcome = run_whittle({"rank", "-", "-s", "variance", "--format", "json"},
                                      "\xFF\"\",caf\xC3\xA9\n1,2\n2,4\n");
  EXPECT_EQ(outcome.code, 1);  // a quote in the middle of a name
  const Outcome latin = run_whittle({"rank", "-", "-s", "variance", "--format", "json"},
                                    "caf\xE9,caf\xC3\xA9\n1,2\n2,4\n");
  EXPECT_EQ(latin.code, 0);
  EXPECT_EQ(nlohmann::json::parse(latin.out)["features"][1]["name"], "caf\xC3\xA9");
}

TEST(RankCommand, CsvOutputQuotesNames) {
  const Outcome outcome = run_whittle({"rank", "-", "-s", "variance", "--format", "csv"},
                                      "\"a,b\",\"say \"\"hi\"\"\"\n1,1\n2,5\n");
  EXPECT_EQ(outcome.out,
            "rank,index,name,score,selected\n1,1,\"say \"\"hi\"\"\",4,true\n"
            "2,0,\"a,b\",0.25,true\n");
}

TEST(RankCommand, WhatTheSelectorLacksIsSaid) {
  const Outcome outcome = run_whittle({"rank", "-", "-s", "fisher"}, "x,label\n1,a\n2,a\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("failed_precondition: "), std::string::npos) << outcome.err;
}

TEST(RankCommand, MoreMemoryThanThereIsIsRefusedBeforeTheStart) {
  // One labelled sample has to leave, so distances are kept: 2^24 times 2^24 of them.
  const Outcome outcome =
      run_whittle({"rank", "-", "-s", "ls", "--param", "window=16777216", "--param", "labelled=2"},
                  "x,label\n1,a\n2,a\n3,b\n4,\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("--param window=N (now 16777216)"), std::string::npos) << outcome.err;
}

TEST(Program, UsageErrorsExitWith2) {
  const std::string csv = "x\n1\n2\n";
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"frobnicate"},
      {"rank"},
      {"rank", "-"},
      {"rank", "-", "-s", "none"},
      {"rank", "-", "-s", "variance", "--format", "xml"},
      {"rank", "-", "-s", "variance", "--scale", "log"},
      {"rank", "-", "-s", "variance", "--top", "0"},
      {"rank", "-", "-s", "variance", "--top", "x"},
      {"rank", "-", "-s", "variance", "--param", "k=1"},
      {"rank", "-", "-s", "variance", "--frob"},
      {"stream", "-", "-s", "variance"},
      {"stream", "-", "-s", "variance", "--to", "carrier:pigeon"},
      {"stream", "-", "-s", "variance", "--to", "tcp:localhost"},
      {"stream", "-", "-s", "variance", "--to", "tcp:localhost:x"},
      {"stream", "-", "-s", "variance", "--to", "serial:/dev/ttyS0@fast"},
      {"stream", "-", "-s", "variance", "--to", "pty:"},
      {"stream", "-", "-s", "variance", "--to", "tcp:localhost:1", "--firmware", "x.elf"},
      {"node", "--listen", "udp:1"},
      {"node", "--listen", "tcp:65536"},
      {"selectors", "none"},
  };
  for (const auto& arguments : wrong) {
    const Outcome outcome = run_whittle(arguments, csv);
    const std::string last = arguments.empty() ? "(nothing)" : arguments.back();
    EXPECT_EQ(outcome.code, 2) << last;
    EXPECT_EQ(outcome.out, "") << last;
    EXPECT_NE(outcome.err, "") << last;
  }
}

TEST(Program, FailuresExitWith1) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"rank", "/nonexistent.csv", "-s", "variance"},
           {"stream", "-", "-s", "variance", "--to", "serial:/nonexistent"},
           {"stream", "-", "-s", "variance", "--to", "serial:/dev/null"},
           {"stream", "-", "-s", "variance", "--to", "tcp:127.0.0.1:1"},
           {"stream", "-", "-s", "variance", "--to", "qemu:no-such-board"},
           {"info", "--to", "tcp:127.0.0.1:1"}}) {
    const Outcome outcome = run_whittle(arguments, "x\n1\n2\n");
    EXPECT_EQ(outcome.code, 1) << arguments.back();
    EXPECT_EQ(outcome.err.rfind("whittle: ", 0), 0U) << outcome.err;
  }
}

TEST(Program, HelpTeaches) {
  const Outcome help = run_whittle({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("Exit codes: 0 done; 1 "), std::string::npos);
  for (const char* command : {"rank", "stream", "node", "selectors", "info"}) {
    EXPECT_NE(help.out.find(command), std::string::npos);
    const Outcome outcome = run_whittle({command, "--help"});
    EXPECT_EQ(outcome.code, 0) << command;
    EXPECT_NE(outcome.out.find("Examples:\n  whittle " + std::string(command)), std::string::npos)
        << outcome.out;
  }
  EXPECT_EQ(run_whittle({"--version"}).out.rfind("whittle ", 0), 0U);
}

TEST(Program, ListsSelectorsAndTheirParameters) {
  const Outcome list = run_whittle({"selectors"});
  EXPECT_EQ(std::count(list.out.begin(), list.out.end(), '\n'), 8);
  const Outcome one = run_whittle({"selectors", "cs2"});
  EXPECT_NE(one.out.find("nu ("), std::string::npos);
  EXPECT_NE(one.out.find("default 0.1"), std::string::npos);
  EXPECT_NE(run_whittle({"info"}).out.find("selectors variance fisher"), std::string::npos);
}

}  // namespace
}  // namespace whittle
