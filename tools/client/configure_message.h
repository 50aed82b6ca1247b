// The message that configures a node as a ranker on this machine is.
#ifndef WHITTLE_TOOLS_CLIENT_CONFIGURE_MESSAGE_H_
#define WHITTLE_TOOLS_CLIENT_CONFIGURE_MESSAGE_H_

#include "whittle/rank/feature_ranker.h"
#include "whittle/wire/codec.h"

namespace whittle {

// All that a RankerConfig says but offsets and gains, which go in messages of their own. Parameters
// that were not given are left to the node: a default may depend on the rest. Names that are too
// long for the wire are cut, and a node then does not know them.
ToNode configure_message(const RankerConfig& config);

}  // namespace whittle

#endif  // WHITTLE_TOOLS_CLIENT_CONFIGURE_MESSAGE_H_
