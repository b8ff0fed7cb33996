// The files of a rank: input, results, progress and log of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "live/adaptation/run_log.hpp"
#include "live/engine/packet.hpp"
#include "live/files/run_plan.hpp"
#include "live/files/run_view.hpp"
#include "live/process/input_spool.hpp"
#include "live/process/journal_file.hpp"
#include "live/rank/computers.hpp"
#include "live/rank/stall_words.hpp"

namespace takt::live {

/// The bytes of a file. Throws std::runtime_error if it cannot be read.
std::string text_of(const std::string& path);
/// Replaces the file. Throws std::runtime_error if it cannot be written.
void write_text(const std::string& path, std::string_view text);

/// The lines of a file, read when the first is wanted: that of number j for data set j. Null for an empty path.
PacketSource lines_of(const std::string& path);

/// Null if the first stage gets nothing but is a function or made up: lines of the input, or numbers in words.
PacketSource input_of(const RunPlan& plan);

/// Replaces the file at once: readers see the old file or the new one. Throws like write_text.
void replace_text(const std::string& path, std::string_view text);

/// The events of a run, for observers: a file that grows, if the plan asks for it.
class EventFile {
 public:
  explicit EventFile(const RunPlan& plan);

  void write(const RunEvent& event);

 private:
  std::ofstream file_;
};

/// The lines of an input that each rank would read if all had its machine's files: from the coordinator, as data sets
/// begin.
class LineFeed : public InputFeed {
 public:
  /// From data set `next` on, or those of the plan that run again.
  LineFeed(const RunPlan& plan, std::uint64_t next) : plan_(plan), lines_(lines_of(plan.input)), next_(next) {}

  bool comes_by_and_by() const override { return false; }
  std::optional<std::string> next() override;
  bool is_over() override { return true; }

 private:
  const RunPlan& plan_;
  PacketSource lines_;
  std::uint64_t next_;
};

/// The first data set that a stage has failed on, where that ends the run: whose stage, and why.
class StageStopsRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Appends to the journal, if there is one, and counts results that are not what they must be.
class CheckedResults : public ResultSink {
 public:
  /// Keeps references.
  CheckedResults(const RunPlan& plan, const RankNames& names, JournalFile* journal, EventFile& events,
                 std::int64_t begin, SpoolReader* spool = nullptr)
      : plan_(plan),
        flow_(plan.instance.application),
        names_(names),
        journal_(journal),
        events_(events),
        begin_(begin),
        spool_(spool) {}

  void append(std::uint64_t data_set, const std::string& bytes) override;
  /// Throws StageStopsRun where the plan says so.
  void append_failure(std::uint64_t data_set, const std::string& failure) override;
  /// The first of each stage, as a line of a file.
  void say(std::size_t stage, const std::string& words) override;
  /// A line likewise. The last is a file, the ranks of processors that do not answer on its first line, and ends the
  /// run by a std::runtime_error.
  void stalled(const Standstill& stall) override;
  void resumed(std::uint64_t data_set, Ticks lasted) override;
  /// Writes a file, for observers of the run.
  void seen(const RunView& view) override;

  std::uint64_t wrong() const { return wrong_; }
  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t failed() const { return failed_; }

 private:
  // Progress, now and then.
  void tell(std::uint64_t data_sets);
  void count(std::uint64_t data_set);

  void tell_user(const std::string& words) const;

  const RunPlan& plan_;
  StageFlow flow_;
  const RankNames& names_;
  JournalFile* journal_;
  EventFile& events_;
  std::int64_t begin_;  // of the run's clock
  SpoolReader* spool_;  // hears what is delivered
  std::uint64_t wrong_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint64_t failed_ = 0;
  std::int64_t next_word_ = 0;
  std::set<std::size_t> told_of_;  // stages
};

/// The log of a run as a file, a line for each entry; decisions are events, too.
class FileLog : public RunLog {
 public:
  /// Keeps references.
  FileLog(const RunPlan& plan, EventFile& events);

  void write(const RunLogEntry& entry) override;

 private:
  const RunPlan& plan_;
  EventFile& events_;
  std::ofstream file_;
};

}  // namespace takt::live
