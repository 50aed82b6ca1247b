// Runs `whittle simulate` on readings of a kind that tests know.
#ifndef WHITTLE_TESTS_HOST_SIMULATION_HARNESS_H_
#define WHITTLE_TESTS_HOST_SIMULATION_HARNESS_H_

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/host/cli_harness.h"
#include "whittle/base/random.h"

namespace whittle {

using nlohmann::json;

// Two classes; features 0 and 3 tell them, four are noise; every seventh row has no label.
inline std::string readings_csv(unsigned rows) {
  Random random(7);
  std::ostringstream csv;
  csv << "a,b,c,\"d <&> \"\"e\"\"\",e,f,label\n";
  for (unsigned i = 0; i < rows; ++i) {
    const unsigned state = random.next() & 1U;
    for (unsigned r = 0; r < 6; ++r) {
      csv << random.uniform() + (r % 3 == 0 && r < 5 ? Real(state) : Real(0)) << ',';
    }
    csv << (i % 7 == 0 ? "" : state == 0 ? "off" : "on") << '\n';
  }
  return csv.str();
}

inline const Arguments kSmall = {"simulate", "-",       "--nodes",     "2",       "--keep",
                                 "2",        "--prune", "warm_up=128", "--learn", "64"};

inline json record_of(const Arguments& more, unsigned rows = 1600) {
  const Outcome outcome =
      run_whittle(with(with(kSmall, {"--format", "json"}), more), readings_csv(rows));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out);
}

inline const json& run_of(const json& record, const std::string& policy) {
  for (const json& run : record["runs"]) {
    if (run["policy"] == policy) return run;
  }
  throw std::runtime_error("no run of " + policy);
}

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_SIMULATION_HARNESS_H_
