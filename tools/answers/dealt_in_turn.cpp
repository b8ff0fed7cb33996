// One list of entries for each host of a part.
#include "tools/answers/dealt_in_turn.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tools/answers/result.hpp"
#include "tpn/errors.hpp"
#include "tpn/hosts.hpp"

namespace takt::tools {

namespace {

std::vector<std::size_t> in_turn(const tpn::HostIndex& hosts, const std::vector<std::size_t>& sequence) {
  std::map<std::size_t, std::size_t> places;
  std::vector<std::vector<std::size_t>> lists;
  for (const std::size_t processor : sequence) {
    const auto [at, is_new] = places.try_emplace(hosts.first_of(processor), lists.size());
    if (is_new) lists.emplace_back();
    lists[at->second].push_back(processor);
  }
  return tpn::dealt_in_turn(lists);
}

}  // namespace

std::optional<maxplus::Rational> period_dealt_in_turn(const tpn::Document& document, const tpn::Model& model,
                                                      std::uint64_t window, const evaluators::Options& options) {
  const tpn::HostIndex hosts(document.platform);
  if (!hosts.are_shared() || !document.mapping) return std::nullopt;
  // Batches are of entries as they stand.
  const auto has_batches = [](const tpn::Part& part) { return !part.batches.empty(); };
  if (std::ranges::any_of(*document.mapping, has_batches)) return std::nullopt;
  tpn::Mapping mapping = *document.mapping;
  for (tpn::Part& part : mapping) part.processors = in_turn(hosts, part.processors);
  if (mapping == *document.mapping) return std::nullopt;
  tpn::Document dealt = document;
  dealt.mapping = std::move(mapping);
  std::variant<EvaluatedInstance, tpn::TooLarge> folded = tpn::TooLarge{};
  try {
    folded = fold_instance({}, dealt, model, options.deadline, window);
  } catch (const tpn::InvalidInstance&) {
    return std::nullopt;  // room that is enough for what is ahead as it is, and not in turn
  }
  auto* const result = std::get_if<EvaluatedInstance>(&folded);
  if (result == nullptr) return std::nullopt;
  evaluators::Options settings;
  settings.deadline = options.deadline;
  const evaluators::Evaluation evaluation = evaluators::evaluate(result->net, settings);
  return evaluation.exact() ? std::optional(evaluation.upper) : std::nullopt;
}

}  // namespace takt::tools
