// A timer whose interrupt counts the samples that are due.
#ifndef WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_SAMPLE_TIMER_H_
#define WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_SAMPLE_TIMER_H_

#include <cstdint>

void start_sample_timer(std::uint32_t samples_per_second);

// Whether the interrupt has come since the samples that were taken last.
bool sample_is_due();

// How often it has come, and takes them. More than one: the program was busy for too long.
std::uint32_t take_due_samples();

#endif  // WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_SAMPLE_TIMER_H_
