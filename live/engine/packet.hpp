// What goes through a running pipeline: the bytes of a data set, between two stages.
#pragma once

#include <cstdint>
#include <string>

namespace takt::live {

/// A file of a data set. The first stage gets it empty, unless the run has an input; what the last stage leaves in it
/// is the result.
struct Packet {
  std::uint64_t data_set = 0;
  std::string bytes;
  bool has_failed = false;  // at a stage: the bytes say why (StageFailure, encoded), and no further stage gets it
};

}  // namespace takt::live
