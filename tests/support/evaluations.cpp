// Instances to nets, and the list of ways to evaluate them.
#include "tests/support/evaluations.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <variant>

#include "tpn/reader.hpp"

namespace takt::support {

tpn::FoldedNet net_of(const tpn::Document& document, tpn::Model model) {
  return std::get<tpn::FoldedNet>(tpn::fold(document, model));
}

tpn::Document document_of(const std::string& path) {
  const std::string full = std::string(TAKT_SOURCE_DIR) + "/" + path;
  std::ifstream file(full);
  if (!file) throw std::runtime_error("cannot open " + full);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return tpn::read_document(text, path);
}

const std::vector<Way>& ways() {
  using evaluators::Method;
  using evaluators::Solver;
  static const std::vector<Way> all = [] {
    std::vector<Way> list;
    list.push_back(
        {"unfold with howard", {.method = Method::unfold, .solver = Solver::howard, .max_rows = {}, .deadline = {}}});
    list.push_back(
        {"unfold with karp", {.method = Method::unfold, .solver = Solver::karp, .max_rows = {}, .deadline = {}}});
    list.push_back({"sweep", {.method = Method::sweep, .solver = Solver::howard, .max_rows = {}, .deadline = {}}});
    return list;
  }();
  return all;
}

maxplus::Rational period_of(const tpn::FoldedNet& net) {
  const evaluators::Evaluation evaluation =
      evaluators::evaluate(net, {.method = evaluators::Method::sweep, .solver = {}, .max_rows = {}, .deadline = {}});
  maxplus::expects(evaluation.exact(), "a test's net is small enough to be exact");
  return evaluation.upper;
}

}  // namespace takt::support
