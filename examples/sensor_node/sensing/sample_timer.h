// A timer whose interrupt says when a sample is due. One .cc for each family of boards.
#ifndef WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_SAMPLE_TIMER_H_
#define WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_SAMPLE_TIMER_H_

#include <cstdint>

void start_sample_timer(std::uint32_t samples_per_second);

// Whether the interrupt has come since the sample that was taken last.
bool sample_is_due();

// Likewise, and takes it: the next is due at the next interrupt. If the program was busy for longer
// than a period, the samples in between are left out.
bool take_due_sample();

#endif  // WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_SAMPLE_TIMER_H_
