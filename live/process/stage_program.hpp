// What stands behind a stage that is a program: one process for all data sets, or one for each.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "live/engine/kernel.hpp"
#include "live/engine/packet.hpp"
#include "live/engine/stage_files.hpp"
#include "live/process/stage_process.hpp"

namespace takt::live {

/// How a packet is told from the next: by 8 bytes before it, its length, little endian; or by a line feed behind it,
/// which it must not hold itself. A stage that takes several files gets two such records for each, the name of the
/// stage whose it is and the file.
enum class RecordFormat { lengths, lines };

/// The program of a stage.
struct StageCommand {
  std::size_t stage = 0;
  std::string name;      // of the stage
  std::string command;   // for the shell
  bool is_each = false;  // started for each data set
};

/// More of a result is a failure.
inline constexpr std::uint64_t kMostRecord = std::uint64_t{1} << 30;

/// A program that has read its first data set and has not answered for this time is told of.
inline constexpr std::chrono::seconds kWithoutAnswer{5};

struct ProgramOptions {
  RecordFormat format = RecordFormat::lengths;  // of programs for all data sets
  std::uint64_t most_bytes = kMostRecord;
  /// From handing a data set to a program until its result is there, not counting the start of the program.
  std::optional<std::chrono::nanoseconds> time_limit = std::nullopt;
  /// From the start of a program for all data sets until it begins to read, if there is a limit of time.
  std::chrono::nanoseconds start_limit = std::chrono::seconds(30);
  /// How long programs may go on once there is no more input, before they are killed.
  std::chrono::milliseconds patience{2000};
  /// Stages that take the application's input get the number of the data set as text: there is no other input.
  bool first_stage_counts = false;
  /// They get lines, which stand in place of "{}" themselves.
  bool first_stage_has_lines = false;
  StageFlow flow{};  // of the application
  /// Hears, on the thread that runs stages, what a user should know of a stage while it runs.
  std::function<void(std::size_t stage, const std::string& words)> say = nullptr;
};

class StageProgram {
 public:
  StageProgram() = default;
  StageProgram(const StageProgram&) = delete;
  StageProgram& operator=(const StageProgram&) = delete;
  virtual ~StageProgram() = default;

  /// Starts what can be started before there is a data set, unless it runs. Throws std::system_error.
  virtual void start() = 0;
  /// Throws StageFailed, and std::system_error where there can be no process.
  virtual void run(Packet& packet) = 0;
  /// What its processes have had of cores since their first data set.
  virtual CoreTime time_outside() const = 0;
  /// There are no more data sets.
  virtual void close_input() = 0;
  /// Kills what is left at that time.
  virtual void end_by(StageProcess::Clock::time_point time) = 0;
};

/// "250 ms".
std::string milliseconds_words(std::chrono::nanoseconds time);

}  // namespace takt::live
