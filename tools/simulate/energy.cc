#include "tools/simulate/energy.h"

namespace whittle::simulate {
namespace {

constexpr double kMicro = 1e6;

// Joules a byte: supply times current for eight bits at this rate.
constexpr double per_byte(double volts, double amperes, double bits_per_second) {
  return volts * amperes * 8 / bits_per_second * kMicro;
}

// 1 ms of an nRF52840's processor: 3.3 mA at 64 MHz from flash, 3 V, DC/DC.
constexpr double kMillisecondAwake = 3.0 * 3.3e-3 * 1e-3 * kMicro;
// A BME280 at 1 Hz: 3.6 uA for humidity, pressure and temperature, at 1.8 V; one of the three.
constexpr double kOneQuantity = 1.8 * 3.6e-6 / 3 * kMicro;

constexpr char kNode[] =
    "processor: 1 ms a sample at 64 MHz, 3.3 mA, 3 V (Nordic nRF52840 product specification); "
    "sensing: 3.6 uA at 1.8 V and 1 Hz for three quantities (Bosch BME280 datasheet, "
    "BST-BME280-DS001-18, key features); ";

}  // namespace

std::vector<EnergyModel> energy_models() {
  return {
      {"802.15.4", kMillisecondAwake, kOneQuantity, per_byte(3.0, 17.4e-3, 250e3),
       per_byte(3.0, 18.8e-3, 250e3),
       std::string(kNode) + "radio: 17.4 mA sending at 0 dBm, 18.8 mA receiving, 250 kbit/s, 3 V "
                            "(Texas Instruments CC2420 datasheet, SWRS041C, key features)"},
      {"ble", kMillisecondAwake, kOneQuantity, per_byte(3.0, 6.40e-3, 1e6),
       per_byte(3.0, 6.26e-3, 1e6),
       std::string(kNode) + "radio: 6.40 mA sending at 0 dBm, 6.26 mA receiving, 1 Mbit/s, 3 V, "
                            "DC/DC (Nordic nRF52840 product specification, current consumption, "
                            "I_RADIO_TX1 and I_RADIO_RX0)"},
      {"lora", kMillisecondAwake, kOneQuantity, per_byte(3.3, 29e-3, 5469),
       per_byte(3.3, 9.9e-3, 5469),
       std::string(kNode) +
           "radio: 29 mA sending at 13 dBm, 9.9 mA receiving, 5469 bit/s (spreading "
           "factor 7, 125 kHz, 4/5), 3.3 V (Semtech SX1276/77/78/79 datasheet, rev. 4, table 6 "
           "and key features)"},
  };
}

std::optional<EnergyModel> find_energy_model(const std::string& name) {
  for (const EnergyModel& model : energy_models()) {
    if (model.name == name) return model;
  }
  return std::nullopt;
}

}  // namespace whittle::simulate
