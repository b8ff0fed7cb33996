// Numbers of a document found by name and replaced: "detect on gpu2=20 ms", "gateway ports=2".
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tools/words/time_words.hpp"
#include "tpn/counts.hpp"
#include "tpn/document.hpp"
#include "tpn/parameters.hpp"

namespace takt::tools {

/// Another value of a parameter, or of counts.
struct ParameterChange {
  std::string name;                         // as takt sensitivity prints it
  std::string pointer;                      // of the first of several
  std::optional<tpn::Parameter> parameter;  // nothing of counts
  std::optional<maxplus::Rational> before;  // nothing: ports without a limit
  std::optional<maxplus::Rational> value;   // likewise
};

/// Counts that are named together, or one: equal ones of one quantity.
using NamedCounts = std::vector<tpn::DocumentCount>;

/// What has that name, as `takt sensitivity` prints it, or that JSON pointer: a parameter or counts, a group, a single
/// one, or one that the mapping does not use. Throws UsageError, with the name that may be meant, if there is none.
std::variant<tpn::Parameter, NamedCounts> number_named(const std::string& name, const tpn::Document& document,
                                                       const std::string& file);

/// Carries out texts "NAME=VALUE", VALUE with a unit where the document has units, of counts a whole number, of ports
/// also "unlimited"; `option` is what gave them. Throws UsageError, also where two have one name.
std::vector<ParameterChange> change_parameters(const std::string& option, const std::vector<std::string>& texts,
                                               tpn::Document& document, const std::string& file);

/// "detect on gpu2 at 20 ms in place of 30 ms".
std::string change_text(const ParameterChange& change, const TimeWords& times);

}  // namespace takt::tools
