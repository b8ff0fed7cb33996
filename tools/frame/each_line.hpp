// JSON Lines: a document per line in, a result per line out, in the same order for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/command.hpp"
#include "tools/files/line_blocks.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/command_line.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// "--lines" and "--jobs" of a command.
struct LinesChoice {
  bool lines = false;
  std::uint64_t jobs = 1;
};

void add_lines_options(CommandLine& line, LinesChoice& choice);

/// Throws UsageError unless there is one file for --lines, and --lines for --jobs.
void require_consistent(const LinesChoice& choice, const std::vector<std::string>& files);

/// What is printed of some lines, and how they went.
class LineOutput {
 public:
  /// For whole lines of results.
  std::string& text() { return text_; }
  const std::string& text() const { return text_; }

  void worsen(int status) { status_ = worse_status(status_, status); }
  int status() const { return status_; }

  /// A line without an answer, under one model if one is given: {"file": "-", "line": 7, "error": "..."}, or "limit"
  /// for kLimit.
  void add_failure(const std::string& file, std::size_t line, const FileFailure& failure,
                   const tpn::Model* model = nullptr);
  std::size_t failures() const { return failures_; }
  const std::string& first_failure() const { return first_failure_; }

  /// What came before some line, for a line that is to be taken back.
  struct Mark {
    std::size_t size;
    int status;
    std::size_t failures;
  };
  Mark mark() const { return {text_.size(), status_, failures_}; }
  void take_back(const Mark& mark);

  /// Behind this one's; the caller that prints it moves the text out.
  void add_counts(const LineOutput& next);

 private:
  std::string text_;
  int status_ = kAnswered;
  std::size_t failures_ = 0;
  std::string first_failure_;
};

/// Puts the answer of a line into the output, with memory of its own from line to line. What it throws because of the
/// line (see `failure_of`) becomes the line's failure.
using LineAnswerer = std::function<void(const TextLine& line, LineOutput& output)>;

/// Answers all lines of a file or, for "-", of standard input, with `jobs` threads of an answerer each; the results go
/// out in the order of the lines as soon as they are there. Returns the status of all. An interruption leaves out the
/// lines in hand and all behind them.
int answer_lines(const std::string& file, std::uint64_t jobs, const std::function<LineAnswerer()>& make_answerer,
                 Streams& streams);

}  // namespace takt::tools
