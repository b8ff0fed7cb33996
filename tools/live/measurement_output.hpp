// A run beside its prediction, in words and as JSON: for `takt measure` and `takt run`.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "evaluators/evaluation.hpp"
#include "live/measurement/explanation.hpp"
#include "live/measurement/measurement.hpp"
#include "tools/answers/result.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// A run and what was predicted of it.
struct MeasuredRun {
  EvaluatedInstance instance;  // under the model of the run; not evaluated exactly, the run is compared with the play
  std::string trace;           // the file that holds the run, as named by the user; "" for none
  live::RunMeasurement measured;
  std::optional<live::Explanation> explanation;   // nothing if a limit was reached
  std::optional<maxplus::Rational> unit_seconds;  // how long a time unit lasted, where times are told in seconds
  std::string verb = "measured";                  // what was done to it, in words

  /// What the measured period is held against: the exact period, or that of the play over the same data sets.
  const maxplus::Rational& predicted() const;
  /// (measured - predicted) / predicted; nothing if that is 0.
  std::optional<maxplus::Rational> gap() const;
  /// Whether the measured period is within this share of the predicted one.
  bool is_within(const maxplus::Rational& tolerance) const;
};

/// Measures the run of an evaluated instance. The trace is as live::measure takes it.
MeasuredRun measured_run(EvaluatedInstance instance, std::string trace_name, const live::Trace& trace,
                         const evaluators::Deadline& deadline,
                         std::optional<maxplus::Rational> unit_seconds = std::nullopt);

/// Predicted and measured period, what explains it, whether all was delivered; then the utilizations.
void write_measurement(std::ostream& out, const MeasuredRun& run);

/// The member "interval".
void write_interval_json(tpn::JsonWriter& json, const std::optional<live::MeanInterval>& interval);

/// The object of docs/formats.md; `tolerance` where one was asked for, and what `more` adds as its last members.
void write_measurement_json(tpn::JsonWriter& json, const MeasuredRun& run,
                            const std::optional<maxplus::Rational>& tolerance = std::nullopt,
                            const std::function<void(tpn::JsonWriter&)>& more = nullptr);

}  // namespace takt::tools
