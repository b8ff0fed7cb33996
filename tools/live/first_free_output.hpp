// A run whose processors do not take turns, beside what the mapping takes in turn.
#pragma once

#include <iosfwd>
#include <string>

#include "live/files/run_result.hpp"
#include "live/measurement/measurement.hpp"
#include "maxplus/rational.hpp"
#include "tools/answers/result.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// Keeps references.
struct FirstFreeRun {
  const EvaluatedInstance& instance;  // of the same mapping in turn
  const live::RunResult& result;
  const live::Trace& trace;  // of all data sets from 0 on, if they are to be measured
  maxplus::Rational unit_seconds;
  std::string verb;  // what was done to the period: "measured"
};

/// The period in turn and that of the run, and which of them is the less. There are live::kFewestMeasured data sets.
void write_first_free(std::ostream& out, const FirstFreeRun& run);

/// How many data sets each processor took, and in turn would have taken.
void write_shares(std::ostream& out, const FirstFreeRun& run);

/// The members "measured_period" and "interval"; nulls if nothing is measured.
void write_first_free_json(tpn::JsonWriter& json, const FirstFreeRun& run, bool is_measured);

/// The member "shares", empty if processors took turns.
void write_shares_json(tpn::JsonWriter& json, const FirstFreeRun& run);

}  // namespace takt::tools
