// Why there is no plan, in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/plan/plan_output.hpp"
#include "tools/plan/planning.hpp"

namespace takt::tools {

/// "no plan with one type per part, each machine whole in one part, in round robin,".
std::string none_typed(const PlanWords& words);

/// "each frame stays at least 5 ms, in any mapping".
std::string stay_words(const TimeWords& times, const maxplus::Rational& least);

/// One reason, enough by itself.
struct PlanReason {
  std::string kind;                           // for programs: docs/formats.md lists them
  std::string text;                           // sentences, the first of which ends "No: "
  std::optional<maxplus::Rational> period{};  // that no mapping goes below, or of kind "part" no plan of the kind
  std::optional<std::size_t> stage{};         // that decides
  std::optional<std::size_t> type{};          // where it is at its best
};

/// Of findings without a plan that are decided: the first one that decides.
PlanReason reason_of(const PlanFindings& findings, const PlanWords& words);

/// Of those the first that holds for every mapping, whatever its kind; nothing if there is none.
std::optional<PlanReason> reason_of_any_mapping(const PlanFindings& findings, const PlanWords& words);

/// "The least to add that was found: 6 x, for 6; then 900/s for 9, with 9 x."; empty if machines are not short, or
/// nothing was found.
std::string addition_sentence(const PlanFindings& findings, const PlanWords& words);

/// What there is instead, a sentence each: how far plans go, wider classes, what to add.
std::vector<std::string> reach_sentences(const PlanFindings& findings, const PlanWords& words);

/// "2 x and 1 y", those of which there are any.
std::string machine_counts_words(const std::vector<std::uint64_t>& machines, const PlanWords& words);

/// "60 of 64 cores of small and mem": what these machines by type take of a quota.
std::string quota_words(const tpn::QuotaUses& quota, const std::vector<std::uint64_t>& machines,
                        const PlanWords& words);

/// "26 small, 1 small, 2 large": the machines of a plan's parts.
std::string part_machines_words(const plan::TypedPlan& parts, const PlanWords& words);

}  // namespace takt::tools
