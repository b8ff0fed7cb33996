// The processes of a run as one of them sees them: all that a rank needs of MPI, or of any other transport.
//
// A job has `size` processes, the ranks 0 to size - 1. Collective calls are made by all ranks, in the same order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "live/engine/transport.hpp"

namespace takt::live {

/// A semaphore for each rank of a machine: the sender of a message wakes its receiver.
class Bells {
 public:
  Bells() = default;
  Bells(const Bells&) = delete;
  Bells& operator=(const Bells&) = delete;
  virtual ~Bells() = default;

  /// Nothing if the rank is on another machine.
  virtual void ring(int rank) = 0;
  /// How often this rank's own has been rung.
  virtual std::uint32_t count() const = 0;
  /// Sleeps until the count differs, or until the moment `until` (monotonic_now, nanoseconds).
  virtual void wait(std::uint32_t count, std::int64_t until) const = 0;
};

/// A transport that the loop of a rank drives.
class JobTransport : public Transport {
 public:
  /// Takes in what has arrived, where that does not happen by itself.
  virtual void fetch() = 0;
  /// A message is coming in, and is not whole yet: where it is large that takes looks of both sides.
  virtual bool is_receiving() const = 0;
  /// Lets go of messages that are sent; whether none is left.
  virtual bool has_sent_all() = 0;
  /// A message that is not small is on its way from here: that takes looks of both sides, too.
  virtual bool is_sending() const = 0;
  /// The run's clock begins at this moment of the machine's (monotonic_now). It never goes back.
  virtual void set_begin(std::int64_t begin) = 0;
};

/// What a transport is told.
struct TransportTerms {
  /// By processor, the coordinator last: its rank; -1 for processors without one.
  std::vector<int> ranks;
  std::int64_t begin = 0;      // of the run's clock, by this machine's (monotonic_now)
  Bells* bells = nullptr;      // rung for receivers of messages that are not quiet; null: nobody sleeps on one
  bool rings_senders = false;  // senders are rung when a watched message is taken
};

/// The bytes of a number, as calls of a job send them.
inline std::span<char> bytes_of(std::int64_t& number) { return {reinterpret_cast<char*>(&number), sizeof number}; }

/// How numbers of all ranks become one.
enum class Reduction { least, greatest, sum };

class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  /// Collective, unless `abort` was called.
  virtual ~Job() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Bytes from rank to rank, outside the transport. The receiver knows how many; both calls wait.
  virtual void send(int to, std::span<const char> bytes) = 0;
  /// Likewise, and returns no sooner than the receiver has begun to receive.
  virtual void send_until_received(int to, std::span<const char> bytes) = 0;
  virtual void receive(int from, std::span<char> bytes) = 0;

  /// Returns when all ranks have called it, at once. Collective.
  virtual void meet() = 0;
  /// Likewise, some hundred microseconds later: waiting takes no processor time. Collective.
  virtual void meet_at_rest() = 0;
  /// The bytes of rank `from`, for all. Collective.
  virtual void broadcast(int from, std::span<char> bytes) = 0;
  /// Number by number, for rank 0; other ranks keep theirs. Collective.
  virtual void reduce(std::span<std::int64_t> numbers, Reduction how) = 0;

  /// By rank, the first of those that are on its machine. Collective.
  virtual std::vector<int> machines() = 0;

  /// Those of a machine wake one another. Null if no ranks can. Collective, as is their end.
  virtual std::unique_ptr<Bells> make_bells() = 0;
  virtual std::unique_ptr<JobTransport> make_transport(TransportTerms terms) = 0;

  /// Ends all ranks, this one with the status.
  virtual void abort(int status) = 0;
};

/// Joins the job that this process is started for. It may take options of its own from the command line.
using JobStarter = std::function<std::unique_ptr<Job>(int* argc, char*** argv)>;

}  // namespace takt::live
