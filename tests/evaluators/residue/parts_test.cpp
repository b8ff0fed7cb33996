// The parts of residue, each against brute force: system, circuits, refinements.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <variant>
#include <vector>

#include "evaluators/residue/circuit.hpp"
#include "evaluators/residue/system.hpp"
#include "tests/evaluators/buffered.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::ClassStep;
using evaluators::Precedence;
using evaluators::ResidueSystem;
using maxplus::Integer;
using maxplus::modulo;
using maxplus::Rational;
using support::Draw;
using tpn::Dependence;
using tpn::FoldedNet;

ResidueSystem system_of(const FoldedNet& net) { return std::get<ResidueSystem>(evaluators::make_residue_system(net)); }

// No resource but the ports, and room for two data sets between the first column and the last: so the first column
// waits for one dependence only, which has a height.
void list_window(tpn::DependenceList& dependences, const tpn::Model&) {
  dependences.add({.from = dependences.pipeline().delivery(),
                   .to = dependences.pipeline().arrival(),
                   .height = 2,
                   .modulus = 1,
                   .residue = 0,
                   .kind = tpn::ConstraintKind::flow,
                   .part = {}});
}

FoldedNet window_net(const tpn::Document& document) {
  static constexpr tpn::ConstraintKind kPorts[] = {tpn::ConstraintKind::out_port, tpn::ConstraintKind::in_port};
  static const tpn::CommunicationModel kWindow{
      .name = "window", .title = "WINDOW", .resources = kPorts, .further = list_window};
  return std::get<FoldedNet>(tpn::fold(document, tpn::Model(kWindow)));
}

// Nets of both models, of bounded buffers and of a window; visit(net).
template <typename Visit>
void for_each_net(std::uint64_t seeds, Visit visit) {
  support::for_each_document({seeds}, [&](const tpn::Document& document) {
    for (const tpn::Model& model : tpn::default_models()) {
      INFO(tpn::name_of(model));
      visit(support::net_of(document, model));
    }
    visit(support::buffered_net<2>(document));
    const FoldedNet window = window_net(document);
    if (!window.resources.empty()) visit(window);
  });
}

// What a precedence demands, in terms of columns.
using Demand = std::tuple<std::size_t, std::size_t, std::uint64_t, std::uint64_t, std::uint64_t,
                          std::vector<std::pair<std::size_t, std::uint64_t>>>;

// The dependences into nodes, each preceded by the only dependence of its source where that is immediate.
std::vector<Demand> expected_demands(const FoldedNet& net, const ResidueSystem& system) {
  std::vector<Demand> demands;
  const auto is_node = [&](std::size_t column) { return std::ranges::count(system.columns, column) == 1; };
  for (const Dependence& d : net.dependences) {
    if (!is_node(d.to)) continue;
    if (is_node(d.from)) {
      demands.emplace_back(d.from, d.to, d.height, d.modulus, d.residue,
                           std::vector<std::pair<std::size_t, std::uint64_t>>{{d.from, d.height}});
      continue;
    }
    const auto first = std::ranges::find(net.dependences, d.from, &Dependence::to);
    const std::uint64_t residue =
        modulo(static_cast<std::int64_t>(d.residue) - static_cast<std::int64_t>(first->height), d.modulus);
    demands.emplace_back(
        first->from, d.to, first->height + d.height, d.modulus, residue,
        std::vector<std::pair<std::size_t, std::uint64_t>>{{first->from, first->height}, {d.from, d.height}});
  }
  std::ranges::sort(demands);
  return demands;
}

TEST_CASE("residue's system has every dependence once, through columns that wait for no other") {
  std::size_t immediate = 0;
  for_each_net(60, [&](const FoldedNet& net) {
    const ResidueSystem system = system_of(net);
    REQUIRE(system.columns.size() + system.immediate.size() == net.pipeline.columns.size());
    for (const auto& column : system.immediate) {
      REQUIRE(std::ranges::count(net.dependences, column.column, &Dependence::to) == 1);
      const auto only = std::ranges::find(net.dependences, column.column, &Dependence::to);
      REQUIRE(only->from == column.after);
      REQUIRE(only->height == column.height);
      REQUIRE(only->modulus == 1);
      REQUIRE(std::ranges::count(system.columns, column.after) == 1);
      ++immediate;
    }
    std::vector<Demand> demands;
    for (const Precedence& precedence : system.precedences) {
      std::vector<std::pair<std::size_t, std::uint64_t>> steps;
      for (const auto& step : precedence.steps) steps.emplace_back(step.column, step.height);
      demands.emplace_back(system.columns[precedence.from], system.columns[precedence.to], precedence.height,
                           precedence.modulus, precedence.residue, steps);
    }
    std::ranges::sort(demands);
    REQUIRE(demands == expected_demands(net, system));
  });
  REQUIRE(immediate > 100);
}

TEST_CASE("the weights of residue's precedences are the durations along them") {
  for_each_net(40, [&](const FoldedNet& net) {
    const ResidueSystem system = system_of(net);
    const std::uint64_t rows = net.pipeline.rows.get_ui();
    for (std::size_t k = 0; k < system.precedences.size(); ++k) {
      const Precedence& precedence = system.precedences[k];
      REQUIRE(std::ranges::count(system.incoming[precedence.to], k) == 1);
      REQUIRE(std::ranges::count(system.outgoing[precedence.from], k) == 1);
      REQUIRE(rows % system.least_moduli[precedence.from] == 0);
      REQUIRE(system.least_moduli[precedence.from] % precedence.weights->size() == 0);
      REQUIRE(system.least_moduli[precedence.from] % precedence.modulus == 0);
      bool same = true;
      for (std::uint64_t j = 0; j < rows; ++j) {
        Integer total = 0;
        std::uint64_t data_set = j;
        for (const auto& step : precedence.steps) {
          total += net.pipeline.columns[step.column].duration(data_set);
          data_set += step.height;
        }
        same = same && total == (*precedence.weights)[j % precedence.weights->size()];
      }
      REQUIRE(same);
    }
  });
}

// Moduli that a search might have: the least ones times some prime powers that divide the rows.
std::vector<std::uint64_t> draw_moduli(const ResidueSystem& system, std::uint64_t rows, Draw& draw) {
  std::vector<std::uint64_t> moduli = system.least_moduli;
  for (std::uint64_t& modulus : moduli) {
    for (const std::uint64_t prime : system.primes) {
      if (draw.index(3) == 0 && rows % std::lcm(modulus, modulus * prime) == 0) modulus *= prime;
    }
  }
  return moduli;
}

// A circuit of classes with these moduli: each step leads to a class that its precedence joins, and its guard holds.
// Nothing if the walk does not come back soon.
std::optional<std::vector<ClassStep>> draw_circuit(const ResidueSystem& system,
                                                   const std::vector<std::uint64_t>& moduli, Draw& draw) {
  constexpr int kMostSteps = 30;
  const std::size_t first = draw.index(moduli.size());
  std::size_t node = first;
  auto data_set = draw.between(0, 1000);
  const std::int64_t start = data_set;
  std::uint64_t height = 0;
  std::vector<ClassStep> circuit;
  for (int steps = 0; steps < kMostSteps; ++steps) {
    if (system.outgoing[node].empty()) return std::nullopt;
    const std::size_t k = system.outgoing[node][draw.index(system.outgoing[node].size())];
    const Precedence& precedence = system.precedences[k];
    if (modulo(data_set, precedence.modulus) != precedence.residue) return std::nullopt;
    circuit.push_back({k, data_set});
    data_set += static_cast<std::int64_t>(precedence.height);
    height += precedence.height;
    const std::uint64_t joined = std::gcd(moduli[node], moduli[precedence.to]);
    node = precedence.to;
    if (node == first && height > 0 && modulo(data_set - start, joined) == 0) return circuit;
    if (draw.index(2) == 0) data_set += static_cast<std::int64_t>(joined) * draw.between(0, 20);
  }
  return std::nullopt;
}

// visit(net, system, moduli, circuit) for random circuits, `made` of a net before those.
template <typename Visit>
void for_each_circuit(
    Visit visit, const std::function<void(const FoldedNet&)>& made = [](const FoldedNet&) {}) {
  Draw draw(5);
  for_each_net(support::draws(60), [&](const FoldedNet& net) {
    made(net);
    const ResidueSystem system = system_of(net);
    const bool guarded =
        std::ranges::any_of(system.precedences, [](const Precedence& precedence) { return precedence.modulus > 1; });
    const int walks = guarded ? 600 : 30;  // most fail where guards must hold
    for (int k = 0; k < walks; ++k) {
      const auto moduli = draw_moduli(system, net.pipeline.rows.get_ui(), draw);
      const auto circuit = draw_circuit(system, moduli, draw);
      if (circuit) visit(net, system, moduli, *circuit);
    }
  });
}

// The durations of some laps from a data set on; nothing if a guard forbids a step.
std::optional<Integer> play_laps(const ResidueSystem& system, const std::vector<ClassStep>& circuit,
                                 std::uint64_t data_set, std::uint64_t laps) {
  Integer total = 0;
  for (std::uint64_t lap = 0; lap < laps; ++lap) {
    for (const ClassStep& step : circuit) {
      const Precedence& precedence = system.precedences[step.precedence];
      if (data_set % precedence.modulus != precedence.residue) return std::nullopt;
      total += (*precedence.weights)[data_set % precedence.weights->size()];
      data_set += precedence.height;
    }
  }
  return total;
}

TEST_CASE(
    "the worth of a circuit's precedences is the mean over the laps that they take, and no more than the period") {
  std::size_t real = 0;
  std::size_t none = 0;
  std::size_t forbidden = 0;  // of them, by contradictory guards
  std::size_t several_laps = 0;
  Rational period;
  const auto evaluate = [&](const FoldedNet& net) {
    period = evaluators::evaluate(net, support::options_of(evaluators::Method::unfold)).upper;
  };
  const auto look = [&](const FoldedNet& net, const ResidueSystem& system, const std::vector<std::uint64_t>&,
                        const std::vector<ClassStep>& circuit) {
    const std::uint64_t height = evaluators::height_of(system, circuit);
    const auto worth = evaluators::real_circuit(system, circuit);
    if (!worth) {
      // Only guards can forbid laps: one that the height does not keep, or two that no data set meets.
      const auto forbids = [&](const ClassStep& s) { return height % system.precedences[s.precedence].modulus != 0; };
      REQUIRE(std::ranges::any_of(circuit,
                                  [&](const ClassStep& s) { return system.precedences[s.precedence].modulus > 1; }));
      ++none;
      if (std::ranges::none_of(circuit, forbids)) ++forbidden;
      return;
    }
    ++real;
    const std::uint64_t laps = worth->laps.get_ui();
    if (laps > 1) ++several_laps;
    const auto once = play_laps(system, circuit, worth->data_set, laps);
    const auto thrice = play_laps(system, circuit, worth->data_set, 3 * laps);
    REQUIRE(once.has_value());
    REQUIRE(thrice.has_value());
    REQUIRE(worth->ratio.to_string() == Rational::fraction(*once, Integer(laps * height)).to_string());
    REQUIRE(*thrice == 3 * *once);
    REQUIRE(worth->ratio <= period * Rational(net.pipeline.scale));
  };
  for_each_circuit(look, evaluate);
  REQUIRE(real > support::draws(2000));
  REQUIRE(none > support::draws(20));
  REQUIRE(forbidden > support::draws(5));
  REQUIRE(several_laps > support::draws(100));
}

// A data set from which the precedences, followed one after the other, meet all classes of the circuit in every lap.
bool lifts(const ResidueSystem& system, const std::vector<std::uint64_t>& moduli, const std::vector<ClassStep>& circuit,
           std::uint64_t rows) {
  for (std::uint64_t start = 0; start < rows; ++start) {
    std::uint64_t data_set = start;
    bool meets = true;
    for (int lap = 0; lap < 2 && meets; ++lap) {
      for (const ClassStep& step : circuit) {
        const Precedence& precedence = system.precedences[step.precedence];
        meets = meets && data_set % moduli[precedence.from] == modulo(step.data_set, moduli[precedence.from]);
        data_set += precedence.height;
      }
    }
    if (meets) return true;
  }
  return false;
}

// Whether classes modulo `finer`, each within the circuit's class modulo `moduli`, still join to a circuit.
bool joins(const ResidueSystem& system, const std::vector<std::uint64_t>& moduli,
           const std::vector<std::uint64_t>& finer, const std::vector<ClassStep>& circuit) {
  const auto classes_of = [&](std::size_t t) {
    const std::size_t node = system.precedences[circuit[t].precedence].from;
    std::vector<std::uint64_t> classes;
    for (std::uint64_t p = modulo(circuit[t].data_set, moduli[node]); p < finer[node]; p += moduli[node]) {
      classes.push_back(p);
    }
    return classes;
  };
  for (const std::uint64_t first : classes_of(0)) {
    std::set<std::uint64_t> reached = {first};
    for (std::size_t t = 0; t < circuit.size(); ++t) {
      const Precedence& precedence = system.precedences[circuit[t].precedence];
      const std::uint64_t g = std::gcd(finer[precedence.from], finer[precedence.to]);
      const bool wraps = t + 1 == circuit.size();
      std::set<std::uint64_t> next;
      for (const std::uint64_t to : wraps ? std::vector<std::uint64_t>{first} : classes_of(t + 1)) {
        if (std::ranges::any_of(reached,
                                [&](std::uint64_t from) { return (from + precedence.height) % g == to % g; })) {
          next.insert(to);
        }
      }
      reached = std::move(next);
    }
    if (!reached.empty()) return true;
  }
  return false;
}

TEST_CASE("a circuit of classes is one of the net, or its refinement takes it apart") {
  std::size_t lifting = 0;
  std::size_t refined = 0;
  for_each_circuit([&](const FoldedNet& net, const ResidueSystem& system, const std::vector<std::uint64_t>& moduli,
                       const std::vector<ClassStep>& circuit) {
    const std::uint64_t rows = net.pipeline.rows.get_ui();
    REQUIRE(joins(system, moduli, moduli, circuit));
    const auto refinement = evaluators::cheapest_refinement(system, moduli, circuit);
    REQUIRE(refinement.has_value() != lifts(system, moduli, circuit, rows));
    if (!refinement) {
      ++lifting;
      const auto worth = evaluators::real_circuit(system, circuit);
      REQUIRE(worth.has_value());
      REQUIRE(worth->ratio.to_string() == evaluators::class_ratio(system, circuit).to_string());
      return;
    }
    ++refined;
    std::vector<std::uint64_t> finer = moduli;
    std::uint64_t more = 0;
    for (const auto& [node, modulus] : refinement->moduli) {
      REQUIRE(modulus > moduli[node]);
      REQUIRE(modulus % moduli[node] == 0);
      REQUIRE(rows % modulus == 0);
      more += modulus - moduli[node];
      finer[node] = modulus;
    }
    REQUIRE(refinement->classes == static_cast<double>(more));
    REQUIRE_FALSE(joins(system, moduli, finer, circuit));
  });
  REQUIRE(lifting > support::draws(500));
  REQUIRE(refined > support::draws(500));
}

TEST_CASE("a contradiction at the end of a circuit of many steps is found as well") {
  constexpr std::array<std::size_t, 4> kReplication = {4, 3, 5, 2};
  const FoldedNet net = support::net_of(support::balanced_document(kReplication, 1), tpn::Model::kStrict);
  const ResidueSystem system = system_of(net);
  const std::vector<std::uint64_t>& moduli = system.least_moduli;
  std::size_t pairs = 0;
  for (std::size_t there = 0; there < system.precedences.size(); ++there) {
    const Precedence& first = system.precedences[there];
    for (const std::size_t back : system.outgoing[first.to]) {
      const Precedence& second = system.precedences[back];
      const std::uint64_t joined = std::gcd(moduli[first.from], moduli[first.to]);
      if (second.to != first.from || joined == moduli[first.from] || joined == moduli[first.to]) continue;
      ++pairs;
      std::vector<ClassStep> circuit;
      std::int64_t data_set = 0;
      constexpr int kLaps = 60'000;  // of both moduli a multiple, so that the heights close
      for (int lap = 0; lap < kLaps; ++lap) {
        circuit.push_back({there, data_set});
        data_set += static_cast<std::int64_t>(first.height);
        circuit.push_back({back, data_set});
        data_set += static_cast<std::int64_t>(second.height);
      }
      REQUIRE_FALSE(evaluators::cheapest_refinement(system, moduli, circuit).has_value());
      circuit.back().data_set += static_cast<std::int64_t>(joined);
      REQUIRE(evaluators::cheapest_refinement(system, moduli, circuit).has_value());
    }
  }
  REQUIRE(pairs > 0);
}

}  // namespace
}  // namespace takt
