// Replaces operator new, and the functions GMP allocates with, by ones that count.
#include "tests/support/allocations.hpp"

#include <gmp.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> taken{0};

void* counted_or_null(std::size_t size) {
  ++taken;
  return std::malloc(size == 0 ? 1 : size);
}

void* counted(std::size_t size) {
  void* memory = counted_or_null(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* counted_again(void* memory, std::size_t, std::size_t size) {
  ++taken;
  void* moved = std::realloc(memory, size);
  if (moved == nullptr) throw std::bad_alloc();
  return moved;
}

void give_back(void* memory, std::size_t) { std::free(memory); }

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted_or_null(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted_or_null(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace takt::support {

std::uint64_t allocations() {
  // GMP's own functions are malloc, realloc and free as well, so numbers may outlive the change.
  mp_set_memory_functions(counted, counted_again, give_back);
  return taken;
}

}  // namespace takt::support
