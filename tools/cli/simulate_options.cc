#include "tools/cli/simulate_options.h"

#include <string>

#include "tools/cli/options.h"
#include "tools/cli/policies.h"

namespace whittle::cli {
namespace {

constexpr char kSimulateFooter[] =
    "The rows of FILE.csv are dealt to the nodes in turn, in order: what their sensors\n"
    "read. Each node has its own core and arena, prunes for itself, and sends what it has\n"
    "sensed; the host has samples labelled as chance has it (a node may get few labels,\n"
    "or none), and tells the class of every sample by the nearest labelled one. A node\n"
    "that never ranks, for want of labels, samples or a scale, senses everything: a warning\n"
    "names it and what may help, as it does nodes that drop many readings (--loss) or learn no\n"
    "scale, and says if no label ever came. A run with all features comes first; the others\n"
    "are compared with it.\n"
    "\n"
    "Policies: all; random (features picked by chance); once (the first mask, for good);\n"
    "top (the best); decision (what the selector itself selects); threshold=SCORE;\n"
    "budget=COST (in the unit of --costs; without it, a number of features). All but the\n"
    "first three probe, and watch for drift; the first two need no selector and run once.\n"
    "--costs FILE.csv has a row for each feature: feature, and any of cost (default 1), group\n"
    "(features that one sensor gives are switched together), group_cost (paid once) and energy\n"
    "(microjoules to sense it). --prune NAME=VALUE sets of the pruner:\n";

constexpr char kSimulateExamples[] =
    "\n\nExamples:\n"
    "  whittle simulate room.csv --nodes 4 --report room.html\n"
    "  whittle simulate room.csv -s cls -s fisher --policy top --keep 4 --format csv\n"
    "  whittle simulate room.csv --drift permute@1200 --loss 0.1 --energy lora\n"
    "  whittle simulate room.csv --costs costs.csv --policy budget=40 --report room.html\n"
    "  whittle simulate room.csv --format json > run.json; whittle report run.json -o run.html";

constexpr char kReportFooter[] =
    "The page needs nothing else: no network, no script. RUN.json is what `whittle simulate\n"
    "--format json` prints; what is wrong in it is named by line and column, or by key.\n"
    "\n"
    "Examples:\n"
    "  whittle report run.json -o run.html\n"
    "  whittle report run.json -o run.html --csv run     the numbers behind the pictures";

void add_fleet_options(CLI::App* command, simulate::Fleet* fleet) {
  whole_option(command, "--nodes", &fleet->nodes, 1, 10000, "virtual nodes");
  number_option(command, "--loss", &fleet->loss, 0.9,
                "share of the frames that get lost, 0 to 0.9");
  number_option(command, "--label-rate", &fleet->label_rate, 1,
                "chance of each sample to get a label");
  whole_option(command, "--label-delay", &fleet->label_delay, 0, kMaxHeld,
               "samples by which a label comes late");
  whole_option(command, "--labelled", &fleet->labelled, 1, kMaxHeld,
               "newest labelled samples that a node holds");
  whole_option(command, "--window", &fleet->window, 1, kMaxHeld,
               "newest unlabelled samples that it holds");
  whole_option(command, "--codebook", &fleet->codebook, 0, kMaxHeld,
               "prototypes of all samples that it holds");
  whole_option(command, "--learn", &fleet->learn, 0, kMaxHeld,
               "samples from which it learns its scale; 0: none");
  number_option(command, "--half-life", &fleet->half_life, 1e9,
                "samples after which one counts half where moments rank; 0: never less");
  whole_option(command, "--seed", &fleet->seed, 0, kMaxSeed, "of chance");
}

}  // namespace

void add_simulate_options(CLI::App* command, SimulateOptions* options) {
  text_option(command, "FILE.csv", &options->file, "CSV file; - for standard input")->required();
  repeatable_option(command, "-s,--selector", &options->selectors, "method");
  repeatable_option(command, "--policy", &options->policies, kPolicyHelp);
  whole_option(command, "--keep", &options->keep, 1, kMaxFeatures,
               "features that random, once and top keep; default half");
  repeatable_option(command, "--prune", &options->pruning, "setting of the pruner")
      ->option_text("NAME=VALUE ...");
  add_fleet_options(command, &options->fleet);
  text_option(command, "--drift", &options->drift,
              "KIND@SAMPLE: from this sample of each node on permute, rescale or shift the "
              "features");
  text_option(command, "--energy", &options->energy,
              "802.15.4, ble, lora, or microjoules: sample=N,feature=N,byte=N; what is left out is "
              "as for 802.15.4");
  text_option(command, "--costs", &options->costs,
              "CSV file of what features cost, and of groups; - for standard input");
  text_option(command, "--label", &options->dataset.label,
              "label column; default `label`, if there is one");
  text_option(command, "--universum", &options->dataset.universum, "label of universum samples");
  add_format(command, &options->format);
  path_option(command, "--report", &options->report, "write a page that shows it all");
  path_option(command, "--csv", &options->csv, "write the numbers into this folder");
  command->footer(kSimulateFooter + describe_pruning() + kSimulateExamples);
}

void add_report_options(CLI::App* command, ReportOptions* options) {
  text_option(command, "RUN.json", &options->file, "a simulation; - for standard input")
      ->required();
  text_option(command, "-o,--output", &options->out, "the page; - for standard output");
  path_option(command, "--csv", &options->csv, "write the numbers into this folder, too");
  command->footer(kReportFooter);
}

}  // namespace whittle::cli
