// Node: the loop of a sensor node. Bytes come in from a port, messages are applied to a ranker in
// the caller's buffer, answers go back. whittle.proto says what each message means.
//
//   alignas(kArenaAlignment) static unsigned char buffer[40 * 1024];
//   static Node node(port, catalog, buffer, sizeof buffer);
//   for (;;) node.poll();
//
// Memory: sizeof(Node), about 3.9 KiB with the default payload of 1024 bytes, and the buffer.
// Nothing else. Not reentrant: the port must not call back into the node.
#ifndef WHITTLE_NODE_NODE_H_
#define WHITTLE_NODE_NODE_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"
#include "whittle/node/link.h"
#include "whittle/node/port.h"
#include "whittle/node/ranking_service.h"
#include "whittle/node/sensing_role.h"
#include "whittle/node/session.h"
#include "whittle/node/snapshot_keeper.h"
#include "whittle/node/statistics.h"
#include "whittle/select/catalog.h"
#include "whittle/wire/codec.h"

namespace whittle {

class Node {
 public:
  // `port`, the catalog's types and the buffer must outlive the node. A config that needs more than
  // `size` bytes is refused when it comes. `keeper` keeps its state: a NodeSnapshots; `sensing` has
  // it sample sensors of its own: a Sensing.
  Node(Port& port, const Catalog& catalog, void* buffer, std::size_t size,
       SnapshotKeeper* keeper = nullptr, SensingRole* sensing = nullptr)
      : link_(port),
        service_(catalog, buffer, size),
        keeper_(keeper),
        sensing_(sensing),
        started_at_(port.ticks()) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Reads the bytes that have arrived, until there are none, and applies and answers every message
  // they complete. Never waits but for the port's write.
  void poll();

  // The same for bytes that come from elsewhere than the port's read.
  void receive(Span<const std::uint8_t> bytes);

  const RankingService& service() const { return service_; }
  const Session& session() const { return session_; }

 private:
  friend class NodeSnapshots;
  friend class Sensing;
  struct Refusal {  // of the last message, kept to be sent again
    StatusCode code = StatusCode::ok;
    char text[sizeof(whittle_v1_Error::text)];
  };

  void handle(Span<const std::uint8_t> payload);
  // Both leave in reply_ what goes before the ack, if anything.
  void apply_next(bool decoded);
  void answer_again(bool decoded);

  Status apply(const char*& subject);
  bool asks_for_snapshots() const;
  Status configure(const char*& subject);
  void describe(const Status& status, const char* subject);  // into refusal_
  std::uint32_t credits() const;

  // replies.cc
  void reply_error(std::uint64_t seq);  // refusal_
  // To a message that asks something; `again`: it has been answered before. unimplemented: it is
  // none of those.
  Status reply(bool again);
  void reply_stats();
  void send_info();
  void send_ack();
  void send_nack();
  void send_no_seq();

  Link link_;
  Session session_;
  RankingService service_;
  SnapshotKeeper* keeper_;
  SensingRole* sensing_;
  MessageCounts counts_;
  std::uint64_t started_at_;  // ticks
  pb_size_t last_body_ = 0;   // what the last message applied was
  Refusal refusal_;
  ToNode message_;
  FromNode reply_;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_NODE_H_
