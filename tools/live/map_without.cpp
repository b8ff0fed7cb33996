// Processors keep their numbers: only the mapping is another.
#include "tools/live/map_without.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "live/adaptation/remapping.hpp"
#include "tpn/links.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/turns.hpp"

namespace takt::tools {

namespace {

// What is left of a mapping: nothing if a part has no processor any more, or pairs meet that are not linked.
std::optional<tpn::Mapping> rest_of(const tpn::Document& document, const std::set<std::size_t>& gone) {
  tpn::Mapping mapping = *document.mapping;
  for (tpn::Part& part : mapping) {
    const tpn::PartTurns before = tpn::turns_of(part);
    tpn::PartTurns turns;
    for (std::size_t k = 0; k < before.processors.size(); ++k) {
      if (gone.contains(before.processors[k])) continue;
      turns.processors.push_back(before.processors[k]);
      turns.sizes.push_back(before.sizes[k]);
    }
    if (turns.processors.empty()) return std::nullopt;
    tpn::set_turns(part, turns);
  }
  if (tpn::missing_link(tpn::ProblemView(document), mapping)) return std::nullopt;
  return mapping;
}

}  // namespace

bool take_mapping(PreparedRun& run, tpn::Document document, const std::set<std::size_t>& gone) {
  // What was said of another mapping.
  document.predicted_period.reset();
  document.heuristic.reset();
  document.remarks.clear();
  auto next = prepared_again(run, std::move(document), run.plan.adaptation.has_value());
  if (!next) return false;
  std::erase_if(next->plan.processors, [&](std::size_t p) { return gone.contains(p); });
  run = std::move(*next);
  return true;
}

std::optional<std::string> map_without(PreparedRun& run, const std::set<std::size_t>& gone,
                                       const heuristics::Heuristic& heuristic,
                                       std::optional<std::chrono::milliseconds> time_limit) {
  const auto rest = rest_of(run.document, gone);
  live::RemappingTerms terms;
  terms.heuristic = &heuristic;
  terms.model = run.plan.model;
  terms.window = run.window.reason != WindowReason::asked ? 0 : run.plan.coordination.window;
  terms.time_limit = time_limit;
  const live::Remapping found = live::remap(run.document, gone, rest ? &*rest : nullptr, terms);
  if (!found.mapping && !rest) return fmt::format("{}: {}", heuristic.name, found.reason);
  tpn::Document document = run.document;
  document.mapping = found.mapping ? *found.mapping : *rest;
  if (!take_mapping(run, std::move(document), gone)) return "its net is too large";
  return std::nullopt;
}

}  // namespace takt::tools
