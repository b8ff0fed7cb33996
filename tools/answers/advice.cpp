// Other turns, transfers ahead, ports of the outside world.
#include "tools/answers/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "evaluators/insight/carried_out.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/world_words.hpp"
#include "tpn/errors.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"

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

// "["p", "q", "p", "q"] for a".
std::string entries_text(const tpn::Document& document, const tpn::Part& part) {
  constexpr std::size_t kMost = 24;
  const auto names = tpn::names_of_turns(document.platform, tpn::processor_groups(document.platform), part.processors);
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kMost); ++k)
    text += (k == 0 ? "" : ", ") + tpn::json::quote(names[k]);
  if (names.size() > kMost) text += fmt::format(", ... {} entries, one of each machine in turn", names.size());
  const auto& stages = document.application.stages;
  const std::string first = printable(stages[part.first_stage].name);
  return fmt::format(
      "[{}] for {}", text,
      part.first_stage == part.last_stage ? first : first + " to " + printable(stages[part.last_stage].name));
}

std::optional<DealtAdvice> find_dealt(const tpn::Document& document, const tpn::FoldedNet& net,
                                      const maxplus::Rational& period, const evaluators::Options& options) {
  const tpn::HostIndex hosts(document.platform);
  if (!hosts.are_shared() || net.pipeline.has_batches()) return std::nullopt;  // batches are of entries as they stand
  tpn::Document dealt = document;
  std::vector<std::string> words;
  for (tpn::Part& part : *dealt.mapping) {
    std::vector<std::size_t> turns = in_turn(hosts, part.processors);
    if (turns == part.processors) continue;
    part.processors = std::move(turns);
    words.push_back(entries_text(document, part));
  }
  if (words.empty()) return std::nullopt;
  const auto found = evaluators::carry_out(dealt, net.model, options, net.capacity.window);
  if (!found || !(found->period() < period)) return std::nullopt;
  return DealtAdvice{listing(words), found->period()};
}

}  // namespace

Advice find_advice(const tpn::Document& document, const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation,
                   const evaluators::Options& options, bool seeks_ahead) {
  Advice advice;
  if (!evaluation.exact() || evaluation.upper.sign() == 0) return advice;
  evaluators::Options settings;
  settings.deadline = options.deadline;
  settings.max_memory = options.max_memory;
  if (seeks_ahead) advice.ahead = ahead_at_order(document, net, evaluation, settings);
  try {
    advice.dealt = find_dealt(document, net, evaluation.upper, settings);
  } catch (const tpn::InvalidInstance&) {
    // Room that is enough for what is ahead as it is, and not in turn.
  }
  advice.world = world_sentence(document, net, evaluation, TimeWords(document), settings);
  return advice;
}

std::vector<FreeChange> free_changes(const Advice& advice, const TimeWords& times) {
  std::vector<FreeChange> changes;
  if (advice.ahead)
    changes.push_back({advice.ahead->words, advice.ahead->period, advice_sentence(*advice.ahead, times)});
  if (advice.dealt) {
    changes.push_back({advice.dealt->words, advice.dealt->period,
                       fmt::format("The mapping does not take its machines in turn. With {} the period would be {}.",
                                   advice.dealt->words, times.amount_per_item(advice.dealt->period))});
  }
  std::ranges::stable_sort(changes, {}, &FreeChange::period);
  return changes;
}

}  // namespace takt::tools
