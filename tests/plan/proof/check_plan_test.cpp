// Certificates of plans: what the planner certifies is proved, and whatever is changed, nothing false is.
#include "plan/proof/check_plan.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "plan/bounds.hpp"
#include "plan/certify.hpp"
#include "plan/proof/mapped_plan.hpp"
#include "plan/typed/program.hpp"
#include "tests/plan/random_catalogues.hpp"
#include "tests/plan/rich_catalogues.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

bool is_proved(const PlanVerdict& verdict) { return std::holds_alternative<PlanProven>(verdict); }

std::string reason_of(const PlanVerdict& verdict) {
  const auto* refused = std::get_if<PlanRefused>(&verdict);
  return refused == nullptr ? "" : refused->reason;
}

// A problem, what is asked of it, and multipliers of all that is limited.
struct Asked {
  tpn::Document document;
  Catalogue catalogue;
  Query query;
  PlanLimits limits;
};

Asked asked(std::uint64_t seed, const tpn::Model& model) {
  support::Draw draw(seed);
  Asked result;
  result.document = rich_catalogue({.counts = draw.coin()}, seed);
  result.catalogue = catalogue_of(result.document);
  result.query.model = model;
  result.query.period = telling_period(result.catalogue, seed);
  result.query.strictly = draw.one_in(4);
  result.query.spare = draw.one_in(4) ? draw.count(1, 2) : 0;
  result.query.all_apart = draw.one_in(6);
  const auto multiplier = [&] { return draw.one_in(3) ? Rational(0) : draw.fraction(6, 4); };
  for (const MachineType& type : result.catalogue.types)
    result.limits.multipliers.push_back(type.count ? multiplier() : Rational(0));
  if (draw.one_in(3)) {
    result.limits.latency = draw.fraction(60, 2);
    result.limits.latency_multiplier = multiplier();
  }
  return result;
}

// Whether a typed plan of few machines does what a claim denies.
bool is_refuted(const tpn::Document& document, const PlanCertificate& claim) {
  const Catalogue catalogue = catalogue_of(document);
  const PlanTarget& target = claim.target;
  Query query{.model = target.model, .period = target.period, .strictly = target.strictly};
  query.spare = target.spare;
  query.all_apart = target.all_apart;
  std::vector<std::uint64_t> machines;
  for (const MachineType& type : catalogue.types) {
    const auto own = target.counts.find(type.name);
    machines.push_back(own == target.counts.end() ? type.count.value_or(5) : own->second);
  }
  bool refuted = false;
  for_each_typed_plan(catalogue, machines, 5 + target.spare, query, [&](const TypedPlan& candidate) {
    const PlanFacts facts(catalogue, target.model, candidate);
    const Rational period = *facts.period_after(target.spare);
    if (target.strictly ? period >= target.period : period > target.period) return;
    if (target.latency && facts.latency() > *target.latency) return;
    refuted = refuted || !claim.bound || facts.cost() < *claim.bound;
  });
  return refuted;
}

PlanCertificate read_back(const PlanCertificate& certificate) {
  const std::string text = write_plan_certificate(certificate);
  const auto half = read_plan_half(text, "c.json");
  REQUIRE(half->is_alone);
  REQUIRE(write_plan_certificate(*half->certificate) == text);
  return *half->certificate;
}

void change_potentials(PlanCertificate& certificate, support::Draw& draw) {
  if (certificate.potentials.empty()) return;
  PlanPotential& chosen = certificate.potentials[draw.index(certificate.potentials.size())];
  switch (draw.index(4)) {
    case 0:
      chosen.value += draw.fraction(8, 4);
      break;
    case 1:
      chosen.value -= draw.fraction(8, 4);
      break;
    case 2:
      chosen = certificate.potentials.back();
      certificate.potentials.pop_back();
      break;
    default:
      std::swap(chosen.value, certificate.potentials.back().value);
  }
}

// One change, of the certificate or of the problem.
void change(PlanCertificate& certificate, tpn::Document& document, support::Draw& draw) {
  tpn::ProcessorType& type = document.platform.types[draw.index(document.platform.types.size())];
  tpn::Stage& stage = document.application.stages[draw.index(document.application.stages.size())];
  switch (draw.index(14)) {
    case 0:
      if (certificate.bound) *certificate.bound += draw.fraction(8, 4);
      break;
    case 1:
      certificate.bound.reset();
      break;
    case 2:
      certificate.multipliers[type.name] = draw.fraction(6, 4);
      break;
    case 3:
      certificate.target.counts[type.name] = draw.count(0, 4);
      break;
    case 4:
      certificate.target.period *= draw.fraction(6, 3);
      break;
    case 5:
      certificate.target.strictly = !certificate.target.strictly;
      break;
    case 6:
      certificate.target.spare = draw.count(0, 2);
      break;
    case 7:
      certificate.target.latency = draw.fraction(60, 2);
      break;
    case 8:
      type.price = draw.fraction(20, 4);
      break;
    case 9:
      type.memory = draw.whole(0, 12);
      break;
    case 10:
      type.cores = draw.count(1, 4);
      break;
    case 11:
      type.ports = draw.count(0, 3);
      break;
    case 12:
      stage.replicable = !stage.replicable;
      break;
    default:
      if (!stage.type_times.empty()) stage.type_times[draw.index(stage.type_times.size())].time = draw.whole(0, 12);
  }
}

// The instance with all turns of a machine's cores one behind the other; nothing if that is the same order.
std::optional<tpn::Document> core_after_core(const tpn::Document& instance) {
  tpn::Document bunched = instance;
  for (tpn::Part& part : *bunched.mapping) std::ranges::sort(part.processors);
  if (bunched == instance) return std::nullopt;
  return bunched;
}

}  // namespace

TEST_CASE("what the planner certifies is proved, and its bound is the cost of its plan without multipliers") {
  const std::uint64_t seeds = support::draws(150);
  std::size_t impossible = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const tpn::Model& model : support::all_models()) {
      CAPTURE(seed, tpn::label_of(model));
      const Asked problem = asked(seed, model);
      const PlanCertificate certificate = certify_plan(problem.catalogue, problem.query, problem.limits);
      const PlanVerdict verdict = check_plan(problem.document, read_back(certificate));
      CAPTURE(reason_of(verdict));
      REQUIRE(is_proved(verdict));
      REQUIRE_FALSE(is_refuted(problem.document, certificate));

      const auto answer = solve(problem.catalogue, problem.query);
      const PlanCertificate plain = certify_plan(problem.catalogue, problem.query);
      REQUIRE(is_proved(check_plan(problem.document, plain)));
      REQUIRE(plain.bound.has_value() == answer.plan.has_value());
      if (answer.plan) REQUIRE(*plain.bound == answer.cost);
      if (!answer.plan) ++impossible;
    }
  }
  CHECK(impossible > seeds / 2);
  CHECK(impossible < 3 * seeds);
}

TEST_CASE("counts or a latency that allow no plan are proved so by multipliers alone") {
  const std::uint64_t seeds = support::draws(1500);
  std::size_t proved = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const tpn::Model& model : support::all_models()) {
      const Asked problem = asked(seed, model);
      if (!solve(problem.catalogue, problem.query).plan) continue;
      const auto certificate = certify_impossible(problem.catalogue, problem.query, problem.limits);
      if (!certificate) continue;
      CAPTURE(seed, tpn::label_of(model));
      ++proved;
      REQUIRE(is_proved(check_plan(problem.document, read_back(*certificate))));
      REQUIRE_FALSE(is_refuted(problem.document, *certificate));
    }
  }
  CHECK(proved > seeds / 10);
}

TEST_CASE("a potential that is raised or missing, and a bound that is raised, prove nothing") {
  const std::uint64_t seeds = support::draws(1500);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const tpn::Model& model : support::all_models()) {
      CAPTURE(seed, tpn::label_of(model));
      const Asked problem = asked(seed, model);
      const PlanCertificate certificate = certify_plan(problem.catalogue, problem.query, problem.limits);
      if (certificate.potentials.empty()) continue;
      support::Draw draw(seed);
      const std::size_t chosen = draw.index(certificate.potentials.size());
      PlanCertificate raised = certificate;
      raised.potentials[chosen].value += Rational(1);
      CHECK(reason_of(check_plan(problem.document, raised)).find("expected at most") != std::string::npos);
      PlanCertificate missing = certificate;
      missing.potentials.erase(missing.potentials.begin() + static_cast<std::ptrdiff_t>(chosen));
      CHECK(reason_of(check_plan(problem.document, missing)).find("potential is missing") != std::string::npos);
      PlanCertificate twice = certificate;
      twice.potentials.push_back(twice.potentials[chosen]);
      CHECK(reason_of(check_plan(problem.document, twice)).find("has two potentials") != std::string::npos);
      // Without prices any cost above 0 says that there is no plan, which multipliers may prove.
      if (!certificate.bound || !price_step(problem.catalogue)) continue;
      PlanCertificate bold = certificate;
      *bold.bound += Rational::fraction(1, 1000);
      CHECK(reason_of(check_plan(problem.document, bold)).find("the bound is") != std::string::npos);
      *bold.bound = *certificate.bound - Rational::fraction(1, 1000);
      CHECK(is_proved(check_plan(problem.document, bold)));
    }
  }
}

TEST_CASE("whatever is changed of a certificate or its problem, nothing false is proved") {
  const std::uint64_t seeds = support::draws(150);
  std::size_t refused = 0;
  std::size_t proved = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const tpn::Model model = support::all_models()[seed % 4];
    const Asked problem = asked(seed, model);
    const PlanCertificate certificate = certify_plan(problem.catalogue, problem.query, problem.limits);
    support::Draw draw(seed + 1'000'000);
    for (int k = 0; k < 20; ++k) {
      CAPTURE(seed, k, tpn::label_of(model));
      PlanCertificate changed = certificate;
      tpn::Document document = problem.document;
      const std::size_t changes = draw.count(1, 2);
      for (std::size_t c = 0; c < changes; ++c)
        draw.coin() ? change(changed, document, draw) : change_potentials(changed, draw);
      const PlanVerdict verdict = check_plan(document, changed);
      if (is_proved(verdict)) {
        ++proved;
        REQUIRE_FALSE(is_refuted(document, changed));
      } else {
        ++refused;
        REQUIRE_FALSE(reason_of(verdict).empty());
      }
    }
  }
  CHECK(refused > 5 * seeds);
  CHECK(proved > seeds);
}

TEST_CASE("the planner's mapping is one of the plans that its certificate speaks of, and a machine less is not") {
  const std::uint64_t seeds = support::draws(1500);
  std::size_t mapped = 0;
  std::size_t reordered = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const tpn::Model& model : support::all_models()) {
      CAPTURE(seed, tpn::label_of(model));
      Asked problem = asked(seed, model);
      for (tpn::ProcessorType& type : problem.document.platform.types) type.count.reset();
      problem.catalogue = catalogue_of(problem.document);
      const auto answer = solve(problem.catalogue, problem.query);
      if (!answer.plan) continue;
      ++mapped;
      const auto instance = mapped_document(problem.document, problem.catalogue, model, *answer.plan);
      PlanTarget target = certify_plan(problem.catalogue, problem.query).target;
      const MappedPlan judged = judge_mapping(instance, target);
      CAPTURE(judged.amiss.value_or(""));
      REQUIRE_FALSE(judged.amiss);
      REQUIRE(judged.cost == answer.cost);
      REQUIRE(judged.machines == tpn::processor_groups(instance.platform).size());
      if (const auto bunched = core_after_core(instance)) {
        ++reordered;
        CHECK(judge_mapping(*bunched, target).amiss);
      }

      PlanTarget harder = target;
      harder.spare += 1;
      CHECK(judge_mapping(instance, harder).amiss);
      const PlanFacts facts(problem.catalogue, model, *answer.plan);
      harder = target;
      harder.latency = facts.latency();
      CHECK_FALSE(judge_mapping(instance, harder).amiss);
      harder.latency = facts.latency() - Rational::fraction(1, 100);
      CHECK(judge_mapping(instance, harder).amiss);
      harder = target;
      harder.period = *facts.period_after(target.spare);
      harder.strictly = true;
      if (harder.period.sign() > 0) CHECK(judge_mapping(instance, harder).amiss);
    }
  }
  CHECK(mapped > seeds);
  CHECK(reordered > seeds / 20);
}

}  // namespace takt::plan
