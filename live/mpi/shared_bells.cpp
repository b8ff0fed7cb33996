// Futexes of Linux, which need no more than a word that all can see.
#include "live/mpi/shared_bells.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>
#include <new>

namespace takt::live {

namespace {

bool share_memory() {
  MPI_Comm near = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
  int here = 0;
  int all = 0;
  MPI_Comm_size(near, &here);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  MPI_Comm_free(&near);
  return here == all;
}

}  // namespace

std::unique_ptr<SharedBells> SharedBells::make() {
  // Of a machine with fewer ranks than another all ranks must hear the same answer.
  int mine = share_memory() ? 1 : 0;
  int everyones = 0;
  MPI_Allreduce(&mine, &everyones, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (everyones == 0) return nullptr;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win window = MPI_WIN_NULL;
  void* own = nullptr;
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate_shared(rank == 0 ? MPI_Aint{kStride} * size : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
  MPI_Aint bytes = 0;
  int unit = 0;
  char* memory = nullptr;
  MPI_Win_shared_query(window, 0, &bytes, &unit, &memory);
  if (rank == 0) {
    for (int r = 0; r < size; ++r) new (memory + r * kStride) Bell(0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return std::unique_ptr<SharedBells>(new SharedBells(window, memory));
}

SharedBells::SharedBells(MPI_Win window, char* memory) : window_(window), memory_(memory) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
}

SharedBells::~SharedBells() { MPI_Win_free(&window_); }

SharedBells::Bell& SharedBells::of(int rank) const {
  return *std::launder(reinterpret_cast<Bell*>(memory_ + rank * kStride));
}

void SharedBells::ring(int rank) {
  Bell& bell = of(rank);
  bell.fetch_add(1);
  syscall(SYS_futex, &bell, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

std::uint32_t SharedBells::count() const { return of(rank_).load(); }

void SharedBells::wait(std::uint32_t count, std::int64_t until) const {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const timespec limit{until / kSecond, until % kSecond};
  // Bit sets take the moment, not the length, of the limit.
  syscall(SYS_futex, &of(rank_), FUTEX_WAIT_BITSET, count, &limit, nullptr, FUTEX_BITSET_MATCH_ANY);
}

}  // namespace takt::live
