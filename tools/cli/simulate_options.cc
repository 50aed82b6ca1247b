#include "tools/cli/simulate_options.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "tools/cli/error.h"
#include "tools/cli/policies.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

constexpr char kSimulateFooter[] =
    "The rows of FILE.csv are dealt to the nodes in turn, in order: what their sensors read. Each\n"
    "node has its own core and arena, prunes for itself, and sends what it has sensed; the host\n"
    "has samples labelled as chance has it (a node may get few labels, or none), and tells the\n"
    "class of every sample by the nearest labelled one. A node that never ranks, for want of\n"
    "labels or of samples after its warm-up, senses everything: a warning names it. A run with "
    "all\n"
    "features comes first; the others are compared with it.\n"
    "\n"
    "Policies: all; random (features picked by chance); once (the first mask, for good); top (the\n"
    "best); decision (what the selector itself selects); threshold=SCORE; budget=COST (in the\n"
    "unit of --costs; without it, a number of features). All but the first three probe, and\n"
    "watch for drift. --costs FILE.csv has a row for each feature: feature, and any of cost\n"
    "(default 1), group (features that one sensor gives are switched together), group_cost (paid\n"
    "once) and energy (microjoules to sense it). --prune NAME=VALUE sets of the pruner:\n";

constexpr char kSimulateExamples[] =
    "\n\nExamples:\n"
    "  whittle simulate room.csv --nodes 4 --report room.html\n"
    "  whittle simulate room.csv -s cls -s fisher --policy top --keep 4 --format csv\n"
    "  whittle simulate room.csv --drift permute@1200 --loss 0.1 --energy lora\n"
    "  whittle simulate room.csv --costs costs.csv --policy budget=40 --report room.html\n"
    "  whittle simulate room.csv --format json > run.json; whittle report run.json -o run.html";

constexpr char kReportFooter[] =
    "The page needs nothing else: no network, no script. RUN.json is what `whittle simulate\n"
    "--format json` prints.\n"
    "\n"
    "Examples:\n"
    "  whittle report run.json -o run.html\n"
    "  whittle report run.json -o run.html --csv run     the numbers behind the pictures";

void set_format(const std::string& text, Format* format) {
  if (text == "table")
    *format = Format::table;
  else if (text == "json")
    *format = Format::json;
  else if (text == "csv")
    *format = Format::csv;
  else
    throw CLI::ValidationError("--format", in_quotes(text) + " is not one of table|json|csv");
}

// One value each time the option is given.
CLI::Option* one_each(CLI::Option* option) { return option->allow_extra_args(false); }

void add_fleet_options(CLI::App* command, simulate::Fleet* fleet) {
  const auto whole = [&](const char* flag, std::uint32_t* value, unsigned least, unsigned most,
                         const char* help) {
    command->add_option(flag, *value, help)
        ->check(CLI::Range(least, most).description(""))
        ->capture_default_str();
  };
  const auto share = [&](const char* flag, double* value, double most, const char* help) {
    command->add_option(flag, *value, help)
        ->check(CLI::Range(0.0, most).description(""))
        ->check([](const std::string& text) {
          return std::isnan(std::strtod(text.c_str(), nullptr)) ? "not a number" : "";
        })
        ->capture_default_str();
  };
  whole("--nodes", &fleet->nodes, 1, 10000, "virtual nodes");
  share("--loss", &fleet->loss, 0.9, "share of the frames that get lost, 0 to 0.9");
  share("--label-rate", &fleet->label_rate, 1, "chance of each sample to get a label");
  whole("--label-delay", &fleet->label_delay, 0, kMaxHeld, "samples by which a label comes late");
  whole("--labelled", &fleet->labelled, 1, kMaxHeld, "newest labelled samples that a node holds");
  whole("--window", &fleet->window, 1, kMaxHeld, "newest unlabelled samples that it holds");
  whole("--codebook", &fleet->codebook, 0, kMaxHeld, "prototypes of all samples that it holds");
  whole("--learn", &fleet->learn, 0, kMaxHeld, "samples from which it learns its scale; 0: none");
  share("--half-life", &fleet->half_life, 1e9,
        "samples after which one counts half where moments rank; 0: never less");
  command->add_option("--seed", fleet->seed, "of chance")->capture_default_str();
}

}  // namespace

void add_simulate_options(CLI::App* command, SimulateOptions* options) {
  command->add_option("FILE.csv", options->file, "CSV file; - for standard input")->required();
  one_each(command->add_option("-s,--selector", options->selectors, "method; repeatable"))
      ->capture_default_str();
  one_each(
      command->add_option("--policy", options->policies, std::string(kPolicyHelp) + "; repeatable"))
      ->capture_default_str();
  command
      ->add_option("--keep", options->keep, "features that random, once and top keep; default half")
      ->check(CLI::Range(1U, kMaxFeatures).description(""));
  one_each(command->add_option("--prune", options->pruning, "setting of the pruner; repeatable"))
      ->option_text("NAME=VALUE ...");
  add_fleet_options(command, &options->fleet);
  command->add_option("--drift", options->drift,
                      "KIND@SAMPLE: from this sample of each node on permute, rescale or shift the "
                      "features");
  command
      ->add_option("--energy", options->energy,
                   "802.15.4, ble, lora, or sample=uJ,feature=uJ,byte=uJ")
      ->capture_default_str();
  command->add_option("--costs", options->costs, "CSV file of what features cost, and of groups");
  command->add_option("--label", options->dataset.label,
                      "label column; default `label`, if there is one");
  command->add_option("--universum", options->dataset.universum, "label of universum samples")
      ->capture_default_str();
  command
      ->add_option_function<std::string>(
          "--format", [options](const std::string& text) { set_format(text, &options->format); },
          "output; default table")
      ->option_text("table|json|csv");
  command->add_option("--report", options->report, "write a page that shows it all");
  command->add_option("--csv", options->csv, "write the numbers into this folder");
  command->footer(kSimulateFooter + describe_pruning() + kSimulateExamples);
}

void add_report_options(CLI::App* command, ReportOptions* options) {
  command->add_option("RUN.json", options->file, "a simulation; - for standard input")->required();
  command->add_option("-o,--output", options->out, "the page; - for standard output")
      ->capture_default_str();
  command->add_option("--csv", options->csv, "write the numbers into this folder, too");
  command->footer(kReportFooter);
}

}  // namespace whittle::cli
