// One view holds what each of its parts would be alone, makes it once, and serves mappings that its document lacks.
#include "tpn/problem_view.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/random_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tpn/errors.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/validate.hpp"

namespace takt::tpn {
namespace {

// Two stages on two processors that take so long.
Document two_stages(const Rational& first, const Rational& second) {
  Document document;
  document.application.stages = {{.name = "A", .work = {}, .output = {}}, {.name = "B", .work = {}, .output = {}}};
  document.platform.processors = {{.name = "P0", .speed = {}, .time = first},
                                  {.name = "P1", .speed = {}, .time = second}};
  document.platform.defaults.time = 1;
  return document;
}

TEST_CASE("a view's links and times are those made alone, and made once") {
  support::for_each_document({.seeds = 10}, [](const Document& document) {
    const ProblemView view(document);
    const Timing timing(document);
    const LinkTable links(document, timing);
    const auto exact = TickTimes::exact(document, timing);
    REQUIRE(exact.has_value());
    REQUIRE(view.exact_ticks() != nullptr);
    REQUIRE(view.exact_ticks()->scale() == exact->scale());
    REQUIRE(view.rounded_ticks()->scale() == TickTimes::rounded_down(document, timing)->scale());
    const std::size_t processors = document.platform.processors.size();
    for (std::size_t p = 0; p < processors; ++p) {
      REQUIRE(view.timing().computation(0, 0, p) == timing.computation(0, 0, p));
      REQUIRE(view.exact_ticks()->computation(0, 0, p) == exact->computation(0, 0, p));
      REQUIRE(view.links().from_source(p) == links.from_source(p));
      for (std::size_t q = 0; q < processors; ++q) REQUIRE(view.links().between(p, q) == links.between(p, q));
    }
    REQUIRE(&view.links() == &view.links());
    REQUIRE(view.exact_ticks() == view.exact_ticks());
    REQUIRE(&view.document() == &document);
  });
}

TEST_CASE("short ticks are the exact ones as far as these are short, else those rounded down") {
  const auto chosen = [](const Rational& longest) -> std::string {
    const Document document = two_stages(longest, Rational(3));
    const ProblemView view(document);
    const TickTimes* ticks = view.short_ticks();
    REQUIRE(ticks != nullptr);
    REQUIRE(ticks->longest() <= TickTimes::kMostRoundedTicks);
    REQUIRE((view.exact_ticks() != nullptr) == (longest <= Rational(TickTimes::kMostTicks)));
    return ticks == view.exact_ticks() ? "exact" : ticks == view.rounded_ticks() ? "rounded" : "neither";
  };
  CHECK(chosen(Rational(5)) == "exact");
  CHECK(chosen(Rational(TickTimes::kMostRoundedTicks)) == "exact");
  CHECK(chosen(Rational(TickTimes::kMostRoundedTicks) + 1) == "rounded");
  CHECK(chosen(Rational(TickTimes::kMostTicks)) == "rounded");
  CHECK(chosen(Rational(TickTimes::kMostTicks) + 1) == "rounded");
}

TEST_CASE("there are no ticks where a table of pairs would be too large") {
  Document document = two_stages(2, 3);
  for (std::size_t p = 2; p < 2001; ++p)
    document.platform.processors.push_back({.name = "P" + std::to_string(p), .speed = {}, .time = 3});
  document.platform.links = {{0, 1, {.bandwidth = {}, .latency = {}, .time = 4}, true}};
  const ProblemView view(document);
  CHECK(view.exact_ticks() == nullptr);
  CHECK(view.rounded_ticks() == nullptr);
  CHECK(view.short_ticks() == nullptr);
}

TEST_CASE("threads that ask a view for the first time get the same") {
  const Document document = support::random_document(support::Kind::intervals, 3);
  const ProblemView view(document);
  struct Seen {
    const LinkTable* links = nullptr;
    const TickTimes* ticks = nullptr;
  };
  std::array<Seen, 4> seen;
  std::vector<std::thread> threads;
  for (Seen& own : seen) threads.emplace_back([&view, &own] { own = {&view.links(), view.short_ticks()}; });
  for (std::thread& thread : threads) thread.join();
  for (const Seen& own : seen) {
    REQUIRE(own.links == &view.links());
    REQUIRE(own.ticks == view.short_ticks());
    REQUIRE(own.ticks != nullptr);
  }
}

TEST_CASE("a pipeline of a mapping is that of the document with the mapping, whatever mapping the document has") {
  support::for_each_document({.seeds = 10}, [](const Document& document) {
    Document problem = document;
    problem.mapping.reset();
    const ProblemView view(problem);
    REQUIRE_NOTHROW(validate_mapping(view, *document.mapping));
    const auto expected = std::get<Pipeline>(make_pipeline(document));
    const auto found = std::get<Pipeline>(make_pipeline(view, *document.mapping));
    REQUIRE(found.rows == expected.rows);
    REQUIRE(found.scale == expected.scale);
    REQUIRE(found.processors == expected.processors);
    REQUIRE(found.columns.size() == expected.columns.size());
    for (const ColumnIndex column : expected.all_columns()) {
      REQUIRE(found.columns[column].period == expected.columns[column].period);
      for (std::uint64_t data_set = 0; data_set < 20; ++data_set)
        REQUIRE(found.duration({data_set, column}) == expected.duration({data_set, column}));
    }
  });
  const Document document = two_stages(1, 2);
  const ProblemView view(document);
  const Mapping mapping{{0, 0, {0}}, {1, 1, {1}}};
  CHECK(std::holds_alternative<TooLarge>(make_pipeline(view, mapping, 0)));
  CHECK_THROWS_AS(validate_mapping(view, Mapping{{0, 0, {0}}}), InvalidInstance);
}

}  // namespace
}  // namespace takt::tpn
