// The version of the library, as a node and the program report it.
#ifndef WHITTLE_NODE_VERSION_H_
#define WHITTLE_NODE_VERSION_H_

namespace whittle {

inline constexpr char kVersion[] = "0.1.0";

}  // namespace whittle

#endif  // WHITTLE_NODE_VERSION_H_
