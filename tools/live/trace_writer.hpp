// Traces of runs and of plays, as CSV, JSON, or for ui.perfetto.dev.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluators/play/play.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

/// Hands operations over, by data set, then column, until told to stop.
using FiringSource = std::function<void(const std::function<bool(const evaluators::Firing&)>& visit)>;

/// What happened under one model: references to what outlives it.
struct ModelTrace {
  const tpn::FoldedNet& net;
  FiringSource firings;
};

/// Of which instance: its file as named by the user, its stages, how its times are told; and how many data sets.
struct TraceSubject {
  const std::string& file;
  const std::vector<std::string>& stages;
  const TimeWords& times;
  std::uint64_t data_sets = 0;
};

/// The firings of a trace that stays where it is.
FiringSource firings_of(const std::vector<evaluators::Firing>& trace);

/// A heading, then a line for each operation, model after model. Nothing of it is kept in memory.
void write_trace_csv(std::ostream& out, const TraceSubject& subject, const std::vector<ModelTrace>& traces);

/// An object for one model, otherwise an array, likewise.
void write_trace_json(std::ostream& out, const TraceSubject& subject, const std::vector<ModelTrace>& traces);

/// A run for ui.perfetto.dev: operations of the critical circuit are marked, and flows lead from one to the next, lap
/// after lap. `circuit` may be null. `unit_seconds`: length of a time unit; default: one of a document with units, else
/// a millisecond.
void write_perfetto_trace(std::ostream& out, const TraceSubject& subject, const tpn::FoldedNet& net,
                          const std::vector<evaluators::Firing>& trace, const evaluators::CriticalCircuit* circuit,
                          const std::optional<maxplus::Rational>& unit_seconds = std::nullopt);

/// The forms of a trace, by how a file's name ends.
enum class TraceForm { csv, json, perfetto };
/// Nothing if it ends in none of .csv, .json and .trace.json.
std::optional<TraceForm> trace_form(std::string_view path);

/// Writes one run into a file, in the form that its name says, CSV where it says none. Throws FileError.
void write_trace_file(const std::string& path, const TraceSubject& subject, const tpn::FoldedNet& net,
                      const std::vector<evaluators::Firing>& trace, const evaluators::CriticalCircuit* circuit,
                      const std::optional<maxplus::Rational>& unit_seconds = std::nullopt);

}  // namespace takt::tools
