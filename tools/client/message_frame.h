// From a message to the bytes on the line.
#ifndef WHITTLE_TOOLS_CLIENT_MESSAGE_FRAME_H_
#define WHITTLE_TOOLS_CLIENT_MESSAGE_FRAME_H_

#include <cstdint>
#include <vector>

#include "whittle/wire/codec.h"
#include "whittle/wire/codec_sensing.h"

namespace whittle {

// Throws std::length_error: the message breaks its bounds (whittle.options.in).
std::vector<std::uint8_t> frame_of(const ToNode& message);
std::vector<std::uint8_t> frame_of(const ToSensor& message);
// With seq 0: not counted.
std::vector<std::uint8_t> frame_of(const whittle_v1_Readings& readings);

}  // namespace whittle

#endif  // WHITTLE_TOOLS_CLIENT_MESSAGE_FRAME_H_
