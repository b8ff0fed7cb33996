// A semaphore for each rank of this machine, in shared memory: the sender of a message wakes its receiver.
//
// A receive of MPI never sleeps, and ranks outnumber cores: waiting ranks would keep others from working. So a
// rank looks at its bell, does all that can be done, and sleeps until the bell is not as it was.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "live/rank/job.hpp"

namespace takt::live {

class SharedBells : public Bells {
 public:
  /// All ranks make them together.
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

  SharedBells(MPI_Win window, char* memory, std::vector<int> places, int place)
      : window_(window), memory_(memory), places_(std::move(places)), place_(place) {}
  Bell& at(int place) const;

  MPI_Win window_;
  char* memory_;
  std::vector<int> places_;  // by rank of the job, its place among those of this machine; or MPI_UNDEFINED
  int place_ = 0;            // of this rank
};

}  // namespace takt::live
