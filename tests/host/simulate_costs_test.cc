// whittle simulate --costs: what features cost, and which of them one sensor gives together.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/host/simulation_harness.h"

namespace whittle {
namespace {

// a and b come from one sensor, d and e from another; c and f are cheap, and say nothing.
constexpr char kCosts[] =
    "group,feature,energy,cost,group_cost\n"
    "left,a,3,2,4\n"
    "left,b,,0.5,\n"
    "\"r, 2\",\"d <&> \"\"e\"\"\",20,1,3\n"
    "\"r, 2\",e,0,1,3\n"
    ",f,,0.25,\n";
const std::vector<double> kCost = {2, 0.5, 1, 1, 1, 0.25};
const std::vector<double> kMicrojoules = {3, 2, 2, 20, 0, 2};

json record_with_costs(const Arguments& more) {
  const TempFile costs(kCosts);
  return record_of(with({"--costs", costs.path(), "--label-rate", "0.2"}, more));
}

// What a mask costs, or on average of masks in which features have these shares.
double cost_by_hand(const json& share) {
  double sum = 4 * share[0].get<double>() + 3 * share[3].get<double>();
  for (std::size_t r = 0; r < 6; ++r) sum += kCost[r] * share[r].get<double>();
  return sum;
}

TEST(SimulateCosts, GroupsAreSwitchedTogetherUnderEveryPolicy) {
  const json record = record_with_costs({"--policy", "random", "--policy", "once", "--policy",
                                         "top", "--policy", "decision", "--policy", "threshold=0.4",
                                         "--policy", "budget=7", "--drift", "permute@500"});
  ASSERT_EQ(record["runs"].size(), 7U);
  for (const json& run : record["runs"]) {
    for (const json& share : run["masks"]) {
      EXPECT_EQ(share[0], share[1]) << run["policy"];
      EXPECT_EQ(share[3], share[4]) << run["policy"];
    }
    EXPECT_EQ(run["kept"][0], run["kept"][1]) << run["policy"];
  }
}

TEST(SimulateCosts, ABudgetIsKeptButForProbes) {
  for (const std::string budget : {"5", "7", "11.5"}) {
    const json record = record_with_costs(
        {"--policy", "budget=" + budget, "--prune", "probe_every=0", "--prune", "drift_block=0"});
    const json& run = run_of(record, "budget=" + budget);
    std::size_t within = 0;
    for (std::size_t i = 0; i < run["masks"].size(); ++i) {
      const double cost = run["cost"][i];
      EXPECT_NEAR(cost, cost_by_hand(run["masks"][i]), 1e-9);
      if (record["checkpoints"][i] < 256) continue;  // of which the mask is in force by now
      ++within;
      EXPECT_LE(cost, std::stod(budget) + 1e-9) << i;
      EXPECT_NEAR(run["mask_cost"][i].get<double>(), cost, 1.0) << i;
    }
    EXPECT_GT(within, 30U);
    const json probing = record_with_costs({"--policy", "budget=" + budget});
    const json& probed = run_of(probing, "budget=" + budget);
    EXPECT_LE(probed["mask_cost"].back(), std::stod(budget));
    EXPECT_GT(probed["mean_cost"], run["mean_cost"]);
  }
}

TEST(SimulateCosts, TheBudgetBuysWhatTellsTheClasses) {
  // The sensors of a and of d cost 6.5 and 5 in all, and all features 12.75.
  const json record = record_with_costs({"--policy", "budget=11.5"});
  EXPECT_EQ(run_of(record, "budget=11.5")["kept"],
            json::parse("[true,true,false,true,true,false]"));
  EXPECT_NEAR(run_of(record, "all")["mean_cost"].get<double>(), 12.75, 1e-9);
}

TEST(SimulateCosts, EnergyIsChargedByFeature) {
  const json record = record_with_costs(
      {"--energy", "sample=5,feature=2,byte=0", "--policy", "top", "--policy", "budget=7"});
  for (const json& run : record["runs"]) {
    int before = 0;
    for (std::size_t i = 0; i < run["masks"].size(); ++i) {
      const int sample = record["checkpoints"][i];
      double microjoules = 5;
      for (std::size_t r = 0; r < 6; ++r) {
        microjoules += kMicrojoules[r] * run["masks"][i][r].get<double>();
      }
      EXPECT_NEAR(run["joules"][i].get<double>(), 2 * (sample - before) * microjoules * 1e-6,
                  1e-12);
      before = sample;
    }
  }
}

TEST(SimulateCosts, AreInTheTableThePageAndTheFiles) {
  const TempFile costs(kCosts), page(""), name("");
  const std::string folder = name.path() + ".d";
  const Arguments arguments =
      with(kSmall, {"--costs", costs.path(), "--policy", "budget=7", "--label-rate", "0.2"});
  const Outcome table =
      run_whittle(with(arguments, {"--report", page.path(), "--csv", folder}), readings_csv(800));
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_NE(table.out.find("cost\n"), std::string::npos) << table.out;
  const std::string shown = content_of(page.path());
  for (const char* const text : {"What features cost", "r, 2", "Cost of the mask in force"}) {
    EXPECT_NE(shown.find(text), std::string::npos) << text;
  }
  const std::string features = content_of(folder + "/features.csv");
  EXPECT_NE(features.find(",\"r, 2\",1,3,20\n"), std::string::npos) << features;
  const Outcome record = run_whittle(with(arguments, {"--format", "json"}), readings_csv(800));
  EXPECT_EQ(run_whittle({"report", "-"}, record.out).out, shown);
  const Outcome plain = run_whittle(with(kSmall, {"--report", page.path()}), readings_csv(800));
  EXPECT_EQ(plain.out.find("cost\n"), std::string::npos);
  EXPECT_EQ(content_of(page.path()).find("What features cost"), std::string::npos);
}

TEST(SimulateCosts, FaultsAreNamedByLineAndColumn) {
  const struct {
    const char* content;
    const char* where;
    const char* text;
  } wrong[] = {
      {"", "1:1", "empty"},
      {"cost,group\n1,x\n", "1:1", "'feature'"},
      {"feature,price\na,1\n", "1:2", "'price'"},
      {"feature,cost,cost\na,1,1\n", "1:3", "second column"},
      {"feature,group_cost\na,1\n", "1:2", "'group'"},
      {"feature,cost\na,1\ng,1\n", "3:1", "no feature is called 'g'"},
      {"feature,cost\na,1\nb,2\na,3\n", "4:1", "on line 2"},
      {"feature,cost\na,-1\n", "2:2", "'-1'"},
      {"feature,cost\na,1\n\nb,nan\n", "4:2", "'nan'"},
      {"feature,cost\na,1e39\n", "2:2", "cost '1e39' is past what single precision holds"},
      {"feature,cost\na,1e-50\n", "2:2", "cost '1e-50' is too small for single precision"},
      {"feature,cost\na,inf\n", "2:2", "cost 'inf' is not a number from 0 on"},
      {"feature,energy\na,much\n", "2:2", "energy 'much'"},
      {"feature,cost\na\n", "2:2", "1 field"},
      {"feature,cost\na,1,2\n", "2:3", "3 fields"},
      {"feature,group,group_cost\na,x,1\nb,x,\nc,x,2\n", "4:3", "on line 2"},
      {"feature,group,group_cost\na,,1\n", "2:3", "'group' is empty"},
      {"feature,cost\n\"a\"b,1\n", "2:1", "quote"},
  };
  for (const auto& [content, where, text] : wrong) {
    const TempFile costs(content);
    const Outcome outcome = run_whittle(with(kSmall, {"--costs", costs.path()}), readings_csv(400));
    EXPECT_EQ(outcome.code, 1) << content;
    EXPECT_EQ(outcome.out, "");
    const std::string start = "whittle: " + costs.path() + ":" + where + ": ";
    EXPECT_EQ(outcome.err.substr(0, start.size()), start) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }
  const Outcome absent = run_whittle(with(kSmall, {"--costs", "/nowhere.csv"}), readings_csv(400));
  EXPECT_EQ(absent.code, 1);
  EXPECT_NE(absent.err.find("/nowhere.csv"), std::string::npos);
}

TEST(SimulateCosts, ABudgetThatBuysNothingIsRefused) {
  const TempFile costs("feature,cost\na,3\nb,2\nc,2.5\nf,2\ne,2\n\"d <&> \"\"e\"\"\",2\n");
  const Arguments arguments = with(kSmall, {"--costs", costs.path(), "--policy"});
  const Outcome less = run_whittle(with(arguments, {"budget=1.5"}), readings_csv(400));
  EXPECT_EQ(less.code, 2);
  EXPECT_NE(less.err.find("costs 2;"), std::string::npos) << less.err;
  EXPECT_EQ(run_whittle(with(arguments, {"budget=2"}), readings_csv(400)).code, 0);
}

}  // namespace
}  // namespace whittle
