// whittle rank, and the program's other answers that need no node.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/host/cli_harness.h"
#include "tools/cli/number.h"
#include "whittle/base/real.h"
#include "whittle/select/all_selectors.h"
#include "whittle/wire/limits.h"

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

// Columns of which the squares do not fit: big and tiny beside x, two classes.
std::string big_and_tiny_csv() {
  const std::string exponent = sizeof(Real) == sizeof(float) ? "25" : "200";
  std::string csv = "x,big,tiny,label\n";
  for (int i = 0; i < 12; ++i) {
    const std::string value = std::to_string(i * 7 % 12 + 3 * (i % 2));
    csv += value + ',' + value + 'e' + exponent + ',' + value + "e-" + exponent +
           (i % 2 == 0 ? ",a\n" : ",b\n");
  }
  return csv;
}

std::string squares_warning(const std::string& advice) {
  return std::string(
             "whittle: warning: 2 columns without a score of use: 'big', 'tiny': the "
             "differences of the values are such that their squares do not fit ") +
         cli::precision_name() + " precision; " + advice + '\n';
}

TEST(RankCommand, SquaresThatDoNotFitAreTold) {
  const std::string csv = big_and_tiny_csv();
  for (const char* selector : {"fisher", "variance"}) {
    for (const char* scale : {"none", "zscore"}) {  // moments are not scaled
      const Outcome outcome = run_whittle({"rank", "-", "-s", selector, "--scale", scale}, csv);
      EXPECT_EQ(outcome.err,
                squares_warning("write them in other units, since " + std::string(selector) +
                                " reads them as they are before any --scale"));
    }
  }
  const Arguments lsdf = {"rank", "-", "-s", "lsdf", "--format", "json"};
  EXPECT_EQ(run_whittle(lsdf, csv).err,
            squares_warning("give --scale zscore or minmax, or write them in other units"));
  const Arguments learned = with(lsdf, {"--param", "learn=6", "--scale"});
  EXPECT_EQ(run_whittle(with(learned, {"zscore"}), csv).err,
            squares_warning("give --scale minmax, or no --param learn=N, or write them in other "
                            "units"));
  for (const Arguments& helps : {with(lsdf, {"--scale", "zscore"}),
                                 with(lsdf, {"--scale", "minmax"}), with(learned, {"minmax"})}) {
    const Outcome outcome = run_whittle(helps, csv);
    EXPECT_EQ(outcome.err, "");
    const auto features = nlohmann::json::parse(outcome.out)["features"];
    for (const auto& feature : features) {
      EXPECT_TRUE(feature["score"].is_number()) << outcome.out;
    }
  }
}

// The selector cannot tell why no two points have a distance. With missing values, too.
TEST(RankCommand, ColumnsWhoseSquaresAreWhyNothingIsRankedAreNamed) {
  const std::string unit = sizeof(Real) == sizeof(float) ? "e30" : "e300";
  const std::string csv = "a,big,b\n1,1" + unit + ",3\n,2" + unit + ",1\n4,7" + unit + ",2\n,9" +
                          unit + ",5\n3,3" + unit + ",8\n";
  const std::string why =
      "whittle: warning: 1 column to be scaled: 'big': the differences of the values are "
      "such that their squares do not fit " +
      std::string(cli::precision_name()) +
      " precision; give --scale zscore or minmax, or write them in other units\n";
  const Arguments ls = {"-", "-s", "ls", "--param", "k=2"};
  const Outcome outcome = run_whittle(with({"rank"}, ls), csv);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, why + "whittle: failed_precondition: the neighbour graph has no edge\n");
  const NodeProcess node({"--listen", "tcp:0"});
  const Outcome streamed = run_whittle(with({"stream", "--to", node.address()}, ls), csv);
  EXPECT_EQ(streamed.code, 1);
  if (sizeof(Real) == sizeof(float)) {  // samples travel as floats
    EXPECT_EQ(streamed.err, outcome.err);
  }
  for (const char* scale : {"zscore", "minmax"}) {
    const Outcome helped = run_whittle(with({"rank", "--scale", scale}, ls), csv);
    EXPECT_EQ(helped.code, 0);
    EXPECT_EQ(helped.err, "");
  }
  const Outcome moments = run_whittle({"rank", "-", "-s", "fisher"}, csv);
  EXPECT_EQ(moments.err.find("big"), std::string::npos) << moments.err;
}

// Two classes, x and y so small or large that their squares have few digits or sums do not fit.
std::string scaled_csv(const std::string& exponent) {
  std::string csv = "x,y,label\n";
  for (int i = 0; i < 20; ++i) {
    csv += std::to_string(i * 7 % 11 + 3 * (i % 2)) + exponent + ',' + std::to_string(i * 5 % 17) +
           (i % 2 == 0 ? ",a\n" : ",b\n");
  }
  return csv;
}

TEST(RankCommand, SquaresOfFewDigitsAreTold) {
  const bool single = sizeof(Real) == sizeof(float);
  const std::string csv = scaled_csv(single ? "e-23" : "e-162");
  const auto told = [&](const Arguments& arguments) {
    const Outcome outcome = run_whittle(with({"rank", "-", "-s"}, arguments), csv);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  const std::string why =
      "whittle: warning: 1 column whose scores lose precision: 'x': the differences of the values "
      "are so small that their squares have few digits in " +
      std::string(cli::precision_name()) + " precision; ";
  const std::string units = "write them in other units";
  EXPECT_EQ(told({"fisher", "--scale", "zscore"}),
            why + units + ", since fisher reads them as they are before any --scale\n");
  EXPECT_EQ(told({"lsdf"}), why + "give --scale zscore or minmax, or " + units + '\n');
  EXPECT_EQ(told({"lsdf", "--scale", "zscore", "--param", "learn=20"}),
            why + "give --scale minmax, or no --param learn=N, or " + units + '\n');
  EXPECT_EQ(told({"lsdf", "--scale", "zscore"}), "");
  EXPECT_EQ(told({"lsdf", "--scale", "minmax", "--param", "learn=20"}), "");
  EXPECT_EQ(told({"relieff"}), "");  // it divides by the ranges before anything else
  const Arguments fisher = {"rank", "-", "-s", "fisher"};
  EXPECT_EQ(run_whittle(fisher, scaled_csv(single ? "e-21" : "e-160")).err, "");
}

// Sums over all pairs and columns overflow before the squares do.
TEST(RankCommand, ColumnsWhoseSumsOfSquaresDoNotFitAreNamed) {
  const bool single = sizeof(Real) == sizeof(float);
  const Arguments csfs = {"rank", "-", "-s", "csfs"};
  const Outcome outcome = run_whittle(csfs, scaled_csv(single ? "e17" : "e152"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("1 column to be scaled: 'x': "), std::string::npos) << outcome.err;
}

// x grows far past what the scale is learned from, so that learning it well beforehand is no use.
TEST(RankCommand, ColumnsTooLargeForTheLearnedScaleAreNamedWithWhatHelps) {
  const std::string large = sizeof(Real) == sizeof(float) ? "e36" : "e300";
  std::string csv = "x,y,label\n";
  for (int i = 0; i < 24; ++i) {
    csv += std::to_string(i * 7 % 11) + (i < 12 ? "" : large) + ',' + std::to_string(i * 5 % 17) +
           (i % 2 == 0 ? ",a\n" : ",b\n");
  }
  const Arguments rank = {"rank", "-", "-s", "cls", "--scale"};
  const std::string refusal =
      "whittle: failed_precondition: distances overflow: scale the features down\n";
  const std::string why =
      "whittle: warning: 1 column to be scaled: 'x': the differences of the values, scaled by "
      "what was learned, are such that their squares do not fit " +
      std::string(cli::precision_name()) + " precision; give ";
  const std::string none = ", or no --param learn=N\n";
  const Arguments zscore = with(rank, {"zscore", "--param", "learn=8"});
  const Arguments minmax = with(rank, {"minmax", "--param", "learn=8"});
  EXPECT_EQ(run_whittle(zscore, csv).err,
            why + "--scale minmax with --rescale-every N or with a larger --param learn=N" + none +
                refusal);
  EXPECT_EQ(run_whittle(minmax, csv).err,
            why + "--rescale-every N or a larger --param learn=N" + none + refusal);
  EXPECT_EQ(run_whittle(with(minmax, {"--rescale-every", "10"}), csv).err, "");
  EXPECT_EQ(run_whittle(with(minmax, {"--rescale-every", "11"}), csv).err, "");
  EXPECT_EQ(run_whittle(with(rank, {"minmax", "--param", "learn=24"}), csv).err, "");
  EXPECT_EQ(run_whittle(with(rank, {"zscore"}), csv).err, "");
}

// A range past the precision has no gain, whatever it is learned from.
TEST(RankCommand, ColumnsThatALearnedScaleCannotScaleAreNamed) {
  const std::string most = sizeof(Real) == sizeof(float) ? "3e38" : "1.7e308";
  const std::string csv = "x,y,label\n" + most + ",1,a\n-" + most + ",4,b\n0,2,a\n0,7,b\n";
  const Outcome outcome =
      run_whittle({"rank", "-", "-s", "lsdf", "--scale", "minmax", "--param", "learn=3"}, csv);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err,
            "whittle: warning: 1 column without a score of use: 'x': the differences of the values "
            "are such that their squares do not fit " +
                std::string(cli::precision_name()) + " precision; write them in other units\n");
}

TEST(RankCommand, SquaresThatFitAreNotTold) {
  const Arguments fisher = {"rank", "-", "-s", "fisher"};
  EXPECT_EQ(run_whittle(fisher, "x,y,z,label\n1,5e9,1,a\n1,5e9,1,a\n2,5e9,1,b\n2,6e9,1,b\n").err,
            "");  // inf and no score for other reasons
}

TEST(RankCommand, ClassesOfOneRowAreTold) {
  const auto told = [](const std::string& count) {
    return "whittle: warning: <stdin>: " + count +
           " classes have one row only: is the label a name, or a measured number? Every text is "
           "a class of "
           "its own; write ranges in its place, or name another column with --label\n";
  };
  const Arguments fisher = {"rank", "-", "-s", "fisher"};
  const std::string three = "x,label\n1,0.1\n5,0.25\n7,0.9\n";
  EXPECT_EQ(run_whittle(fisher, three).err, told("3 of 3"));
  EXPECT_EQ(run_whittle(fisher, three + "8,0.9\n").err, "");
  EXPECT_EQ(run_whittle(fisher, "x,label\n1,1\n5,2\n7,3\n").err, "");
  // One label of each class, and many rows without: as it should be.
  std::string few = "x,label\n";
  for (int i = 0; i < 60; ++i) {
    few += std::to_string(i * i % 17) + ',' + (i < 10 ? std::to_string(i) : "") + '\n';
  }
  EXPECT_EQ(run_whittle(fisher, few).err, "");
  EXPECT_EQ(run_whittle(fisher, "x,label\n1,a\n5,b\n7,c\n").err, "");
  std::string csv = "x,label\n";
  for (int i = 0; i < 10; ++i) csv += std::to_string(i * i) + ",0." + std::to_string(i) + '\n';
  EXPECT_EQ(run_whittle(fisher, csv + "2,0.0\n2,0.1\n2,0.2\n2,0.3\n").err, told("6 of 10"));
  EXPECT_EQ(run_whittle(fisher, csv + "2,0.0\n2,0.1\n2,0.2\n2,0.3\n2,0.4\n").err, "");
  const Outcome simulated =
      run_whittle({"simulate", "-", "--nodes", "1", "--policy", "random"}, three);
  EXPECT_NE(simulated.err.find(told("3 of 3")), std::string::npos) << simulated.err;
}

TEST(RankCommand, UniversumThatNoRowHasIsTold) {
  const std::string csv = "x,label\n1,a\n5,b\n7,other\n";
  const Arguments fisher = {"rank", "-", "-s", "fisher", "--universum"};
  const auto err = [&](const std::string& word) {
    Arguments arguments = fisher;
    arguments.push_back(word);
    return run_whittle(arguments, csv).err;
  };
  EXPECT_EQ(err("othr"),
            "whittle: warning: --universum 'othr': no row of <stdin> has this label\n");
  EXPECT_EQ(err("other"), "");
  EXPECT_EQ(err("universum"), "");  // as without the option
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

TEST(RankCommand, MissingCellsAreSkipped) {
  // x {1,3,5,7}: 5; y {2,4}: 1; an NA is no missing cell.
  const Outcome outcome = run_whittle({"rank", "-", "-s", "variance", "--format", "csv"},
                                      "x,y\n1,2\n3,\n5,4\n7,\nNaN,nan\n,\n");
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find("\n2,")),
            "rank,index,name,score,selected\n1,0,x,5,true")
      << outcome.out;
  EXPECT_NE(outcome.out.find("2,1,y,1,true"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.err,
            "whittle: warning: <stdin>:6: sample refused: invalid_argument: every value is "
            "missing: features: 2\n"
            "whittle: warning: <stdin>:7: sample refused: invalid_argument: every value is "
            "missing: features: 2\n");
}

TEST(RankCommand, WhatTheFileHidesIsToldByEveryCommandThatReadsIt) {
  const TempFile file("x,y,label\n1,2,a\n4,1,b\n2,5,NA\n3,3,nan\n");
  const std::string place = file.path() + ":4:3: label 'NA' is taken for a class";
  const std::vector<Arguments> commands = {
      {"rank", file.path(), "-s", "variance"},
      {"rank", "-", "-s", "l1svm", "--predict", file.path()},
      {"simulate", file.path(), "--nodes", "1", "--policy", "random"}};
  for (const Arguments& command : commands) {
    const Outcome outcome = run_whittle(command, "x,y,label\n1,2,a\n4,1,b\n");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("whittle: warning: " + place), std::string::npos) << outcome.err;
  }
  const Outcome ranked = run_whittle(commands[0]);
  EXPECT_EQ(ranked.out.rfind("variance, larger is better; 3 labelled, 1 unlabelled", 0), 0U)
      << ranked.out;
}

TEST(RankCommand, RefusedSamplesAreCountedAndNamed) {
  const Outcome outcome = run_whittle({"rank", "-", "-s", "variance", "--format", "json"},
                                      "x,y\n1,2\n,\n4,inf\n5,6\n-inf,7\n1,1e999\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["samples"]["refused"], 4);
  EXPECT_NE(outcome.err.find("warning: <stdin>:3: sample refused: invalid_argument: every value"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("warning: <stdin>:4:2: column 'y': sample refused: infinite value\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("warning: <stdin>:6:1: column 'x'"), std::string::npos);
  EXPECT_NE(outcome.err.find("4 samples refused in all"), std::string::npos);
}

TEST(RankCommand, NumbersPastTheRangeAreNotCalledInfinite) {
  const std::string past = cli::past_range<Real>("-1e999") + '\n';
  const Outcome outcome = run_whittle({"rank", "-", "-s", "variance"}, "x,y\n1,2\n4,-1e999\n5,6\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "whittle: warning: <stdin>:3:2: column 'y': sample refused: " + past);
}

nlohmann::json features(const std::string& csv, std::vector<std::string> options) {
  const std::vector<std::string> command = {"rank", "-", "--format", "json"};
  options.insert(options.begin(), command.begin(), command.end());
  const Outcome outcome = run_whittle(options, csv);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out)["features"];
}

TEST(RankCommand, RefusedSamplesDoNotScale) {
  const std::vector<std::string> options = {"-s", "ls", "--param", "k=1", "--scale", "minmax"};
  EXPECT_EQ(features("x,y\n1,2\n5,6\n3,9\n", options),
            features("x,y\n1,2\n,\n5,6\n-1000,inf\n3,9\n", options));
}

TEST(RankCommand, MissingCellsDoNotScale) {
  for (const char* scale : {"minmax", "zscore"}) {
    // Present values of y: {0, 4}; c is constant, z has none.
    const auto scaled =
        features("x,y,c,z\n1,0,5,\n5,,5,\n3,4,5,\n", {"-s", "variance", "--scale", scale});
    EXPECT_FLOAT_EQ(scaled[1]["score"], scale == std::string("minmax") ? 0.25F : 1.0F);
    EXPECT_TRUE(scaled[2]["score"].is_null());
    EXPECT_TRUE(scaled[3]["score"].is_null());
  }
}

TEST(RankCommand, RangeThatOverflowsCannotBeScaled) {
  const std::string most = sizeof(Real) == sizeof(float) ? "3e38" : "1.5e308";
  const Outcome outcome = run_whittle({"rank", "-", "-s", "ls", "--scale", "minmax"},
                                      "x,y\n1," + most + "\n2,-" + most + "\n3,0\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err,
            "whittle: <stdin>: column 'y': its values differ too little or too much to be "
            "scaled; use other units or --scale none\n");
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

// How far the worse of gap and residual is from 0.
double distance_from_the_end(const nlohmann::json& info) {
  double distance = -1;
  for (const char* name : {"gap", "residual"}) {
    if (!info.contains(name)) continue;
    EXPECT_TRUE(info[name].is_number()) << info;
    EXPECT_GE(info[name], 0) << info;
    distance = std::max(distance, info[name].get<double>());
  }
  return distance;
}

// Two classes that are clusters, a third of the samples labelled; ten features of noise.
std::string clustered_csv() {
  std::mt19937 random(5);
  std::ostringstream csv;
  csv << "a,b,c,d,e,f,g,h,i,j,k,l,label\n";
  for (int i = 0; i < 60; ++i) {
    for (int r = 0; r < 12; ++r) {
      csv << static_cast<double>(random() % 1024) / 1024 + (r < 2 ? i % 2 : 0) << ',';
    }
    csv << (i % 3 > 0 ? "" : i % 2 == 0 ? "low" : "high") << '\n';
  }
  return csv.str();
}

// What is refined says where it is: settled, to what its stopping rule promises, or not yet.
TEST(RankCommand, InfoOfEverySelectorThatIsRefinedSaysHowFarItIs) {
  const std::string csv = clustered_csv();
  int refined = 0;
  for (const SelectorType* type : kAllSelectors) {
    if (type->exactness != Exactness::anytime) continue;
    SCOPED_TRACE(type->id);
    ++refined;
    std::vector<std::string> command = {"rank",     "-",    "--selector", type->id,
                                        "--format", "json", "--scale",    "zscore"};
    if (ParamValues(type->params).set(type->params, "lambda1", 1).ok()) {
      command.insert(command.end(), {"--param", "lambda1=0.1"});  // so that some weight is not 0
    }
    for (const bool interrupted : {false, true}) {
      if (interrupted) command.insert(command.end(), {"--param", "max_iter=1"});
      const Outcome outcome = run_whittle(command, csv);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const auto info = nlohmann::json::parse(outcome.out)["info"];
      EXPECT_TRUE(info["objective"].is_number()) << info;
      EXPECT_GE(info["iterations"], 1) << info;
      EXPECT_EQ(info["converged"], !interrupted) << info;
      if (interrupted) {
        EXPECT_GT(distance_from_the_end(info), 1e-4) << info;
      } else {
        EXPECT_LE(distance_from_the_end(info), 1.001e-3) << info;
        EXPECT_GE(distance_from_the_end(info), 0) << info;
      }
    }
  }
  EXPECT_EQ(refined, 8);
}

TEST(RankCommand, MoreMemoryThanThereIsIsRefusedBeforeTheStart) {
  // The graph of all pairs: 2^24 times 2^24 of them.
  const Outcome outcome = run_whittle(
      {"rank", "-", "-s", "spec_f2_r4", "--param", "window=16777216", "--param", "labelled=2"},
      "x,label\n1,a\n2,a\n3,b\n4,\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err.rfind("whittle: this ranking needs ", 0), 0U) << outcome.err;
  EXPECT_NE(outcome.err.find("the machine has "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("; --param window=N (now 16777216) takes most\n"), std::string::npos)
      << outcome.err;
}

std::string params_of(const std::string& csv, std::vector<std::string> options,
                      std::string* err = nullptr) {
  const std::vector<std::string> command = {"rank", "-", "--format", "json"};
  options.insert(options.begin(), command.begin(), command.end());
  const Outcome outcome = run_whittle(options, csv);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  if (err != nullptr) *err = outcome.err;
  const std::size_t from = outcome.out.find("\"params\":") + 9;
  return outcome.out.substr(from, outcome.out.find(",\"features\"") - from);
}

TEST(MemoryParameters, ScoresFromMomentsHoldNothingUnlessAsked) {
  EXPECT_EQ(params_of(kByHand, {"-s", "variance"}), "{}");
  EXPECT_EQ(params_of(kByHand, {"-s", "variance", "--param", "window=2"}),
            "{\"labelled\":0,\"window\":2}");
  EXPECT_EQ(params_of(kByHand, {"-s", "variance", "--param", "half_life=4"}), "{\"half_life\":4}");
  EXPECT_EQ(params_of(kByHand, {"-s", "variance", "--param", "redundancy=tree"}),
            "{\"labelled\":2,\"window\":2,\"redundancy\":\"tree\"}");
}

TEST(MemoryParameters, GeometryFollowsFromTheCodebook) {
  const std::string csv = mixed_csv(4, 60, 3);
  EXPECT_NE(params_of(csv, {"-s", "lsdf", "--param", "codebook=4"})
                .find("\"geometry\":\"codebook\",\"codebook\":4}"),
            std::string::npos);
  EXPECT_NE(params_of(csv, {"-s", "lsdf", "--param", "codebook=4", "--param", "window=5"})
                .find("\"window\":5,\"geometry\":\"hybrid\",\"codebook\":4}"),
            std::string::npos);
  EXPECT_NE(params_of(csv, {"-s", "lsdf", "--param", "geometry=codebook"})
                .find("\"geometry\":\"codebook\",\"codebook\":64}"),
            std::string::npos);
}

TEST(MemoryParameters, OnesWithoutEffectAreSaid) {
  std::string err;
  params_of(kByHand, {"-s", "ls", "--param", "half_life=5"}, &err);
  EXPECT_EQ(err,
            "whittle: warning: --param half_life=5 has no effect here: it is for a score from "
            "moments, or learn=N with zscore\n");
  params_of(kByHand, {"-s", "ls", "--param", "geometry=window", "--param", "codebook=5"}, &err);
  EXPECT_NE(err.find("--param codebook=5 has no effect here"), std::string::npos) << err;
  params_of(kByHand, {"-s", "ls", "--param", "geometry=hybrid"}, &err);
  EXPECT_NE(err.find("none trains the codebook; give --param window=N"), std::string::npos) << err;
  params_of("x,label\n1,a\n2,a\n4,b\n", {"-s", "ls", "--param", "codebook=5"}, &err);
  EXPECT_EQ(err,
            "whittle: warning: --param codebook=5 has no effect here: no sample is unlabelled, so "
            "none trains the codebook\n");
  params_of("x,label\n1,a\n2,a\n4,b\n",
            {"-s", "ls", "--param", "geometry=hybrid", "--param", "window=4"}, &err);
  EXPECT_EQ(err,
            "whittle: warning: --param codebook=64 has no effect here: no sample is unlabelled, so "
            "none trains the codebook\n");
  params_of("x,label\n1,a\n2,a\n4,b\n7,a\n",
            {"-s", "ls", "--param", "codebook=1", "--param", "window=1", "--label-delay", "1"},
            &err);
  EXPECT_EQ(err.find("codebook"), std::string::npos) << err;  // the wait drives samples out
  params_of(kByHand, {"-s", "ls", "--param", "learn=100", "--scale", "zscore"}, &err);
  EXPECT_NE(err.find("there were only 4 samples"), std::string::npos) << err;
}

// y varies from the third row on, z from the fifth; w never does; universum rows teach nothing.
constexpr char kVariesLate[] =
    "x,y,z,w,label\n1,5,7,3,a\n9,9,9,3,universum\n2,5,7,3,b\n3,6,7,3,\n4,7,7,3,a\n5,8,8,3,b\n";

std::string scale_warning(const std::string& csv, const std::vector<std::string>& more) {
  std::vector<std::string> options = {"-s", "variance", "--scale", "minmax"};
  options.insert(options.end(), more.begin(), more.end());
  std::string err;
  params_of(csv, options, &err);
  return err;
}

TEST(MemoryParameters, FeaturesThatVaryTooLateForTheScaleAreTold) {
  const auto told = [](const std::string& learn, const std::string& columns) {
    return "whittle: warning: --param learn=" + learn + ": " + columns +
           "; all are taken for constant, so learn from more samples\n";
  };
  const std::string late = " with one value only where the scale is learned, though not later: ";
  EXPECT_EQ(scale_warning(kVariesLate, {"--param", "learn=1"}),
            told("1", "3 columns" + late + "'x', 'y', 'z'"));
  EXPECT_EQ(scale_warning(kVariesLate, {"--param", "learn=2"}),
            told("2", "2 columns" + late + "'y', 'z'"));
  EXPECT_EQ(scale_warning(kVariesLate, {"--param", "learn=3"}),
            told("3", "1 column" + late + "'z'"));
  EXPECT_EQ(scale_warning(kVariesLate, {"--param", "learn=5"}), "");
}

TEST(MemoryParameters, FeaturesThatVaryInTimeForTheLastScaleAreNotTold) {
  const auto warning = [](const std::string& rows) {
    return scale_warning(kVariesLate, {"--param", "learn=2", "--rescale-every", rows});
  };
  EXPECT_EQ(warning("3"), "");  // after the third and the sixth row
  EXPECT_NE(warning("4").find("1 column with one value"), std::string::npos) << warning("4");
}

// What relieff says of x, 5 in the first four rows and then i, of 12 rows whose scale is learned
// from three of them; `label`: of row i.
template <typename Label>
std::string lost_values(Label label, const Arguments& more) {
  std::string csv = "x,y,label\n";
  for (int i = 0; i < 12; ++i) {
    csv += std::to_string(i < 4 ? 5 : i) + ',' + std::to_string(i * 5 % 7) + ',' + label(i) + '\n';
  }
  const Arguments rank = {"rank", "-",       "-s",     "relieff", "--param",
                          "k=1",  "--scale", "minmax", "--param", "learn=3"};
  const Outcome outcome = run_whittle(with(rank, more), csv);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.err;
}

std::string lost_warning(const std::string& rows) {
  return "whittle: warning: --param learn=3: 1 column taken for constant until the scale was "
         "learned again: 'x' (" +
         rows +
         "); what came meanwhile has lost its value there, and learning again does not bring it "
         "back, so learn from more samples\n";
}

TEST(MemoryParameters, ValuesThatALaterScaleDoesNotBringBackAreTold) {
  const auto a_or_b = [](int i) { return i % 2 == 0 ? "a" : "b"; };
  const auto told = [&](const char* every, const Arguments& more = {}) {
    return lost_values(a_or_b, with({"--rescale-every", every}, more));
  };
  EXPECT_EQ(told("12"), lost_warning("7 of 12 rows held"));  // 4, 6, 7, ..., 11: not the fifth, 5
  EXPECT_EQ(told("8"), lost_warning("3 of 12 rows held"));   // 4, 6, 7
  EXPECT_EQ(told("4"), lost_warning("3 of 12 rows held"));   // the first time it is still constant
  EXPECT_EQ(told("5"), lost_warning("1 of 12 rows held"));   // 4
  EXPECT_EQ(told("8", {"--param", "labelled=5"}), lost_warning("1 of 5 rows held"));
  EXPECT_EQ(told("8", {"--param", "labelled=4"}), "");  // they have left
}

TEST(MemoryParameters, LostValuesOfUnlabelledRowsAreThoseTheWindowHolds) {
  const auto mostly_none = [](int i) { return i == 0 ? "a" : i == 1 ? "b" : ""; };
  const auto told = [&](const Arguments& more) {
    return lost_values(mostly_none, with({"--rescale-every", "8"}, more));
  };
  EXPECT_EQ(told({}), lost_warning("3 of 12 rows held"));
  EXPECT_EQ(told({"--param", "window=5"}), lost_warning("1 of 7 rows held"));
  EXPECT_EQ(told({"--param", "window=4"}), "");
  // Prototypes keep something of every row.
  EXPECT_EQ(told({"--param", "window=4", "--param", "codebook=2"}), lost_warning("3 of 12 rows"));
}

TEST(MemoryParameters, LostValuesOfRowsWhoseLabelsComeLate) {
  const auto a_or_b = [](int i) { return i % 2 == 0 ? "a" : "b"; };
  const Arguments late = {"--rescale-every", "8", "--label-delay", "2"};
  EXPECT_EQ(lost_values(a_or_b, late), lost_warning("3 of 12 rows held"));
  EXPECT_EQ(lost_values(a_or_b, with(late, {"--param", "labelled=5"})),
            lost_warning("1 of 5 rows held"));
  EXPECT_EQ(lost_values(a_or_b, with(late, {"--param", "labelled=4"})), "");
}

TEST(MemoryParameters, LearnedFromTheWholeFileIsTheFirstPass) {
  const std::string csv = "x,y\n0,8\n2,0\n4,8\n8,4\n";
  EXPECT_EQ(features(csv, {"-s", "variance", "--scale", "minmax"}),
            features(csv, {"-s", "variance", "--scale", "minmax", "--param", "learn=4"}));
}

TEST(MemoryParameters, TreeTakesCopiesOutOfTheSelection) {
  // y is twice x: one of them is enough; z is on its own.
  const std::string csv = "x,y,z\n1,2,5\n2,4,1\n3,6,4\n4,8,2\n5,10,4\n";
  const auto plain = features(csv, {"-s", "variance"});
  const auto tree = features(csv, {"-s", "variance", "--param", "redundancy=tree"});
  EXPECT_TRUE(plain[0]["selected"] && plain[1]["selected"]);
  EXPECT_TRUE(tree[1]["selected"]);
  EXPECT_FALSE(tree[0]["selected"]);
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
      {"rank", "-", "-s", "ls", "--param", "k=1", "--param", "k=2"},
      {"rank", "-", "-s", "ls", "--param", "learn=5"},
      {"rank", "-", "-s", "ls", "--param", "geometry=codebook", "--param", "codebook=0"},
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
    EXPECT_EQ(outcome.err.rfind("whittle: ", 0), 0U) << last << outcome.err;
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
  EXPECT_NE(run_whittle({"stream", "--help"})
                .out.find("Features at most: " + std::to_string(kMaxSampleFeatures) + "."),
            std::string::npos);
  EXPECT_EQ(run_whittle({"--version"}).out.rfind("whittle ", 0), 0U);
}

TEST(Program, ListsSelectorsAndTheirParameters) {
  const Outcome list = run_whittle({"selectors"});
  EXPECT_EQ(std::count(list.out.begin(), list.out.end(), '\n'), 27);
  const Outcome one = run_whittle({"selectors", "cs2"});
  EXPECT_NE(one.out.find("nu ("), std::string::npos);
  EXPECT_NE(one.out.find("default 0.1"), std::string::npos);
  for (const char* name : {"labelled", "window", "geometry", "codebook", "half_life", "learn",
                           "pairs", "redundancy"}) {
    EXPECT_NE(one.out.find("\n  " + std::string(name) + " ("), std::string::npos) << name;
  }
  EXPECT_NE(run_whittle({"info"}).out.find("selectors variance fisher"), std::string::npos);
}

}  // namespace
}  // namespace whittle
