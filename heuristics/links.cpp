// Pairs of processors as bits, and the search for absent works and sizes.
#include "heuristics/links.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace takt::heuristics {

namespace {

// A pair of processors whose link needs to know how much it transfers.
std::optional<std::pair<std::size_t, std::size_t>> pair_with_bandwidth(const tpn::Document& problem,
                                                                       const tpn::Timing& timing) {
  const auto needs_size = [&](std::size_t from, std::size_t to) {
    const auto link = timing.link(from, to);
    return link && link->per_unit;
  };
  for (const tpn::Link& link : problem.platform.links) {
    if (needs_size(link.from, link.to)) return std::pair(link.from, link.to);
    if (needs_size(link.to, link.from)) return std::pair(link.to, link.from);
  }
  const auto usual = timing.default_link();
  if (!usual || !usual->per_unit) return std::nullopt;
  const std::size_t processors = problem.platform.processors.size();
  for (std::size_t from = 0; from < processors; ++from) {
    for (std::size_t to = 0; to < processors; ++to)
      if (from != to && needs_size(from, to)) return std::pair(from, to);
  }
  return std::nullopt;
}

}  // namespace

LinkTable::LinkTable(const tpn::Document& problem, const tpn::Timing& timing)
    : row_(problem.platform.processors.size()),
      from_source_(row_, true),
      to_sink_(row_, true),
      between_(row_ * row_, timing.default_link().has_value()) {
  for (const tpn::Link& link : problem.platform.links) {
    between_[link.from * row_ + link.to] = timing.link(link.from, link.to).has_value();
    between_[link.to * row_ + link.from] = timing.link(link.to, link.from).has_value();
  }
  for (std::size_t p = 0; p < row_; ++p) {
    between_[p * row_ + p] = true;
    if (problem.platform.source) from_source_[p] = timing.source_link(p).has_value();
    if (problem.platform.sink) to_sink_[p] = timing.sink_link(p).has_value();
  }
  for (const auto* links : {&from_source_, &to_sink_, &between_})
    all_ = all_ && std::ranges::find(*links, false) == links->end();
}

bool LinkTable::between(std::span<const std::size_t> senders, std::span<const std::size_t> receivers) const {
  if (all_) return true;
  const std::size_t modulus = std::gcd(senders.size(), receivers.size());
  for (std::size_t a = 0; a < senders.size(); ++a) {
    for (std::size_t b = a % modulus; b < receivers.size(); b += modulus)
      if (!between(senders[a], receivers[b])) return false;
  }
  return true;
}

bool LinkTable::hold(std::span<const tpn::Part> mapping) const {
  if (all_) return true;
  const auto receives = [this](std::size_t p) { return from_source(p); };
  const auto sends = [this](std::size_t p) { return to_sink(p); };
  if (!std::ranges::all_of(mapping.front().processors, receives)) return false;
  if (!std::ranges::all_of(mapping.back().processors, sends)) return false;
  for (std::size_t i = 0; i + 1 < mapping.size(); ++i)
    if (!between(mapping[i].processors, mapping[i + 1].processors)) return false;
  return true;
}

void require_amounts(const tpn::Document& problem, const tpn::Timing& timing) {
  const auto& processors = problem.platform.processors;
  const std::size_t stages = problem.application.stages.size();
  const auto with_speed = std::ranges::find_if(processors, [](const auto& p) { return p.speed.has_value(); });
  if (with_speed != processors.end()) {
    timing.computation(0, stages - 1, static_cast<std::size_t>(with_speed - processors.begin()));
  }
  if (stages == 1) return;
  if (const auto pair = pair_with_bandwidth(problem, timing)) {
    for (std::size_t k = 0; k + 1 < stages; ++k) timing.transfer(k, pair->first, pair->second);
  }
}

}  // namespace takt::heuristics
