// The checker refuses every mutated certificate that no longer proves its claim.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "evaluators/bounds.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "evaluators/proof/check_clocks.hpp"
#include "tests/evaluators/proof/judge.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using evaluators::Certificate;
using evaluators::CertificateClock;
using evaluators::CertificateWalk;
using evaluators::ColumnClockList;
using evaluators::ColumnSchedule;
using evaluators::ResourceName;
using maxplus::Rational;

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  // Changes one thing about a certificate of a net; sometimes it still proves its claim.
  Certificate operator()(Certificate certificate, const tpn::FoldedNet& net) {
    const Change circuit = [&] { mutate_circuit(certificate, net); };
    const Change witness = [&] { mutate_witness(certificate, net); };
    make_one({[&] { mutate_claim(certificate); },
              [&] {
                const bool is_strict = certificate.model == tpn::Model::kStrict;
                certificate.model = is_strict ? tpn::Model::kOverlap : tpn::Model::kStrict;
              },
              circuit, circuit, witness, witness});
    return certificate;
  }

 private:
  using Change = std::function<void()>;

  std::size_t below(std::size_t n) { return random_.index(n); }
  Rational delta() {
    const Rational size = Rational::fraction(static_cast<long>(below(40)) + 1, static_cast<long>(below(12)) + 1);
    return below(2) == 0 ? size : -size;
  }
  // One of these, or half the time the usual one, if there is one.
  void make_one(const std::vector<Change>& changes, const Change& usual = {}) {
    if (usual && random_.coin()) return usual();
    changes[below(changes.size())]();
  }
  template <typename Item>
  void erase_one(std::vector<Item>& items) {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(below(items.size())));
  }

  void mutate_claim(Certificate& certificate) {
    const Rational change = delta() / Rational(static_cast<long>(below(100)) + 1);
    const std::size_t which = below(3);
    if (which != 1) certificate.lower += change;
    if (which != 0) certificate.upper += change;
  }

  ResourceName some_resource(const tpn::FoldedNet& net) {
    const tpn::Resource& resource = net.resources[below(net.resources.size())];
    return {net.pipeline.processors[resource.processor], resource.kind};
  }

  void mutate_circuit(Certificate& certificate, const tpn::FoldedNet& net) {
    auto* walk = std::get_if<CertificateWalk>(&certificate.circuit);
    if (walk == nullptr) {
      if (below(2) == 0) {
        certificate.circuit = some_resource(net);
        return;
      }
      // The resource's own circuit, spelled out, to be mutated below.
      CertificateWalk spelled;
      const auto own = evaluators::own_circuit(net, evaluators::busiest_resource(net));
      spelled.data_set = own.data_set;
      for (std::size_t t = 0; t < own.steps.size(); ++t) {
        spelled.steps.push_back(
            {own.steps[t].column, own.steps[(t + 1) % own.steps.size()].column, own.steps[t].height});
      }
      certificate.circuit = spelled;
      walk = std::get_if<CertificateWalk>(&certificate.circuit);
    }
    auto& steps = walk->steps;
    const std::size_t t = below(steps.size());
    auto& step = steps[t];
    const std::size_t columns = net.pipeline.columns.size();
    make_one({[&] { step.height += below(4); }, [&] { step.height -= std::min<std::uint64_t>(step.height, below(4)); },
              [&] { step.column = below(columns + 1); }, [&] { step.to = below(columns); }, [&] { erase_one(steps); },
              [&] { steps.push_back(step); }, [&] { std::swap(step, steps[below(steps.size())]); },
              [&] { walk->data_set += below(12); },
              [&] {
                // A column dropped on both sides keeps the circuit closed.
                const std::size_t next = (t + 1) % steps.size();
                if (next == t) return;
                step.to = steps[next].to;
                step.height += steps[next].height;
                steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(next));
              }});
  }

  void mutate_columns(std::vector<ColumnClockList>& columns, const tpn::FoldedNet& net) {
    ColumnClockList& list = columns[below(columns.size())];
    const std::size_t k = below(list.clocks.size());
    CertificateClock& clock = list.clocks[k];
    make_one({[&] { erase_one(columns); }, [&] { columns.push_back(list); },
              [&] { list.column = below(columns.size() + 1); }, [&] { erase_one(list.clocks); },
              [&] {
                list.clocks.push_back({some_resource(net), clock.value});
              },
              [&] { clock.resource = some_resource(net); },
              [&] {
                // A clock of another column, if it does not belong.
                const CertificateClock moved = clock;
                list.clocks.erase(list.clocks.begin() + static_cast<std::ptrdiff_t>(k));
                columns[below(columns.size())].clocks.push_back(moved);
              }},
             [&] { clock.value += delta(); });
  }

  void mutate_witness(Certificate& certificate, const tpn::FoldedNet& net) {
    if (auto* clocks = std::get_if<std::vector<CertificateClock>>(&certificate.witness)) {
      CertificateClock& clock = (*clocks)[below(clocks->size())];
      make_one({[&] { erase_one(*clocks); },
                [&] {
                  clocks->push_back({some_resource(net), clock.value});
                },
                [&] { clock.resource = some_resource(net); }},
               [&] { clock.value += delta(); });
      return;
    }
    if (auto* columns = std::get_if<std::vector<ColumnClockList>>(&certificate.witness)) {
      mutate_columns(*columns, net);
      return;
    }
    auto& schedules = std::get<std::vector<ColumnSchedule>>(certificate.witness);
    ColumnSchedule& schedule = schedules[below(schedules.size())];
    make_one({[&] { erase_one(schedules); }, [&] { schedules.push_back(schedule); },
              [&] { schedule.column = below(schedules.size() + 1); }, [&] { schedule.start.pop_back(); },
              [&] { schedule.start.push_back(schedule.start.front()); }},
             [&] { schedule.start[below(schedule.start.size())] += delta(); });
  }

  support::Draw random_;
};

// Why a certificate is refused; empty if it is accepted.
using Checker =
    std::function<std::string(const tpn::Document&, const Certificate& mutant, const Certificate& original)>;

std::string refusal(const tpn::Document& document, const Certificate& certificate) {
  const auto verdict = evaluators::check(document, certificate);
  if (const auto* refused = std::get_if<evaluators::Refused>(&verdict)) return refused->reason;
  return std::holds_alternative<evaluators::Proven>(verdict) ? "" : "too large";
}

struct Count {
  std::size_t false_claims = 0;  // mutants that do not prove their claim
  std::size_t escaped = 0;       // of these, accepted
  std::size_t still_true = 0;    // mutants that still prove their claim
  std::size_t unjust = 0;        // of these, refused
};

Count hunt(std::size_t false_claims, const Checker& checker) {
  Count count;
  Mutator mutate(7);
  for (std::uint64_t seed = 0; count.false_claims < false_claims; ++seed) {
    const support::Kind kind = support::kKinds[seed % std::size(support::kKinds)];
    const tpn::Document document = support::random_document(kind, 5000 + seed);
    for (const tpn::Model& model : tpn::default_models()) {
      const tpn::FoldedNet net = support::net_of(document, model);
      for (const support::Way& way : support::ways_for(net)) {
        const auto original = std::get<Certificate>(evaluators::certify(net, evaluators::evaluate(net, way.options)));
        // The judge knows no potentials: tests/second_checker_test.py changes those.
        if (std::holds_alternative<evaluators::PotentialSchedule>(original.witness)) continue;
        for (int k = 0; k < 10; ++k) {
          const Certificate mutant = mutate(original, net);
          const std::string reason = checker(document, mutant, original);
          if (support::proves(document, mutant)) {
            ++count.still_true;
            if (!reason.empty()) ++count.unjust;
          } else {
            ++count.false_claims;
            if (reason.empty()) ++count.escaped;
          }
        }
      }
    }
  }
  return count;
}

TEST_CASE("the checker refuses every mutated certificate that no longer proves its claim") {
  const std::uint64_t mutants = support::draws(10'000);
  const Count count = hunt(mutants, [](const tpn::Document& document, const Certificate& mutant, const Certificate&) {
    return refusal(document, mutant);
  });
  CHECK(count.false_claims >= mutants);
  CHECK(count.escaped == 0);
  // Nor does it refuse everything: what still proves its claim is accepted.
  CHECK(count.still_true > mutants / 20);
  CHECK(count.unjust == 0);
}

TEST_CASE("the hunt for mutated certificates finds a checker that forgets a half of its work") {
  for (const bool forgets_circuit : {false, true}) {
    INFO(forgets_circuit);
    const auto checker = [&](const tpn::Document& document, Certificate mutant, const Certificate& original) {
      if (forgets_circuit) mutant.circuit = original.circuit;
      if (!forgets_circuit) mutant.witness = original.witness;
      return refusal(document, mutant);
    };
    CHECK(hunt(500, checker).escaped > 0);
  }
}

TEST_CASE("a certificate of one instance is no certificate of another") {
  const tpn::Document a = support::document_of("examples/example-a.json");
  tpn::Document slower = a;
  *slower.platform.processors[2].time += Rational(1);
  const tpn::FoldedNet net = support::net_of(a, tpn::Model::kStrict);
  const auto certificate = std::get<Certificate>(evaluators::certify(net, evaluators::evaluate(net)));
  REQUIRE(refusal(a, certificate).empty());
  REQUIRE_FALSE(refusal(slower, certificate).empty());
}

TEST_CASE("guarded steps prove nothing unless they hold on every lap") {
  // STRICT [P1, P2, P1], [P0]: P1's two visits per lap are 1 and 2 data sets apart. A circuit that takes the
  // shorter way each time is none.
  const std::array<std::size_t, 2> two = {2, 1};
  tpn::Document document = support::uniform_document(two, 5, 9, 3);
  (*document.mapping)[0].processors = {0, 1, 0};
  const tpn::FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  const auto guarded = std::ranges::find_if(
      net.dependences, [](const tpn::Dependence& d) { return d.modulus == 3 && d.height == 1 && d.from > d.to; });
  REQUIRE(guarded != net.dependences.end());
  Certificate certificate = std::get<Certificate>(evaluators::certify(net, evaluators::evaluate(net)));
  certificate.lower = certificate.upper = Rational(0);
  certificate.upper = evaluators::sequential_period(net);
  CertificateWalk walk;
  walk.data_set = guarded->residue;
  walk.steps = {{guarded->from, guarded->to, guarded->height}, {guarded->to, guarded->from, 0}};
  certificate.circuit = walk;
  const auto verdict = evaluators::check(net, certificate);
  REQUIRE(std::holds_alternative<evaluators::Refused>(verdict));
  CHECK(std::get<evaluators::Refused>(verdict).reason.find("on every lap") != std::string::npos);
}

// The limits of the checker, by kind.
constexpr auto kOperations = tpn::LimitKind::checked_operations;
constexpr auto kDenominator = tpn::LimitKind::denominator_bits;

// The kind of the limit that was met, and both its numbers as they have to be; nothing if none was.
std::optional<tpn::LimitKind> limit_met(const evaluators::Verdict& verdict, std::uint64_t max_operations) {
  const auto* too_large = std::get_if<tpn::TooLarge>(&verdict);
  if (too_large == nullptr) return std::nullopt;
  REQUIRE(too_large->needed > too_large->limit);
  if (too_large->kind != kDenominator) REQUIRE(too_large->limit == max_operations);
  return too_large->kind;
}

bool is_proved(const tpn::FoldedNet& net, const Certificate& certificate, std::uint64_t max_operations) {
  const auto verdict = evaluators::check(net, certificate, max_operations);
  if (std::holds_alternative<evaluators::Proven>(verdict)) return true;
  REQUIRE(limit_met(verdict, max_operations) == kOperations);
  return false;
}

// Operations that a check takes to prove, as the least limit that it keeps; with any less it meets that limit.
std::uint64_t operations_of(const tpn::FoldedNet& net, const Certificate& certificate,
                            std::uint64_t enough = evaluators::kCheckedOperations) {
  std::uint64_t too_few = 0;
  REQUIRE_FALSE(is_proved(net, certificate, too_few));
  REQUIRE(is_proved(net, certificate, enough));
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (is_proved(net, certificate, middle) ? enough : too_few) = middle;
  }
  return enough;
}

// They are at least and at most so many.
void require_limit(const tpn::FoldedNet& net, const Certificate& certificate, std::uint64_t least, std::uint64_t most) {
  REQUIRE(operations_of(net, certificate, most) >= least);
}

Certificate certificate_of(const tpn::FoldedNet& net, evaluators::Method method) {
  return std::get<Certificate>(evaluators::certify(net, evaluators::evaluate(net, support::options_of(method))));
}

// With a circuit whose durations nobody has to add up: the busiest resource's own.
Certificate without_walk(const tpn::FoldedNet& net, Certificate certificate) {
  const tpn::Resource& resource = net.resources[evaluators::busiest_resource(net)];
  certificate.circuit = ResourceName{net.pipeline.processors[resource.processor], resource.kind};
  certificate.lower = resource.cycle_time;
  return certificate;
}

// Clocks of enormous denominators, all different.
void lengthen(std::vector<CertificateClock>& clocks, maxplus::Integer& denominator) {
  for (CertificateClock& clock : clocks) {
    clock.value += Rational::fraction(1, denominator);
    denominator = denominator * 2 + 1;
  }
}

// What each clock takes until all have a common denominator.
constexpr std::uint64_t kOperationsPerClock = 25;

TEST_CASE("the checker plays clocks over as many operations as it may, and no more") {
  for (const char* example : {"examples/example-a.json", "examples/example-c.json"}) {
    INFO(example);
    const tpn::FoldedNet net = support::net_of(support::document_of(example), tpn::Model::kStrict);
    const Certificate certificate = without_walk(net, certificate_of(net, evaluators::Method::sweep));
    REQUIRE(std::holds_alternative<std::vector<CertificateClock>>(certificate.witness));
    const std::uint64_t operations = net.pipeline.rows.get_ui() * net.pipeline.columns.size();
    require_limit(net, certificate, operations, operations + kOperationsPerClock * net.resources.size());
  }
}

TEST_CASE("the checker plays clocks of columns over as many operations as it may, and no more") {
  // Columns repeat after as many data sets as their circuits' sequences need: the durations' and the ports' rounds.
  const tpn::FoldedNet net = support::net_of(support::document_of("examples/example-c.json"), tpn::Model::kOverlap);
  const Certificate certificate = without_walk(net, certificate_of(net, evaluators::Method::pattern));
  REQUIRE(std::holds_alternative<std::vector<ColumnClockList>>(certificate.witness));
  std::uint64_t operations = 0;
  for (const tpn::Column& column : net.pipeline.columns) {
    operations += std::lcm(column.sender_offset.size(), column.receiver_offset.size());
  }
  require_limit(net, certificate, operations, operations + kOperationsPerClock * net.resources.size());
}

TEST_CASE("the checker looks at as many steps, durations and start times as it may, and no more") {
  const tpn::FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const Certificate certificate = certificate_of(net, evaluators::Method::unfold);
  REQUIRE(std::holds_alternative<std::vector<ColumnSchedule>>(certificate.witness));
  REQUIRE(std::holds_alternative<CertificateWalk>(certificate.circuit));
  const std::uint64_t steps = std::get<CertificateWalk>(certificate.circuit).steps.size();
  std::uint64_t starts = 0;
  for (const ColumnSchedule& schedule : std::get<std::vector<ColumnSchedule>>(certificate.witness)) {
    starts += schedule.start.size();
  }
  // Each start twice at the least, when its denominator is looked at and as the end of a dependence.
  require_limit(net, certificate, steps + 2 * starts, 100 * steps + 20 * starts);
}

// 2^bits.
maxplus::Integer power_of_two(std::uint64_t bits) { return maxplus::Integer(1) << bits; }

TEST_CASE("an operation on long numbers counts as often as 1024 bits go into them") {
  const tpn::FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const std::uint64_t played = net.pipeline.rows.get_ui() * net.pipeline.columns.size();

  // All clocks later by as much prove the same.
  Certificate clocks = without_walk(net, certificate_of(net, evaluators::Method::sweep));
  for (CertificateClock& clock : std::get<std::vector<CertificateClock>>(clocks.witness)) {
    clock.value += Rational(power_of_two(99 * 1024));
  }
  CHECK(operations_of(net, clocks) >= 100 * played);
  CHECK(operations_of(net, clocks) < 110 * played + 100 * kOperationsPerClock * net.resources.size());

  // A schedule likewise.
  Certificate schedule = without_walk(net, certificate_of(net, evaluators::Method::unfold));
  const std::uint64_t short_operations = operations_of(net, schedule);
  for (ColumnSchedule& column : std::get<std::vector<ColumnSchedule>>(schedule.witness)) {
    for (Rational& start : column.start) start += Rational(power_of_two(99 * 1024));
  }
  CHECK(operations_of(net, schedule) > 30 * short_operations);
  CHECK(operations_of(net, schedule) <= 100 * short_operations);

  // An upper bound a little above the period that takes long numbers to write, and starts as they were.
  Certificate bound = without_walk(net, certificate_of(net, evaluators::Method::unfold));
  bound.upper = evaluators::sequential_period(net) + Rational::fraction(1, power_of_two(50 * 1024) - 1);
  CHECK(operations_of(net, bound) > 30 * short_operations);
}

TEST_CASE("the first data set of a circuit may have any number of digits at no cost") {
  const tpn::FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  Certificate certificate = certificate_of(net, evaluators::Method::sweep);
  const std::uint64_t operations = operations_of(net, certificate);
  auto& walk = std::get<CertificateWalk>(certificate.circuit);
  walk.data_set += net.pipeline.rows * power_of_two(300'000);
  REQUIRE(is_proved(net, certificate, operations));
  walk.steps.front().height += 1'000'000;
  const auto verdict = evaluators::check(net, certificate, operations);
  REQUIRE(std::holds_alternative<evaluators::Refused>(verdict));
  // The data set is named as the certificate has it.
  REQUIRE_THAT(std::get<evaluators::Refused>(verdict).reason, Catch::Contains(walk.data_set.get_str()));
}

TEST_CASE("a check ends when it is told that time is over") {
  // 101 * 103 rows, so that it asks in between.
  const std::array<std::size_t, 2> replication = {101, 103};
  const tpn::FoldedNet net = support::net_of(support::uniform_document(replication, 5, 9, 3), tpn::Model::kStrict);
  for (const evaluators::Method method : {evaluators::Method::sweep, evaluators::Method::unfold}) {
    const Certificate certificate = certificate_of(net, method);
    std::uint64_t asked = 0;
    const auto answer = [&](std::uint64_t patience) {
      asked = 0;
      return evaluators::check(net, certificate, {evaluators::kCheckedOperations, [&] { return ++asked > patience; }});
    };
    REQUIRE(std::holds_alternative<evaluators::Proven>(answer(UINT64_MAX)));
    REQUIRE(asked > 0);
    REQUIRE(std::holds_alternative<evaluators::CheckTimeout>(answer(asked - 1)));
    REQUIRE(std::holds_alternative<evaluators::CheckTimeout>(answer(0)));
    REQUIRE(asked == 1);
  }
}

TEST_CASE("clocks whose common denominator is enormous are answered as too large") {
  const tpn::Document document = support::document_of("examples/example-a.json");
  const tpn::FoldedNet strict = support::net_of(document, tpn::Model::kStrict);
  Certificate clocks = certificate_of(strict, evaluators::Method::sweep);
  maxplus::Integer denominator;
  mpz_ui_pow_ui(denominator.get_mpz_t(), 3, 20'000);
  lengthen(std::get<std::vector<CertificateClock>>(clocks.witness), denominator);
  CHECK(limit_met(evaluators::check(strict, clocks), evaluators::kCheckedOperations) == kDenominator);

  const tpn::FoldedNet overlap = support::net_of(document, tpn::Model::kOverlap);
  Certificate columns = certificate_of(overlap, evaluators::Method::pattern);
  for (ColumnClockList& list : std::get<std::vector<ColumnClockList>>(columns.witness)) {
    lengthen(list.clocks, denominator);
  }
  CHECK(limit_met(evaluators::check(overlap, columns), evaluators::kCheckedOperations) == kDenominator);
}

TEST_CASE("an instance whose processors meet too often for a net is answered as too large by the checker") {
  // Two parts of 30,000 and 30,001 processors.
  tpn::Document document;
  document.platform.defaults.time = Rational(1);
  document.mapping.emplace();
  for (std::size_t i = 0; i < 2; ++i) {
    document.application.stages.emplace_back().name = "S" + std::to_string(i);
    tpn::Part part{i, i, {}};
    for (std::size_t k = 0; k < 30'000 + i; ++k) {
      part.processors.push_back(document.platform.processors.size());
      document.platform.processors.push_back({"P" + std::to_string(part.processors.back()), {}, Rational(1)});
    }
    document.mapping->push_back(std::move(part));
  }
  const auto verdict = evaluators::check(document, Certificate{});
  REQUIRE(std::holds_alternative<tpn::TooLarge>(verdict));
  CHECK(std::get<tpn::TooLarge>(verdict).kind == tpn::LimitKind::meetings);
  CHECK(std::get<tpn::TooLarge>(verdict).needed == 900'030'000);
}

}  // namespace
}  // namespace takt
