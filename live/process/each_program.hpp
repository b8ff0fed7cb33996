// A stage whose program is started for each data set: it gets it on standard input, or as a file, and its standard
// output is the result.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "live/process/keeper.hpp"
#include "live/process/stage_program.hpp"

namespace takt::live {

/// Whether a shell would find a place of a command, such as "{}", between quotes: those of the word that takes its
/// place would end them.
bool is_between_quotes(std::string_view command, std::string_view place);

/// In its command "{}" stands for the name of a file with the data set; in the first stage for the data set itself,
/// where that is a line or a number. Of a stage that takes several files "{NAME}" is a file with that of stage NAME.
/// Standard input is empty then. TAKT_STAGE and TAKT_DATA_SET are in its environment.
class EachProgram : public StageProgram {
 public:
  /// Keeps references.
  EachProgram(Keeper& keeper, StageCommand command, const ProgramOptions& options);

  void start() override {}
  /// Throws StageFailed if the program ends with another status than 0, by a signal or too late, or writes too much.
  /// Input that it does not read is no failure.
  void run(Packet& packet) override;
  CoreTime time_outside() const override { return time_; }
  void close_input() override {}
  void end_by(StageProcess::Clock::time_point) override {}

 private:
  bool takes_text() const;
  class Files;
  std::string command_for(const Packet& packet, Files& files);
  std::string file_with(const std::string& name, const std::string& bytes, Files& files);
  std::string result_of(StageProcess& process, const std::string& input);
  void read_result(StageProcess& process, const std::string& input, std::string& result);
  void require_in_time();
  [[noreturn]] void fail(const std::string& what) const;

  Keeper& keeper_;
  StageCommand command_;
  const ProgramOptions& options_;
  std::string folder_;                     // of files; empty until one is wanted
  CoreTime time_;                          // of all data sets so far
  StageProcess::Clock::time_point begin_;  // of the program, but for time in which this process was stopped
  NoticedStops stops_;
  std::uint64_t data_set_ = 0;
};

}  // namespace takt::live
