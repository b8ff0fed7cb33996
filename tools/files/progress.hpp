// Progress of a long command on a terminal.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "maxplus/deadline.hpp"
#include "tools/command.hpp"
#include "tools/words/time_words.hpp"

namespace takt::tools {

/// One line on `err` that is written over by the next and cleared in the end; nothing if `err` is no terminal. It
/// can be cleared only if it does not wrap: names in it are best `printable`.
class Progress {
 public:
  explicit Progress(Streams& streams) : streams_(streams) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void show(std::string_view text);

 private:
  Streams& streams_;
  bool is_shown_ = false;
};

/// Shows how far a search is, once it has taken more than a second: method, share done, and the interval so far.
class SearchProgress : public maxplus::SearchListener {
 public:
  /// `task` stands before everything, such as the file and the model.
  SearchProgress(Streams& streams, std::string_view task, const TimeWords& times = {});

  void on_method(std::string_view name) override;
  void on_share(double share) override;
  void on_bounds(const maxplus::Rational& lower, const maxplus::Rational& upper) override;

 private:
  void show_now_and_then();

  Progress line_;
  std::string task_;
  TimeWords times_;
  std::string method_;
  double share_ = 0;
  int pass_ = 1;  // a share that falls belongs to the next one
  std::optional<maxplus::Rational> lower_;
  std::optional<maxplus::Rational> upper_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace takt::tools
