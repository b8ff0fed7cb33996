// pattern and its tori: right against plain solvers, the same on every machine, within limits, and only where fit.
#include "evaluators/columns/pattern.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "evaluators/columns/torus.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "maxplus/deadline.hpp"
#include "maxplus/solvers.hpp"
#include "maxplus/token_graph.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using evaluators::Instructions;
using evaluators::Method;
using evaluators::Options;
using evaluators::Torus;
using evaluators::TorusAnswer;
using evaluators::TorusMove;
using evaluators::TorusOptions;
using maxplus::Integer;
using maxplus::Rational;
using support::Draw;
using support::proved;

std::vector<std::int64_t> draw_durations(Draw& draw, std::size_t count, std::int64_t longest) {
  std::vector<std::int64_t> result(count);
  for (std::int64_t& duration : result) duration = draw.between(0, longest);
  return result;
}

Integer duration_at(const Torus& torus, std::uint64_t data_set) {
  return static_cast<long>(torus.durations[data_set % torus.senders * torus.receivers + data_set % torus.receivers]);
}

// By Howard's algorithm on the graph of all data sets.
Rational plain_ratio(const Torus& torus) {
  const std::uint64_t round = torus.senders * torus.receivers;
  std::vector<maxplus::ListedArc> arcs;
  for (std::uint64_t k = 0; k < round; ++k) {
    for (const std::uint64_t step : {torus.senders, torus.receivers}) {
      arcs.push_back({k, (k + step) % round, duration_at(torus, k), (k + step) / round});
    }
  }
  return std::get<maxplus::CriticalCycle>(maxplus::howard(maxplus::make_token_graph(round, arcs))).ratio;
}

// Everything that an answer claims, step by step.
void require_proof(const Torus& torus, const TorusAnswer& answer) {
  const std::uint64_t round = torus.senders * torus.receivers;
  std::vector<Integer> senders = answer.sender_clocks;
  std::vector<Integer> receivers = answer.receiver_clocks;
  REQUIRE(senders.size() == torus.senders);
  REQUIRE(receivers.size() == torus.receivers);
  for (std::uint64_t k = 0; k < round; ++k) {
    Integer& sender = senders[k % torus.senders];
    Integer& receiver = receivers[k % torus.receivers];
    sender = receiver = (sender < receiver ? receiver : sender) + duration_at(torus, k) * answer.factor;
  }
  const Rational rise = answer.upper * Rational(answer.factor);
  for (std::size_t s = 0; s < senders.size(); ++s) {
    REQUIRE(Rational(senders[s]) <= Rational(answer.sender_clocks[s]) + rise);
  }
  for (std::size_t r = 0; r < receivers.size(); ++r) {
    REQUIRE(Rational(receivers[r]) <= Rational(answer.receiver_clocks[r]) + rise);
  }
  if (answer.circuit.moves.empty()) {
    REQUIRE(answer.lower.sign() == 0);
    return;
  }
  Integer weight = 0;
  std::uint64_t data_set = answer.circuit.first;
  REQUIRE(data_set < round);
  for (const TorusMove move : answer.circuit.moves) {
    weight += duration_at(torus, data_set);
    data_set += move == TorusMove::same_sender ? torus.senders : torus.receivers;
  }
  const std::uint64_t height = data_set - answer.circuit.first;
  REQUIRE(height > 0);
  REQUIRE(height % round == 0);
  REQUIRE(Rational::fraction(weight, height / round) == answer.lower);
}

std::vector<TorusOptions> all_instructions() {
  std::vector<TorusOptions> all(1);
  for (const auto instructions : {Instructions::portable, Instructions::avx2, Instructions::avx512}) {
    if (evaluators::supports(instructions)) all.push_back({0, {}, instructions});
  }
  return all;
}

void require_right(const Torus& torus) {
  const Rational expected = plain_ratio(torus);
  const Integer below = expected.numerator() / expected.denominator();
  for (TorusOptions options : all_instructions()) {
    for (const Integer& known : {Integer(0), Integer(below / 2), below, Integer(below + 1), Integer(below * 3)}) {
      options.known = known;
      INFO(torus.senders << " x " << torus.receivers << ", instructions "
                         << (options.instructions ? evaluators::name_of(*options.instructions) : "unsaid") << ", known "
                         << known.get_str());
      const auto answer = std::get<TorusAnswer>(evaluators::solve_torus(torus, options));
      REQUIRE_FALSE(answer.out_of_time);
      if (expected > Rational(known)) {
        REQUIRE(answer.lower == expected);
        REQUIRE(answer.upper == expected);
      } else {
        REQUIRE(answer.circuit.moves.empty());
        REQUIRE(answer.upper <= Rational(known));
      }
      require_proof(torus, answer);
    }
  }
}

TEST_CASE("tori whose sums lie just within and just beyond 64 bits are right") {
  constexpr std::array<std::array<std::size_t, 2>, 5> kShapes = {{{2, 3}, {3, 2}, {3, 4}, {5, 7}, {17, 16}}};
  Draw draw(3);
  for (const auto& [senders, receivers] : kShapes) {
    for (unsigned bits = 44; bits < 63; ++bits) {
      const std::int64_t edge = (std::int64_t{1} << bits) - 1;
      std::vector<std::int64_t> durations(senders * receivers);
      for (std::int64_t& duration : durations) duration = edge - draw.between(0, 3);
      require_right({senders, receivers, durations});
    }
  }
}

TEST_CASE("tori of every small shape have the ratio that Howard's algorithm finds") {
  constexpr std::array<std::int64_t, 7> kLongest = {
      0, 1, 3, 1000, 70'000, 5'000'000'000, std::numeric_limits<std::int64_t>::max()};
  Draw draw(1);
  std::size_t tori = 0;
  for (std::size_t senders = 1; senders <= 12; ++senders) {
    for (std::size_t receivers = 1; receivers <= 12; ++receivers) {
      if (std::gcd(senders, receivers) > 1) continue;
      for (const std::int64_t longest : kLongest) {
        const auto durations = draw_durations(draw, senders * receivers, longest);
        require_right({senders, receivers, durations});
        ++tori;
      }
    }
  }
  REQUIRE(tori > 600);
}

TEST_CASE("tori of several bands, with and without a last one that is full, are right") {
  constexpr std::array<std::array<std::size_t, 2>, 10> kShapes = {
      {{16, 17}, {17, 16}, {15, 64}, {64, 15}, {31, 33}, {33, 32}, {3, 50}, {49, 3}, {48, 5}, {2, 99}}};
  Draw draw(2);
  for (const auto& [senders, receivers] : kShapes) {
    for (const std::int64_t longest : {2L, 1000L, 65'535L, 65'536L, 4'294'967'295L, 4'294'967'296L}) {
      const auto durations = draw_durations(draw, senders * receivers, longest);
      require_right({senders, receivers, durations});
    }
  }
}

TEST_CASE("durations of all sizes from 1 to 63 bits, mixed, are right") {
  Draw draw(3);
  for (int bits = 1; bits <= 63; ++bits) {
    const std::int64_t longest = std::numeric_limits<std::int64_t>::max() >> (63 - bits);
    auto durations = draw_durations(draw, std::size_t{17} * 19, 3);
    for (std::int64_t& duration : durations) {
      if (draw.between(0, 9) == 0) duration = draw.between(0, longest);
    }
    require_right({17, 19, durations});
  }
}

TEST_CASE("every set of instructions gives the same answer on larger tori") {
  Draw draw(4);
  constexpr std::array<std::array<std::size_t, 2>, 4> kShapes = {{{200, 201}, {61, 700}, {700, 61}, {129, 128}}};
  for (const auto& [senders, receivers] : kShapes) {
    for (const std::int64_t longest : {1L, 1000L, 100'000L}) {
      const auto durations = draw_durations(draw, senders * receivers, longest);
      const Torus torus{senders, receivers, durations};
      const auto first = std::get<TorusAnswer>(evaluators::solve_torus(torus));
      REQUIRE(first.lower == first.upper);
      require_proof(torus, first);
      for (const TorusOptions& options : all_instructions()) {
        const auto answer = std::get<TorusAnswer>(evaluators::solve_torus(torus, options));
        REQUIRE(answer.upper == first.upper);
        REQUIRE(answer.circuit.first == first.circuit.first);
        REQUIRE(answer.circuit.moves == first.circuit.moves);
        REQUIRE(answer.sender_clocks == first.sender_clocks);
        REQUIRE(answer.receiver_clocks == first.receiver_clocks);
        REQUIRE(answer.passes == first.passes);
      }
    }
  }
}

TEST_CASE("a torus whose deadline has passed says so") {
  Draw draw(5);
  const auto durations = draw_durations(draw, std::size_t{1000} * 1001, 1000);
  TorusOptions options;
  options.deadline = maxplus::SearchClock::time_point::min();
  REQUIRE(std::holds_alternative<evaluators::OutOfTime>(evaluators::solve_torus({1000, 1001, durations}, options)));
}

// A random sequence of the processors first .. first + distinct - 1, each at least once.
std::vector<std::size_t> sequence(Draw& draw, std::size_t first, std::size_t distinct, std::size_t length) {
  std::vector<std::size_t> result(length);
  for (std::size_t e = 0; e < length; ++e) {
    const auto other = draw.index(distinct);
    result[e] = first + (e < distinct ? e : other);
  }
  for (std::size_t e = length; e > 1; --e) {
    std::swap(result[e - 1], result[draw.index(e)]);
  }
  return result;
}

TEST_CASE("columns of every pair of lengths, distinct and repeated, agree with the sweep of the whole net") {
  Draw draw(6);
  std::size_t without_critical_resource = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto a = static_cast<std::size_t>(draw.between(1, 9));
    const auto b = static_cast<std::size_t>(draw.between(1, 9));
    const auto distinct_a = round % 3 == 0 ? a : static_cast<std::size_t>(draw.between(1, static_cast<int>(a)));
    const auto distinct_b = round % 3 != 2 ? b : static_cast<std::size_t>(draw.between(1, static_cast<int>(b)));
    const std::array<std::size_t, 2> replication = {distinct_a, distinct_b};
    tpn::Document document =
        support::uniform_document(replication, 0, round % 2 == 0 ? 3 : 50, static_cast<std::uint64_t>(round));
    for (auto& processor : document.platform.processors) processor.time = Rational(0);
    (*document.mapping)[0].processors = sequence(draw, 0, distinct_a, a);
    (*document.mapping)[1].processors = sequence(draw, distinct_a, distinct_b, b);
    const tpn::FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
    const Rational expected = support::period_of(net);
    for (const maxplus::CycleRatioSolver& solver : maxplus::cycle_ratio_solvers()) {
      INFO("round " << round << ", " << a << " x " << b << ", " << solver.name);
      const Evaluation evaluation = evaluators::evaluate(net, support::options_of(Method::pattern, &solver));
      REQUIRE(evaluation.method == Method::pattern);
      REQUIRE(evaluation.solver == (&solver == &maxplus::default_solver() ? nullptr : &solver));
      REQUIRE(evaluation.exact());
      REQUIRE(evaluation.upper == expected);
      REQUIRE(proved(net, evaluation));
      if (!evaluation.circuit.resource) ++without_critical_resource;
    }
  }
  REQUIRE(without_critical_resource > 100);
}

TEST_CASE("a net of astronomically many rows has the largest period of its pairs of parts") {
  constexpr std::array<std::size_t, 12> kPrimes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const tpn::Document document = support::uniform_document(kPrimes, 1, 99, seed);
    const tpn::FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
    REQUIRE(net.pipeline.rows.get_str() == "7420738134810");
    Rational expected;
    for (std::size_t i = 0; i + 1 < kPrimes.size(); ++i) {
      tpn::Document pair = document;
      pair.application.stages = {document.application.stages[i], document.application.stages[i + 1]};
      pair.mapping = {{0, 0, (*document.mapping)[i].processors}, {1, 1, (*document.mapping)[i + 1].processors}};
      expected = std::max(expected, support::period_of(support::net_of(pair, tpn::Model::kOverlap)));
    }
    const Evaluation evaluation = evaluators::evaluate(net, support::options_of(Method::pattern));
    REQUIRE(evaluation.exact());
    REQUIRE(evaluation.upper == expected);
    REQUIRE(proved(net, evaluation));
  }
}

TEST_CASE("the answer is the same for every number of threads, to the last clock") {
  constexpr std::array<std::size_t, 4> kReplication = {150, 201, 200, 34};  // gcd 3, 1 and 2: six tori
  const tpn::FoldedNet net = support::net_of(support::balanced_document(kReplication, 1), tpn::Model::kOverlap);
  std::string expected;
  for (const int threads : {1, 2, 3, 8, 0}) {
    Options options = support::options_of(Method::pattern);
    options.threads = threads;
    const Evaluation evaluation = evaluators::evaluate(net, options);
    REQUIRE(evaluation.exact());
    const std::string text =
        evaluators::write_certificate(std::get<evaluators::Certificate>(evaluators::certify(net, evaluation)));
    if (expected.empty()) expected = text;
    REQUIRE(text == expected);
  }
  REQUIRE(proved(net, evaluators::evaluate(net, support::options_of(Method::pattern))));
}

TEST_CASE("pattern says which nets it does not fit, and why") {
  const auto reason = [](const tpn::Document& document, tpn::Model model) {
    const auto unfit = evaluators::unfit_for_pattern(support::net_of(document, model));
    REQUIRE((evaluators::evaluator_of(Method::pattern).unfit == evaluators::unfit_for_pattern));
    return unfit.value_or("");
  };
  const tpn::Document a = support::document_of("examples/example-a.json");
  CHECK(reason(a, tpn::Model::kOverlap).empty());
  CHECK_THAT(reason(a, tpn::Model::kStrict), Catch::Contains("receives, computes and sends one at a time"));
  const tpn::Document several = support::document_of("tests/data/known/several-parts.json");
  CHECK_THAT(reason(several, tpn::Model::kOverlap), Catch::Contains("serves parts"));
  constexpr std::array<std::size_t, 1> kOnePart = {3};
  CHECK(reason(support::uniform_document(kOnePart, 1, 9, 1), tpn::Model::kStrict).empty());

  std::size_t fit = 0;
  support::for_each_document({100}, [&](const tpn::Document& document) {
    std::vector<std::size_t> part_of(document.platform.processors.size(), document.mapping->size());
    bool shared = false;
    for (std::size_t i = 0; i < document.mapping->size(); ++i) {
      for (const std::size_t p : (*document.mapping)[i].processors) {
        shared = shared || (part_of[p] != document.mapping->size() && part_of[p] != i);
        part_of[p] = i;
      }
    }
    REQUIRE(reason(document, tpn::Model::kOverlap).empty() == !shared);
    if (!shared) ++fit;
  });
  REQUIRE(fit > 400);
}

TEST_CASE("limits of pattern leave a certified interval") {
  constexpr std::array<std::size_t, 3> kReplication = {20, 21, 23};
  const tpn::FoldedNet net = support::net_of(support::balanced_document(kReplication, 3), tpn::Model::kOverlap);
  const Rational period = evaluators::evaluate(net, support::options_of(Method::pattern)).upper;
  for (const maxplus::CycleRatioSolver& solver : maxplus::cycle_ratio_solvers()) {
    for (const bool by_rows : {true, false}) {
      Options options = support::options_of(Method::pattern, &solver);
      if (by_rows) {
        options.max_rows = 482;  // 20 x 21 fits, 21 x 23 = 483 does not
      } else {
        options.deadline = maxplus::SearchClock::time_point::min();
      }
      const Evaluation evaluation = evaluators::evaluate(net, options);
      REQUIRE_FALSE(evaluation.exact());
      REQUIRE(std::holds_alternative<tpn::TooLarge>(evaluation.limit) == by_rows);
      REQUIRE(evaluation.lower <= period);
      REQUIRE(period <= evaluation.upper);
      REQUIRE(proved(net, evaluation));
      options.max_rows = 483;
      options.deadline = {};
      REQUIRE(evaluators::evaluate(net, options).upper == period);
    }
  }
}

TEST_CASE("clocks by column prove nothing of another model's resources, or with a wrong column") {
  constexpr std::array<std::size_t, 2> kReplication = {3, 4};
  const tpn::Document document = support::uniform_document(kReplication, 1, 9, 2);
  const tpn::FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
  const auto certificate = std::get<evaluators::Certificate>(
      evaluators::certify(net, evaluators::evaluate(net, support::options_of(Method::pattern))));
  const auto refusal = [](const tpn::FoldedNet& of, const evaluators::Certificate& claim) {
    const auto verdict = evaluators::check(of, claim);
    const auto* refused = std::get_if<evaluators::Refused>(&verdict);
    return refused == nullptr ? std::string() : refused->reason;
  };
  REQUIRE(refusal(net, certificate).empty());

  evaluators::Certificate strict = certificate;
  strict.lower = 0;
  strict.circuit = evaluators::ResourceName{"P0", tpn::ConstraintKind::processor};
  CHECK_THAT(refusal(support::net_of(document, tpn::Model::kStrict), strict),
             Catch::Contains("the mapping has no resource P0 compute under this model"));

  evaluators::Certificate moved = certificate;
  auto& lists = std::get<std::vector<evaluators::ColumnClockList>>(moved.witness);
  REQUIRE(lists.size() == 3);
  lists[0].clocks.push_back(lists[1].clocks.back());
  lists[1].clocks.pop_back();
  CHECK_THAT(refusal(net, moved), Catch::Contains("belongs to column 1"));

  const auto verdict = evaluators::check(net, certificate, 10);  // 3 + 12 + 4 operations
  REQUIRE(std::holds_alternative<tpn::TooLarge>(verdict));
  CHECK(std::get<tpn::TooLarge>(verdict).kind == tpn::LimitKind::checked_operations);
}

}  // namespace
}  // namespace takt
