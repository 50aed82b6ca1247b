// Messages to a node, made of an input's bytes: mostly sensible, so that a session gets somewhere.
#ifndef WHITTLE_TESTS_FUZZ_MESSAGES_H_
#define WHITTLE_TESTS_FUZZ_MESSAGES_H_

#include "tests/fuzz/input.h"
#include "whittle/wire/codec.h"

namespace whittle::fuzz {

// Of the config that the messages after it are made for.
struct Shape {
  std::uint32_t features = 1;
  std::uint32_t classes = 1;
};

// Each fills `message` but for its seq; `seq` is the one that it will have, from which the seqs of
// earlier samples are taken.
void make_configure(Input& input, ToNode& message, Shape& shape);
void make_scale(Input& input, const Shape& shape, ToNode& message);
void make_sample(Input& input, const Shape& shape, ToNode& message);
void make_label(Input& input, const Shape& shape, std::uint64_t seq, ToNode& message);
void make_constraint(Input& input, std::uint64_t seq, ToNode& message);
void make_query(Input& input, ToNode& message);
void make_memberships(Input& input, std::uint64_t seq, ToNode& message);

// How much a message that came as bytes may ask for: more would only be slow.
bool is_cheap(const ToNode& message);

}  // namespace whittle::fuzz

#endif  // WHITTLE_TESTS_FUZZ_MESSAGES_H_
