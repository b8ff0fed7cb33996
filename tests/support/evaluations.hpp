// Shorthands of the tests: instances to nets, and every way to evaluate them.
#pragma once

#include <string>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::support {

/// The folded net of an instance; it must not be too large.
tpn::FoldedNet net_of(const tpn::Document& document, tpn::Model model);

/// overlap, strict, and bounded with room for one file and for two.
std::vector<tpn::Model> all_models();

/// The document of a file below the source tree.
tpn::Document document_of(const std::string& path);

/// The options that choose a method, and its solver where it has several.
evaluators::Options options_of(evaluators::Method method, evaluators::Solver solver = evaluators::Solver::howard);

/// A way to evaluate, named for failure messages.
struct Way {
  std::string name;
  evaluators::Options options;
};

/// All exact ways: unfold and pattern with each solver, sweep and residue.
const std::vector<Way>& ways();

/// Those that fit the net.
std::vector<Way> ways_for(const tpn::FoldedNet& net);

/// The exact period of a net, by sweep.
maxplus::Rational period_of(const tpn::FoldedNet& net);

}  // namespace takt::support
