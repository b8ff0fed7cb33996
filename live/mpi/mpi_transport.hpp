// A rank's messages by MPI, and its clock. No call blocks: a rank that would wait polls again when its bell has rung.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "live/rank/job.hpp"
#include "live/rank/scheduling.hpp"

namespace takt::live {

/// A number of bytes as MPI counts them. Throws std::runtime_error from 2^31 on.
int length_of(std::size_t bytes);

class MpiTransport : public JobTransport {
 public:
  /// The bells must outlive it.
  explicit MpiTransport(TransportTerms terms);

  Ticks now() override { return latest_ = std::max(latest_, monotonic_now() - terms_.begin); }
  std::uint64_t send(std::size_t to, int tag, std::string message, Delivery delivery) override;
  bool is_taken(std::uint64_t number) override;
  std::optional<std::string> receive(std::size_t from, int tag) override;
  std::optional<std::pair<std::size_t, std::string>> receive_any(int tag) override;

  /// Open MPI looks for messages behind a probe that found none, not before it: without this
  /// a rank woken by a message would not see it.
  void fetch() override;
  bool is_receiving() const override { return !incoming_.empty() || !from_any_.empty(); }
  bool has_sent_all() override;
  bool is_sending() const override;
  void set_begin(std::int64_t begin) override { terms_.begin = begin; }

 private:
  struct Outgoing {
    std::string message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Incoming {
    std::string message;
    MPI_Request request = MPI_REQUEST_NULL;
    int from = 0;  // a rank
    int tag = 0;
  };

  static std::optional<Incoming> begin_to_receive(int from, int tag);
  void end_receiving(int from);

  TransportTerms terms_;
  std::vector<std::size_t> processors_;  // by rank
  Ticks latest_ = std::numeric_limits<Ticks>::min();
  std::list<Outgoing> outgoing_;  // where they are until they are sent: texts must not move
  std::map<std::uint64_t, Outgoing> watched_;
  std::uint64_t numbers_ = 0;
  std::map<std::pair<std::size_t, int>, Incoming> incoming_;  // by sender and tag, of those that are not whole yet
  std::list<Incoming> from_any_;                              // likewise of `receive_any`, as they came
};

}  // namespace takt::live
