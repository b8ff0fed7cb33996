// From what a user asks of `takt run` to a plan that processes are started with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "live/files/run_plan.hpp"
#include "tools/answers/result.hpp"
#include "tools/command.hpp"
#include "tools/frame/options.hpp"
#include "tools/live/window_choice.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// As on the command line.
struct RunChoices {
  std::string file;
  ModelChoice model;
  std::optional<std::uint64_t> data_sets;
  std::string unit;
  std::string kernel;
  std::string links;
  std::string anchor = "agreed";
  std::optional<std::uint64_t> window;
  std::string order = "in-turn";
  std::string wait = "auto";
  std::string real_time = "auto";
  std::vector<std::string> programs;
  std::vector<std::string> each;
  std::string records = "sized";
  std::optional<double> stage_limit;  // seconds
  std::string input;
  std::optional<std::string> max_rate;
  std::string jitter;  // a law, or kLawsOfFile
  std::optional<std::uint64_t> seed;
  std::string rate;
  std::string arrivals;
  std::string executable;
  std::string launcher;
  std::uint64_t bytes = 1024;
  std::string trace_file;
  std::string journal;
  bool same_journal = false;
  std::uint64_t sync = 0;
  std::uint64_t segment = 0;
  std::uint64_t retries = 0;
  std::string on_failure = "stop";
  std::string again;  // "failed", or nothing
  std::string remap = "polish";
  std::string start_limit;
  std::optional<double> stall_limit;  // seconds
  std::string adapt = "off";
  std::string adapt_rule = "safe";
  std::string normal;
  std::optional<std::string> threshold;
  std::string switch_kind = "roll";
  std::vector<std::string> loads;
  std::string log;
  std::optional<std::string> tolerance;
  std::vector<std::string> status;
  bool rehearse = false;
  std::vector<std::string> kills;
  bool json = false;
  bool verbose = false;
};

/// A run that can be started.
struct PreparedRun {
  tpn::Document document;
  EvaluatedInstance instance;  // with the window, if there is one
  live::RunPlan plan;
  WindowChoice window;  // of the plan, and why
  bool varies = false;  // times do, or arrivals: a window is none that is only just enough
};

/// What the exact period of its mapping is to a run: "predicted", or "in turn".
std::string_view period_word(const PreparedRun& run);

/// Seconds per data set that it is predicted to take; 0 if nobody predicts that: processors do not take turns.
double predicted_seconds(const PreparedRun& run);

/// Data sets of a run by default.
inline constexpr std::uint64_t kRunDataSets = 400;

/// The names of the models that `takt run` keeps to.
std::vector<std::string> run_model_names();

/// Throws UsageError if choices do not go together, with each other or with the instance; FileError, ParseError and
/// InvalidInstance as read_instance does. Nothing if the mapping is too large, which has been said.
std::optional<PreparedRun> prepare_run(const RunChoices& choices, Streams& streams);

/// The word for --jitter that stands for the laws of the file.
inline constexpr const char* kLawsOfFile = "file";

/// The word for --adapt that asks for the comparison of all ways to meet a load.
inline constexpr const char* kAllWays = "all";

/// Fills in what stands behind the stages of a plan, of the choices from `kernel` on that say so. Throws UsageError
/// if they do not go together.
void set_stages(live::RunPlan& plan, const RunChoices& choices, const tpn::Document& document);

/// How many lines the input has; nothing if there is none. Throws UsageError if it is empty, FileError.
std::optional<std::uint64_t> input_lines(const RunChoices& choices, Streams& streams);

/// The net, the evaluation and the plan's processors and window of another document in a run's place, such as one
/// without a processor that died. Nothing if that is too large.
std::optional<PreparedRun> prepared_again(const PreparedRun& run, tpn::Document document, bool takes_all);

}  // namespace takt::tools
