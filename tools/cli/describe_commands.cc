#include "tools/cli/describe_commands.h"

#include <iomanip>
#include <memory>
#include <ostream>

#include "tools/cli/address.h"
#include "tools/cli/node_report.h"
#include "tools/cli/parameters.h"
#include "tools/cli/selectors.h"
#include "tools/client/node_client.h"
#include "whittle/node/version.h"
#include "whittle/select/model_answers.h"

namespace whittle::cli {
namespace {

const char* exactness_text(Exactness exactness) {
  switch (exactness) {
    case Exactness::whole_stream:
      return "exact over the whole stream; no sample need be kept";
    case Exactness::held_points:
      return "exact over the samples held";
    case Exactness::anytime:
      return "refined step by step over the samples held";
  }
  return "";
}

const char* answers_text(const SelectorType& type) {
  if (type.answers == nullptr) return "";
  return type.answers->predict != nullptr ? "; classifies (--predict)"
                                          : "; clusters (--memberships)";
}

void describe_selector(const SelectorType& type, std::ostream& out) {
  out << type.id << ": " << type.summary << '\n'
      << (type.direction == Direction::ascending ? "smaller" : "larger") << " scores are better; "
      << exactness_text(type.exactness) << answers_text(type) << '\n';
  if (!type.params.empty()) out << "parameters of its own:\n";
  for (const ParamSpec& spec : type.params) out << "  " << describe_parameter(spec) << '\n';
  if (type.params.empty()) out << "  no parameters of its own\n";
  out << "parameters of the memory, with any selector:\n";
  for (const MemoryParameter& parameter : memory_parameters()) {
    out << "  " << describe_parameter(parameter) << '\n';
  }
}

void info_of_node(const InfoOptions& options, const Console& console) {
  const std::unique_ptr<posix::ByteStream> line =
      open_address(options.address, options.firmware, console.err);
  ClientOptions client_options;
  client_options.patience = std::chrono::seconds(options.patience);
  NodeClient client(*line, client_options);
  const whittle_v1_Info info = client.connect();
  const whittle_v1_Stats stats = client.stats();
  if (options.json) {
    print_node_json(info, stats, console.out);
  } else {
    print_node(info, stats, console.out);
  }
}

}  // namespace

void selectors_command(const std::string& id, const Console& console) {
  if (!id.empty()) return describe_selector(find_selector(id), console.out);
  const Catalog catalog = all_selectors();
  for (std::size_t i = 0; i < catalog.size(); ++i) {
    const SelectorType& type = catalog[i];
    console.out << std::left << std::setw(12) << type.id
                << (type.direction == Direction::ascending ? "asc   " : "desc  ") << type.summary
                << '\n';
  }
}

void info_command(const InfoOptions& options, const Console& console) {
  if (!options.address.empty()) return info_of_node(options, console);
  console.out << "version " << kVersion << "\nreal_bits " << 8 * sizeof(Real) << "\nmax_payload "
              << kMaxPayload << "\nmax_features_per_message " << kMaxSampleFeatures
              << "\nmax_features " << kMaxFeatures << "\nmax_classes " << kMaxClasses
              << "\nmax_held " << kMaxHeld << "\nselectors";
  const Catalog catalog = all_selectors();
  for (std::size_t i = 0; i < catalog.size(); ++i) console.out << ' ' << catalog[i].id;
  console.out << '\n';
}

}  // namespace whittle::cli
