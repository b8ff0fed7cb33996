// Runs a heuristic and holds what it returns to the rules of a mapping.
#include "heuristics/heuristic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "heuristics/common/placement.hpp"
#include "heuristics/everywhere.hpp"
#include "heuristics/ordered_problem.hpp"
#include "heuristics/registry.hpp"
#include "maxplus/contract.hpp"
#include "tpn/errors.hpp"
#include "tpn/links.hpp"
#include "tpn/models.hpp"
#include "tpn/units.hpp"
#include "tpn/validate.hpp"

namespace takt::heuristics {

namespace {

const tpn::OptionValue& value_of(const Settings& settings, std::string_view name) {
  const auto found = std::ranges::find(settings.options, name, &OptionSetting::first);
  maxplus::expects(found != settings.options.end(), "a heuristic asks for options that it has");
  return found->second;
}

// All options of the heuristic, in its order.
std::vector<OptionSetting> complete(const Heuristic& heuristic, const std::vector<OptionSetting>& chosen) {
  std::vector<OptionSetting> options;
  for (const Option& option : heuristic.options) {
    const auto found = std::ranges::find(chosen, option.name, &OptionSetting::first);
    options.emplace_back(std::string(option.name), found == chosen.end() ? option.standard : found->second);
    maxplus::expects(!violation(heuristic, option, options.back().second),
                     "the value of an option is of its kind and within bounds");
  }
  const bool all_known = std::ranges::all_of(chosen, [&](const OptionSetting& setting) {
    return std::ranges::find(heuristic.options, setting.first, &Option::name) != heuristic.options.end();
  });
  maxplus::expects(all_known, "settings hold only options that the heuristic has");
  return options;
}

// "from P1 to P2".
std::string in_words(const tpn::MissingLink& link, const tpn::Document& problem) {
  const auto name = [&](std::size_t p) { return tpn::json::quote(problem.platform.processors[p].name); };
  const auto end_name = [&](const std::optional<tpn::Endpoint>& end, const char* alone) {
    return end->named.empty() ? std::string(alone) : tpn::json::quote(end->named[link.which].name);
  };
  return fmt::format("from {} to {}", link.from ? name(*link.from) : end_name(problem.platform.source, "the source"),
                     link.to ? name(*link.to) : end_name(problem.platform.sink, "the sink"));
}

void require_valid(const tpn::ProblemView& problem, const tpn::Mapping& mapping) {
  try {
    tpn::validate_mapping(problem, mapping);
  } catch (const tpn::InvalidInstance& error) {
    // An absent work or size is the problem's fault, a mapping that breaks the rules the heuristic's.
    maxplus::expects(!error.pointer.starts_with("/mapping"), "a heuristic returns a valid mapping");
    throw;
  }
}

}  // namespace

std::string_view name_of(MappingClass mapping_class) {
  switch (mapping_class) {
    case MappingClass::one_to_one:
      return "one-to-one";
    case MappingClass::interval:
      return "interval";
    case MappingClass::replicated:
      return "replicated";
    case MappingClass::general:
      return "general";
    case MappingClass::divided:
      break;
  }
  return "divided";
}

LimitMet out_of_time() { return {"the time limit passed before it had a mapping"}; }

const Rational& Settings::number(std::string_view name) const { return std::get<Rational>(value_of(*this, name)); }

std::uint64_t Settings::count(std::string_view name) const {
  const Rational& value = number(name);
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  maxplus::expects(value.is_integer() && value.sign() >= 0, "a count is a whole number");
  return value > Rational(kLargest) ? kLargest : value.numerator().get_ui();
}

const std::string& Settings::text(std::string_view name) const { return std::get<std::string>(value_of(*this, name)); }

bool Settings::flag(std::string_view name) const { return std::get<bool>(value_of(*this, name)); }

std::string choices_text(const Option& option) {
  std::vector<std::string> choices(option.choices.begin(), option.choices.end());
  if (option.or_heuristic) choices.emplace_back("another heuristic");
  return tpn::json::alternatives(choices);
}

std::optional<std::string> violation(const Heuristic& heuristic, const Option& option, const tpn::OptionValue& value) {
  if (std::holds_alternative<bool>(option.standard)) {
    return std::holds_alternative<bool>(value) ? std::nullopt : std::optional<std::string>("yes or no");
  }
  if (std::holds_alternative<Rational>(option.standard)) {
    const auto* number = std::get_if<Rational>(&value);
    if (number == nullptr) return "a number, such as 100, 0.01 or 1/100";
    if (auto expected = tpn::json::violation(*number, option.bound)) return expected;
    return option.most && *number > Rational(*option.most) ? std::optional(fmt::format("at most {}", *option.most))
                                                           : std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && std::ranges::find(option.choices, *text) != option.choices.end()) return std::nullopt;
  if (text != nullptr && option.or_heuristic && *text != heuristic.name && find_heuristic(*text) != nullptr) {
    return std::nullopt;
  }
  return choices_text(option);
}

namespace {

// Why the heuristic predicts no periods under a model, if it does not.
std::optional<std::string> unknown_model(const Heuristic& heuristic, const tpn::Model& model) {
  switch (heuristic.model_use) {
    case ModelUse::none: {
      const auto known = tpn::default_models();
      if (std::ranges::find(known, model) != known.end()) return std::nullopt;
      std::vector<std::string> names;
      for (const tpn::Model& one : known) names.emplace_back(tpn::name_of(one));
      return fmt::format("it predicts for the model {}, not for {}", tpn::json::alternatives(names),
                         tpn::name_of(model));
    }
    case ModelUse::cycle_times:
      if (tpn::follows_cycle_times(model)) return std::nullopt;
      return fmt::format("it predicts by cycle times, and periods of the model {} follow from more",
                         tpn::name_of(model));
    case ModelUse::evaluation:
      break;
  }
  return std::nullopt;
}

// The heuristic's answer, where stages run on some processors only by way of prohibitive times.
Result map_anywhere(const Heuristic& heuristic, const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const EverywhereView everywhere(problem);
  if (heuristic.mapping_class < MappingClass::general) {
    if (auto reason = everywhere.why_none()) return Infeasible{"it has each processor in one part, and " + *reason};
  }
  Result result = heuristic.map(everywhere.view(), settings, log);
  const auto* proposal = std::get_if<Proposal>(&result);
  if (proposal == nullptr) return result;
  if (OrderedProblem(everywhere.view(), proposal->order).view().can_run(proposal->mapping)) return result;
  if (proposal->cut_short) return out_of_time();
  return Infeasible{"it found no mapping that has each stage only on processors that run it"};
}

}  // namespace

Solution solve(const Heuristic& heuristic, const tpn::ProblemView& problem, Settings settings) {
  settings.options = complete(heuristic, settings.options);
  Solution solution;
  if (!settings.model) settings.model = heuristic.model;
  solution.model = *settings.model;
  if (const auto refused = tpn::why_refused(heuristic.takes, problem.document())) {
    solution.result = Infeasible{*refused};
  } else if (const auto reason = unknown_model(heuristic, solution.model)) {
    solution.result = Infeasible{*reason};
  } else {
    solution.result = map_anywhere(heuristic, problem, settings, solution.log);
  }
  solution.settings = std::move(settings);
  if (const auto* proposal = std::get_if<Proposal>(&solution.result)) {
    const OrderedProblem ordered(problem, proposal->order);
    if (const auto link = tpn::missing_link(ordered.view(), proposal->mapping)) {
      solution.result = Infeasible{fmt::format("the mapping it chose needs a link {}, which the platform lacks",
                                               in_words(*link, problem.document()))};
    } else if (!PlacementRules(ordered.view()).memory_holds(proposal->mapping)) {
      solution.result = Infeasible{"the mapping it chose needs more memory than a machine has"};
    } else if (!tpn::quantity_text(proposal->predicted_period, tpn::Quantity::time, problem.document().time_unit)) {
      solution.result = LimitMet{fmt::format(
          "its predicted period takes more than the {} digits of a document's number", maxplus::kMaxDigits)};
    } else {
      require_valid(ordered.view(), proposal->mapping);
    }
  }
  return solution;
}

Solution solve(const Heuristic& heuristic, const tpn::Document& problem, Settings settings) {
  return solve(heuristic, tpn::ProblemView(problem), std::move(settings));
}

tpn::Document document_of(const tpn::Document& problem, const Proposal& proposal) {
  tpn::Document document = proposal.order ? tpn::reordered(problem, *proposal.order) : problem;
  document.mapping = proposal.mapping;
  document.transfers.clear();
  document.order = proposal.served;
  return document;
}

tpn::Document mapped_document(const tpn::Document& problem, const Heuristic& heuristic, const Solution& solution) {
  const auto& proposal = std::get<Proposal>(solution.result);
  tpn::Document document = document_of(problem, proposal);
  // What was said of another mapping.
  std::erase_if(document.remarks, [](const auto& entry) {
    return entry.first.starts_with("/mapping") || entry.first.starts_with("/transfers") ||
           entry.first.starts_with("/order") || entry.first.starts_with("/heuristic");
  });
  document.predicted_period = proposal.predicted_period;
  document.heuristic =
      tpn::HeuristicRecord{std::string(heuristic.name), Rational(solution.settings.seed), solution.settings.options};
  document.model = solution.model;
  return document;
}

}  // namespace takt::heuristics
