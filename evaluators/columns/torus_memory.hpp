// Large arrays that are written before they are read: not initialized, on large pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace takt::evaluators {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

template <typename T>
using LargeArray = std::unique_ptr<T[], Free>;

/// `count` entries of no particular value. Throws std::bad_alloc if there is no memory.
template <typename T>
LargeArray<T> make_large_array(std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  // A fault for each small page takes as long as several passes over what is on it.
  constexpr std::size_t kLargePage = std::size_t{1} << 21;
  const std::size_t bytes = count * sizeof(T);
  if (bytes / sizeof(T) != count) throw std::bad_alloc();
  const bool is_large = bytes >= 2 * kLargePage;
  const std::size_t alignment = is_large ? kLargePage : 64;
  void* memory = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
  if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
  if (is_large) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: if it is not granted, nothing else changes
#endif
  return LargeArray<T>(static_cast<T*>(memory));
}

}  // namespace takt::evaluators
