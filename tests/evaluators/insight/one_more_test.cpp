// One port, or one core, more: each period against that of the document in which somebody wrote the larger number.
#include "evaluators/insight/one_more.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/typed_documents.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt {
namespace {

using maxplus::Rational;
using tpn::Document;
using tpn::DocumentCount;
using tpn::Model;

struct OneMoreTally {
  int rows = 0;
  int together = 0;
  int shorter = 0;
  int longer = 0;
  int left_out = 0;
};

// Nothing if the document or its net is refused.
std::optional<Rational> period_with_larger_numbers(const Document& document, const std::vector<DocumentCount>& counts,
                                                   const Model& model) {
  auto text = nlohmann::ordered_json::parse(tpn::write_document(document));
  for (const DocumentCount& count : counts) text[nlohmann::ordered_json::json_pointer(count.pointer)] = count.value + 1;
  return support::unless_refused(
      [&] { return support::period_of(support::net_of(tpn::read_document(text.dump(), "changed"), model)); });
}

// Stages on one processor have to stay there.
Document with_lone_stages(Document document) {
  for (const tpn::Part& part : *document.mapping) {
    const bool is_lone = std::ranges::count(part.processors, part.processors.front()) ==
                         static_cast<std::ptrdiff_t>(part.processors.size());
    if (is_lone) document.application.stages[part.first_stage].replicable = false;
  }
  return document;
}

void require_rows(const Document& written, const Model& model, OneMoreTally& tally) {
  const Document document = tpn::read_document(tpn::write_document(written), "written");
  const tpn::FoldedNet net = support::net_of(document, model);
  const evaluators::Evaluation evaluation = evaluators::evaluate(net);
  REQUIRE(evaluation.exact());
  const auto asked = evaluators::one_more_rows(net, document, false);
  const auto analysis = evaluators::analyze_one_more(net, document, evaluation, {}, asked);
  REQUIRE(analysis.is_whole());
  std::size_t next = 0;
  for (const std::vector<DocumentCount>& counts : asked) {
    CAPTURE(counts.front().pointer, counts.size(), tpn::write_document(document));
    const auto wanted = period_with_larger_numbers(document, counts, model);
    const bool is_told = next < analysis.rows.size() && analysis.rows[next].counts == counts;
    REQUIRE(is_told == wanted.has_value());
    if (!is_told) {
      ++tally.left_out;
      continue;
    }
    const Rational& period = analysis.rows[next++].period.value();
    REQUIRE(period == *wanted);
    ++tally.rows;
    tally.together += counts.size() > 1 ? 1 : 0;
    tally.shorter += period < evaluation.lower ? 1 : 0;
    tally.longer += evaluation.lower < period ? 1 : 0;
    // Two ports in place of one make no period longer.
    if (counts.front().quantity == DocumentCount::Quantity::ports && counts.front().value == 1)
      REQUIRE(period <= evaluation.lower);
  }
  REQUIRE(next == analysis.rows.size());
}

TEST_CASE("the period with one more is that of the document with the larger number") {
  OneMoreTally tally;
  for (std::uint64_t seed = 1; seed <= support::draws(60); ++seed) {
    for (const Model& model : support::all_models()) {
      INFO("seed " << seed << ", " << tpn::label_of(model));
      require_rows(support::host_document(seed), model, tally);
      const support::Kind kind = support::kKinds[seed % std::size(support::kKinds)];
      const Document typed = support::with_random_types(support::random_document(kind, seed), seed);
      require_rows(seed % 2 == 0 ? with_lone_stages(typed) : typed, model, tally);
      for (const Document& drawn :
           {support::ahead_document(seed), support::segment_document(seed), support::batch_document(seed)})
        if (support::unless_refused([&] { return support::net_of(drawn, model); })) require_rows(drawn, model, tally);
      if (model.rooms() != 0) continue;
      require_rows(support::alike_document(seed, seed % 2 == 0), model, tally);
    }
  }
  CHECK(tally.rows > 50);
  CHECK(tally.together > 5);
  CHECK(tally.shorter > 5);
  CHECK(tally.longer > 0);
  CHECK(tally.left_out > 0);
}

TEST_CASE("ports have rows where they are a resource of the net") {
  const Document document = support::document_of("examples/example-a.json");
  const auto ports_under = [&](const Model& model) {
    int ports = 0;
    for (const auto& row : evaluators::one_more_rows(support::net_of(document, model), document, true))
      ports += row.front().quantity == DocumentCount::Quantity::ports ? 1 : 0;
    return ports;
  };
  CHECK(ports_under(Model::kOverlap) == 7);
  CHECK(ports_under(Model::kStrict) == 0);
}

TEST_CASE("machines that are alike are one row under all models, whichever ports matter there") {
  // Under STRICT the ports of a host of several processors alone are a resource beside these.
  const Document document = tpn::read_document(R"({
    "application": {"stages": [{"name": "A", "work": 1, "output": 1}, {"name": "B", "work": 1, "output": 1},
                               {"name": "C", "work": 1}]},
    "platform": {"processors": [{"name": "m", "cores": 2, "speed": 1}, {"name": "n", "cores": 2, "speed": 1},
                                {"name": "P", "speed": 1}, {"name": "Q", "speed": 1}, {"name": "R", "speed": 1}],
                 "bandwidth": 1},
    "mapping": [{"stages": ["A"], "processors": ["Q"]}, {"stages": ["B"], "processors": ["m", "n", "P", "P"]},
                {"stages": ["C"], "processors": ["R"]}]})",
                                               "alike");
  for (const Model& model : {Model::kOverlap, Model::kStrict}) {
    std::vector<std::string> names;
    for (const auto& row : evaluators::one_more_rows(support::net_of(document, model), document, false))
      if (row.front().quantity == DocumentCount::Quantity::ports) names.push_back(tpn::name_of(row));
    CAPTURE(names);
    CHECK(names.front() == "m, n, P ports");
    CHECK(std::ranges::count(names, "P ports") == (model == Model::kOverlap ? 1 : 0));
    CHECK(std::ranges::count(names, "m ports") == 1);
  }
}

TEST_CASE("every number that matters has a row of its own, but for many that are alike") {
  int alone = 0;
  int unlike = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const Document& document : {support::host_document(seed), support::segment_document(seed)}) {
      for (const Model& model : {Model::kOverlap, Model::kStrict}) {
        CAPTURE(seed, tpn::write_document(document));
        const tpn::FoldedNet net = support::net_of(document, model);
        const auto rows = evaluators::one_more_rows(net, document, false);
        const auto each = evaluators::one_more_rows(net, document, true);
        for (const auto& one : each) {
          REQUIRE(one.size() == 1);
          const bool is_alone = std::ranges::find(rows, one) != rows.end();
          const auto with_others = std::ranges::find_if(rows, [&](const auto& row) {
            return row.size() > 1 && std::ranges::find(row, one.front()) != row.end();
          });
          CHECK((is_alone || (with_others != rows.end() && with_others->size() > evaluators::kFewAlike)));
          alone += is_alone ? 1 : 0;
          unlike += with_others == rows.end() ? 1 : 0;
        }
      }
    }
  }
  CHECK(alone > 500);
  CHECK(unlike > 300);
}

TEST_CASE("many alike ones are one row, unless each is asked for") {
  Document document;
  document.application.stages = {{.name = "A", .work = 1, .output = {}}};
  document.mapping = {{0, 0, {}}};
  const std::size_t many = evaluators::kFewAlike + 1;
  for (std::size_t p = 0; p < many; ++p) {
    document.platform.processors.push_back({.name = "P" + std::to_string(p), .speed = 1, .time = {}});
    document.mapping->front().processors.push_back(p);
  }
  const tpn::FoldedNet net = support::net_of(document, Model::kOverlap);
  const auto rows = evaluators::one_more_rows(net, document, false);
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().size() == many);
  CHECK(evaluators::one_more_rows(net, document, true).size() == many);
  document.mapping->front().processors.pop_back();
  const tpn::FoldedNet smaller = support::net_of(document, Model::kOverlap);
  CHECK(evaluators::one_more_rows(smaller, document, false).size() == 1 + evaluators::kFewAlike);
}

TEST_CASE("rows that there is no time for are counted, and the shortest period comes first") {
  const Document document = support::document_of("examples/example-a.json");
  const tpn::FoldedNet net = support::net_of(document, Model::kStrict);
  const auto evaluation = evaluators::evaluate(net);
  const auto asked = evaluators::one_more_rows(net, document, false);
  evaluators::Options late;
  late.deadline = evaluators::Deadline::Clock::now();
  const auto nothing = evaluators::analyze_one_more(net, document, evaluation, late, asked);
  CHECK(nothing.rows.empty());
  CHECK(nothing.unasked == asked.size());
  auto all = evaluators::analyze_one_more(net, document, evaluation, {}, asked);
  REQUIRE(all.is_whole());
  all.rows[0].period = std::nullopt;
  evaluators::sort_by_period(all.rows);
  CHECK_FALSE(all.rows.back().period);
  for (std::size_t r = 0; r + 2 < all.rows.size(); ++r) CHECK(*all.rows[r].period <= *all.rows[r + 1].period);
  CHECK(*all.rows.front().period == Rational(210));
}

}  // namespace
}  // namespace takt
