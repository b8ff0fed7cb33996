// Shorthands of the tests: instances to nets, and every way to evaluate them.
#pragma once

#include <string>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "maxplus/solvers.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::support {

/// The folded net of an instance; it must not be too large.
tpn::FoldedNet net_of(const tpn::Document& document, tpn::Model model);

/// overlap, strict, and bounded with room for one file and for two.
std::vector<tpn::Model> all_models();

/// The document of a file below the source tree; it may be a catalogue.
tpn::Document document_of(const std::string& path);

/// The options that choose a method, and its solver where it has several: null for the default one.
evaluators::Options options_of(evaluators::Method method, const maxplus::CycleRatioSolver* solver = nullptr);

/// A way to evaluate, named for failure messages.
struct Way {
  std::string name;
  evaluators::Options options;
};

/// All exact ways: every method but `simulate`, those that have solvers with each of them, sweep and residue.
const std::vector<Way>& ways();

/// Those that fit the net.
std::vector<Way> ways_for(const tpn::FoldedNet& net);

/// Whether the checker accepts what is made of an evaluation as its certificate.
bool proved(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation);

/// The exact period of a net, by sweep.
maxplus::Rational period_of(const tpn::FoldedNet& net);

}  // namespace takt::support
