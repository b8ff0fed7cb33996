// Stages, those they come after, and remarks by stage move together.
#include "tpn/stage_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "maxplus/contract.hpp"
#include "tpn/workflow.hpp"

namespace takt::tpn {

namespace {

constexpr std::string_view kStages = "/application/stages/";

// Of a remark on a stage, or on something of it.
std::string moved_pointer(const std::string& pointer, const std::vector<std::size_t>& places) {
  if (!pointer.starts_with(kStages)) return pointer;
  const std::size_t end = std::min(pointer.find('/', kStages.size()), pointer.size());
  const std::size_t stage = std::stoull(pointer.substr(kStages.size(), end - kStages.size()));
  return fmt::format("{}{}{}", kStages, places[stage], std::string_view(pointer).substr(end));
}

}  // namespace

StageOrder own_order(const Application& application) {
  StageOrder order(application.stages.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

Document reordered(const Document& document, const StageOrder& order) {
  const std::vector<Stage>& stages = document.application.stages;
  maxplus::expects(order.size() == stages.size(), "an order has every stage");
  std::vector<std::size_t> places(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) places[order[k]] = k;
  Document result = document;
  result.mapping.reset();
  result.transfers.clear();
  result.predicted_period.reset();
  result.heuristic.reset();
  for (std::size_t k = 0; k < order.size(); ++k) {
    Stage& stage = result.application.stages[k] = stages[order[k]];
    stage.after.emplace();
    for (const std::size_t before : stages_before(document.application, order[k])) {
      maxplus::expects(places[before] < k, "a stage is behind those whose files it takes");
      stage.after->push_back(places[before]);
    }
    std::ranges::sort(*stage.after);
  }
  result.remarks.clear();
  for (const auto& [pointer, remarks] : document.remarks) {
    if (pointer.starts_with("/mapping") || pointer.starts_with("/transfers") || pointer.starts_with("/heuristic"))
      continue;
    result.remarks.emplace(moved_pointer(pointer, places), remarks);
  }
  return result;
}

bool may_be_reordered(const Application& application) {
  return !is_chain(application) && std::ranges::none_of(application.stages, &Stage::apart);
}

namespace {

// Stages that are behind all whose files they take.
class ReadyStages {
 public:
  explicit ReadyStages(const Application& application) : missing_(application.stages.size()), takers_(missing_.size()) {
    for (std::size_t k = 0; k < missing_.size(); ++k) {
      const std::vector<std::size_t> before = stages_before(application, k);
      missing_[k] = before.size();
      for (const std::size_t sender : before) takers_[sender].push_back(k);
    }
  }

  std::size_t count() const { return missing_.size(); }
  bool is_ready(std::size_t stage) const { return missing_[stage] == 0; }
  void take(std::size_t stage) {
    missing_[stage] = kTaken;
    for (const std::size_t taker : takers_[stage]) --missing_[taker];
  }
  void give_back(std::size_t stage) {
    missing_[stage] = 0;
    for (const std::size_t taker : takers_[stage]) ++missing_[taker];
  }

 private:
  static constexpr std::size_t kTaken = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> missing_;
  std::vector<std::vector<std::size_t>> takers_;
};

bool extend(ReadyStages& ready, StageOrder& order, const std::function<bool(const StageOrder&)>& visit) {
  if (order.size() == ready.count()) return visit(order);
  for (std::size_t k = 0; k < ready.count(); ++k) {
    if (!ready.is_ready(k)) continue;
    ready.take(k);
    order.push_back(k);
    const bool goes_on = extend(ready, order, visit);
    order.pop_back();
    ready.give_back(k);
    if (!goes_on) return false;
  }
  return true;
}

}  // namespace

bool for_each_order(const Application& application, const std::function<bool(const StageOrder&)>& visit) {
  ReadyStages ready(application);
  StageOrder order;
  return extend(ready, order, visit);
}

StageOrder drawn_order(const Application& application, const std::vector<std::size_t>& groups,
                       const std::function<std::size_t(std::size_t)>& pick) {
  // By group: how many files of stages in others, one for each taker, it still waits for; how many stages it has left.
  std::vector<std::size_t> awaited(groups.size(), 0);
  std::vector<std::size_t> left(groups.size(), 0);
  std::vector<std::vector<std::size_t>> takers(groups.size());
  for (std::size_t k = 0; k < groups.size(); ++k) {
    ++left[groups[k]];
    for (const std::size_t sender : stages_before(application, k)) {
      takers[sender].push_back(k);
      if (groups[sender] != groups[k]) ++awaited[groups[k]];
    }
  }
  ReadyStages ready(application);
  StageOrder order;
  std::vector<std::size_t> choice;
  while (order.size() < groups.size()) {
    const bool is_inside = !order.empty() && left[groups[order.back()]] > 0;
    choice.clear();
    for (std::size_t k = 0; k < groups.size(); ++k) {
      const bool may_begin = is_inside ? groups[k] == groups[order.back()] : awaited[groups[k]] == 0;
      if (may_begin && ready.is_ready(k)) choice.push_back(k);
    }
    maxplus::expects(!choice.empty(), "groups do not wait for each other");
    const std::size_t next = choice[pick(choice.size())];
    ready.take(next);
    order.push_back(next);
    --left[groups[next]];
    for (const std::size_t taker : takers[next])
      if (groups[taker] != groups[next]) --awaited[groups[taker]];
  }
  return order;
}

}  // namespace takt::tpn
