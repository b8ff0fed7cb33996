// Pairs of processors as bits.
#include "tpn/links.hpp"

#include <algorithm>
#include <numeric>

#include "tpn/problem_view.hpp"

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

// `unlinked`: one of the two above, for neighboring parts.
template <typename FromSource, typename ToSink, typename Unlinked>
std::optional<MissingLink> first_missing(std::span<const Part> mapping, const FromSource& from_source,
                                         const ToSink& to_sink, const Unlinked& unlinked) {
  for (const std::size_t p : mapping.front().processors)
    if (!from_source(p)) return MissingLink{std::nullopt, p};
  for (const std::size_t p : mapping.back().processors)
    if (!to_sink(p)) return MissingLink{p, std::nullopt};
  for (std::size_t i = 0; i + 1 < mapping.size(); ++i) {
    if (const auto link = unlinked(mapping[i].processors, mapping[i + 1].processors)) return link;
  }
  return std::nullopt;
}

}  // namespace

std::optional<MissingLink> missing_link(const ProblemView& problem, std::span<const Part> mapping) {
  const Platform& platform = problem.document().platform;
  const Timing& timing = problem.timing();
  const auto linked = [&](std::size_t a, std::size_t b) { return timing.has_link(a, b); };
  return first_missing(
      mapping, [&](std::size_t p) { return !platform.source || timing.source_link(p); },
      [&](std::size_t p) { return !platform.sink || timing.sink_link(p); },
      [&](const auto& senders, const auto& receivers) { return least_unlinked(senders, receivers, linked); });
}

LinkTable::LinkTable(const Document& problem, const Timing& timing)
    : row_(problem.platform.processors.size()),
      from_source_(row_, true),
      to_sink_(row_, true),
      between_(row_ * row_, true) {
  add_others(timing.other_links());
  for (const NamedLink& named : timing.named_links()) between_[named.from * row_ + named.to] = timing.has_link(named);
  for (std::size_t p = 0; p < row_; ++p) {
    between_[p * row_ + p] = true;
    if (problem.platform.source) from_source_[p] = timing.source_link(p).has_value();
    if (problem.platform.sink) to_sink_[p] = timing.sink_link(p).has_value();
  }
  for (const auto* links : {&from_source_, &to_sink_, &between_})
    all_ = all_ && std::ranges::find(*links, false) == links->end();
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
  const auto linked = [this](std::size_t a, std::size_t b) { return between(a, b); };
  return !first_missing(
      mapping, [this](std::size_t p) { return from_source(p); }, [this](std::size_t p) { return to_sink(p); },
      [&](const auto& senders, const auto& receivers) { return some_unlinked(senders, receivers, linked); });
}

}  // namespace takt::tpn
