// The mapping that a program prints for a problem.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/json.hpp"
#include "tpn/problem_view.hpp"

namespace takt::tools {

/// A mapping of the problem, and the period that is predicted of it where one is.
struct OwnMapping {
  tpn::Mapping mapping;
  std::optional<maxplus::Rational> predicted_period;
};

/// Reads the keys "mapping" and "predicted_period" of an object, a document as takt writes them or these keys alone;
/// the names are those of the problem, whatever else the object says of it. `origin` names the text in messages. Throws
/// tpn::ParseError or tpn::InvalidInstance where that is no mapping of the problem.
OwnMapping read_own_mapping(std::string_view text, const std::string& origin, const tpn::ProblemView& problem);
/// The same of a text that is parsed already.
OwnMapping read_own_mapping(const tpn::json::Tree& tree, const tpn::ProblemView& problem);

}  // namespace takt::tools
