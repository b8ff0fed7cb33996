// Where data sets arrive at several parts, or several deliver them: windows, completion and stays as a simulation of
// the document, event by event, has them.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/completion.hpp"
#include "evaluators/insight/latency.hpp"
#include "evaluators/insight/paced.hpp"
#include "evaluators/insight/window.hpp"
#include "evaluators/play/play.hpp"
#include "tests/evaluators/host_simulation.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/capacity.hpp"
#include "tpn/errors.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt {
namespace {

using maxplus::Integer;
using maxplus::Rational;
using tpn::FoldedNet;
using tpn::Model;

// One with several entries or exits; transfers of every other one are ahead.
tpn::Document several_places(support::Draw& draw) {
  for (;;) {
    tpn::Document document = support::small_workflow(draw);
    const auto is_entry = [](const tpn::Stage& stage) { return stage.after->empty(); };
    const std::vector<bool> are_exits = tpn::exit_stages(document.application);
    const bool has_entries =
        !document.platform.source && std::ranges::count_if(document.application.stages, is_entry) > 1;
    const bool has_exits = !document.platform.sink && std::ranges::count(are_exits, true) > 1;
    if (!has_entries && !has_exits) continue;
    if (draw.coin()) return document;
    for (const tpn::FileRoute& route :
         tpn::routes_of(document.application, *document.mapping, tpn::outer_ends(document.platform)))
      if (draw.coin()) document.transfers.push_back({route.from, route.to, draw.count(0, 2)});
    return document;
  }
}

template <typename Judge>
void for_each_workflow(std::uint64_t seed, std::uint64_t all, Judge judge) {
  support::Draw draw(seed);
  for (std::uint64_t n = support::draws(all); n > 0; --n) {
    const tpn::Document document = several_places(draw);
    for (const Model model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      CAPTURE(n, tpn::name_of(model), tpn::write_document(document));
      judge(document, support::net_of(document, model), draw);
    }
  }
}

// Data sets that are under way before the first is delivered, less one.
std::uint64_t most_shift(const tpn::Pipeline& pipeline) {
  std::uint64_t most = 0;
  for (const tpn::PartIndex exit : pipeline.exits())
    most = std::max(most, pipeline.columns[pipeline.parts[exit].computation].shift);
  return most;
}

FoldedNet with_window(const FoldedNet& net, std::uint64_t window) {
  return std::get<FoldedNet>(tpn::with_capacity(net, {.buffers = {}, .window = window}));
}

TEST_CASE("with a window every operation starts when a simulation says, and all methods prove the period") {
  int narrow = 0;  // windows that cost something
  for_each_workflow(31, 240, [&](const tpn::Document& document, const FoldedNet& net, support::Draw& draw) {
    const std::uint64_t shift = most_shift(net.pipeline);
    if (shift > 0) REQUIRE_THROWS_AS(with_window(net, shift), tpn::InvalidInstance);
    const std::uint64_t window = shift + draw.count(1, 3);
    CAPTURE(window);
    const FoldedNet limited = with_window(net, window);
    const std::uint64_t data_sets = 2 * net.pipeline.rows.get_ui() + 12;
    REQUIRE(support::played_starts(limited, data_sets) ==
            support::simulated_starts(document, net.model, data_sets, {.window = window, .pace = {}}));
    const Rational period = support::boosts_period(limited);
    narrow += support::period_of(net) < period ? 1 : 0;
    support::require_every_way(limited, period);
  });
  CHECK(narrow > 10);
}

TEST_CASE("the least window of several places keeps the period, and one data set fewer does not") {
  for_each_workflow(37, 160, [](const tpn::Document&, const FoldedNet& net, support::Draw&) {
    const Rational period = support::period_of(net);
    const auto window = evaluators::least_window(net, period, 1000);
    REQUIRE(window);
    REQUIRE(support::period_of(with_window(net, *window)) == period);
    if (*window > most_shift(net.pipeline) + 1) REQUIRE(period < support::period_of(with_window(net, *window - 1)));
  });
}

Rational simulated_completion(const tpn::Document& document, const Model& model, std::uint64_t data_sets) {
  const std::vector<Rational> ends = support::simulated_deliveries(document, model, data_sets);
  return *std::ranges::max_element(ends);
}

TEST_CASE("the first data sets are done when a simulation has delivered all of them") {
  for_each_workflow(41, 240, [](const tpn::Document& document, const FoldedNet& net, support::Draw&) {
    const std::vector<std::uint64_t> counts = {1, 2, 3, 7, 20};
    const std::vector<Integer> asked(counts.begin(), counts.end());
    const evaluators::Completions found = evaluators::completions_of(net, asked);
    const evaluators::Evaluation evaluation = evaluators::evaluate(net, {});
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const Rational done = simulated_completion(document, net.model, counts[k]);
      REQUIRE(found.times[k].lower == done);
      REQUIRE(found.times[k].upper == done);
      const evaluators::CompletionTime bounds = evaluators::completion_bounds(net, evaluation, asked[k]);
      REQUIRE(bounds.lower <= done);
      REQUIRE(done <= bounds.upper);
    }
    const auto repeating = evaluators::repeating_ends(net);
    REQUIRE(repeating.has_value() != net.pipeline.is_shifted());
    if (!repeating) return;
    const std::uint64_t most = repeating->transient + 3 * repeating->repeats_every + 2;
    if (most > 200) return;
    const std::vector<Rational> ends = support::simulated_deliveries(document, net.model, most);
    Rational latest;
    for (std::uint64_t n = 1; n <= most; ++n) {
      latest = std::max(latest, ends[n - 1]);
      REQUIRE(repeating->completion(n) == latest);
    }
  });
}

TEST_CASE(
    "in an even stream no data set of a simulation stays longer than the paced latency, and all do as long in the "
    "end") {
  // Of nets without transfers ahead, and of those with some.
  std::array<int, 2> settled{};
  std::array<int, 2> all{};
  for_each_workflow(43, 240, [&](const tpn::Document& document, const FoldedNet& net, support::Draw&) {
    const Rational period = support::period_of(net);
    const auto paced = std::get<evaluators::PacedSchedule>(evaluators::paced_schedule(net, period));
    const evaluators::Latency latency = evaluators::latency_of(net, paced);
    const std::uint64_t rows = paced.rows;
    const std::uint64_t data_sets = 12 * rows + 40;
    const std::vector<Rational> ends =
        support::simulated_deliveries(document, net.model, data_sets, {.window = 0, .pace = period});
    for (std::uint64_t j = 0; j < data_sets; ++j)
      REQUIRE(ends[j] - period * Rational(j) <= latency.paced_by_class[j % rows]);
    // Before those that no later data set holds back.
    bool is_equal = true;
    for (std::uint64_t j = data_sets - 20 - rows; j < data_sets - 20; ++j)
      is_equal = is_equal && ends[j] - period * Rational(j) == latency.paced_by_class[j % rows];
    const std::size_t kind = net.pipeline.is_shifted() ? 1 : 0;
    settled.at(kind) += is_equal ? 1 : 0;
    ++all.at(kind);
  });
  for (const std::size_t kind : {0U, 1U}) {
    CAPTURE(kind, settled, all);
    CHECK(all.at(kind) > 5);
    CHECK(settled.at(kind) * 10 > all.at(kind) * 9);
  }
}

TEST_CASE("alone a data set stays as long as one that is simulated alone") {
  for_each_workflow(47, 240, [](const tpn::Document& document, const FoldedNet& net, support::Draw&) {
    if (net.pipeline.is_shifted()) return;
    const auto paced = std::get<evaluators::PacedSchedule>(evaluators::paced_schedule(net, support::period_of(net)));
    const std::vector<Rational> alone = evaluators::latency_of(net, paced).alone_by_class;
    for (std::size_t j = 0; j < alone.size(); ++j) {
      tpn::Document later = document;
      for (tpn::Part& part : *later.mapping) {
        const std::size_t by = j % part.processors.size();
        std::rotate(part.processors.begin(), part.processors.begin() + static_cast<std::ptrdiff_t>(by),
                    part.processors.end());
      }
      REQUIRE(support::simulated_deliveries(later, net.model, 1) == std::vector{alone[j]});
    }
  });
}

// Whether any data sets' stays grow: by what the pace of the slowest of their ends and that of the quickest differ.
bool require_growth(const FoldedNet& net) {
  const auto growth = std::get<std::vector<Rational>>(evaluators::unpaced_growth(net));
  // Repetitions of up to 12 hyper-periods, after a long transient.
  constexpr std::uint64_t kApart = 2520;
  constexpr std::uint64_t kFirst = 3000;
  std::vector<std::optional<Rational>> first(kFirst + kApart + growth.size());
  std::vector<Rational> last(first.size());
  const auto is_one_of = [&](const std::vector<tpn::PartIndex>& parts, tpn::ColumnIndex c) {
    return std::ranges::any_of(parts, [&](tpn::PartIndex p) { return net.pipeline.parts[p].computation == c; });
  };
  const std::vector<tpn::PartIndex> entries = net.pipeline.entries();
  const std::vector<tpn::PartIndex> exits = net.pipeline.exits();
  evaluators::play(net, first.size(), [&](const evaluators::Firing& firing) {
    const auto [j, c] = firing.operation;
    if (is_one_of(entries, c)) first[j] = std::min(first[j].value_or(firing.start), firing.start);
    if (is_one_of(exits, c)) last[j] = std::max(last[j], firing.end);
    return true;
  });
  for (std::uint64_t j = kFirst; j < kFirst + growth.size(); ++j) {
    const Rational longer = (last[j + kApart] - *first[j + kApart]) - (last[j] - *first[j]);
    REQUIRE(longer == growth[j % growth.size()] * Rational(kApart));
  }
  return std::ranges::any_of(growth, [](const Rational& by) { return by.sign() > 0; });
}

TEST_CASE("unpaced stays grow by what the paces of their ends differ") {
  int growing = 0;
  support::for_each_net({support::draws(6), 1}, tpn::default_models(), [&](const FoldedNet& net) {
    if (net.pipeline.rows <= 6) growing += require_growth(net) ? 1 : 0;
  });
  CHECK(growing > 0);
}

TEST_CASE("unpaced stays of several places grow by what their slowest and quickest ends differ") {
  int growing = 0;
  for_each_workflow(53, 120, [&](const tpn::Document&, const FoldedNet& net, support::Draw&) {
    if (!net.pipeline.is_shifted()) growing += require_growth(net) ? 1 : 0;
  });
  CHECK(growing > 1);
}

}  // namespace
}  // namespace takt
