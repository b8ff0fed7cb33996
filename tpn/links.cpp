// Pairs of processors as bits.
#include "tpn/links.hpp"

#include <algorithm>
#include <numeric>

#include "tpn/ends.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/workflow.hpp"

namespace takt::tpn {

namespace {

// The different processors of a sequence that handle data sets = residue (mod modulus), which divides its length.
std::vector<std::size_t> on_residue(std::span<const std::size_t> sequence, std::size_t residue, std::size_t modulus) {
  std::vector<std::size_t> list;
  for (std::size_t k = residue; k < sequence.size(); k += modulus) list.push_back(sequence[k]);
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

// Of the first residue of data sets with two that are not linked, the least two.
template <typename Linked>
std::optional<MissingLink> least_unlinked(std::span<const std::size_t> senders, std::span<const std::size_t> receivers,
                                          const Linked& linked) {
  const std::size_t modulus = std::gcd(senders.size(), receivers.size());
  for (std::size_t residue = 0; residue < modulus; ++residue) {
    const auto to = on_residue(receivers, residue, modulus);
    for (const std::size_t a : on_residue(senders, residue, modulus)) {
      for (const std::size_t b : to)
        if (a != b && !linked(a, b)) return MissingLink{a, b};
    }
  }
  return std::nullopt;
}

// Some two that are not linked, which is sooner known where sequences are short.
template <typename Linked>
std::optional<MissingLink> some_unlinked(std::span<const std::size_t> senders, std::span<const std::size_t> receivers,
                                         const Linked& linked) {
  constexpr std::size_t kShort = 32;
  if (senders.size() > kShort && receivers.size() > kShort) return least_unlinked(senders, receivers, linked);
  const std::size_t modulus = std::gcd(senders.size(), receivers.size());
  for (std::size_t a = 0; a < senders.size(); ++a) {
    for (std::size_t b = a % modulus; b < receivers.size(); b += modulus)
      if (senders[a] != receivers[b] && !linked(senders[a], receivers[b])) return MissingLink{senders[a], receivers[b]};
  }
  return std::nullopt;
}

// The first processor of a sequence and one of `ends` that take turns which meet without being linked.
template <typename Linked>
std::optional<std::pair<std::size_t, std::size_t>> unlinked_end(std::span<const std::size_t> sequence, std::size_t ends,
                                                                const Linked& linked) {
  if (ends == 0) return std::nullopt;
  const std::size_t modulus = std::gcd(sequence.size(), ends);
  for (std::size_t a = 0; a < sequence.size(); ++a) {
    for (std::size_t which = a % modulus; which < ends; which += modulus)
      if (!linked(sequence[a], which)) return std::pair(sequence[a], which);
  }
  return std::nullopt;
}

}  // namespace

std::optional<MissingLink> missing_link(const ProblemView& problem, std::span<const Part> mapping) {
  const Platform& platform = problem.document().platform;
  const Timing& timing = problem.timing();
  const std::vector<FileRoute> routes = routes_of(problem.document().application, mapping, outer_ends(platform));
  for (const FileRoute& route : routes) {
    if (route.from) continue;
    const auto pair = unlinked_end(mapping[*route.to].processors, count_of(platform.source),
                                   [&](std::size_t p, std::size_t k) { return timing.source_link(p, k).has_value(); });
    if (pair) return MissingLink{std::nullopt, pair->first, pair->second};
  }
  for (const FileRoute& route : routes) {
    if (route.to) continue;
    const auto pair = unlinked_end(mapping[*route.from].processors, count_of(platform.sink),
                                   [&](std::size_t p, std::size_t k) { return timing.sink_link(p, k).has_value(); });
    if (pair) return MissingLink{pair->first, std::nullopt, pair->second};
  }
  const auto linked = [&](std::size_t a, std::size_t b) { return timing.has_link(a, b); };
  for (const FileRoute& route : routes) {
    if (!route.from || !route.to) continue;
    if (const auto link = least_unlinked(mapping[*route.from].processors, mapping[*route.to].processors, linked))
      return link;
  }
  return std::nullopt;
}

template <typename Linked>
LinkTable::EndLinks::EndLinks(std::size_t ends, std::size_t processors, const Linked& linked)
    : ends_(ends), any_(processors, ends == 0), linked_(ends * processors) {
  for (std::size_t which = 0; which < ends; ++which) {
    for (std::size_t p = 0; p < processors; ++p) {
      const bool is_linked = linked(p, which);
      linked_[which * processors + p] = is_linked;
      any_[p] = any_[p] || is_linked;
      all_ = all_ && is_linked;
    }
  }
}

std::optional<std::pair<std::size_t, std::size_t>> LinkTable::EndLinks::missing(
    std::span<const std::size_t> sequence) const {
  if (all_) return std::nullopt;
  return unlinked_end(sequence, ends_,
                      [&](std::size_t p, std::size_t which) { return bool{linked_[which * any_.size() + p]}; });
}

LinkTable::LinkTable(const Document& problem, const Timing& timing)
    : row_(problem.platform.processors.size()),
      from_source_(count_of(problem.platform.source), row_,
                   [&](std::size_t p, std::size_t k) { return timing.source_link(p, k).has_value(); }),
      to_sink_(count_of(problem.platform.sink), row_,
               [&](std::size_t p, std::size_t k) { return timing.sink_link(p, k).has_value(); }),
      between_(row_ * row_, true) {
  add_others(timing.other_links());
  for (const NamedLink& named : timing.named_links()) between_[named.from * row_ + named.to] = timing.has_link(named);
  for (std::size_t p = 0; p < row_; ++p) between_[p * row_ + p] = true;
  all_ = from_source_.has_all() && to_sink_.has_all() && std::ranges::find(between_, false) == between_.end();
}

void LinkTable::add_others(const OtherLinks& others) {
  const auto is_absent = [](const OtherLinks::Kind& kind) { return !kind.link; };
  if (std::ranges::all_of(others.kinds, is_absent)) {
    between_.assign(row_ * row_, false);
  } else if (std::ranges::any_of(others.kinds, is_absent)) {
    for (std::size_t from = 0; from < row_; ++from) {
      for (std::size_t to = 0; to < row_; ++to)
        between_[from * row_ + to] = others.kinds[others.kind(from, to)].link.has_value();
    }
  }
}

bool LinkTable::between(std::span<const std::size_t> senders, std::span<const std::size_t> receivers) const {
  if (all_) return true;
  return !some_unlinked(senders, receivers, [this](std::size_t a, std::size_t b) { return between(a, b); });
}

bool LinkTable::hold(std::span<const Part> mapping) const {
  if (all_) return true;
  if (!from_sources(mapping.front().processors) || !to_sinks(mapping.back().processors)) return false;
  for (std::size_t i = 0; i + 1 < mapping.size(); ++i)
    if (!between(mapping[i].processors, mapping[i + 1].processors)) return false;
  return true;
}

LinkCheck::LinkCheck(const ProblemView& problem) : links_(problem.links()) {
  const Document& document = problem.document();
  if (!is_chain(document.application)) routes_.emplace(document.application, outer_ends(document.platform));
}

bool LinkCheck::hold(std::span<const Part> mapping) {
  if (!routes_ || links_.has_all()) return links_.hold(mapping);
  routes_->list(mapping);
  return std::ranges::all_of(routes_->all(), [&](const MappingRoutes::Route& route) {
    if (route.from == MappingRoutes::kOutside) return links_.from_sources(mapping[route.to].processors);
    if (route.to == MappingRoutes::kOutside) return links_.to_sinks(mapping[route.from].processors);
    return links_.between(mapping[route.from].processors, mapping[route.to].processors);
  });
}

}  // namespace takt::tpn
