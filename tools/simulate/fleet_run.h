// FleetRun: one contender's fleet and its host, run period by period.
#ifndef WHITTLE_TOOLS_SIMULATE_FLEET_RUN_H_
#define WHITTLE_TOOLS_SIMULATE_FLEET_RUN_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "tools/simulate/classifier.h"
#include "tools/simulate/drift.h"
#include "tools/simulate/lossy_link.h"
#include "tools/simulate/simulation.h"
#include "tools/simulate/virtual_node.h"

namespace whittle::simulate {

class FleetRun {
 public:
  // `readings` and `drifted` must outlive it.
  FleetRun(const Readings& readings, const Drifted& drifted, const Fleet& fleet,
           const Contender& contender);

  // Every node's next sample.
  void period();
  // Closes the interval since the last checkpoint.
  void checkpoint();
  RunRecord finish();

 private:
  struct Sent {  // a sample on its way to the host, or waiting for its label
    std::size_t row;
    bool whole;
    std::vector<Real> values;
  };
  struct Site {  // a node, its line, and what the host knows of it
    std::unique_ptr<VirtualNode> node;
    LossyLink up, down;
    std::vector<Sent> sent;                  // by sample of the node
    std::deque<std::size_t> to_be_labelled;  // samples, by the period in which they were chosen
    std::deque<std::size_t> label_due;       // periods
    double label_credit = 0;
    std::uint32_t announced;  // the number of the mask that the host knows
    NodeRecord record;
  };
  struct Interval {
    std::size_t told = 0, right = 0, samples = 0;
    double energy = 0;
    std::vector<std::size_t> sensed;  // by feature
  };

  void sense(std::size_t index);
  void send_up(Site& site, std::size_t sample, Span<const bool> sensed, std::size_t count);
  void receive(Site& site, std::size_t sample);
  void choose_for_label(Site& site, std::size_t sample);
  void send_labels(Site& site);
  void spend(Site& site, double microjoules);
  double line_bytes() const;
  std::vector<double> mean_ranks() const;
  void describe_masks();

  const Readings& readings_;
  const Drifted& drifted_;
  const Fleet& fleet_;
  std::vector<Site> sites_;
  Classifier classifier_;
  std::size_t period_ = 0;
  double bytes_before_ = 0;
  Interval now_;
  RunRecord record_;
  std::size_t told_ = 0, right_ = 0;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_FLEET_RUN_H_
