// What is said of all mappings of a problem, held to documents that use all that mappings can use.
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <vector>

#include "heuristics/common/placement.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "heuristics/search/price_goal.hpp"
#include "heuristics/typed/named_plan.hpp"
#include "plan/claims.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/rates.hpp"
#include "tpn/workflow.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;

tpn::Document drawn_document(std::uint64_t seed) {
  using support::Kind;
  static const std::vector<std::function<tpn::Document(std::uint64_t)>> kDrawn = {
      [](std::uint64_t of) { return support::random_document(Kind::everything, of); },
      [](std::uint64_t of) { return support::random_document(Kind::stage_times, of); },
      [](std::uint64_t of) { return support::random_document(Kind::typed, of); },
      support::host_document,
      support::ahead_document,
      support::segment_document,
      support::batch_document,
      support::workflow_document,
      support::ordered_document};
  return kDrawn[seed % kDrawn.size()](seed);
}

// Nothing if the document's rooms are too small for what is ahead.
std::optional<Rational> period_under(const tpn::Document& document, const tpn::Model& model) {
  try {
    return support::period_of(support::net_of(document, model));
  } catch (const tpn::InvalidInstance&) {
    return std::nullopt;
  }
}

bool has_batches(const tpn::Document& document) {
  return std::ranges::any_of(*document.mapping, [](const tpn::Part& part) { return !part.batches.empty(); });
}

// Whether nothing that is proved of all mappings with that period is contradicted by one of some price.
bool allows(const tpn::ProblemView& view, const tpn::Model& model, const Rational& period, const Rational& price) {
  heuristics::NamedQuery query;
  query.model = model;
  query.period = period;
  query.restarts = 1;
  query.moves = 1;
  query.steps = 1;
  const heuristics::NamedAnswer answer = heuristics::cheapest_on_platform(view, query);
  return answer.least_period <= period && std::ranges::all_of(answer.bounds, [&](const heuristics::NamedBound& bound) {
           return bound.of != heuristics::NamedClass::any || (bound.cost && *bound.cost <= price);
         });
}

}  // namespace

TEST_CASE("no document contradicts what is proved of all mappings but by a freedom that the claim leaves out") {
  std::size_t held = 0;
  std::vector<std::uint64_t> seeds = {1905, 28221};  // cores of one machine that take different times
  for (std::uint64_t seed = 1; seed <= support::draws(1000); ++seed) seeds.push_back(seed);
  for (const std::uint64_t seed : seeds) {
    const tpn::Document document = drawn_document(seed);
    tpn::Document problem = document;
    problem.mapping.reset();
    problem.transfers.clear();
    problem.order.clear();
    const tpn::ProblemView view(problem);
    if (tpn::has_rates(document.application) || !heuristics::PlacementRules(view).allow(*document.mapping)) continue;
    const plan::MappingClaim claim(plan::Prover::loads, plan::freedoms_of(document));
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      INFO("seed " << seed << ", " << tpn::label_of(model));
      if (has_batches(document) && !claim.is_of_any()) {
        CHECK(claim.none() == "no mapping without batches");
        continue;
      }
      const std::optional<Rational> own = period_under(document, model);
      if (!own) continue;
      const Rational& period = *own;
      CHECK(heuristics::period_lower_bound(view, model) <= period);
      ++held;
      if (!tpn::is_chain(document.application)) continue;
      CHECK(allows(view, model, period, heuristics::price_of(document, *document.mapping)));
    }
  }
  CHECK(held > support::draws(1000));
}

}  // namespace takt::testing
