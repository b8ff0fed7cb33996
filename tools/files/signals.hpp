// What becomes of the program where a signal asks it to end: no unfinished file is left behind, and a search may first
// say what it has proved.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace takt::tools {

/// From now on SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU and SIGXFSZ remove the unfinished files and then end the
/// process by their default action. A signal that is ignored, as nohup has it, stays ignored.
void handle_ending_signals();

/// A file to be removed where a signal ends the process. Creates it, which must not exist.
class UnfinishedFile {
 public:
  /// Holds no file where it cannot be created: `error` is then that of open(2).
  explicit UnfinishedFile(const std::string& path);
  /// Removes the file unless it was finished.
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::string& path() const { return path_; }
  int error() const { return error_; }

  /// Renames it to `target`, and holds no file any more. An errno value where that fails, else 0.
  int finish_as(const std::string& target);

 private:
  std::string path_;  // empty if there is no file
  std::size_t slot_ = 0;
  int error_ = 0;
};

/// Which signals interrupt a search: SIGINT, or SIGTERM as well; or these, SIGHUP and SIGQUIT, however often they come.
enum class SearchSignals { interrupt, interrupt_and_terminate, all_in_order };

/// While one is alive the first such signal does not end the process: it sets `interruption`, and the search that looks
/// at it ends with what it has proved so far. The next one ends the process at once, unless all are taken in order: by
/// what has processes to end and files to remove, and does so in a few seconds.
class InterruptibleSearch {
 public:
  explicit InterruptibleSearch(SearchSignals signals = SearchSignals::interrupt);
  ~InterruptibleSearch();
  InterruptibleSearch(const InterruptibleSearch&) = delete;
  InterruptibleSearch& operator=(const InterruptibleSearch&) = delete;

 private:
  void count(int change) const;

  SearchSignals signals_;
};

/// Whether a signal has interrupted a search; once true it stays so, for all searches to come. Lock-free. In a thread
/// that hears of interruptions by a request of its own (InterruptedBy) that request.
const std::atomic<bool>& interruption();

/// While one is alive the searches of this thread are interrupted by the request, not by signals, for commands
/// in-process. One at a time in a thread; the request must outlive it.
class InterruptedBy {
 public:
  explicit InterruptedBy(const std::atomic<bool>& request);
  ~InterruptedBy();
  InterruptedBy(const InterruptedBy&) = delete;
  InterruptedBy& operator=(const InterruptedBy&) = delete;
};

}  // namespace takt::tools
