// The fuzzer finds what is planted and shrinks it; a sample of its nets; what it, or anyone, found before.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "evaluators/sweep/sweep.hpp"
#include "tests/evaluators/fuzz/draw_fuzz_net.hpp"
#include "tests/evaluators/fuzz/judge_fuzz_net.hpp"
#include "tests/evaluators/fuzz/shrink.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using maxplus::Integer;
using maxplus::Rational;
using support::FuzzNet;
using support::FuzzTally;
using support::FuzzWay;

// The first net of a kind, by seed, that fails, and what is left of it.
template <typename Fails>
FuzzNet shrunk_first(std::size_t kind, Fails fails) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const FuzzNet net = support::draw_fuzz_net(kind, seed);
    if (fails(net)) return support::shrink(net, fails);
  }
  throw std::logic_error("no net fails");
}

TEST_CASE("a net is shrunk to what it fails by, whatever kind it is of") {
  // A part of two processors one of which takes more than 5.
  const auto fails = [](const FuzzNet& net) {
    const auto pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(net.document));
    for (std::size_t i = 0; i < pipeline.parts.size(); ++i) {
      const auto& sequence = pipeline.parts[i].sequence;
      if (std::ranges::count(sequence, sequence.front()) == std::ssize(sequence)) continue;
      if (Rational(pipeline.columns[pipeline.parts[i].computation].table.longest()) >
          Rational(5) * Rational(pipeline.scale))
        return true;
    }
    return false;
  };
  for (std::size_t kind = 0; kind < support::fuzz_kinds().size(); ++kind) {
    INFO(support::fuzz_kinds()[kind]);
    const FuzzNet least = shrunk_first(kind, fails);
    CAPTURE(support::write_fuzz_net(least, ""));
    const tpn::Document& document = least.document;
    CHECK(fails(least));
    CHECK(document.model == tpn::Model::kOverlap);
    CHECK_FALSE(least.is_limited());
    REQUIRE(document.mapping->size() == 1);
    CHECK(document.mapping->front().processors.size() == 2);
    CHECK(document.application.stages == std::vector<tpn::Stage>{{.name = "S0", .work = {}, .output = {}}});
    tpn::Platform platform;
    for (const char* name : {"P0", "P1"})
      platform.processors.push_back({.name = name, .speed = {}, .time = Rational()});
    platform.processors[document.platform.processors[0].time == Rational(6) ? 0 : 1].time = 6;
    CHECK(document.platform == platform);
  }
}

TEST_CASE("limits and models that matter stay when a net is shrunk") {
  const auto fails = [](const FuzzNet& net) {
    return net.window > 1 && net.document.model->rooms() > 1 && !net.buffers.empty();
  };
  const FuzzNet least = shrunk_first(6, fails);
  CHECK(least.window == 2);
  CHECK(least.document.model->rooms() == 2);
  REQUIRE(least.buffers.size() == 1);
  CHECK(least.buffers.front().room == 1);
  CHECK(least.document.mapping->size() == 1);
  CHECK(least.document.platform.processors.size() == 1);
}

TEST_CASE("a method that is wrong where a transfer takes 3 or more is found and shrunk to such a transfer") {
  const std::array<FuzzWay, 1> wrong{{{"wrong", [](const tpn::FoldedNet& net) {
                                         evaluators::Evaluation answer = evaluators::sweep(net, {});
                                         const auto& columns = net.pipeline.columns;
                                         const Rational three = Rational(3) * Rational(net.pipeline.scale);
                                         const bool is_wrong = std::ranges::any_of(columns, [&](const auto& column) {
                                           return column.kind == tpn::ColumnKind::transfer &&
                                                  Rational(column.table.longest()) >= three;
                                         });
                                         if (is_wrong) answer.lower = answer.upper = answer.upper + 1;
                                         return answer;
                                       }}}};
  const auto fails = [&](const FuzzNet& fuzz) {
    const auto net = std::get<tpn::FoldedNet>(support::fold_fuzz_net(fuzz));
    return evaluators::sweep(net, {}).upper != wrong.front().evaluate(net).upper;
  };
  const FuzzNet least = shrunk_first(6, fails);
  CHECK(least.document.mapping->size() <= 2);
  CHECK(least.document.platform.processors.size() <= 2);
  FuzzTally tally;
  CHECK(support::judge_fuzz_net(least, tally, wrong)->found == "unfold: 3, wrong: 4");
  CHECK_FALSE(support::judge_fuzz_net(least, tally));
}

TEST_CASE("a net of the fuzzer is written with its limits and its reason, and read") {
  std::size_t limited = 0;
  for (std::size_t kind = 0; kind < support::fuzz_kinds().size(); ++kind) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const FuzzNet net = support::draw_fuzz_net(kind, seed);
      const std::string text = support::write_fuzz_net(net, "one says 3, another 4");
      CHECK(text.find("one says 3, another 4") != std::string::npos);
      const FuzzNet back = support::read_fuzz_net(text, "text");
      CHECK(back.document == net.document);
      CHECK(support::write_fuzz_net(back, "one says 3, another 4") == text);
      CHECK(back.is_limited() == net.is_limited());
      limited += net.is_limited() ? 1 : 0;
    }
  }
  CHECK(limited > 20);
}

TEST_CASE("the longest durations of nets at an edge have every width from 8 to 128 bits") {
  std::set<std::size_t> widths;
  for (std::size_t kind = 0; kind < support::fuzz_kinds().size(); ++kind) {
    if (!support::fuzz_kinds()[kind].starts_with("edge of")) continue;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      const auto pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(support::draw_fuzz_net(kind, seed).document));
      Integer longest = 0;
      for (const tpn::Column& column : pipeline.columns) longest = std::max(longest, column.table.longest());
      widths.insert(mpz_sizeinbase(longest.get_mpz_t(), 2));
    }
  }
  for (std::size_t width = 8; width <= 128; ++width) {
    INFO(width);
    CHECK((widths.contains(width) || (66 < width && width < 87)));
  }
}

TEST_CASE("all answers agree on a sample of the fuzzer's nets of every kind") {
  const std::uint64_t seeds = support::draws(20);
  FuzzTally tally;
  for (std::size_t kind = 0; kind < support::fuzz_kinds().size(); ++kind) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      INFO(support::fuzz_kinds()[kind] << ", seed " << seed);
      const auto failure = support::judge_fuzz_net(support::draw_fuzz_net(kind, seed), tally);
      if (failure) FAIL(failure->comparison << ": " << failure->found);
    }
  }
  for (const char* comparison : {"methods", "certificates", "intervals", "played operations", "evaluator of mappings",
                                 "evaluator of tables", "Boost's Bellman-Ford", "relatives"}) {
    INFO(comparison);
    CHECK(tally[comparison] > 25);
  }
}

TEST_CASE("what was found once stays mended") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TAKT_SOURCE_DIR "/tests/regressions")) {
    if (entry.path().extension() != ".json") continue;
    INFO(entry.path().string());
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    FuzzTally tally;
    const auto failure = support::judge_fuzz_net(support::read_fuzz_net(text, entry.path().filename()), tally);
    if (failure) FAIL(failure->comparison << ": " << failure->found);
    ++files;
  }
  CHECK(files > 0);
}

}  // namespace
}  // namespace takt
