// Both ways answer for the same draws, held against each other before any time counts.
#include "bench/draws.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "bench/memory.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "evaluators/mappings/table_evaluator.hpp"
#include "experiments/draws/generator.hpp"
#include "tpn/validate.hpp"

namespace takt::bench {

namespace {

using evaluators::OnePortEvaluations;
using evaluators::TableEvaluation;
using experiments::DrawKey;

// Draws of a cell, by number.
class DrawnCell {
 public:
  DrawnCell(std::uint64_t stages, std::uint64_t processors) : arguments_(generator()) {
    arguments_.set("stages", stages);
    arguments_.set("processors", processors);
    key_.cell = experiments::cell_hash(arguments_.canonical());
    filler_ = generator().table_filler(arguments_);
  }

  void fill(std::uint64_t draw) { filler_->fill(key_of(draw), table_); }

  OnePortEvaluations by_table(std::uint64_t draw) {
    fill(draw);
    return evaluator_.evaluate(table_);
  }

  OnePortEvaluations by_document(std::uint64_t draw) const {
    const tpn::Document document = generator().draw(arguments_, key_of(draw));
    tpn::validate(document);
    evaluators::MappingEvaluator evaluator(document);
    const auto evaluate = [&](tpn::Model model) -> TableEvaluation {
      return {evaluator.evaluate(*document.mapping, model), *evaluator.largest_cycle_time(*document.mapping, model)};
    };
    return {evaluate(tpn::Model::kOverlap), evaluate(tpn::Model::kStrict)};
  }

 private:
  static const experiments::Generator& generator() { return *experiments::find_generator("replicated-mapping"); }

  DrawKey key_of(std::uint64_t draw) const {
    DrawKey key = key_;
    key.draw = draw;
    return key;
  }

  experiments::Arguments arguments_;
  DrawKey key_;
  std::unique_ptr<experiments::TableFiller> filler_;
  evaluators::TimeTable table_;
  evaluators::TableEvaluator evaluator_;
};

bool are_equal(const TableEvaluation& a, const TableEvaluation& b) {
  return a.period.upper == a.period.lower && a.period.lower == b.period.lower && a.period.upper == b.period.upper &&
         a.largest_cycle_time == b.largest_cycle_time;
}

// A wrong answer ends the program: no time means anything then.
void check(DrawnCell& cell) {
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    const OnePortEvaluations found = cell.by_table(draw);
    const OnePortEvaluations expected = cell.by_document(draw);
    if (are_equal(found.overlap, expected.overlap) && are_equal(found.strict, expected.strict)) continue;
    std::cerr << "takt_bench: draw " << draw << " is another as a table and as a document\n";
    std::exit(1);
  }
}

template <typename Answer>
void add(std::uint64_t stages, std::uint64_t processors, std::string_view who, Answer answer) {
  const std::string name =
      "draws_" + std::to_string(stages) + "x" + std::to_string(processors) + "/" + std::string(who);
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    DrawnCell cell(stages, processors);
    check(cell);
    reset_peak_memory();
    std::uint64_t draw = 0;
    for ([[maybe_unused]] const auto iteration : state) answer(cell, draw++);
    state.counters["peak_MiB"] = peak_memory();
    state.SetItemsProcessed(state.iterations());
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

void add_draws() {
  constexpr std::uint64_t kSizes[][2] = {{2, 7}, {10, 20}, {10, 30}, {20, 30}};
  for (const auto& [stages, processors] : kSizes) {
    add(stages, processors, "tables",
        [](DrawnCell& cell, std::uint64_t draw) { benchmark::DoNotOptimize(cell.by_table(draw)); });
    add(stages, processors, "documents",
        [](DrawnCell& cell, std::uint64_t draw) { benchmark::DoNotOptimize(cell.by_document(draw)); });
    add(stages, processors, "fill", [](DrawnCell& cell, std::uint64_t draw) { cell.fill(draw); });
  }
}

}  // namespace takt::bench
