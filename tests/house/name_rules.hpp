// The rule of names: one type, one name.
#pragma once

#include <string>
#include <vector>

#include "tests/house/source_rules.hpp"

namespace takt::house {

/// One line "PATH:LINE: what is wrong" for every type of the libraries or the program, declared outside any class,
/// whose name an earlier one has: struct, class, enum or alias, in whatever namespace.
std::vector<std::string> name_violations(const std::vector<SourceFile>& files);

}  // namespace takt::house
