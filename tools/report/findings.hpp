// What a report is made of: one instance evaluated, proved and looked at from all sides within one limit of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/insight/completion.hpp"
#include "evaluators/insight/critical.hpp"
#include "evaluators/insight/latency.hpp"
#include "evaluators/insight/one_more.hpp"
#include "evaluators/insight/paced.hpp"
#include "evaluators/insight/rooms.hpp"
#include "evaluators/insight/sensitivity.hpp"
#include "evaluators/insight/together.hpp"
#include "tools/answers/advice.hpp"
#include "tools/plan/planned.hpp"
#include "tools/vary/vary_answer.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

/// What became of the certificate in this very call.
struct ProofFinding {
  bool is_proved = false;
  std::string why_not;  // for a person
  std::string text;     // the certificate; empty if there is none
  bool has_walk = false;
};

/// The period under another model, for comparison.
struct OtherPeriod {
  tpn::Model model = tpn::Model::kOverlap;
  Rational period;
};

/// A pair of processors between which a part sends files.
struct TransferLoad {
  Rational duration;   // of one file; the longest where one pair has several
  Rational frequency;  // files per data set
};

/// The busy time of each resource by operation, in time units per data set.
struct ProcessorLoad {
  Rational receives;
  Rational computes;
  Rational sends;
};

struct NetLoads {
  std::vector<ProcessorLoad> processors;  // as Pipeline::processors
  // By column: transfers by sender and receiver, but none within a processor; computations by processor, twice.
  std::vector<std::map<std::pair<std::size_t, std::size_t>, TransferLoad>> operations;
};

/// Pairs of processors that are looked at for a page.
inline constexpr std::uint64_t kMostMeetings = 2'000'000;

/// Nothing if more than kMostMeetings pairs of processors meet. Cost: linear in these.
std::optional<NetLoads> loads_of(const tpn::FoldedNet& net);

/// The share of one processor, or pair of processors, in the critical circuit.
struct CircuitShare {
  tpn::ColumnIndex column;
  std::size_t processor = 0;
  std::size_t peer = 0;  // the receiver of a transfer, else the processor again
  Rational time;         // time units per data set
};

/// Adds up to the period, the largest first; nothing if the circuit meets more than kMostMeetings pairs of
/// processors. The evaluation must be exact.
std::optional<std::vector<CircuitShare>> circuit_shares(const tpn::FoldedNet& net,
                                                        const evaluators::Evaluation& evaluation);

/// From an empty pipeline.
struct StartUpFindings {
  std::vector<evaluators::CompletionTime> completions;  // of 1, 10, 100 and 1000 data sets
  std::optional<std::uint64_t> transient;  // the data set from which everything repeats, where that was seen
  std::uint64_t repeats_every = 0;         // data sets
};

/// The steady state with data sets let in evenly.
struct SteadyFindings {
  evaluators::PacedSchedule paced;
  evaluators::Latency latency;
  evaluators::CriticalOperations critical;
  std::optional<evaluators::OperationFloats> floats;  // as CriticalOperations::is_critical
};

/// What the numbers of the instance mean for the period.
struct ParameterFindings {
  std::vector<evaluators::ParameterInsight> insights;  // those worth most first; the first of them with curves
  std::size_t unasked = 0;            // numbers off the critical circuit that there was no work for: they do not help
  std::size_t unasked_too = 0;        // and others, likewise
  std::vector<tpn::Parameter> asked;  // of the critical circuit and off it, as far as there was work for
  bool helps_together = false;        // nothing helps alone: it was asked what does together
  std::optional<evaluators::TogetherChange> together;  // among `asked`; nothing if it was not found
  evaluators::OneMoreAnalysis one_more;                // the shortest period first
};

struct ReportFindings {
  std::string file;  // its name alone
  std::string text;  // that it holds
  tpn::Document document;
  tpn::FoldedNet net;
  evaluators::Evaluation evaluation;
  ProofFinding proof;
  std::optional<OtherPeriod> other;
  std::optional<NetLoads> loads;
  std::optional<std::vector<CircuitShare>> shares;
  Advice advice;
  std::optional<SteadyFindings> steady;
  std::string unsteady;  // why there is none, for a person
  StartUpFindings start_up;
  std::optional<evaluators::RoomsInsight> rooms;  // where files wait without limit, and it is soon found
  ParameterFindings parameters;
  std::optional<PlannedDocument> plan;      // where takt plan made the document
  std::optional<WiderFindings> wider_plan;  // likewise, a plan without closed forms
  std::optional<VariedInstance> varied;     // where the document has laws
  bool is_out_of_time = false;              // for some of it

  bool exact() const { return evaluation.exact(); }
  const Rational& period() const { return evaluation.upper; }
  /// Of the period; nothing if it is not known or 0.
  std::optional<Rational> share(const Rational& time) const;
  bool is_critical(const tpn::Resource& resource) const;
};

/// The deadline of what might take long; where nobody set a time, one in 20 s.
evaluators::Deadline within_reason(const evaluators::Deadline& deadline);

/// Of an exact period above 0 whose shares and loads are known. `curves`: of how many.
ParameterFindings find_parameters(const ReportFindings& findings, std::size_t curves,
                                  const evaluators::Deadline& deadline);

/// A report's subject.
struct ReportInput {
  std::string file;  // as named on the command line
  std::string text;  // that it holds
  tpn::Document document;
};

/// All of it, as far as the deadline allows; or what the net would need.
std::variant<ReportFindings, tpn::TooLarge> find_out(const ReportInput& input, const tpn::Model& model,
                                                     const evaluators::Deadline& deadline);

}  // namespace takt::tools
