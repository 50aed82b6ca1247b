#include "tools/cli/node_report.h"

#include <ostream>

namespace whittle::cli {

void print_info(const whittle_v1_Info& info, std::ostream& out) {
  out << "version " << info.version << "\nboard " << info.board << "\nreal_bits " << info.real_bits
      << "\nmax_payload " << info.max_payload << "\nmax_features " << info.max_features
      << "\narena_bytes " << info.arena_bytes << "\nconfigured " << (info.configured ? "yes" : "no")
      << "\nlast_seq " << info.last_seq << "\ncredits " << info.credits << "\nselectors";
  for (pb_size_t i = 0; i < info.selectors_count; ++i) out << ' ' << info.selectors[i];
  out << '\n';
}

void print_stats(const whittle_v1_Stats& stats, std::ostream& out) {
  out << "samples " << stats.samples << "\nrefused_samples " << stats.refused_samples
      << "\narena_used " << stats.arena_used << "\narena_bytes " << stats.arena_bytes
      << "\nobserve_ticks " << stats.observe_ticks << "\nslowest_observe " << stats.slowest_observe
      << "\nstack_high_water " << stats.stack_high_water << "\ntick_rate " << stats.tick_rate
      << "\nuptime_ticks " << stats.uptime_ticks << "\nbytes_received " << stats.bytes_received
      << "\nbytes_sent " << stats.bytes_sent << "\nframes " << stats.frames << "\ncrc_errors "
      << stats.crc_errors << "\nframing_errors " << stats.framing_errors << "\nundecodable "
      << stats.undecodable << "\nrefused_messages " << stats.refused << "\ngaps " << stats.gaps
      << "\nduplicates " << stats.duplicates << '\n';
}

void print_costs(const LineCosts& costs, std::ostream& out) {
  out << "host_messages " << costs.messages << "\nhost_bytes_sent " << costs.bytes_sent
      << "\nhost_bytes_received " << costs.bytes_received << "\nhost_resent " << costs.resent
      << "\nhost_damaged " << costs.damaged << '\n';
}

}  // namespace whittle::cli
