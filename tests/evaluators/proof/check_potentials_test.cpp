// Potentials: what they prove, never less than the period, and what is refused.
#include "evaluators/proof/check_potentials.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/proof/certify.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using evaluators::Certificate;
using evaluators::PotentialSchedule;
using evaluators::Proven;
using evaluators::Refused;
using evaluators::TransferPotentials;
using evaluators::Verdict;
using maxplus::Integer;
using maxplus::Rational;

// How far around a transfer parts are seen and kept: as far as it goes on both sides.
struct Reach {
  std::size_t seen = 0;
  std::size_t kept = 64;
};

std::vector<std::size_t> parts_around(std::size_t transfer, std::size_t reach, std::size_t parts) {
  std::vector<std::size_t> set;
  for (std::size_t i = 0; i < parts; ++i) {
    if (i + reach >= transfer && i <= transfer + 1 + reach) set.push_back(i);
  }
  return set;
}

std::size_t length_of(const tpn::FoldedNet& net, std::size_t part) { return net.pipeline.parts[part].sequence.size(); }

// Whether data sets have all these residues: a list of parts and one of residues.
bool meet(const tpn::FoldedNet& net, const std::vector<std::size_t>& parts, const std::vector<std::size_t>& residues) {
  for (std::size_t a = 0; a < parts.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const std::size_t gcd = std::gcd(length_of(net, parts[a]), length_of(net, parts[b]));
      if (residues[a] % gcd != residues[b] % gcd) return false;
    }
  }
  return true;
}

// Number(possible) of every class, asked in order; whether data sets of that class exist.
using PotentialNumber = std::function<std::int32_t(bool)>;

TransferPotentials potential_of_transfer(const tpn::FoldedNet& net, std::size_t t, const Reach& reach,
                                         const PotentialNumber& number) {
  const std::size_t parts = net.pipeline.parts.size();
  TransferPotentials potentials;
  potentials.sees = {parts_around(t, reach.seen, parts)};
  potentials.keeps = {parts_around(t, reach.kept, parts)};
  std::vector<std::size_t> order = {t, t + 1};
  for (const std::size_t part : potentials.sees.front()) {
    if (part != t && part != t + 1) order.push_back(part);
  }
  std::vector<std::size_t> residues(order.size(), 0);
  for (bool is_over = false; !is_over;) {
    if (std::all_of(residues.begin() + 2, residues.end(), [](std::size_t r) { return r == 0; })) {
      potentials.sees_of.push_back(0);
      potentials.keeps_of.push_back(0);
      potentials.offset.push_back(potentials.potentials.size());
    }
    potentials.potentials.push_back(number(meet(net, order, residues)));
    std::size_t k = order.size();
    while (k > 0 && ++residues[k - 1] == length_of(net, order[k - 1])) residues[--k] = 0;
    is_over = k == 0;
  }
  return potentials;
}

PotentialSchedule potential_of(const tpn::FoldedNet& net, const Integer& unit, const Reach& reach,
                               const PotentialNumber& number) {
  PotentialSchedule potentials;
  potentials.unit = unit;
  Integer longest = 0;
  for (const tpn::Column& column : net.pipeline.columns) longest += column.table.longest();
  potentials.highest = std::min<std::int64_t>(Integer(3 * longest * unit / net.pipeline.scale).get_si(), INT32_MAX);
  for (std::size_t t = 0; t + 1 < net.pipeline.parts.size(); ++t) {
    potentials.transfers.push_back(potential_of_transfer(net, t, reach, number));
  }
  return potentials;
}

std::int32_t zero(bool) { return 0; }

Verdict check(const tpn::FoldedNet& net, const PotentialSchedule& potentials, const Rational& upper) {
  return evaluators::check_potentials(net, potentials, upper, {});
}
bool proves(const tpn::FoldedNet& net, const PotentialSchedule& potentials, const Rational& upper) {
  const Verdict verdict = check(net, potentials, upper);
  REQUIRE_FALSE(std::holds_alternative<tpn::TooLarge>(verdict));
  return std::holds_alternative<Proven>(verdict);
}
std::string reason(const Verdict& verdict) {
  REQUIRE(std::holds_alternative<Refused>(verdict));
  return std::get<Refused>(verdict).reason;
}

// 3 to 5 parts on 6 to 20 processors.
tpn::Document small_document(std::uint64_t seed) {
  support::Draw draw(seed);
  std::vector<std::size_t> replication(draw.count(3, 5), 1);
  const std::size_t processors = draw.count(std::max<std::size_t>(6, replication.size()), 20);
  for (std::size_t p = replication.size(); p < processors; ++p) ++replication[draw.index(replication.size())];
  return draw.coin() ? support::uniform_document(replication, 1, 30, seed)
                     : support::balanced_document(replication, seed);
}

tpn::FoldedNet small_net(std::uint64_t seed) { return support::net_of(small_document(seed), tpn::Model::kStrict); }

// Of a time over that unit all durations and the period are whole.
Integer unit_of(const tpn::FoldedNet& net, const Rational& period) {
  return lcm(net.pipeline.scale, period.denominator());
}

PotentialNumber random_number(support::Draw& draw, int size) {
  return [&draw, size](bool is_possible) {
    // What no data set has is never looked at.
    if (!is_possible) return draw.coin() ? INT32_MIN : INT32_MAX;
    return static_cast<std::int32_t>(draw.whole(-size, size));
  };
}

TEST_CASE("any floor whose exceptions keep all parts proves the period, and nothing below") {
  const std::uint64_t nets = support::draws(60);
  const unsigned most_rows = nets > 100 ? 100 : 20;
  for (std::uint64_t seed = 0; seed < nets; ++seed) {
    const tpn::FoldedNet net = small_net(seed);
    const Rational period = support::period_of(net);
    const Integer unit = unit_of(net, period);
    support::Draw draw(seed);
    INFO("seed " << seed);
    for (const bool is_random : {false, true}) {
      const Reach reach{.seen = is_random ? draw.index(3) : 0};
      PotentialSchedule potentials = potential_of(net, unit, reach, is_random ? random_number(draw, 300) : zero);
      // Some potentials are far below the start times.
      while (!proves(net, potentials, period) && potentials.highest < INT32_MAX / 2) potentials.highest *= 2;
      REQUIRE(proves(net, potentials, period));
      REQUIRE(proves(net, potentials, period * Rational::fraction(1001, 1000)));
      for (const int part : {100, 1000, 10'000}) {
        // Around each lap of a circuit they rise by so little that it takes thousands of laps.
        if (part == 10'000 && net.pipeline.rows > most_rows) continue;
        REQUIRE(reason(check(net, potentials, period * Rational::fraction(part - 1, part))).find("the highest") !=
                std::string::npos);
      }
    }
  }
}

TEST_CASE("a floor whose exceptions forget never proves less than the period") {
  const std::uint64_t nets = support::draws(60);
  std::size_t proved = 0;
  for (std::uint64_t seed = 0; seed < nets; ++seed) {
    const tpn::FoldedNet net = small_net(1000 + seed);
    const Rational period = support::period_of(net);
    support::Draw draw(seed);
    INFO("seed " << seed);
    for (std::size_t kept = 0; kept < 2; ++kept) {
      const PotentialSchedule potentials =
          potential_of(net, unit_of(net, period), {.seen = draw.index(2), .kept = kept},
                       draw.coin() ? zero : random_number(draw, 100));
      REQUIRE_FALSE(proves(net, potentials, period * Rational::fraction(9999, 10'000)));
      for (const int percent : {100, 102, 110, 130}) {
        proved += proves(net, potentials, period * Rational::fraction(percent, 100)) ? 1 : 0;
      }
    }
  }
  CHECK(proved > nets);
  CHECK(proved < 8 * nets);
}

TEST_CASE("times that are no multiples of a floor's unit are rounded to the safe side") {
  std::size_t proved = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const tpn::FoldedNet net =
        support::net_of(support::random_document(support::Kind::fractional, seed), tpn::Model::kStrict);
    if (net.pipeline.parts.size() < 2) continue;
    const Rational period = support::period_of(net);
    INFO("seed " << seed);
    for (const int unit : {1, 7, 1000}) {
      PotentialSchedule potentials = potential_of(net, unit, {}, zero);
      potentials.highest = std::max<std::int64_t>(potentials.highest, 1000);
      REQUIRE_FALSE(proves(net, potentials, period * Rational::fraction(999, 1000)));
      proved += proves(net, potentials, period + Rational::fraction(8, unit)) ? 1 : 0;
    }
    // Over the least common denominator nothing is rounded.
    REQUIRE(proves(net, potential_of(net, unit_of(net, period), {}, zero), period));
  }
  CHECK(proved > 20);
}

// A certificate of a small net by a potential, and its instance.
struct PotentialExample {
  tpn::Document document = small_document(3);
  tpn::FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  evaluators::Evaluation evaluation = evaluators::evaluate(net);

  PotentialExample() {
    support::Draw draw(5);
    evaluation.witness = potential_of(net, unit_of(net, evaluation.upper), {.seen = 1}, random_number(draw, 50));
  }
  Certificate certificate() const { return std::get<Certificate>(evaluators::certify(net, evaluation)); }
};

TEST_CASE("a certificate with a floor is written, read back the same and proves its claim") {
  const PotentialExample example;
  const Certificate certificate = example.certificate();
  const std::string text = evaluators::write_certificate(certificate);
  const Certificate read_back = evaluators::read_certificate(text, "c.json");
  REQUIRE(std::get<PotentialSchedule>(read_back.witness) == std::get<PotentialSchedule>(certificate.witness));
  REQUIRE(evaluators::write_certificate(read_back) == text);
  REQUIRE(std::holds_alternative<Proven>(evaluators::check(example.document, read_back)));
  Certificate less = read_back;
  less.lower = less.upper = certificate.upper * Rational::fraction(9999, 10'000);
  REQUIRE(reason(evaluators::check(example.document, less)).find("the highest") != std::string::npos);
}

TEST_CASE("a floor in which nothing fits the net is refused") {
  const PotentialExample example;
  const Rational& upper = example.evaluation.upper;
  const auto& potentials = std::get<PotentialSchedule>(example.evaluation.witness);
  REQUIRE(proves(example.net, potentials, upper));
  using Change = std::function<void(PotentialSchedule&)>;
  const auto in_second = [](const std::function<void(TransferPotentials&)>& change) -> Change {
    return [change](PotentialSchedule& changed) { change(changed.transfers[1]); };
  };
  const std::vector<std::pair<std::string, Change>> hostile = {
      {"the unit", [](PotentialSchedule& f) { f.unit = 0; }},
      {"the unit", [](PotentialSchedule& f) { f.unit = -1; }},
      {"times of more than 59 bits", [](PotentialSchedule& f) { f.unit *= Rational(Integer(Integer(1) << 100)); }},
      {"calls", [](PotentialSchedule& f) { f.unit /= Rational(Integer(Integer(1) << 50'000)); }},
      {"the highest exception of a floor", [](PotentialSchedule& f) { f.highest = -1; }},
      {"the highest exception of a floor", [](PotentialSchedule& f) { f.highest = INT64_MAX; }},
      {"the highest exception of a floor", [](PotentialSchedule& f) { f.highest = std::int64_t{1} << 31; }},
      {"calls 0 the highest", [](PotentialSchedule& f) { f.highest = 0; }},
      {"transfers; the net has", [](PotentialSchedule& f) { f.transfers.clear(); }},
      {"transfers; the net has", [](PotentialSchedule& f) { f.transfers.pop_back(); }},
      {"transfers; the net has", [](PotentialSchedule& f) { f.transfers.push_back(f.transfers.back()); }},
      {"without part 1 or 2",
       in_second([](TransferPotentials& f) { f.sees.front().erase(f.sees.front().begin() + 1); })},
      {"without part 1 or 2", in_second([](TransferPotentials& f) { f.sees.front().clear(); })},
      {"behind part", in_second([](TransferPotentials& f) { std::swap(f.sees.front()[0], f.sees.front()[1]); })},
      {"behind part", in_second([](TransferPotentials& f) { std::swap(f.keeps.front()[0], f.keeps.front()[1]); })},
      {"behind part", in_second([](TransferPotentials& f) { f.sees.front().push_back(f.sees.front().back()); })},
      {"names part 64", in_second([](TransferPotentials& f) { f.sees.front().push_back(64); })},
      {"names part", in_second([](TransferPotentials& f) { f.keeps.front().push_back(SIZE_MAX); })},
      {"no such set", in_second([](TransferPotentials& f) { f.sees_of.front() = 1; })},
      {"no such set", in_second([](TransferPotentials& f) { f.keeps_of.front() = UINT32_MAX; })},
      {"no such set", in_second([](TransferPotentials& f) { f.sees.clear(); })},
      {"no such set", in_second([](TransferPotentials& f) { f.keeps.clear(); })},
      {"one entry for each", in_second([](TransferPotentials& f) { f.sees_of.clear(); })},
      {"one entry for each", in_second([](TransferPotentials& f) { f.keeps_of.pop_back(); })},
      {"one entry for each", in_second([](TransferPotentials& f) { f.offset.push_back(0); })},
      {"has the numbers of pair", in_second([](TransferPotentials& f) { f.offset.front() = SIZE_MAX; })},
      {"numbers for pair", in_second([](TransferPotentials& f) { f.potentials.push_back(0); })},
      {"has the numbers of pair", in_second([](TransferPotentials& f) { f.potentials.clear(); })},
      {"numbers for pair", in_second([](TransferPotentials& f) {
         f.sees.front() = {1, 2};
       })},
      {"highest", in_second([](TransferPotentials& f) { std::ranges::fill(f.potentials, INT32_MAX); })},
      {"highest", in_second([](TransferPotentials& f) { std::ranges::fill(f.potentials, INT32_MIN); })},
  };
  for (const auto& [part, change] : hostile) {
    PotentialSchedule changed = potentials;
    change(changed);
    INFO(part);
    CHECK(reason(check(example.net, changed, upper)).find(part) != std::string::npos);
  }
}

TEST_CASE("a floor proves nothing of a net with other dependences than a plain STRICT pipeline's") {
  const std::vector<std::size_t> replication = {2, 3, 2};
  const tpn::Document document = support::uniform_document(replication, 5, 20, 1);
  const Rational upper = 1000;
  const auto refusal = [&](const tpn::FoldedNet& net) {
    return reason(check(net, potential_of(net, 1, {}, zero), upper))
               .find("a floor proves plain STRICT pipelines only") != std::string::npos;
  };
  const tpn::FoldedNet strict = support::net_of(document, tpn::Model::kStrict);
  REQUIRE(proves(strict, potential_of(strict, 1, {}, zero), upper));
  CHECK(refusal(support::net_of(document, tpn::Model::kOverlap)));
  CHECK(refusal(support::net_of(document, tpn::bounded_model(2))));
  CHECK(refusal(std::get<tpn::FoldedNet>(tpn::with_capacity(strict, {.buffers = {}, .window = 2}))));
  tpn::Document repeated = document;
  (*repeated.mapping)[1].processors = {2, 3, 2};
  CHECK(refusal(support::net_of(repeated, tpn::Model::kStrict)));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto shared = support::random_document(support::Kind::several_parts, seed);
    const tpn::FoldedNet net = support::net_of(shared, tpn::Model::kStrict);
    if (net.resources.size() ==
        std::accumulate(net.pipeline.parts.begin(), net.pipeline.parts.end(), std::size_t{0},
                        [](std::size_t sum, const tpn::NetPart& part) { return sum + part.sequence.size(); })) {
      continue;
    }
    if (net.pipeline.parts.size() > 1) CHECK(refusal(net));
  }
  const std::vector<std::size_t> alone = {3};
  CHECK(reason(check(support::net_of(support::uniform_document(alone, 5, 20, 1), tpn::Model::kStrict), {}, upper)) ==
        "a floor proves pipelines of at least 2 parts; this one has 1");
  const std::vector<std::size_t> many(65, 1);
  CHECK(reason(check(support::net_of(support::uniform_document(many, 5, 20, 1), tpn::Model::kStrict), {}, upper)) ==
        "a floor proves pipelines of at most 64 parts; this one has 65");
}

TEST_CASE("potentials over a source and a sink prove the period as well") {
  std::size_t proved = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const tpn::FoldedNet net =
        support::net_of(support::random_document(support::Kind::endpoints, seed), tpn::Model::kStrict);
    if (net.pipeline.parts.front().role == tpn::PartRole::mapped || net.pipeline.parts.size() < 2) continue;
    const Rational period = support::period_of(net);
    const PotentialSchedule potentials = potential_of(net, unit_of(net, period), {}, zero);
    INFO("seed " << seed);
    REQUIRE(proves(net, potentials, period));
    REQUIRE_FALSE(proves(net, potentials, period * Rational::fraction(999, 1000)));
    ++proved;
  }
  CHECK(proved > 5);
}

TEST_CASE("a check of a floor counts its steps and looks at the time") {
  const tpn::FoldedNet net = support::net_of(support::dealt_document(6, 60, 10, 100, 1), tpn::Model::kStrict);
  PotentialSchedule potentials = potential_of(net, 1, {.seen = 1}, zero);
  potentials.highest = INT32_MAX;
  const Rational upper = 1;
  const Verdict limited = evaluators::check_potentials(net, potentials, upper, std::uint64_t{10'000});
  REQUIRE(std::holds_alternative<tpn::TooLarge>(limited));
  CHECK(std::get<tpn::TooLarge>(limited).kind == tpn::LimitKind::checked_operations);
  CHECK(std::get<tpn::TooLarge>(limited).limit == 10'000 * evaluators::kPotentialSteps);
  std::size_t asked = 0;
  const Verdict late = evaluators::check_potentials(net, potentials, upper,
                                                    {evaluators::kCheckedOperations, [&] { return ++asked == 10; }});
  CHECK(std::holds_alternative<evaluators::CheckTimeout>(late));
}

}  // namespace
}  // namespace takt
