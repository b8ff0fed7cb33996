// A rank's messages by MPI, and its clock. No call blocks: a rank that would wait polls again when its bell has rung.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "live/rank/job.hpp"
#include "live/rank/scheduling.hpp"

namespace takt::live {

/// A number of bytes as MPI counts them. Throws std::runtime_error from 2^31 on.
int length_of(std::size_t bytes);

class MpiTransport : public JobTransport {
 public:
  /// The bells must outlive it.
  explicit MpiTransport(TransportTerms terms) : terms_(std::move(terms)) {}

  Ticks now() override { return monotonic_now() - terms_.begin; }
  std::uint64_t send(std::size_t to, int tag, std::string message, Delivery delivery) override;
  bool is_taken(std::uint64_t number) override;
  std::optional<std::string> receive(std::size_t from, int tag) override;

  /// Open MPI looks for messages behind a probe that found none, not before it: without this
  /// whoever was woken by a message would not see it.
  void fetch() override;
  bool is_receiving() const override { return !incoming_.empty(); }
  bool has_sent_all() override;

 private:
  struct Outgoing {
    std::string message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Incoming {
    std::string message;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  TransportTerms terms_;
  std::list<Outgoing> outgoing_;  // where they are until they are sent: texts must not move
  std::map<std::uint64_t, Outgoing> watched_;
  std::uint64_t numbers_ = 0;
  std::map<std::pair<std::size_t, int>, Incoming> incoming_;  // by sender and tag, of those that are not whole yet
};

}  // namespace takt::live
