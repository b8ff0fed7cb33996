// Sums over the entries that meet, and their powers.
#include "heuristics/search/loads.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tpn/ends.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/workflow.hpp"

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
  if (!tpn::is_chain(problem.application)) routes_.emplace(problem.application, tpn::outer_ends(problem.platform));
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

// Of entry k of a sequence with the others' entries, of which there may be none.
template <typename Ticks>
Meetings meetings(std::size_t k, std::size_t length, std::size_t others, const Ticks& ticks) {
  if (others == 0) return {};
  const std::size_t modulus = std::gcd(others, length);
  Meetings result{0, static_cast<std::int64_t>(others / modulus)};
  for (std::size_t other = k % modulus; other < others; other += modulus) result.ticks += ticks(other);
  return result;
}

// The mean over the first of a sequence's processors.
template <typename Ticks>
std::int64_t mean_over(std::span<const std::size_t> sequence, std::size_t processor, std::size_t most,
                       const Ticks& ticks) {
  const std::size_t counted = std::min(most, sequence.size());
  std::int64_t sum = 0;
  for (const std::size_t other : sequence.first(counted))
    if (other != processor) sum += std::max<std::int64_t>(ticks(other), 0);
  return sum / static_cast<std::int64_t>(counted);
}

}  // namespace

Meetings Loads::receptions(const tpn::Mapping& mapping, std::size_t i, std::size_t k) const {
  const auto& here = mapping[i].processors;
  if (i == 0) {
    return meetings(k, here.size(), tpn::count_of(problem_.platform.source),
                    [&](std::size_t which) { return times_.from_source(here[k], which); });
  }
  const auto& senders = mapping[i - 1].processors;
  return meetings(k, here.size(), senders.size(), [&](std::size_t a) {
    return senders[a] == here[k] ? 0 : times_.transfer(mapping[i - 1].last_stage, senders[a], here[k]);
  });
}

Meetings Loads::sendings(const tpn::Mapping& mapping, std::size_t i, std::size_t k) const {
  const auto& here = mapping[i].processors;
  if (mapping[i].last_stage + 1 == problem_.application.stages.size()) {
    return meetings(k, here.size(), tpn::count_of(problem_.platform.sink),
                    [&](std::size_t which) { return times_.to_sink(here[k], which); });
  }
  if (i + 1 == mapping.size()) return {};
  const auto& receivers = mapping[i + 1].processors;
  return meetings(k, here.size(), receivers.size(), [&](std::size_t b) {
    return here[k] == receivers[b] ? 0 : times_.transfer(mapping[i].last_stage, here[k], receivers[b]);
  });
}

std::size_t Loads::senders(const tpn::Mapping& mapping, const Route& route) const {
  return route.from == tpn::MappingRoutes::kOutside ? tpn::count_of(problem_.platform.source)
                                                    : mapping[route.from].processors.size();
}

std::size_t Loads::receivers(const tpn::Mapping& mapping, const Route& route) const {
  return route.to == tpn::MappingRoutes::kOutside ? tpn::count_of(problem_.platform.sink)
                                                  : mapping[route.to].processors.size();
}

Meetings Loads::received(const tpn::Mapping& mapping, const Route& route, std::size_t k) const {
  const auto& here = mapping[route.to].processors;
  const std::int64_t amount = times_.amount_of(routes_->files_of(route));
  return meetings(k, here.size(), senders(mapping, route), [&](std::size_t a) -> std::int64_t {
    if (route.from == tpn::MappingRoutes::kOutside) return times_.from_source(here[k], a);
    const std::size_t from = mapping[route.from].processors[a];
    return from == here[k] ? 0 : times_.transfer_of(amount, from, here[k]);
  });
}

Meetings Loads::sent(const tpn::Mapping& mapping, const Route& route, std::size_t k) const {
  const auto& here = mapping[route.from].processors;
  const std::int64_t amount = times_.amount_of(routes_->files_of(route));
  return meetings(k, here.size(), receivers(mapping, route), [&](std::size_t b) -> std::int64_t {
    if (route.to == tpn::MappingRoutes::kOutside) return times_.to_sink_of(amount, here[k], b);
    const std::size_t to = mapping[route.to].processors[b];
    return to == here[k] ? 0 : times_.transfer_of(amount, here[k], to);
  });
}

// Over `data_sets`, a common multiple of the lengths, an entry handles data_sets / length of them.
std::optional<Meetings> Loads::largest_cycle_time(const tpn::Mapping& mapping, std::size_t i, const tpn::Model& asked) {
  const tpn::Model model = tpn::bounding_model(asked, do_ports_bound_);
  if (routes_) return largest_in_workflow(mapping, i, model);
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

std::optional<Meetings> Loads::largest_in_workflow(const tpn::Mapping& mapping, std::size_t i,
                                                   const tpn::Model& model) {
  routes_->list(mapping);
  const tpn::Part& part = mapping[i];
  const std::size_t length = part.processors.size();
  const auto into = routes_->into(i);
  const auto out_of = routes_->out_of(i);
  // Each operation has at most 2^36 ticks: the sum of all of them has 62 bits at most.
  const std::uint64_t most = (std::uint64_t{1} << 26) / (into.size() + out_of.size() + 1);
  std::uint64_t data_sets = length;
  const auto add = [&](std::size_t others) {
    data_sets = maxplus::checked_lcm(data_sets, others).value_or(most + 1);
    return data_sets <= most;
  };
  for (const std::uint32_t number : into)
    if (!add(senders(mapping, routes_->all()[number]))) return std::nullopt;
  for (const Route& route : out_of)
    if (!add(receivers(mapping, route))) return std::nullopt;
  Meetings largest{0, static_cast<std::int64_t>(data_sets)};
  const auto handled = static_cast<std::int64_t>(data_sets / length);
  for (std::size_t k = 0; k < length; ++k) {
    std::int64_t receive = 0;
    std::int64_t send = 0;
    const auto all = [&](const Meetings& met) { return met.ticks * (handled / met.partners); };
    for (const std::uint32_t number : into) receive += all(received(mapping, routes_->all()[number], k));
    for (const Route& route : out_of) send += all(sent(mapping, route, k));
    const std::int64_t compute = handled * computation(part, part.processors[k]);
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
                                   std::size_t most) {
  if (!routes_) {
    if (i == 0) return problem_.platform.source ? times_.least_from_source(processor) : 0;
    return mean_over(mapping[i - 1].processors, processor, most,
                     [&](std::size_t from) { return times_.transfer(mapping[i - 1].last_stage, from, processor); });
  }
  routes_->list(mapping);
  std::int64_t sum = 0;
  for (const std::uint32_t number : routes_->into(i)) {
    const Route& route = routes_->all()[number];
    if (route.from == tpn::MappingRoutes::kOutside) {
      sum += times_.least_from_source(processor);
      continue;
    }
    const std::int64_t amount = times_.amount_of(routes_->files_of(route));
    sum += mean_over(mapping[route.from].processors, processor, most,
                     [&](std::size_t from) { return times_.transfer_of(amount, from, processor); });
  }
  return sum;
}

std::int64_t Loads::mean_sending(const tpn::Mapping& mapping, std::size_t i, std::size_t processor, std::size_t most) {
  if (!routes_) {
    if (i + 1 == mapping.size()) return problem_.platform.sink ? times_.least_to_sink(processor) : 0;
    return mean_over(mapping[i + 1].processors, processor, most,
                     [&](std::size_t to) { return times_.transfer(mapping[i].last_stage, processor, to); });
  }
  routes_->list(mapping);
  std::int64_t sum = 0;
  for (const Route& route : routes_->out_of(i)) {
    const std::int64_t amount = times_.amount_of(routes_->files_of(route));
    if (route.to == tpn::MappingRoutes::kOutside) {
      std::int64_t least = times_.to_sink_of(amount, processor, 0);
      for (std::size_t which = 1; which < tpn::count_of(problem_.platform.sink); ++which)
        least = std::min(least, times_.to_sink_of(amount, processor, which));
      sum += std::max<std::int64_t>(least, 0);
      continue;
    }
    sum += mean_over(mapping[route.to].processors, processor, most,
                     [&](std::size_t to) { return times_.transfer_of(amount, processor, to); });
  }
  return sum;
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

void Loads::add_up(const tpn::Mapping& mapping) {
  for (auto* loads : {&receiving_, &computing_, &sending_}) std::ranges::fill(*loads, 0);
  if (routes_) routes_->list(mapping);
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    const tpn::Part& part = mapping[i];
    const auto length = static_cast<std::int64_t>(part.processors.size());
    const auto add = [&](std::int64_t& load, const Meetings& met) { load += met.ticks / (met.partners * length); };
    for (std::size_t k = 0; k < part.processors.size(); ++k) {
      const std::size_t p = part.processors[k];
      computing_[p] += computation(part, p) / length;
      if (!routes_) {
        add(receiving_[p], receptions(mapping, i, k));
        add(sending_[p], sendings(mapping, i, k));
        continue;
      }
      for (const std::uint32_t number : routes_->into(i))
        add(receiving_[p], received(mapping, routes_->all()[number], k));
      for (const Route& route : routes_->out_of(i)) add(sending_[p], sent(mapping, route, k));
    }
  }
}

std::optional<evaluators::Int128> Loads::pressure(const tpn::Mapping& mapping, tpn::Model model,
                                                  const evaluators::Period& period) {
  add_up(mapping);
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
