// An input that comes while a run goes on: standard input, a FIFO, or a folder that fills.
#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <thread>

#include "live/process/descriptor.hpp"
#include "live/process/input_spool.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/live/run_setup.hpp"

namespace takt::tools {

/// "--max-rate".
void add_stream_options(CommandLine& line, RunChoices& choices);

/// Whether an input is such a one.
bool is_stream(const std::string& input);

/// Data sets of a run whose input has no end that is known.
inline constexpr std::uint64_t kEndlessDataSets = std::uint64_t{1} << 52;

/// The plan's spool and rate. Throws UsageError if the choices do not go together.
void set_stream(live::RunPlan& plan, const RunChoices& choices);

/// Reads the input on a thread of its own, and writes it to a spool, which must not hold too much that waits.
class StreamInput {
 public:
  /// The first line is that of data set `next`, unless the spool holds it. Throws FileError.
  StreamInput(const std::string& input, const std::string& spool, std::uint64_t next);
  StreamInput(const StreamInput&) = delete;
  StreamInput& operator=(const StreamInput&) = delete;
  ~StreamInput();

  /// Bytes of a line that was not whole when an earlier takt ended.
  std::uint64_t cut_off() const { return writer_.cut_off(); }
  /// Reads no more. Throws FileError if reading or writing has failed, which has interrupted takt.
  void stop();

 private:
  void serve();
  bool read_some();
  bool look_into_folder();

  std::string name_;
  live::OwnedDescriptor opened_;  // of a FIFO
  int file_ = 0;
  std::string folder_;  // in place of that, its name with a slash at the end
  live::SpoolWriter writer_;
  std::set<std::string> taken_;  // files of the folder
  std::atomic<bool> is_stopping_ = false;
  std::string error_;  // the thread's, until it has ended
  std::thread thread_;
};

}  // namespace takt::tools
