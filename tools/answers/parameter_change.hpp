// Numbers of a document found by name and replaced: "detect on gpu2=20 ms".
#pragma once

#include <string>
#include <vector>

#include "tools/words/time_words.hpp"
#include "tpn/document.hpp"
#include "tpn/parameters.hpp"

namespace takt::tools {

/// Another value of a parameter.
struct ParameterChange {
  tpn::Parameter parameter;
  maxplus::Rational value;
};

/// The parameter of that name, as `takt sensitivity` prints it, or JSON pointer: a group, a single one, or one that the
/// mapping does not use. Throws UsageError, with the name that may be meant, where there is none.
tpn::Parameter parameter_named(const std::string& name, const tpn::Document& document, const std::string& file);

/// Carries out "NAME=VALUE", VALUE with a unit where the document has units; `option` is what gave it. Throws
/// UsageError.
ParameterChange change_parameter(const std::string& option, const std::string& text, tpn::Document& document,
                                 const std::string& file);

/// "detect on gpu2 at 20 ms in place of 30 ms".
std::string change_text(const ParameterChange& change, const TimeWords& times);

}  // namespace takt::tools
