// A rank's messages by MPI, and its clock. No call blocks: a rank that would wait polls again when its bell has rung.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "live/engine/transport.hpp"
#include "live/mpi/bells.hpp"

namespace takt::live {

/// Nanoseconds of CLOCK_MONOTONIC.
std::int64_t monotonic_now();

class MpiTransport : public Transport {
 public:
  /// Addresses are processors; `ranks` has those of each, the coordinator's last, -1 for processors without one. The
  /// clock begins at `begin` of this machine's clock. Keeps a reference to the bells, if there are some. Senders that
  /// watch whether a message is taken are rung when it is.
  MpiTransport(std::vector<int> ranks, std::int64_t begin, Bells* bells, bool rings_senders)
      : ranks_(std::move(ranks)), begin_(begin), bells_(bells), rings_senders_(rings_senders) {}

  Ticks now() override { return monotonic_now() - begin_; }
  std::uint64_t send(std::size_t to, int tag, std::string message, Delivery delivery) override;
  bool is_taken(std::uint64_t number) override;
  std::optional<std::string> receive(std::size_t from, int tag) override;

  /// Fetches what has arrived. Open MPI looks for messages behind a probe that found none, not before it: without this
  /// whoever was woken by a message would not see it.
  void fetch();
  /// Lets go of messages that are sent; whether none is left.
  bool has_sent_all();

 private:
  struct Outgoing {
    std::string message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Incoming {
    std::string message;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  std::vector<int> ranks_;
  std::int64_t begin_;
  Bells* bells_;
  bool rings_senders_;
  std::list<Outgoing> outgoing_;  // where they are until they are sent: texts must not move
  std::map<std::uint64_t, Outgoing> watched_;
  std::uint64_t numbers_ = 0;
  std::map<std::pair<std::size_t, int>, Incoming> incoming_;  // by sender and tag, of those that are not whole yet
};

}  // namespace takt::live
