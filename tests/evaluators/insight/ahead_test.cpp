// Transfers that are ahead: the server of two parts, and random instances whose choice keeps what is said of it.
#include "evaluators/insight/ahead.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <variant>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/problem_view.hpp"

namespace takt {
namespace {

using maxplus::Rational;
using tpn::Model;

tpn::Pipeline pipeline_of(const tpn::Document& document) {
  return std::get<tpn::Pipeline>(tpn::make_pipeline(tpn::ProblemView(document), *document.mapping));
}

// Nothing if a room would wait for itself.
std::optional<Rational> period_with(const tpn::Pipeline& pipeline, const std::vector<std::uint64_t>& ahead,
                                    const Model& model) {
  return support::unless_refused(
      [&] { return support::period_of(std::get<tpn::FoldedNet>(tpn::fold(tpn::with_ahead(pipeline, ahead), model))); });
}

TEST_CASE("the server in two parts takes 39, 22 and 15 ms with 0, 1 and 2 frames ahead") {
  const tpn::Document document = support::document_of("examples/server-in-two-parts.json");
  const tpn::Pipeline pipeline = pipeline_of(document);
  const auto ms = [](std::int64_t time) { return Rational::fraction(time, 1000); };
  using Ahead = std::vector<std::uint64_t>;
  CHECK(period_with(pipeline, Ahead{0, 0, 0, 0, 0}, Model::kOverlap) == ms(39));
  CHECK(period_with(pipeline, Ahead{0, 1, 0, 0, 0}, Model::kOverlap) == ms(22));
  for (const Ahead& ahead : {Ahead{0, 2, 0, 0, 0}, Ahead{0, 1, 0, 1, 0}, Ahead{0, 0, 0, 2, 0}})
    CHECK(period_with(pipeline, ahead, Model::kOverlap) == ms(15));
  CHECK(period_with(pipeline, Ahead{0, 0, 0, 0, 0}, Model::kStrict) == ms(39));
  CHECK(period_with(pipeline, Ahead{0, 1, 0, 0, 0}, Model::kStrict) == ms(22));
  // Nothing up to 8 on either transfer is better.
  for (std::uint64_t first = 0; first <= 8; ++first) {
    for (std::uint64_t second = 0; second <= 8; ++second)
      CHECK(*period_with(pipeline, Ahead{0, first, 0, second, 0}, Model::kStrict) >= ms(22));
  }
  const auto overlap = evaluators::best_ahead(pipeline, Model::kOverlap, ms(39));
  REQUIRE(overlap);
  CHECK(overlap->ahead == Ahead{0, 2, 0, 0, 0});
  CHECK(overlap->period == ms(15));
  CHECK(overlap->is_least);
  const auto strict = evaluators::best_ahead(pipeline, Model::kStrict, ms(39));
  REQUIRE(strict);
  CHECK(strict->ahead == Ahead{0, 1, 0, 0, 0});
  CHECK(strict->period == ms(22));
  CHECK_FALSE(strict->is_least);
  CHECK(strict->is_searched);
  CHECK_FALSE(evaluators::best_ahead(pipeline, Model::kStrict, ms(22)));
}

TEST_CASE("of a choice of what is ahead nothing can be lowered, and what is called the least is") {
  int found = 0;
  int least = 0;
  const auto hold = [&](const tpn::FoldedNet& plain, const tpn::Document& document, std::uint64_t) {
    const tpn::Pipeline pipeline = pipeline_of(document);
    const Model& model = plain.model;
    const Rational period = support::period_of(plain);
    const auto choice = evaluators::best_ahead(pipeline, model, period);
    if (!choice) return;
    ++found;
    REQUIRE(choice->is_searched);
    REQUIRE(choice->period < period);
    REQUIRE(period_with(pipeline, choice->ahead, model) == choice->period);
    const auto net = std::get<tpn::FoldedNet>(tpn::fold(tpn::with_ahead(pipeline, choice->ahead), model));
    REQUIRE(choice->is_least == (evaluators::least_of_any_order(net) == choice->period));
    least += choice->is_least ? 1 : 0;
    for (const tpn::ColumnIndex c : pipeline.all_columns()) {
      for (std::uint64_t less = 0; less < choice->ahead[c]; ++less) {
        std::vector<std::uint64_t> lower = choice->ahead;
        lower[c] = less;
        const auto with = period_with(pipeline, lower, model);
        REQUIRE((!with || *with > choice->period));
      }
    }
  };
  support::for_each_net_of(support::host_document, support::draws(600), support::all_models(), hold);
  CHECK(found > 20);
  CHECK(least > 5);
}

// The shortest period of all choices of up to so many data sets; nothing if there are too many transfers.
std::optional<Rational> least_of_all(const tpn::Pipeline& pipeline, std::uint64_t most, const Model& model) {
  std::vector<std::size_t> transfers;
  for (const tpn::ColumnIndex c : pipeline.all_columns())
    if (pipeline.is_transfer(c)) transfers.push_back(c);
  if (transfers.size() > 3) return std::nullopt;
  std::vector<std::uint64_t> ahead(pipeline.columns.size(), 0);
  std::optional<Rational> least;
  while (true) {
    const auto period = period_with(pipeline, ahead, model);
    if (period && (!least || *period < *least)) least = period;
    auto next = transfers.begin();
    while (next != transfers.end() && ahead[*next] == most) ahead[*next++] = 0;
    if (next == transfers.end()) return least;
    ++ahead[*next];
  }
}

TEST_CASE("of few transfers the best choice found is the best of all choices, or nearly always") {
  std::size_t asked = 0;
  std::size_t missed = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(1000); ++seed) {
    const tpn::Pipeline pipeline = pipeline_of(support::host_document(seed));
    for (const Model& model : {Model::kOverlap, Model::kStrict}) {
      CAPTURE(seed, tpn::label_of(model));
      const auto least = least_of_all(pipeline, 5, model);
      if (!least) continue;
      const Rational present = *period_with(pipeline, std::vector<std::uint64_t>(pipeline.columns.size(), 0), model);
      const auto choice = evaluators::best_ahead(pipeline, model, present, {}, UINT64_MAX);
      const Rational found = choice ? choice->period : present;
      ++asked;
      missed += *least < found ? 1 : 0;
      if (choice && choice->is_least) REQUIRE(found <= *least);
    }
  }
  CHECK(asked > 10);
  CHECK(100 * missed <= asked);
}

// Nothing if a room is too small.
std::optional<Rational> period_of_document(const tpn::Document& document) {
  try {
    return support::period_of(std::get<tpn::FoldedNet>(tpn::fold(document, Model::kOverlap)));
  } catch (const tpn::InvalidInstance&) {
    return std::nullopt;
  }
}

TEST_CASE("a search keeps rooms, and begins with what is ahead") {
  for (std::uint64_t seed = 1; seed <= support::draws(300); ++seed) {
    CAPTURE(seed);
    const tpn::Document document = support::ordered_document(seed);
    tpn::Document plain = document;
    plain.transfers.clear();
    const auto pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(plain));
    const evaluators::TransferTerms terms{tpn::ahead_of_transfers(document, pipeline),
                                          tpn::rooms_of_transfers(document, pipeline)};
    const auto present = period_of_document(document);
    if (!present) continue;
    const auto choice = evaluators::best_ahead(pipeline, Model::kOverlap, *present, {}, 100'000, terms);
    if (!choice) continue;
    REQUIRE(choice->period < *present);
    auto folded = tpn::fold(tpn::with_ahead(pipeline, choice->ahead), Model::kOverlap);
    auto& net = std::get<tpn::FoldedNet>(folded);
    const auto limited = tpn::with_capacity(net, {.buffers = tpn::buffers_with(net.pipeline, terms.room)});
    REQUIRE(support::period_of(std::get<tpn::FoldedNet>(limited)) == choice->period);
  }
}

}  // namespace
}  // namespace takt
