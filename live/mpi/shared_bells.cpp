// Futexes of Linux, which need no more than a word that all can see.
#include "live/mpi/shared_bells.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>
#include <new>
#include <numeric>
#include <utility>

namespace takt::live {

namespace {

// By rank of all, the one of `near`.
std::vector<int> places_in(MPI_Comm near) {
  MPI_Group all_group = MPI_GROUP_NULL;
  MPI_Group near_group = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all_group);
  MPI_Comm_group(near, &near_group);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> places(ranks.size());
  MPI_Group_translate_ranks(all_group, size, ranks.data(), near_group, places.data());
  MPI_Group_free(&all_group);
  MPI_Group_free(&near_group);
  return places;
}

}  // namespace

std::unique_ptr<SharedBells> SharedBells::make() {
  MPI_Comm near = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
  int place = 0;
  int size = 0;
  MPI_Comm_rank(near, &place);
  MPI_Comm_size(near, &size);
  MPI_Win window = MPI_WIN_NULL;
  void* own = nullptr;
  MPI_Win_allocate_shared(place == 0 ? MPI_Aint{kStride} * size : 0, 1, MPI_INFO_NULL, near, &own, &window);
  MPI_Aint bytes = 0;
  int unit = 0;
  char* memory = nullptr;
  MPI_Win_shared_query(window, 0, &bytes, &unit, &memory);
  if (place == 0) {
    for (int r = 0; r < size; ++r) new (memory + r * kStride) Bell(0);
  }
  MPI_Barrier(near);
  std::vector<int> places = places_in(near);
  MPI_Comm_free(&near);
  return std::unique_ptr<SharedBells>(new SharedBells(window, memory, std::move(places), place));
}

SharedBells::~SharedBells() { MPI_Win_free(&window_); }

SharedBells::Bell& SharedBells::at(int place) const {
  return *std::launder(reinterpret_cast<Bell*>(memory_ + place * kStride));
}

void SharedBells::ring(int rank) {
  const int place = places_[static_cast<std::size_t>(rank)];
  if (place == MPI_UNDEFINED) return;
  Bell& bell = at(place);
  bell.fetch_add(1);
  syscall(SYS_futex, &bell, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

std::uint32_t SharedBells::count() const { return at(place_).load(); }

void SharedBells::wait(std::uint32_t count, std::int64_t until) const {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const timespec limit{until / kSecond, until % kSecond};
  // Bit sets take the moment, not the length, of the limit.
  syscall(SYS_futex, &at(place_), FUTEX_WAIT_BITSET, count, &limit, nullptr, FUTEX_BITSET_MATCH_ANY);
}

}  // namespace takt::live
