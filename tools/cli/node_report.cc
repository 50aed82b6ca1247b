#include "tools/cli/node_report.h"

#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

namespace whittle::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string formatted(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

// "1234 bytes (1.2 KiB)"
std::string bytes_text(std::uint64_t bytes) {
  std::string text = std::to_string(bytes) + " bytes";
  if (bytes >= (1U << 20))
    return text + formatted(" (%.1f MiB)", static_cast<double>(bytes) / (1U << 20));
  if (bytes >= 1024) return text + formatted(" (%.1f KiB)", static_cast<double>(bytes) / 1024);
  return text;
}

// A time in the unit that suits it.
std::string time_text(double seconds) {
  if (seconds < 1e-3) return formatted("%.1f us", seconds * 1e6);
  if (seconds < 1) return formatted("%.1f ms", seconds * 1e3);
  if (seconds < 120) return formatted("%.1f s", seconds);
  if (seconds < 7200) return formatted("%.1f min", seconds / 60);
  if (seconds < 172800) return formatted("%.1f h", seconds / 3600);
  return formatted("%.1f days", seconds / 86400);
}

std::string ticks_text(double ticks, std::uint32_t rate) {
  return rate == 0 ? formatted("%.0f ticks", ticks) : time_text(ticks / rate);
}

std::string digest_text(std::uint64_t digest) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, digest);
  return text;
}

class Table {
 public:
  explicit Table(std::ostream& out) : out_(out) {}
  void group(const char* name) { out_ << name << '\n'; }
  template <typename Value>
  void row(const char* name, const Value& value, const char* remark = "") {
    std::string label = name;
    label.resize(22, ' ');
    out_ << "  " << label << value << remark << '\n';
  }

 private:
  std::ostream& out_;
};

void print_identity(const whittle_v1_Info& info, Table& table) {
  table.group("node");
  table.row("version", info.version);
  table.row("board", info.board);
  table.row("arithmetic", info.real_bits, " bits");
  table.row("largest message", bytes_text(info.max_payload));
  table.row("features at most", info.max_features, " a message");
  std::string selectors;
  for (pb_size_t i = 0; i < info.selectors_count; ++i) {
    selectors += (i == 0 ? "" : " ") + std::string(info.selectors[i]);
  }
  table.row("selectors", selectors);
}

void print_session(const whittle_v1_Info& info, const whittle_v1_Stats& stats, Table& table) {
  table.group("session");
  table.row("configured", info.configured ? "yes" : "no");
  table.row("messages applied", info.last_seq);
  if (info.snapshots) {
    table.row("of them durable", info.durable_seq, " (in a snapshot)");
    table.row("snapshots that failed", info.failed_snapshots);
  } else {
    table.row("of them durable", "none: it keeps no snapshots");
  }
  if (info.snapshot_refused[0] != '\0') table.row("snapshot refused", info.snapshot_refused);
  table.row("room for", info.credits, " messages more");
  table.row("state digest", stats.state_digest == 0 ? "not told" : digest_text(stats.state_digest));
}

void print_samples(const whittle_v1_Stats& stats, Table& table) {
  table.group("samples, since the last reset");
  table.row("taken in", stats.samples);
  table.row("refused", stats.refused_samples);
  if (stats.refused_samples == 0) return;
  table.row("  malformed", stats.invalid_samples, " (wrong length, an infinity, no value)");
  table.row("  out of range", stats.outlying_samples, " (unknown class, too large)");
  table.row("  too early", stats.early_samples, " (before configure or scale)");
  table.row("  otherwise", stats.refused_samples - stats.invalid_samples - stats.outlying_samples -
                               stats.early_samples);
}

void print_work(const whittle_v1_Stats& stats, Table& table) {
  table.group("work and memory");
  table.row("up for", ticks_text(static_cast<double>(stats.uptime_ticks), stats.tick_rate));
  table.row("resets by message", stats.resets);
  if (stats.samples > 0) {
    table.row("a sample takes", ticks_text(static_cast<double>(stats.observe_ticks) /
                                               static_cast<double>(stats.samples),
                                           stats.tick_rate));
    table.row("the slowest took", ticks_text(stats.slowest_observe, stats.tick_rate));
  }
  table.row("arena used", bytes_text(stats.arena_used) + " of " + bytes_text(stats.arena_bytes));
  table.row("stack used at most", stats.stack_high_water == 0 ? std::string("not known")
                                                              : bytes_text(stats.stack_high_water));
}

void print_line(const whittle_v1_Stats& stats, Table& table) {
  table.group("line, since the start");
  table.row("received", bytes_text(stats.bytes_received));
  table.row("sent", bytes_text(stats.bytes_sent));
  table.row("good frames", stats.frames);
  table.row("CRC errors", stats.crc_errors);
  table.row("framing errors", stats.framing_errors);
  table.row("undecodable", stats.undecodable);
  table.row("bytes overrun", stats.overruns);
  table.row("gaps", stats.gaps, " (asked to send again)");
  table.row("resent to it", stats.duplicates, " (ignored: applied before)");
  table.row("messages refused", stats.refused);
}

Json json_of(const whittle_v1_Info& info) {
  Json selectors = Json::array();
  for (pb_size_t i = 0; i < info.selectors_count; ++i) selectors.push_back(info.selectors[i]);
  return {{"version", info.version},
          {"board", info.board},
          {"real_bits", info.real_bits},
          {"max_payload", info.max_payload},
          {"max_features", info.max_features},
          {"arena_bytes", info.arena_bytes},
          {"last_seq", info.last_seq},
          {"credits", info.credits},
          {"selectors", selectors},
          {"configured", info.configured},
          {"durable_seq", info.durable_seq},
          {"snapshots", info.snapshots},
          {"snapshot_refused", info.snapshot_refused},
          {"failed_snapshots", info.failed_snapshots},
          {"session", digest_text(info.session)},
          {"configured_seq", info.configured_seq}};
}

// name, value of every field; the digest apart.
template <typename Take>
void each_statistic(const whittle_v1_Stats& stats, Take take) {
  take("samples", stats.samples);
  take("refused_samples", stats.refused_samples);
  take("invalid_samples", stats.invalid_samples);
  take("early_samples", stats.early_samples);
  take("outlying_samples", stats.outlying_samples);
  take("arena_used", stats.arena_used);
  take("arena_bytes", stats.arena_bytes);
  take("observe_ticks", stats.observe_ticks);
  take("slowest_observe", stats.slowest_observe);
  take("stack_high_water", stats.stack_high_water);
  take("tick_rate", stats.tick_rate);
  take("uptime_ticks", stats.uptime_ticks);
  take("resets", stats.resets);
  take("bytes_received", stats.bytes_received);
  take("bytes_sent", stats.bytes_sent);
  take("frames", stats.frames);
  take("crc_errors", stats.crc_errors);
  take("framing_errors", stats.framing_errors);
  take("undecodable", stats.undecodable);
  take("overruns", stats.overruns);
  take("refused_messages", stats.refused);
  take("gaps", stats.gaps);
  take("duplicates", stats.duplicates);
}

}  // namespace

void print_node(const whittle_v1_Info& info, const whittle_v1_Stats& stats, std::ostream& out) {
  Table table(out);
  print_identity(info, table);
  print_session(info, stats, table);
  print_samples(stats, table);
  print_work(stats, table);
  print_line(stats, table);
}

void print_node_json(const whittle_v1_Info& info, const whittle_v1_Stats& stats,
                     std::ostream& out) {
  Json numbers;
  each_statistic(stats, [&](const char* name, std::uint64_t value) { numbers[name] = value; });
  numbers["state_digest"] = nullptr;
  if (stats.state_digest != 0) numbers["state_digest"] = digest_text(stats.state_digest);
  const Json node = {{"info", json_of(info)}, {"stats", numbers}};
  // A damaged name is replaced, never an error.
  out << node.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_stats(const whittle_v1_Info& info, const whittle_v1_Stats& stats, std::ostream& out) {
  each_statistic(
      stats, [&](const char* name, std::uint64_t value) { out << name << ' ' << value << '\n'; });
  out << "failed_snapshots " << info.failed_snapshots << "\nstate_digest "
      << digest_text(stats.state_digest) << '\n';
}

void print_costs(const LineCosts& costs, std::ostream& out) {
  out << "host_messages " << costs.messages << "\nhost_bytes_sent " << costs.bytes_sent
      << "\nhost_bytes_received " << costs.bytes_received << "\nhost_resent " << costs.resent
      << "\nhost_damaged " << costs.damaged << "\nhost_restarts " << costs.restarts << '\n';
}

}  // namespace whittle::cli
