// Each column has one start time, for data set 0: by docs/planner.md that keeps the period.
#include "tools/plan/plan_certificates.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/proof/certificate.hpp"
#include "plan/certify.hpp"
#include "plan/counted/counted.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

Rational duration_of(const tpn::FoldedNet& net, std::size_t column) {
  return Rational(net.pipeline.columns[column].duration(0)) / Rational(net.pipeline.scale);
}

// A dependence that leads back, with the flow between: nothing of the net takes longer per data set. A plan's net is a
// chain (plan::kPlansTake): the columns from one end of the dependence to the other follow one another.
std::variant<evaluators::CertificateWalk, evaluators::ResourceName> circuit_of(const tpn::FoldedNet& net,
                                                                               const Rational& period) {
  const auto busy = std::ranges::find(net.resources, period, &tpn::Resource::cycle_time);
  if (busy != net.resources.end())
    return evaluators::ResourceName{net.pipeline.processors[busy->processor], busy->kind};
  evaluators::CertificateWalk walk;
  for (const tpn::Dependence& back : net.dependences) {
    if (back.height == 0) continue;
    Rational around;
    for (std::size_t c = back.to; c <= back.from; ++c) around += duration_of(net, c);
    if (around != period * Rational(back.height)) continue;
    for (std::size_t c = back.to; c < back.from; ++c) walk.steps.push_back({c, c + 1, 0});
    walk.steps.push_back({back.from, back.to, back.height});
    walk.data_set = back.residue;
    break;
  }
  return walk;
}

// The proof of a plan's period; nothing if its net is too large to be made.
std::optional<evaluators::Certificate> period_certificate(const tpn::Document& mapped,
                                                          const evaluators::Deadline& deadline) {
  auto folded = tpn::fold(mapped, *mapped.model, deadline);
  const auto* net = std::get_if<tpn::FoldedNet>(&folded);
  if (net == nullptr) return std::nullopt;
  evaluators::Certificate result;
  result.model = *mapped.model;
  result.lower = result.upper = *mapped.predicted_period;
  result.circuit = circuit_of(*net, result.lower);
  std::vector<evaluators::ColumnSchedule> schedule;
  Rational start;
  for (std::size_t c = 0; c < net->pipeline.columns.size(); ++c) {
    schedule.push_back({c, {start}});
    start += duration_of(*net, c);
  }
  result.witness = std::move(schedule);
  return result;
}

// The counts of the catalogue if they are not the document's own.
std::vector<std::optional<std::uint64_t>> own_counts(const tpn::Document& problem, const plan::Catalogue& catalogue) {
  std::vector<std::optional<std::uint64_t>> counts;
  bool are_own = false;
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    const auto& count = counts.emplace_back(catalogue.types[t].count);
    const auto& known = problem.platform.types[t].count;
    are_own = are_own || (count && (!known || Rational(*count) != *known));
  }
  if (!are_own) counts.clear();
  return counts;
}

// That nothing is cheaper for the period, or that there is nothing; of other aims that nothing is faster for that.
std::optional<plan::PlanCertificate> other_plans(const plan::Catalogue& catalogue, const PlanFindings& findings,
                                                 const evaluators::Deadline& deadline) {
  const PlanWish& wish = findings.wish;
  plan::CountedQuery asked{wish.query(wish.planned_period()), wish.latency, deadline};
  if (wish.aim == PlanAim::period && findings.answer) return plan::certify_answer(catalogue, asked, *findings.answer);
  if (!findings.found || findings.found->kept.sign() == 0) return std::nullopt;
  asked.query = wish.query(findings.found->kept);
  asked.query.strictly = true;
  return plan::certify_answer(catalogue, asked, plan::solve_within(catalogue, asked));
}

}  // namespace

PlanProofs plan_certificates(const tpn::Document& problem, const plan::Catalogue& catalogue,
                             const PlanFindings& findings, const tpn::Document* mapped,
                             const evaluators::Deadline& deadline) {
  const auto period = mapped == nullptr ? std::nullopt : period_certificate(*mapped, deadline);
  auto others = other_plans(catalogue, findings, deadline);
  if (!period && !others) return {};
  std::string text;
  tpn::JsonWriter json(text, tpn::IllFormed::refused);
  json.begin_object(tpn::JsonLayout::block);
  if (period) evaluators::write_certificate(json, *period);
  if (others) {
    const auto counts = own_counts(problem, catalogue);
    for (std::size_t t = 0; t < counts.size(); ++t) {
      if (counts[t]) others->target.counts.emplace(catalogue.types[t].name, *counts[t]);
    }
    plan::write_plan_certificate(json, *others);
  }
  json.end();
  return {text + '\n', std::move(others)};
}

}  // namespace takt::tools
