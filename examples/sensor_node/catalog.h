// The selectors that a firmware links: one node*.cc per firmware.
#ifndef WHITTLE_EXAMPLES_SENSOR_NODE_CATALOG_H_
#define WHITTLE_EXAMPLES_SENSOR_NODE_CATALOG_H_

#include "whittle/select/catalog.h"

const whittle::Catalog& catalog();

#endif  // WHITTLE_EXAMPLES_SENSOR_NODE_CATALOG_H_
