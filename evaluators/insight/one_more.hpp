// How the period changes with one more port or core.
//
// Problem. Ports and cores are whole numbers: the period has no derivative by them. What is it with one more?
//
// Method. The document with one more is folded and evaluated. From one port to two no period gets longer: an operation
// waits for the last but one before it at the port, in place of the last, which waited for that one. So where a
// critical circuit has no wait at ports that become two, the period stays without an evaluation: no less than the
// circuit's, no more than it was. From two ports to three, and with another core, the turns change: the period may get
// longer.
//
// Cost. At most one evaluation for each row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tpn/counts.hpp"
#include "tpn/document.hpp"

namespace takt::evaluators {

/// Counts that become one more each, at once.
struct OneMore {
  std::vector<tpn::DocumentCount> counts;  // equal ones of one quantity
  std::optional<Rational> period;          // exact; nothing if it was not found exactly
};

/// One more of each; in the order of the rows that were given.
struct OneMoreAnalysis {
  std::vector<OneMore> rows;
  std::size_t unasked = 0;  // rows that there was no time to look at

  bool is_whole() const { return unasked == 0; }
};

/// Of alike counts beyond which each alone is no row of its own, unless it is asked for.
inline constexpr std::size_t kFewAlike = 8;

/// The rows of a net: of the document's counts those that matter under its model, alone and, where several are alike,
/// together; with `each` alone only. Ports matter where they are a resource of the net. Those that are alike are the
/// same under all models: of a row of several two matter at least.
std::vector<std::vector<tpn::DocumentCount>> one_more_rows(const tpn::FoldedNet& net, const tpn::Document& document,
                                                           bool each);

/// The period of each of these rows; a row whose document would break a rule of documents is left out. The net must be
/// one of the document, the evaluation an exact one of the net. Rows that the critical circuit meets are asked first.
OneMoreAnalysis analyze_one_more(const tpn::FoldedNet& net, const tpn::Document& document, const Evaluation& evaluation,
                                 const Options& options, std::span<const std::vector<tpn::DocumentCount>> rows);

/// The shortest period first, those not found last; at ties in the order given.
void sort_by_period(std::vector<OneMore>& rows);

}  // namespace takt::evaluators
