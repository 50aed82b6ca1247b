// EnergyModel: what a node spends on a sample, on each feature sensed and on each byte of the line.
//
// Link layer headers, acknowledgements of the radio and idle listening are not in it; what they
// cost a sample can be added to `sample`.
#ifndef WHITTLE_TOOLS_SIMULATE_ENERGY_H_
#define WHITTLE_TOOLS_SIMULATE_ENERGY_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace whittle::simulate {

struct EnergyModel {  // microjoules
  std::string name;
  double sample = 0;     // waking up, computing
  double feature = 0;    // sensing one
  double byte_up = 0;    // sending
  double byte_down = 0;  // receiving
  std::string source;    // of the numbers
};

// "802.15.4" (the default), "ble", "lora".
std::vector<EnergyModel> energy_models();
std::optional<EnergyModel> find_energy_model(const std::string& name);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_ENERGY_H_
