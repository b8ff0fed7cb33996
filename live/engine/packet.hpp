// What goes through a running pipeline: the bytes of a data set, between two stages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace takt::live {

/// A file that a stage takes, and the name of the stage whose it is.
struct InputFile {
  std::string stage;
  std::string bytes;

  friend bool operator==(const InputFile&, const InputFile&) = default;
};

/// A file of a data set. The first stage gets it empty, unless the run has an input; what the last stage leaves in it
/// is the result.
struct Packet {
  std::uint64_t data_set = 0;
  std::string bytes{};
  bool has_failed = false;  // at a stage: the bytes say why (StageFailure, encoded), and no further stage gets it
  /// What a stage gets that takes the files of several stages, in the order of the list of stages: the bytes are empty
  /// then. Its result goes to the bytes.
  std::vector<InputFile> inputs{};

  /// The file of that stage among the inputs; null if there is none.
  const std::string* input_of(const std::string& stage) const {
    for (const InputFile& input : inputs)
      if (input.stage == stage) return &input.bytes;
    return nullptr;
  }
};

}  // namespace takt::live
