// A heuristic of a user's own: a program that is given a problem and prints a mapping.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "tools/files/scratch_folder.hpp"
#include "tools/own/own_mapping.hpp"
#include "tools/own/shell_command.hpp"
#include "tpn/document.hpp"
#include "tpn/problem_view.hpp"

namespace takt::tools {

/// How a program takes problems.
enum class ProgramForm {
  command,  // run anew for each: "{}" is the path of its file, or it is standard input
  server    // stays: a line of JSON for each problem in, a line with its mapping out
};

/// What it is asked.
struct OwnQuestion {
  const tpn::ProblemView& problem;
  tpn::Model model;
  std::uint64_t seed;
  double time_limit;  // seconds, as the program is told
  std::chrono::steady_clock::time_point deadline;
};

/// What it answers: a mapping, or why there is none, a phrase of one line.
struct OwnReply {
  std::optional<OwnMapping> mapping;
  std::string failure;
};

/// Of the text of an answer: {"mapping": ...} as read_own_mapping reads it, or {"failed": "why"}. Messages call it by
/// `origin`.
OwnReply read_own_reply(const std::string& text, const std::string& origin, const tpn::ProblemView& problem);

/// Serves the thread that asks first. A server is killed when this goes.
class OwnHeuristic {
 public:
  /// `folder` is for the files of problems, and outlives this.
  OwnHeuristic(ProgramForm form, std::string command, const ScratchFolder& folder);

  /// Throws FileError if no process can be started, or no file written.
  OwnReply ask(const OwnQuestion& question);

 private:
  CommandOutcome outcome_of(const OwnQuestion& question);

  std::string command_;
  const ScratchFolder& folder_;
  std::optional<ShellServer> server_;  // of ProgramForm::server
};

}  // namespace takt::tools
