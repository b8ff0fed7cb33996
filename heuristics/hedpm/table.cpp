// Lists, matches and times as Table 2 prints them.
#include "heuristics/hedpm/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heuristics/common/mapping_words.hpp"
#include "maxplus/decimal.hpp"

namespace takt::heuristics::dynamic_mapping {

namespace {

constexpr std::size_t kListed = 16;

// Whether the names are the paper's: the letter and the number from 1.
template <typename Named>
bool are_numbered(const std::vector<Named>& items, char letter) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name != letter + std::to_string(i + 1)) return false;
  return true;
}

bool has_names_of_the_paper(const tpn::Document& problem) {
  return are_numbered(problem.platform.processors, 'p') && are_numbered(problem.application.stages, 's');
}

template <typename Named>
std::string list_in_words(const std::vector<std::size_t>& list, const std::vector<Named>& items, bool by_number) {
  std::string words = "(";
  const std::size_t shown = list.size() > kListed ? kListed - 1 : list.size();
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) words += ", ";
    words += by_number ? std::to_string(list[i] + 1) : items[list[i]].name;
  }
  if (shown < list.size()) words += fmt::format(", and {} more", list.size() - shown);
  return words + ")";
}

}  // namespace

std::string told_time(const tpn::Document& problem, const Rational& value) {
  if (problem.time_unit != tpn::TimeUnit::own) return time_in_words(problem, value);
  const auto number = value.to_double();
  return number && *number >= 0.1 && *number < 1e9 ? fmt::format("{:.4f}", *number) : decimal(value);
}

std::string match_in_words(const tpn::Document& problem, const tpn::Part& part) {
  const bool plain = has_names_of_the_paper(problem);
  std::string words;
  for (const std::size_t p : part.processors) {
    if (!words.empty()) words += ' ';
    words += problem.platform.processors[p].name;
  }
  if (!plain) words += ": ";
  for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) {
    if (!plain && k > part.first_stage) words += ", ";
    words += problem.application.stages[k].name;
  }
  return words;
}

LogTable table_of(const tpn::Document& problem, Order order, const StageMatching& matching, std::string title) {
  LogTable table{std::move(title), {"Iter", "Processor list", "Stage list", "Tideal", "Matching", "Tmatch"}, {}};
  const bool by_number = has_names_of_the_paper(problem);
  for (const Match& match : matching.matches) {
    table.rows.push_back({std::to_string(table.rows.size() + 1),
                          list_in_words(order.processors, problem.platform.processors, by_number),
                          list_in_words(order.stages, problem.application.stages, by_number),
                          match.ideal ? told_time(problem, *match.ideal) : "-", match_in_words(problem, match.part),
                          told_time(problem, match.time)});
    for (const std::size_t p : match.part.processors) std::erase(order.processors, p);
    std::erase_if(order.stages,
                  [&](std::size_t k) { return match.part.first_stage <= k && k <= match.part.last_stage; });
  }
  return table;
}

}  // namespace takt::heuristics::dynamic_mapping
