// Times of stages by type, prices and ports drawn; targets that take some dozens of machines.
#include "bench/plans.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

#include "plan/bounds.hpp"
#include "plan/catalogue.hpp"
#include "plan/counted/counted.hpp"
#include "plan/typed/frontier.hpp"
#include "plan/typed/program.hpp"
#include "tests/support/draw.hpp"

namespace takt::bench {

namespace {

using maxplus::Rational;

// Small integers, or speeds as they are measured, of ten digits.
enum class Digits { few, many };

// Works U(1..100), files U(1..50), speeds U(1..10), ports U(5..50), prices about the speed.
tpn::Document catalogue_document(std::size_t stages, std::size_t types, std::uint64_t seed,
                                 Digits digits = Digits::few) {
  support::Draw draw(seed);
  tpn::Document document;
  document.application.input = draw.between(1, 50);
  for (std::size_t k = 0; k < stages; ++k) {
    tpn::Stage& stage = document.application.stages.emplace_back();
    stage.name = "S" + std::to_string(k);
    stage.work = draw.between(1, 100);
    stage.output = draw.between(1, 50);
  }
  for (std::size_t t = 0; t < types; ++t) {
    tpn::ProcessorType& type = document.platform.types.emplace_back();
    type.name = "T" + std::to_string(t);
    const auto speed = draw.between(1, 10);
    constexpr std::int64_t kBillion = 1'000'000'000;
    type.speed = digits == Digits::few
                     ? Rational(speed)
                     : Rational::fraction(speed * kBillion + draw.between(1, kBillion / 10), kBillion);
    type.bandwidth = draw.between(5, 50);
    type.price = Rational(10 * speed + draw.between(-5, 5)) / Rational(100);
  }
  document.platform.source.emplace();
  document.platform.sink.emplace();
  return document;
}

// A thirtieth of all the work on the first type, and no shorter than any end.
Rational target_of(const plan::Catalogue& catalogue) {
  Rational sum;
  for (std::size_t k = 0; k < catalogue.stages.size(); ++k) sum += *catalogue.stage_time(k, 0);
  Rational period = sum / Rational(30);
  for (const auto* ends : {&catalogue.from_source, &catalogue.to_sink}) {
    for (const auto& time : *ends) period = std::max(period, *time);
  }
  return period;
}

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << "takt_bench: " << what << '\n';
  std::exit(1);
}

std::string ending_of(Digits digits) { return digits == Digits::few ? "" : "_ten_digits"; }

void add_program(std::size_t stages, std::size_t types, Digits digits = Digits::few) {
  const std::string name = fmt::format("plan_{}x{}{}/takt", stages, types, ending_of(digits));
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    const plan::Catalogue catalogue = plan::catalogue_of(catalogue_document(stages, types, 1, digits));
    const plan::Query query{.period = target_of(catalogue)};
    for ([[maybe_unused]] const auto iteration : state)
      require(solve(catalogue, query).plan.has_value(), name + ": no plan");
  })->Unit(benchmark::kMillisecond);
}

void add_frontier(std::size_t stages, std::size_t types, Digits digits = Digits::few) {
  const std::string name = fmt::format("plan_frontier_{}x{}{}/takt", stages, types, ending_of(digits));
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    constexpr std::uint64_t kMachines = 64;
    const plan::Catalogue catalogue = plan::catalogue_of(catalogue_document(stages, types, 1, digits));
    std::size_t points = 0;
    for ([[maybe_unused]] const auto iteration : state) {
      const auto until_machines = [&](const plan::Query& query) {
        auto plan = solve(catalogue, query).plan;
        if (plan && plan::PlanFacts(catalogue, query.model, *plan).machines() > kMachines) plan.reset();
        return plan;
      };
      points = plan::frontier(catalogue, {}, 0, until_machines).points.size();
    }
    require(points > 0, name + ": no point");
    state.counters["points"] = static_cast<double>(points);
  })->Unit(benchmark::kMillisecond);
}

// A latency halfway between the least of all and that of the cheapest plan, and counts of machines by type, if any:
// both bind.
void add_limited(const std::string& name, std::size_t stages, std::size_t types, std::optional<std::uint64_t> count,
                 Digits digits = Digits::few) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    plan::Catalogue catalogue = plan::catalogue_of(catalogue_document(stages, types, 1, digits));
    plan::CountedQuery asked{.query = {.period = target_of(catalogue)}};
    const auto free = solve(catalogue, asked.query).plan;
    require(free.has_value(), name + ": no plan");
    const Rational latency = plan::PlanFacts(catalogue, asked.query.model, *free).latency();
    asked.latency = (latency + plan::latency_bound(catalogue)) / Rational(2);
    for (plan::MachineType& type : catalogue.types) type.count = count;
    for ([[maybe_unused]] const auto iteration : state) {
      const auto answer = solve_within(catalogue, asked);
      require(!answer.cut_short, name + ": cut short");
      state.SetLabel(answer.plan ? answer.cost.to_string() : "no plan");
    }
  })->Unit(benchmark::kMillisecond);
}

void add_counted(std::size_t stages, std::size_t types, std::uint64_t count) {
  add_limited(fmt::format("plan_counted_{}x{}_{}/takt", stages, types, count), stages, types, count);
}

void add_latency(std::size_t stages, std::size_t types, Digits digits = Digits::few) {
  add_limited(fmt::format("plan_latency_{}x{}{}/takt", stages, types, ending_of(digits)), stages, types, std::nullopt,
              digits);
}

}  // namespace

void add_plans() {
  add_program(10, 3);
  add_program(50, 5);
  add_program(50, 8);
  add_program(200, 8);
  add_program(50, 8, Digits::many);
  add_program(200, 8, Digits::many);
  add_program(1000, 1);
  add_frontier(10, 3);
  add_frontier(50, 8);
  add_frontier(50, 8, Digits::many);
  add_latency(50, 8);
  add_latency(50, 8, Digits::many);
  add_latency(200, 8);
  add_counted(20, 3, 10);
  add_counted(20, 3, 20);
  add_counted(50, 5, 20);
}

}  // namespace takt::bench
