// The processes of a run: started by mpirun, or whatever starts MPI programs, and watched until they have ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace takt::tools {

/// The command that starts MPI jobs by default.
inline constexpr const char* kLauncher = "mpirun --oversubscribe --bind-to none";

/// Bytes among temporary files that a job needs, so that its processes find one another: Open MPI's, and some more.
/// Where there is less it may wait for ever.
inline constexpr std::uint64_t kJobRoom = std::uint64_t{16} << 20;

struct Launch {
  std::string launcher;    // a command line; "-n PROCESSES PROGRAM PLAN" follows
  std::string executable;  // takt-live, or a program with functions for stages
  std::size_t processes = 2;
  std::string plan;               // a file
  std::string messages;           // a file for what the processes print; "" for standard error alone
  std::ostream* shown = nullptr;  // likewise, as it comes
  std::string result;             // the file that they leave when all is done
  std::string failure;            // the file in which a process says why it ends the job
  std::string begun;              // the file that is there once all processes are
  std::string words;              // the file of lines that a user should know at once, if any come
  /// Hears what stands in that file, now and then.
  std::function<void(const std::string& text)> on_progress = nullptr;
  /// Hears each line of that one.
  std::function<void(const std::string& line)> on_words = nullptr;
  /// The job is ended where its processes are not all there after this time: of one that dies before it has met the
  /// others, Open MPI takes no notice, and waits for ever.
  std::optional<std::chrono::milliseconds> patience;
  std::string stall;        // the file in which the coordinator says why it ends a job that stands still
  std::string coordinator;  // the file with the coordinator's process, which it renews every second
  std::chrono::milliseconds silence_told{30'000};            // a line for `on_words` if it does not
  std::optional<std::chrono::milliseconds> silence_allowed;  // then the job is ended
  /// The launcher is ended if it still runs this long after the coordinator: a daemon of Open MPI 4.1 on another
  /// machine can wait for ever in its own end once a process has died (open-mpi/ompi#7790), and mpirun with it.
  std::chrono::milliseconds lingering_allowed{10'000};
};

/// How a job has ended.
struct JobEnd {
  bool is_interrupted = false;         // by a signal to takt
  std::optional<std::string> failure;  // why it failed, if it did: a phrase of one line
  std::optional<std::size_t> rank;     // that died, where the launcher says so
  bool has_stalled = false;            // it was ended because it stood still
  std::vector<std::size_t> silent;     // then, the ranks that did not answer
  bool is_given = false;               // a process said so itself: the same again would fail again
  bool cannot_start = false;           // there is no launcher, or no program
};

/// A signal to takt has come.
JobEnd interrupted_end();

/// Waits for the end. Throws FileError if no process can be started.
JobEnd run_job(const Launch& launch);

/// What a user is to be told where a job `cannot_start`.
std::string cannot_start_words(const JobEnd& end);

/// takt-live where it stands beside this program, else its name alone.
std::string live_program();

}  // namespace takt::tools
