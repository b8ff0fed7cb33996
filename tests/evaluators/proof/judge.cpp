// The plain judge: lap by lap, arc by arc.
#include "tests/evaluators/proof/judge.hpp"

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "tests/evaluators/oracles.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/event_graph.hpp"

namespace takt::support {

namespace {

using evaluators::Certificate;
using evaluators::CertificateClock;
using evaluators::CertificateWalk;
using evaluators::ColumnClockList;
using evaluators::ColumnSchedule;
using evaluators::ResourceName;
using maxplus::Integer;
using maxplus::Rational;
using tpn::EventGraph;
using tpn::FoldedNet;

const tpn::Resource* find(const FoldedNet& net, const ResourceName& name) {
  for (const tpn::Resource& resource : net.resources) {
    if (resource.kind == name.kind && net.pipeline.processors[resource.processor] == name.processor) return &resource;
  }
  return nullptr;
}

bool has_place(const EventGraph& graph, std::size_t from, std::size_t to, const Integer& tokens) {
  return std::ranges::any_of(boost::make_iterator_range(out_edges(from, graph)), [&](const auto& place) {
    return target(place, graph) == to && tokens == graph[place].tokens;
  });
}

bool walk_proves(const FoldedNet& net, const EventGraph& graph, const CertificateWalk& walk, const Rational& lower) {
  const std::size_t columns = net.pipeline.columns.size();
  const Integer& rows = net.pipeline.rows;
  Integer lap = 0;
  for (const auto& step : walk.steps) {
    if (step.column >= columns || step.to >= columns) return false;
    lap += step.height;
  }
  if (walk.steps.empty() || lap == 0) return false;
  const Integer laps = rows / gcd(rows, lap);
  Integer data_set = walk.data_set;
  Integer time = 0;
  for (Integer l = 0; l < laps; ++l) {
    for (std::size_t t = 0; t < walk.steps.size(); ++t) {
      const auto& step = walk.steps[t];
      if (step.to != walk.steps[(t + 1) % walk.steps.size()].column) return false;
      const Integer row = data_set % rows;
      const Integer beyond = row + step.height;
      const std::size_t from = row.get_ui() * columns + step.column;
      const std::size_t to = Integer(beyond % rows).get_ui() * columns + step.to;
      if (!has_place(graph, from, to, beyond / rows)) return false;
      time += graph[from].firing_time;
      data_set += step.height;
    }
  }
  return Rational::fraction(time, net.pipeline.scale * lap * laps) >= lower;
}

bool schedule_proves(const FoldedNet& net, const std::vector<ColumnSchedule>& schedules, const Rational& mu) {
  std::map<std::size_t, const ColumnSchedule*> by_column;
  std::uint64_t repetition = net.pipeline.rows.get_ui();
  for (const ColumnSchedule& schedule : schedules) {
    if (schedule.start.empty() || !by_column.emplace(schedule.column, &schedule).second) return false;
    repetition = std::lcm(repetition, schedule.start.size());
  }
  if (by_column.size() != net.pipeline.columns.size() || by_column.rbegin()->first + 1 != by_column.size())
    return false;
  const auto start = [&](std::size_t column, std::uint64_t j) {
    const auto& classes = by_column.at(column)->start;
    const std::uint64_t p = j % classes.size();
    return classes[p] + mu * Rational(j - p);
  };
  for (const tpn::Dependence& d : net.dependences) {
    for (std::uint64_t j = d.residue; j < repetition; j += d.modulus) {
      if (start(d.from, j) + net.pipeline.duration({j, d.from}) > start(d.to, j + d.height)) return false;
    }
  }
  return true;
}

bool clocks_prove(const FoldedNet& net, const EventGraph& graph, const std::vector<CertificateClock>& clocks,
                  const Rational& lambda) {
  std::map<std::pair<tpn::ConstraintKind, std::size_t>, Rational> by_resource;
  for (const CertificateClock& clock : clocks) {
    const tpn::Resource* resource = find(net, clock.resource);
    if (resource == nullptr) return false;
    if (!by_resource.emplace(std::pair(resource->kind, resource->processor), clock.value).second) return false;
  }
  if (by_resource.size() != net.resources.size()) return false;
  const auto clock_of = [&](const auto& place) -> const Rational& {
    const tpn::Dependence& d = net.dependences[graph[place].dependence];
    return by_resource.at({d.kind, net.pipeline.parts[d.part].processor_at(graph[source(place, graph)].row)});
  };
  std::vector<std::optional<Rational>> start(num_vertices(graph));
  const auto wait = [&](std::size_t v, const Rational& end) {
    if (!start[v] || *start[v] < end) start[v] = end;
  };
  for (const auto& place : boost::make_iterator_range(edges(graph))) {
    if (graph[place].tokens > 0) wait(target(place, graph), clock_of(place));
  }
  // Places without tokens lead to higher numbers, so every start is final when its turn comes.
  for (std::size_t v = 0; v < num_vertices(graph); ++v) {
    const Rational end = *start[v] + Rational::fraction(graph[v].firing_time, net.pipeline.scale);
    for (const auto& place : boost::make_iterator_range(out_edges(v, graph))) {
      if (graph[place].tokens == 0) {
        wait(target(place, graph), end);
      } else if (end > clock_of(place) + lambda) {
        return false;
      }
    }
  }
  return true;
}

// Plays a column's operations alone, by its resources; the net's dependences are not asked.
class LonePlay {
 public:
  using Free = std::map<std::pair<tpn::ConstraintKind, std::size_t>, Rational>;

  LonePlay(const FoldedNet& net, tpn::ColumnIndex column) : net_(net), column_(column) {
    const tpn::Column& own = net.pipeline.columns[column];
    sending_ = own.part;
    receiving_ = own.receiver;
    rows_ = std::lcm(net.pipeline.parts[sending_].sequence.size(), net.pipeline.parts[receiving_].sequence.size());
  }

  bool ends_in_time(const Free& clocks, const Rational& upper) const {
    Free free;
    for (std::uint64_t j = 0; j < rows_; ++j) {
      Rational start;
      bool is_first = true;
      for (const auto& resource : resources(j)) {
        const auto clock = clocks.find(resource);
        if (clock == clocks.end()) return false;
        const Rational& at = free.try_emplace(resource, clock->second).first->second;
        if (is_first || start < at) start = at;
        is_first = false;
      }
      for (const auto& resource : resources(j)) free[resource] = start + net_.pipeline.duration({j, column_});
    }
    return free.size() == clocks.size() && std::ranges::all_of(free, [&](const auto& entry) {
             return entry.second <= clocks.at(entry.first) + upper * Rational(rows_);
           });
  }

 private:
  std::vector<Free::key_type> resources(std::uint64_t j) const {
    const std::size_t sender = net_.pipeline.parts[sending_].processor_at(j);
    const std::size_t receiver = net_.pipeline.parts[receiving_].processor_at(j);
    if (sending_ != receiving_)
      return {{tpn::ConstraintKind::out_port, sender}, {tpn::ConstraintKind::in_port, receiver}};
    return {
        {net_.model == tpn::Model::kStrict ? tpn::ConstraintKind::processor : tpn::ConstraintKind::compute, sender}};
  }

  const FoldedNet& net_;
  tpn::ColumnIndex column_;
  std::size_t sending_ = 0;
  std::size_t receiving_ = 0;
  std::uint64_t rows_ = 1;
};

bool column_clocks_prove(const FoldedNet& net, const std::vector<ColumnClockList>& lists, const Rational& upper) {
  if (net.model == tpn::Model::kStrict && net.pipeline.columns.size() > 1) return false;
  std::map<std::size_t, std::size_t> part_of;
  for (std::size_t i = 0; i < net.pipeline.parts.size(); ++i) {
    for (const std::size_t p : net.pipeline.parts[i].sequence) {
      if (part_of.emplace(p, i).first->second != i) return false;
    }
  }
  std::map<std::size_t, LonePlay::Free> clocks;
  for (const ColumnClockList& list : lists) {
    if (list.column >= net.pipeline.columns.size() || clocks.contains(list.column)) return false;
    auto& own = clocks[list.column];
    for (const CertificateClock& clock : list.clocks) {
      const tpn::Resource* resource = find(net, clock.resource);
      if (resource == nullptr) return false;
      if (!own.emplace(std::pair(resource->kind, resource->processor), clock.value).second) return false;
    }
  }
  for (const tpn::ColumnIndex c : net.pipeline.all_columns()) {
    if (!LonePlay(net, c).ends_in_time(clocks[c], upper)) return false;
  }
  return true;
}

}  // namespace

bool proves(const tpn::Document& document, const Certificate& certificate) {
  if (certificate.lower > certificate.upper) return false;
  const FoldedNet net = net_of(document, certificate.model);
  const auto graph = std::get<EventGraph>(tpn::unfold(net, 1'000'000));
  if (const auto* walk = std::get_if<CertificateWalk>(&certificate.circuit)) {
    if (!walk_proves(net, graph, *walk, certificate.lower)) return false;
  } else {
    const tpn::Resource* resource = find(net, std::get<ResourceName>(certificate.circuit));
    if (resource == nullptr || plain_cycle_time(net, *resource) < certificate.lower) return false;
  }
  if (const auto* clocks = std::get_if<std::vector<CertificateClock>>(&certificate.witness)) {
    return clocks_prove(net, graph, *clocks, certificate.upper * Rational(net.pipeline.rows));
  }
  if (const auto* columns = std::get_if<std::vector<ColumnClockList>>(&certificate.witness)) {
    return column_clocks_prove(net, *columns, certificate.upper);
  }
  return schedule_proves(net, std::get<std::vector<ColumnSchedule>>(certificate.witness), certificate.upper);
}

}  // namespace takt::support
