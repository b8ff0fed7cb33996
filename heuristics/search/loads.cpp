// Sums over the entries that meet, and their powers.
#include "heuristics/search/loads.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tpn/ends.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"

namespace takt::heuristics {

std::optional<Loads> Loads::make(const tpn::ProblemView& problem) {
  const tpn::TickTimes* times = problem.short_ticks();
  if (times == nullptr) return std::nullopt;
  return Loads(problem.document(), *times);
}

Loads::Loads(const tpn::Document& problem, const tpn::TickTimes& times) : problem_(problem), times_(times) {
  const std::size_t processors = problem.platform.processors.size();
  for (auto* loads : {&receiving_, &computing_, &sending_}) loads->resize(processors);
  do_ports_bound_ = tpn::do_ports_bound(problem.platform);
  if (!problem.platform.segments.empty()) segments_.emplace(problem, times);
  if (!tpn::has_other_ports(problem.platform)) return;
  const tpn::HostIndex hosts(problem.platform);
  for (std::size_t p = 0; p < processors; ++p) {
    port_owner_.push_back(hosts.first_of(p));
    // A file that takes time within a host is no port's: then no number of ports is small enough.
    const bool has_copies = hosts.size_of(p) > 1 && problem.platform.processors[p].memory_bandwidth;
    ports_.push_back(has_copies ? tpn::kUnlimitedPorts : problem.platform.processors[p].ports);
  }
}

namespace {

// Of entry k of a sequence with `ends` sources, or sinks, that take turns.
template <typename Ticks>
Meetings with_ends(std::size_t ends, std::size_t k, std::size_t length, const Ticks& ticks) {
  if (ends == 0) return {};
  const std::size_t modulus = std::gcd(ends, length);
  Meetings meetings{0, static_cast<std::int64_t>(ends / modulus)};
  for (std::size_t which = k % modulus; which < ends; which += modulus) meetings.ticks += ticks(which);
  return meetings;
}

}  // namespace

Meetings Loads::receptions(const tpn::Mapping& mapping, std::size_t i, std::size_t k) const {
  const auto& here = mapping[i].processors;
  if (i == 0) {
    return with_ends(tpn::count_of(problem_.platform.source), k, here.size(),
                     [&](std::size_t which) { return times_.from_source(here[k], which); });
  }
  const auto& senders = mapping[i - 1].processors;
  const std::size_t modulus = std::gcd(senders.size(), here.size());
  Meetings meetings{0, static_cast<std::int64_t>(senders.size() / modulus)};
  for (std::size_t a = k % modulus; a < senders.size(); a += modulus)
    if (senders[a] != here[k]) meetings.ticks += times_.transfer(mapping[i - 1].last_stage, senders[a], here[k]);
  return meetings;
}

Meetings Loads::sendings(const tpn::Mapping& mapping, std::size_t i, std::size_t k) const {
  const auto& here = mapping[i].processors;
  if (mapping[i].last_stage + 1 == problem_.application.stages.size()) {
    return with_ends(tpn::count_of(problem_.platform.sink), k, here.size(),
                     [&](std::size_t which) { return times_.to_sink(here[k], which); });
  }
  if (i + 1 == mapping.size()) return {};
  const auto& receivers = mapping[i + 1].processors;
  const std::size_t modulus = std::gcd(here.size(), receivers.size());
  Meetings meetings{0, static_cast<std::int64_t>(receivers.size() / modulus)};
  for (std::size_t b = k % modulus; b < receivers.size(); b += modulus)
    if (here[k] != receivers[b]) meetings.ticks += times_.transfer(mapping[i].last_stage, here[k], receivers[b]);
  return meetings;
}

// Over `data_sets`, a common multiple of the lengths, an entry handles data_sets / length of them.
std::optional<Meetings> Loads::largest_cycle_time(const tpn::Mapping& mapping, std::size_t i,
                                                  const tpn::Model& asked) const {
  const tpn::Model model = tpn::bounding_model(asked, do_ports_bound_);
  const tpn::Part& part = mapping[i];
  const std::size_t length = part.processors.size();
  std::uint64_t data_sets = length;
  const bool is_last = part.last_stage + 1 == problem_.application.stages.size();
  for (const std::size_t partners : {i > 0 ? mapping[i - 1].processors.size() : tpn::count_of(problem_.platform.source),
                                     is_last                  ? tpn::count_of(problem_.platform.sink)
                                     : i + 1 < mapping.size() ? mapping[i + 1].processors.size()
                                                              : 0}) {
    const auto common = maxplus::checked_lcm(data_sets, std::max<std::size_t>(partners, 1));
    // Three operations on a data set, each of at most 2^36 ticks: their sum has 62 bits at most.
    if (!common || *common > std::uint64_t{1} << 24) return std::nullopt;
    data_sets = *common;
  }
  Meetings largest{0, static_cast<std::int64_t>(data_sets)};
  const auto handled = static_cast<std::int64_t>(data_sets / length);
  for (std::size_t k = 0; k < length; ++k) {
    const Meetings from = receptions(mapping, i, k);
    const Meetings to = sendings(mapping, i, k);
    const std::int64_t receive = from.ticks * (handled / from.partners);
    const std::int64_t compute = handled * computation(part, part.processors[k]);
    const std::int64_t send = to.ticks * (handled / to.partners);
    largest.ticks = std::max(largest.ticks, tpn::cycle_time(model, receive, compute, send));
  }
  return largest;
}

std::optional<std::int64_t> Loads::busiest_segment(const tpn::Mapping& mapping) {
  if (!segments_) return std::nullopt;
  const std::vector<std::int64_t>& loads = segments_->of(mapping);
  return loads.empty() ? std::nullopt : std::optional(*std::ranges::max_element(loads));
}

std::int64_t Loads::mean_reception(const tpn::Mapping& mapping, std::size_t i, std::size_t processor,
                                   std::size_t most) const {
  if (i == 0) return problem_.platform.source ? times_.least_from_source(processor) : 0;
  const auto& senders = mapping[i - 1].processors;
  const std::size_t counted = std::min(most, senders.size());
  std::int64_t sum = 0;
  for (std::size_t a = 0; a < counted; ++a)
    if (senders[a] != processor)
      sum += std::max<std::int64_t>(times_.transfer(mapping[i - 1].last_stage, senders[a], processor), 0);
  return sum / static_cast<std::int64_t>(counted);
}

std::int64_t Loads::mean_sending(const tpn::Mapping& mapping, std::size_t i, std::size_t processor,
                                 std::size_t most) const {
  if (i + 1 == mapping.size()) return problem_.platform.sink ? times_.least_to_sink(processor) : 0;
  const auto& receivers = mapping[i + 1].processors;
  const std::size_t counted = std::min(most, receivers.size());
  std::int64_t sum = 0;
  for (std::size_t b = 0; b < counted; ++b)
    if (receivers[b] != processor)
      sum += std::max<std::int64_t>(times_.transfer(mapping[i].last_stage, processor, receivers[b]), 0);
  return sum / static_cast<std::int64_t>(counted);
}

std::int64_t Loads::ticks(const evaluators::Period& period) {
  if (!asked_ || *asked_ != period) {
    asked_ = period;
    const tpn::Rational exact = period.rational() * scale();
    const maxplus::Integer floor = exact.floor();
    // Far below 2^62: a period is at most the sum of a mapping's durations.
    asked_ticks_ = floor < 1 ? 1 : floor > std::int64_t{1} << 62 ? std::int64_t{1} << 62 : floor.get_si();
  }
  return asked_ticks_;
}

std::optional<evaluators::Int128> Loads::pressure(const tpn::Mapping& mapping, tpn::Model model,
                                                  const evaluators::Period& period) {
  for (auto* loads : {&receiving_, &computing_, &sending_}) std::ranges::fill(*loads, 0);
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    const tpn::Part& part = mapping[i];
    const auto length = static_cast<std::int64_t>(part.processors.size());
    for (std::size_t k = 0; k < part.processors.size(); ++k) {
      const std::size_t p = part.processors[k];
      const Meetings from = receptions(mapping, i, k);
      const Meetings to = sendings(mapping, i, k);
      receiving_[p] += from.ticks / (from.partners * length);
      computing_[p] += computation(part, p) / length;
      sending_[p] += to.ticks / (to.partners * length);
    }
  }
  add_up_ports();
  const std::int64_t whole = ticks(period);
  // No load is rounded up: one beyond the period's whole ticks is beyond the period.
  if (!list_loads(model, whole) || !list_segments(mapping, whole)) return std::nullopt;
  evaluators::Int128 sum = 0;
  for (const std::int64_t load : loads_) {  // at most 2^64 each
    const evaluators::Int128 share = evaluators::Int128{load} * 256 / whole;
    const evaluators::Int128 fourth = share * share * share * share;
    sum += fourth * fourth;
  }
  return sum;
}

void Loads::add_up_ports() {
  if (port_owner_.empty()) return;
  for (auto [loads, of_ports] : {std::pair(&receiving_, &port_receiving_), std::pair(&sending_, &port_sending_)}) {
    of_ports->assign(loads->size(), 0);
    for (std::size_t p = 0; p < loads->size(); ++p) (*of_ports)[port_owner_[p]] += (*loads)[p];
    for (std::size_t p = 0; p < loads->size(); ++p) {
      const auto ports = static_cast<std::int64_t>(ports_[p]);
      (*of_ports)[p] = ports == 0 ? 0 : (*of_ports)[p] / ports;
    }
  }
}

bool Loads::list_loads(const tpn::Model& model, std::int64_t most) {
  loads_.clear();
  for (const tpn::ConstraintKind kind : model->resources) {
    const bool receives = tpn::handles_receptions(kind);
    const bool computes = tpn::handles_computations(kind);
    const bool sends = tpn::handles_sendings(kind);
    const bool is_of_host = tpn::is_port(kind) && !port_owner_.empty();
    const std::vector<std::int64_t>& receiving = is_of_host ? port_receiving_ : receiving_;
    const std::vector<std::int64_t>& sending = is_of_host ? port_sending_ : sending_;
    for (std::size_t p = 0; p < computing_.size(); ++p) {
      const std::int64_t load =
          (receives ? receiving[p] : 0) + (computes ? computing_[p] : 0) + (sends ? sending[p] : 0);
      if (load > most) return false;
      if (load > 0) loads_.push_back(load);
    }
  }
  return true;
}

bool Loads::list_segments(const tpn::Mapping& mapping, std::int64_t most) {
  if (!segments_) return true;
  for (const std::int64_t load : segments_->of(mapping)) {
    if (load > most) return false;
    if (load > 0) loads_.push_back(load);
  }
  return true;
}

}  // namespace takt::heuristics
