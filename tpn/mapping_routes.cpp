// Takers of files by stage, then parts by stage.
#include "tpn/mapping_routes.hpp"

#include <algorithm>

namespace takt::tpn {

MappingRoutes::MappingRoutes(const Application& application, WorldEnds ends)
    : ends_(ends), is_exit_(exit_stages(application)), part_of_(application.stages.size(), kOutside) {
  std::vector<std::vector<std::size_t>> takers(application.stages.size());
  for (std::size_t k = 0; k < application.stages.size(); ++k) {
    const std::vector<std::size_t> before = stages_before(application, k);
    if (before.empty()) entries_.push_back(k);
    for (const std::size_t sender : before) takers[sender].push_back(k);
  }
  first_taker_.push_back(0);
  for (const auto& of_stage : takers) {
    takers_.insert(takers_.end(), of_stage.begin(), of_stage.end());
    first_taker_.push_back(takers_.size());
  }
}

void MappingRoutes::list(std::span<const Part> mapping) {
  std::ranges::fill(part_of_, kOutside);
  for (std::uint32_t i = 0; i < mapping.size(); ++i)
    for (std::size_t k = mapping[i].first_stage; k <= mapping[i].last_stage; ++k) part_of_[k] = i;
  routes_.clear();
  files_.clear();
  first_sent_.clear();
  for (const std::size_t entry : entries_) {
    const std::uint32_t to = part_of_[entry];
    if (!ends_.has_source || to == kOutside || (!routes_.empty() && routes_.back().to == to)) continue;
    routes_.push_back({kOutside, to, 0, 0});
  }
  for (std::uint32_t i = 0; i < mapping.size(); ++i) {
    first_sent_.push_back(routes_.size());
    list_sendings(mapping[i], i);
  }
  first_sent_.push_back(routes_.size());
  list_receptions(mapping.size());
}

void MappingRoutes::list_sendings(const Part& part, std::uint32_t number) {
  sent_.clear();
  for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) {
    for (std::size_t at = first_taker_[k]; at < first_taker_[k + 1]; ++at) {
      const std::uint32_t to = part_of_[takers_[at]];
      if (to != kOutside && to != number) sent_.emplace_back(to, k);
    }
    if (is_exit_[k] && ends_.has_sink) sent_.emplace_back(kOutside, k);
  }
  std::ranges::sort(sent_);
  const std::size_t first = routes_.size();
  for (const auto& [to, file] : sent_) {
    if (routes_.size() == first || routes_.back().to != to)
      routes_.push_back({number, to, static_cast<std::uint32_t>(files_.size()), 0});
    Route& route = routes_.back();
    if (route.files > 0 && files_.back() == file) continue;
    files_.push_back(file);
    ++route.files;
  }
}

void MappingRoutes::list_receptions(std::size_t parts) {
  first_received_.assign(parts + 1, 0);
  for (const Route& route : routes_)
    if (route.to != kOutside) ++first_received_[route.to + 1];
  for (std::size_t i = 0; i < parts; ++i) first_received_[i + 1] += first_received_[i];
  received_.resize(first_received_.back());
  // Backward, so that the places of each part fill from its end: its begin is where they stop.
  for (std::size_t number = routes_.size(); number-- > 0;) {
    if (const std::uint32_t to = routes_[number].to; to != kOutside)
      received_[--first_received_[to + 1]] = static_cast<std::uint32_t>(number);
  }
  first_received_.erase(first_received_.begin());
  first_received_.push_back(received_.size());
}

}  // namespace takt::tpn
