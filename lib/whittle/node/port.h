// Port: what a node needs of the machine it runs on. ports/ implements it; lib only calls it.
#ifndef WHITTLE_NODE_PORT_H_
#define WHITTLE_NODE_PORT_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"

namespace whittle {

class Port {
 public:
  // Moves the bytes that have arrived, at most out.size(), and returns how many; 0 when there are
  // none. Never waits.
  virtual std::size_t read(Span<std::uint8_t> out) = 0;

  // Sends all bytes; waits for room when the line is slower than the node.
  virtual void write(Span<const std::uint8_t> bytes) = 0;

  // How many bytes can arrive, from an empty buffer, before one is lost while nobody reads.
  virtual std::size_t receive_capacity() const = 0;

  // A free-running counter and its rate in Hz; what it counts (time, instructions) is the port's.
  virtual std::uint64_t ticks() = 0;
  virtual std::uint32_t tick_rate() const = 0;

  // Most bytes of stack used since the start; 0 where that is not known.
  virtual std::size_t stack_high_water() const { return 0; }

  // Bytes that arrived and were lost since nobody read them in time, since the start.
  virtual std::uint64_t overruns() const { return 0; }

  // "posix", "mps2-an386", ...
  virtual const char* board() const = 0;

 protected:
  ~Port() = default;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_PORT_H_
