// What keeps the node's state over a power cut.
#ifndef WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_SNAPSHOTS_H_
#define WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_SNAPSHOTS_H_

#include "whittle/node/node_snapshots.h"

// nullptr where there is no storage: the node then starts anew. `board` must outlive it.
whittle::NodeSnapshots* node_snapshots(const char* board);

#endif  // WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_SNAPSHOTS_H_
