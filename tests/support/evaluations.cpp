// Instances to nets, and the list of ways to evaluate them.
#include "tests/support/evaluations.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <variant>

#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::support {

tpn::FoldedNet net_of(const tpn::Document& document, tpn::Model model) {
  return std::get<tpn::FoldedNet>(tpn::fold(document, model));
}

std::vector<tpn::Model> all_models() {
  return {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1), tpn::bounded_model(2)};
}

tpn::Document document_of(const std::string& path) {
  const std::string full = std::string(TAKT_SOURCE_DIR) + "/" + path;
  std::ifstream file(full);
  if (!file) throw std::runtime_error("cannot open " + full);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return tpn::read_document(text, path, std::nullopt, tpn::Catalogues::accepted);
}

evaluators::Options options_of(evaluators::Method method, const maxplus::CycleRatioSolver* solver) {
  evaluators::Options options;
  options.method = method;
  options.solver = solver;
  return options;
}

const std::vector<Way>& ways() {
  using evaluators::Method;
  static const std::vector<Way> all = [] {
    std::vector<Way> list;
    for (const evaluators::Evaluator& evaluator : evaluators::evaluators()) {
      if (evaluator.method == Method::automatic || evaluator.is_interval) continue;
      const std::string name(evaluator.name);
      list.push_back({name, options_of(evaluator.method)});
      if (!evaluator.has_solvers) continue;
      for (const maxplus::CycleRatioSolver& solver : maxplus::cycle_ratio_solvers()) {
        if (&solver == &maxplus::default_solver()) continue;
        list.push_back({name + " with " + std::string(solver.name), options_of(evaluator.method, &solver)});
      }
    }
    return list;
  }();
  return all;
}

std::vector<Way> ways_for(const tpn::FoldedNet& net) {
  std::vector<Way> fit;
  for (const Way& way : ways()) {
    if (!evaluators::why_unfit(way.options.method, net)) fit.push_back(way);
  }
  return fit;
}

bool proved(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation) {
  const auto certificate = std::get<evaluators::Certificate>(evaluators::certify(net, evaluation));
  return std::holds_alternative<evaluators::Proven>(evaluators::check(net, certificate));
}

maxplus::Rational period_of(const tpn::FoldedNet& net) {
  const evaluators::Evaluation evaluation = evaluators::evaluate(net, options_of(evaluators::Method::sweep));
  maxplus::expects(evaluation.exact(), "a test's net is small enough to be exact");
  return evaluation.upper;
}

}  // namespace takt::support
