// Instances to nets, and the list of ways to evaluate them.
#include "tests/support/evaluations.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <variant>

#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::support {

tpn::FoldedNet net_of(const tpn::Document& document, tpn::Model model) {
  return std::get<tpn::FoldedNet>(tpn::fold(document, model));
}

std::vector<tpn::Model> all_models() {
  return {tpn::Model::overlap, tpn::Model::strict, tpn::bounded_model(1), tpn::bounded_model(2)};
}

tpn::Document document_of(const std::string& path) {
  const std::string full = std::string(TAKT_SOURCE_DIR) + "/" + path;
  std::ifstream file(full);
  if (!file) throw std::runtime_error("cannot open " + full);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return tpn::read_document(text, path);
}

evaluators::Options options_of(evaluators::Method method, evaluators::Solver solver) {
  evaluators::Options options;
  options.method = method;
  options.solver = solver;
  return options;
}

const std::vector<Way>& ways() {
  using evaluators::Method;
  using evaluators::Solver;
  static const std::vector<Way> all = [] {
    std::vector<Way> list;
    list.push_back({"unfold with howard", options_of(Method::unfold)});
    list.push_back({"unfold with karp", options_of(Method::unfold, Solver::karp)});
    list.push_back({"sweep", options_of(Method::sweep)});
    list.push_back({"residue", options_of(Method::residue)});
    list.push_back({"pattern", options_of(Method::pattern)});
    list.push_back({"pattern with karp", options_of(Method::pattern, Solver::karp)});
    return list;
  }();
  return all;
}

std::vector<Way> ways_for(const tpn::FoldedNet& net) {
  std::vector<Way> fit;
  for (const Way& way : ways()) {
    const auto unfit = evaluators::evaluator_of(way.options.method).unfit;
    if (unfit == nullptr || !unfit(net)) fit.push_back(way);
  }
  return fit;
}

maxplus::Rational period_of(const tpn::FoldedNet& net) {
  const evaluators::Evaluation evaluation = evaluators::evaluate(net, options_of(evaluators::Method::sweep));
  maxplus::expects(evaluation.exact(), "a test's net is small enough to be exact");
  return evaluation.upper;
}

}  // namespace takt::support
