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
#include "tools/simulate/host_end.h"
#include "tools/simulate/label_draw.h"
#include "tools/simulate/lossy_link.h"
#include "tools/simulate/simulation.h"
#include "tools/simulate/virtual_node.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle::simulate {

// What each node of the fleet ranks with.
RankerConfig node_config(const Readings& readings, const Fleet& fleet, const Contender& contender);

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
  struct Chosen {  // a sample that is to be labelled
    SensedSample sample;
    std::size_t due;  // period
  };
  struct Site {  // a node, its line, and what the host knows of it
    std::unique_ptr<VirtualNode> node;
    std::unique_ptr<HostEnd> host;
    LossyLink up, down;
    LabelDraw draw;
    std::deque<Chosen> chosen;
    std::uint32_t owed = 0;  // labels drawn and not yet given to a sample
    NodeRecord record;
  };
  struct Interval {
    std::size_t told = 0, right = 0, samples = 0;
    double energy = 0, cost = 0;
    std::vector<std::size_t> sensed;  // by feature
  };

  void sense(std::size_t index);
  void exchange(std::size_t index);
  void receive(std::size_t index, SensedSample sample);
  void send_labels(std::size_t index);
  std::uint32_t truth_of(std::size_t index, const SensedSample& sample) const;
  void spend(Site& site, double microjoules);
  double line_bytes() const;
  double mask_cost() const;
  std::vector<double> mean_ranks() const;
  void describe_masks();
  void describe_node(Site& site);

  const Readings& readings_;
  const Drifted& drifted_;
  const Fleet& fleet_;
  std::vector<Site> sites_;
  Classifier classifier_;
  std::size_t period_ = 0;
  double bytes_before_ = 0, total_cost_ = 0;
  Interval now_;
  RunRecord record_;
  std::size_t told_ = 0, right_ = 0;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_FLEET_RUN_H_
