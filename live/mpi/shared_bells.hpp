// A semaphore for each rank of a machine, in shared memory: the sender of a message wakes its receiver.
//
// A receive of MPI never sleeps, and ranks outnumber cores: those who wait would keep those who work from working. So a
// rank looks at its bell, does all that can be done, and sleeps until the bell is not as it was.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "live/rank/job.hpp"

namespace takt::live {

class SharedBells : public Bells {
 public:
  /// Of all ranks; all make them together. Null where they do not share memory.
  static std::unique_ptr<SharedBells> make();
  /// All ranks together, before MPI ends.
  ~SharedBells() override;

  void ring(int rank) override;
  std::uint32_t count() const override;
  void wait(std::uint32_t count, std::int64_t until) const override;

 private:
  using Bell = std::atomic<std::uint32_t>;
  // A line of the cache each.
  static constexpr std::ptrdiff_t kStride = 64;

  SharedBells(MPI_Win window, char* memory);
  Bell& of(int rank) const;

  MPI_Win window_;
  char* memory_;
  int rank_ = 0;
};

}  // namespace takt::live
