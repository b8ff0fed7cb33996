// Cycle times of intervals of stages on processors: as the heuristics for intervals see them, and as they are.
//
// Problem. Benoit and Robert's mappings put each interval [d, e] of the chain on a processor u of its own. Its cycle
// time, the time it is busy with one data set, is
//   in + w_d / s_u + ... + w_e / s_u + out  (STRICT),  the largest of the three times  (OVERLAP),
// and the largest cycle time is the period. In and out depend on the neighbors' processors, which a heuristic that
// builds a mapping does not know yet; the paper assumes that all links are equal.
//
// Method. Two views. The real one takes a whole mapping. The mean one takes an interval and a processor alone: a
// transfer takes the mean of its times over the links there are, in either direction (for the input and the last
// output, over the links from the source and to the sink). What is averaged is time, 1 / bandwidth: cycle times add
// times, and so the mean view of a cycle time is its mean over the neighbors, which a mean of bandwidths would
// understate. As a link takes fixed + per_unit * size, it is enough to average these two. Where all links are equal
// the two views agree. Links that are absent count in no mean; `linked` tells where they are.
//
// The sum of thousands of fractions has a denominator of thousands of digits, of use to nobody: a sum whose denominator
// exceeds 128 bits is rounded down to as many significant bits, in integers, the same on every machine. Only means of
// unequal links are ever rounded, and they decide what a heuristic chooses, not what it predicts.
//
// Invariant. All other numbers are exact. With one processor per interval, none twice, and ports of its own, `period`
// is the period of the timed Petri net: every circuit of its places belongs to one resource, whose cycle time is one of
// those above.
//
// Cost. Linear in stages, processors and the links that the platform names, to build; then constant for an interval in
// the mean view, linear in the parts for `period`.
//
// References. [benoit2007mapping], equation (2).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heuristics/common/computation_times.hpp"
#include "heuristics/heuristic.hpp"
#include "tpn/document.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// Consecutive stages, both ends included.
struct StageInterval {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// What the links of a kind have in common. Phrases without a full stop, or nothing.
struct LinkSurvey {
  std::optional<tpn::LinearTime> mean;  // absent if there is no link at all; with per_unit 0 if no size counts
  std::optional<std::string> absent;    // "there is no link from ..."
  std::optional<std::string> unequal;   // "the links ... and ... differ"
};

/// The costs of intervals of a problem, into which it keeps references.
class IntervalCosts {
 public:
  /// Throws tpn::InvalidInstance if a work or a size that counts is absent.
  IntervalCosts(const tpn::ProblemView& problem, tpn::Model model);

  const tpn::Document& problem() const { return problem_; }
  std::size_t stages() const { return problem_.application.stages.size(); }
  std::size_t processors() const { return times_.processors(); }

  /// How long a processor computes an interval.
  Rational computation(const StageInterval& interval, std::size_t processor) const {
    return times_.of(interval.first, interval.last, processor);
  }
  const ComputationTimes& times() const { return times_; }
  /// Which of two processors is faster depends on the stages: some have a speed and some a fixed time, or stages have
  /// times of their own.
  bool has_mixed_processors() const;

  tpn::Model model() const { return model_; }
  /// In the mean view, of the file before a stage, or behind the last; nothing if there is no link for it.
  const std::optional<Rational>& file_time(std::size_t before) const { return file_times_[before]; }
  /// In the mean view; nothing if a link that it surely needs is absent: the processor's with the source or the
  /// sink, or every link between processors.
  std::optional<Rational> cycle_time(const StageInterval& interval, std::size_t processor) const;

  /// The largest cycle time of a mapping with one processor per part, none twice, over links that exist. Where ports
  /// are those of hosts, or several, or the network has segments, and of workflows, the exact period.
  Rational period(const tpn::Mapping& mapping) const;
  /// The same of its cycle times in the mean view, which must exist.
  Rational mean_period(const tpn::Mapping& mapping) const;

  /// True if the problem has no source or sink.
  bool linked_to_source(std::size_t processor) const { return source_linked_[processor]; }
  bool linked_to_sink(std::size_t processor) const { return sink_linked_[processor]; }
  bool linked(std::size_t from, std::size_t to) const;
  /// Whether every link there could be exists.
  bool has_all_links() const;

  const LinkSurvey& links() const { return links_; }
  const LinkSurvey& source_links() const { return source_links_; }
  const LinkSurvey& sink_links() const { return sink_links_; }

 private:
  void survey_links();
  void survey_ends();
  void add_file_times();
  Rational combined(const Rational& in, const Rational& computation, const Rational& out) const;

  const tpn::ProblemView& view_;
  const tpn::Document& problem_;
  tpn::Model model_;
  const tpn::Timing& timing_;
  ComputationTimes times_;
  std::vector<std::optional<Rational>> file_times_;  // in the mean view, of the file before a stage, then the last
  LinkSurvey links_;
  LinkSurvey source_links_;
  LinkSurvey sink_links_;
  bool all_linked_ = true;  // no link between processors is absent
  std::vector<bool> source_linked_;
  std::vector<bool> sink_linked_;
};

/// The part of an interval on one processor.
tpn::Part part_of(const StageInterval& interval, std::size_t processor);
StageInterval interval_of(const tpn::Part& part);

/// Logs which assumptions of the paper the platform violates: equal links and, for heuristics that sort processors by
/// speed, that there are speeds.
void note_unequal_links(const IntervalCosts& costs, Log& log);
void note_mixed_processors(const IntervalCosts& costs, Log& log);

}  // namespace takt::heuristics
