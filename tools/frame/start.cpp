// How the program starts.
#include "tools/frame/start.hpp"

#include <gmp.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "tools/command.hpp"
#include "tools/files/signals.hpp"

namespace takt::tools {

namespace {

// GMP ends the program where memory is exhausted unless its allocators throw.
void* allocate(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* reallocate(void* old, std::size_t, std::size_t size) {
  void* memory = std::realloc(old, size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory, std::size_t) { std::free(memory); }

}  // namespace

int start(int argc, char** argv) {
  mp_set_memory_functions(allocate, reallocate, release);
  handle_ending_signals();
  return run(std::vector<std::string>(argv + 1, argv + argc),
             {std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) != 0});
}

}  // namespace takt::tools
