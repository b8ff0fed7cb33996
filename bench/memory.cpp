// Linux only: /proc/self/status and /proc/self/clear_refs.
#include "bench/memory.hpp"

#include <malloc.h>

#include <fstream>
#include <string>

namespace takt::bench {

void reset_peak_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // proc(5): resets VmHWM
}

double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    long kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return static_cast<double>(kilobytes) / 1024;
  }
  return 0;
}

}  // namespace takt::bench
