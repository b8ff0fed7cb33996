// Speeds are divided by ratios, and times multiplied.
#include "live/adaptation/remapping.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "maxplus/contract.hpp"
#include "tpn/capacity.hpp"
#include "tpn/ends.hpp"
#include "tpn/errors.hpp"

namespace takt::live {

namespace {

Rational rounded_ratio(const Rational& ratio) {
  const maxplus::Integer doubled = 2 * ratio.numerator() * 1000 + ratio.denominator();
  const maxplus::Integer thousandths = doubled / (2 * ratio.denominator());
  return Rational::fraction(std::max(thousandths, maxplus::Integer(1)), 1000);
}

void forget_mapping(tpn::Document& document) {
  document.mapping.reset();
  document.transfers.clear();
  document.order.clear();
  document.predicted_period.reset();
  document.heuristic.reset();
  document.model.reset();
  document.remarks.clear();
}

// Where each processor stands among those that are kept.
std::vector<std::optional<std::size_t>> places_of(std::span<const std::size_t> kept, std::size_t processors) {
  std::vector<std::optional<std::size_t>> places(processors);
  for (std::size_t i = 0; i < kept.size(); ++i) places[kept[i]] = i;
  return places;
}

template <typename Item, typename Field>
void renumber(std::vector<Item>& items, Field Item::*field, std::span<const std::optional<std::size_t>> places) {
  std::erase_if(items, [&](const Item& item) { return !places[item.*field]; });
  for (Item& item : items) item.*field = *places[item.*field];
}

evaluators::Deadline deadline_of(const RemappingTerms& terms) {
  if (!terms.time_limit) return {};
  return evaluators::Deadline::Clock::now() + *terms.time_limit;
}

Remapping none(std::string reason) { return {std::nullopt, std::move(reason), {}}; }

heuristics::Result ask(const tpn::Document& problem, const tpn::Mapping* present, const RemappingTerms& terms) {
  heuristics::Settings settings;
  settings.model = terms.model;
  settings.deadline = deadline_of(terms);
  settings.options = terms.options;
  if (present != nullptr) settings.known.push_back({"the present one", *present});
  try {
    return heuristics::solve(*terms.heuristic, problem, std::move(settings)).result;
  } catch (const tpn::InvalidInstance& error) {
    return heuristics::Infeasible{error.what()};
  }
}

}  // namespace

std::size_t ranks_of(const tpn::Platform& platform) { return tpn::EndNumbers(platform).end(); }

std::optional<Route> route_for(const tpn::ProblemView& problem, const tpn::Mapping& mapping,
                               const Rational& ticks_per_unit) {
  const auto made = tpn::make_pipeline(problem, mapping);
  const auto* pipeline = std::get_if<tpn::Pipeline>(&made);
  return pipeline == nullptr ? std::nullopt : Route::make(*pipeline, ticks_per_unit);
}

bool uses_any(const tpn::Mapping& mapping, const std::set<std::size_t>& processors) {
  return std::ranges::any_of(mapping, [&](const tpn::Part& part) {
    return std::ranges::any_of(part.processors, [&](std::size_t p) { return processors.contains(p); });
  });
}

tpn::Document believed_problem(const tpn::Document& problem, std::span<const Rational> ratios) {
  tpn::Document believed = problem;
  forget_mapping(believed);
  auto& processors = believed.platform.processors;
  maxplus::expects(ratios.size() == processors.size(), "there is a ratio for each processor");
  std::vector<Rational> rounded;
  for (const Rational& ratio : ratios) rounded.push_back(rounded_ratio(ratio));
  for (std::size_t p = 0; p < processors.size(); ++p) {
    if (rounded[p] == 1) continue;
    if (processors[p].speed) *processors[p].speed /= rounded[p];
    if (processors[p].time) *processors[p].time *= rounded[p];
    processors[p].inherited.computation = false;
  }
  for (tpn::Stage& stage : believed.application.stages) {
    for (tpn::StageTime& time : stage.times) {
      if (rounded[time.processor] == 1) continue;
      time.time *= rounded[time.processor];
      time.fixed *= rounded[time.processor];
      time.inherited = false;
    }
  }
  return believed;
}

tpn::Document without_processors(const tpn::Document& problem, const std::set<std::size_t>& gone,
                                 std::vector<std::size_t>& kept) {
  tpn::Document document = problem;
  forget_mapping(document);
  tpn::Platform& platform = document.platform;
  kept.clear();
  for (std::size_t p = 0; p < problem.platform.processors.size(); ++p)
    if (!gone.contains(p)) kept.push_back(p);
  const auto places = places_of(kept, problem.platform.processors.size());
  platform.processors.clear();
  for (const std::size_t p : kept) platform.processors.push_back(problem.platform.processors[p]);
  for (tpn::TypeLink& link : platform.type_links) {
    const std::size_t before = std::min(link.place, problem.platform.links.size());
    link.place = static_cast<std::size_t>(std::count_if(
        problem.platform.links.begin(), problem.platform.links.begin() + static_cast<std::ptrdiff_t>(before),
        [&](const tpn::Link& old) { return places[old.from] && places[old.to]; }));
  }
  renumber(platform.links, &tpn::Link::from, places);
  std::erase_if(platform.links, [&](const tpn::Link& link) { return !places[link.to]; });
  for (tpn::Link& link : platform.links) link.to = *places[link.to];
  for (auto* end : {&platform.source, &platform.sink})
    if (*end)
      for (tpn::Endpoint& one : tpn::in_turn(**end)) renumber(one.links, &tpn::EndpointLink::processor, places);
  for (tpn::Stage& stage : document.application.stages) renumber(stage.times, &tpn::StageTime::processor, places);
  return document;
}

std::optional<Rational> period_of(const tpn::Document& problem, const tpn::Mapping& mapping,
                                  const RemappingTerms& terms) {
  tpn::Document instance = problem;
  instance.mapping = mapping;
  const evaluators::Deadline deadline = deadline_of(terms);
  auto folded = tpn::fold(instance, terms.model, deadline);
  if (terms.window > 0 && std::holds_alternative<tpn::FoldedNet>(folded)) {
    folded = tpn::with_capacity(std::move(std::get<tpn::FoldedNet>(folded)), {.buffers = {}, .window = terms.window},
                                deadline);
  }
  const auto* net = std::get_if<tpn::FoldedNet>(&folded);
  if (net == nullptr) return std::nullopt;
  evaluators::Options options;
  options.deadline = deadline;
  return evaluators::evaluate(*net, options).upper;
}

Remapping remap(const tpn::Document& believed, const std::set<std::size_t>& gone, const tpn::Mapping* present,
                const RemappingTerms& terms) {
  std::vector<std::size_t> kept;
  const tpn::Document problem = without_processors(believed, gone, kept);
  if (kept.empty()) return none("no processor is left");
  if (present != nullptr && uses_any(*present, gone)) present = nullptr;
  tpn::Mapping known;
  if (present != nullptr) {
    const auto places = places_of(kept, believed.platform.processors.size());
    known = *present;
    for (tpn::Part& part : known)
      for (std::size_t& p : part.processors) p = *places[p];
  }
  const heuristics::Result result = ask(problem, present == nullptr ? nullptr : &known, terms);
  if (const auto* infeasible = std::get_if<heuristics::Infeasible>(&result)) return none(infeasible->reason);
  if (const auto* limit = std::get_if<heuristics::LimitMet>(&result)) return none(limit->reason);
  tpn::Mapping mapping = std::get<heuristics::Proposal>(result).mapping;
  const std::optional<Rational> predicted = period_of(problem, mapping, terms);
  if (!predicted) return none("its mapping is too large to be evaluated");
  for (tpn::Part& part : mapping)
    for (std::size_t& p : part.processors) p = kept[p];
  return {std::move(mapping), {}, *predicted};
}

}  // namespace takt::live
