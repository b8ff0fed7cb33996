// A stage that ends its process, by exit or by a signal, instead of throwing: what it was doing is told all the same.
#pragma once

#include <cstdint>
#include <string>

namespace takt::live {

/// From its construction to its end this thread is in a stage. Where the stage calls exit, or brings about a signal
/// such as SIGSEGV or SIGABRT, the name of the stage, the data set and what happened are written to the file, unless it
/// is there already; exit then ends the process with status 70.
class StageWatch {
 public:
  StageWatch(const std::string& file, const std::string& stage, std::uint64_t data_set);
  StageWatch(const StageWatch&) = delete;
  StageWatch& operator=(const StageWatch&) = delete;
  ~StageWatch();
};

}  // namespace takt::live
