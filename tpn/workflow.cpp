// Files as pairs of stages, then of parts.
#include "tpn/workflow.hpp"

#include <algorithm>
#include <numeric>

namespace takt::tpn {

namespace {

// Mostly there is one, or none.
bool takes_the_one_before(const Stage& stage, std::size_t number) {
  if (!stage.after) return true;
  return number == 0 ? stage.after->empty() : stage.after->size() == 1 && stage.after->front() + 1 == number;
}

std::vector<FileRoute> routes_of_chain(std::span<const Part> mapping, WorldEnds ends) {
  std::vector<FileRoute> routes;
  if (ends.has_source) routes.push_back({std::nullopt, 0, {}});
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    const bool is_last = i + 1 == mapping.size();
    if (is_last && !ends.has_sink) break;
    routes.push_back({i, is_last ? std::nullopt : std::optional(i + 1), {mapping[i].last_stage}});
  }
  return routes;
}

}  // namespace

std::vector<std::size_t> stages_before(const Application& application, std::size_t stage) {
  const Stage& of = application.stages[stage];
  if (!of.after) return stage == 0 ? std::vector<std::size_t>{} : std::vector{stage - 1};
  std::vector<std::size_t> before = *of.after;
  std::ranges::sort(before);
  return before;
}

bool is_chain(const Application& application) {
  for (std::size_t k = 0; k < application.stages.size(); ++k)
    if (!takes_the_one_before(application.stages[k], k)) return false;
  return true;
}

std::vector<bool> exit_stages(const Application& application) {
  std::vector<bool> are_exits(application.stages.size(), true);
  for (std::size_t k = 0; k < application.stages.size(); ++k)
    for (const std::size_t before : stages_before(application, k)) are_exits[before] = false;
  return are_exits;
}

WorldEnds outer_ends(const Platform& platform) { return {platform.source.has_value(), platform.sink.has_value()}; }

namespace {

// Those between the same two parts as one; they are sorted.
std::vector<FileRoute> joined_routes(std::vector<FileRoute> single) {
  std::vector<FileRoute> routes;
  for (FileRoute& route : single) {
    if (routes.empty() || routes.back().from != route.from || routes.back().to != route.to) {
      routes.push_back(std::move(route));
    } else if (!route.files.empty() && routes.back().files.back() != route.files.back()) {
      routes.back().files.push_back(route.files.back());
    }
  }
  return routes;
}

}  // namespace

std::vector<FileRoute> routes_of(const Application& application, std::span<const Part> mapping, WorldEnds ends) {
  if (is_chain(application)) return routes_of_chain(mapping, ends);
  std::vector<std::size_t> part_of(application.stages.size(), 0);
  for (std::size_t i = 0; i < mapping.size(); ++i)
    for (std::size_t k = mapping[i].first_stage; k <= mapping[i].last_stage; ++k) part_of[k] = i;
  const std::vector<bool> are_exits = exit_stages(application);

  std::vector<FileRoute> single;  // one file each
  for (std::size_t k = 0; k < application.stages.size(); ++k) {
    const std::vector<std::size_t> before = stages_before(application, k);
    if (before.empty() && ends.has_source) single.push_back({std::nullopt, part_of[k], {}});
    for (const std::size_t sender : before)
      if (part_of[sender] != part_of[k]) single.push_back({part_of[sender], part_of[k], {sender}});
    if (are_exits[k] && ends.has_sink) single.push_back({part_of[k], std::nullopt, {k}});
  }
  // Nothing, the source, is before all parts; the sink is behind them.
  const auto before = [&](const FileRoute& a, const FileRoute& b) {
    const std::size_t behind_all = mapping.size();
    if (a.from != b.from) return a.from < b.from;
    if (a.to != b.to) return a.to.value_or(behind_all) < b.to.value_or(behind_all);
    return a.files < b.files;
  };
  std::ranges::sort(single, before);
  return joined_routes(std::move(single));
}

}  // namespace takt::tpn
