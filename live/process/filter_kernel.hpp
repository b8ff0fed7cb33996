// Stages that are programs: a filter reads a data set's bytes from standard input and writes its result to standard
// output.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/engine/kernel.hpp"

namespace takt::live {

/// How a packet is told from the next: by 8 bytes before it, its length, little endian; or by a line feed behind it,
/// which it must not hold itself.
enum class RecordFormat { lengths, lines };

/// The program of a stage.
struct FilterCommand {
  std::size_t stage = 0;
  std::string name;     // of the stage
  std::string command;  // for the shell
};

/// More of a result is a failure.
inline constexpr std::uint64_t kMostRecord = std::uint64_t{1} << 30;

struct FilterOptions {
  RecordFormat format = RecordFormat::lengths;
  std::uint64_t most_bytes = kMostRecord;
  /// From handing a data set to a program until its result is there.
  std::optional<std::chrono::nanoseconds> time_limit = std::nullopt;
  /// How long programs may go on once there is no more input, before they are killed.
  std::chrono::milliseconds patience{2000};
  /// Stage 0 gets the number of the data set as text: there is no other input.
  bool first_stage_counts = false;
};

/// Runs a program for each stage, from the constructor on until this goes. Each gets the data sets of its stage one by
/// one, and answers each with one record before it gets the next.
class FilterKernel final : public Kernel {
 public:
  /// On the main thread, whose end the programs do not survive, and before MPI_Init. Throws std::system_error where a
  /// program cannot be started; one that the shell does not find fails at its first data set.
  FilterKernel(const std::vector<FilterCommand>& commands, const FilterOptions& options);
  ~FilterKernel() override;

  /// Throws StageFailed where a program ends, closes its output, says too much or nothing in time, with the last that
  /// it has written to standard error. It is killed, and fails from then on.
  void run(const StageCall& call, Packet& packet) override;

 private:
  class Filter;

  FilterOptions options_;
  std::map<std::size_t, std::unique_ptr<Filter>> filters_;  // by stage
};

}  // namespace takt::live
