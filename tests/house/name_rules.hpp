// The rules of names: one type, one name; and nobody but the table of models asks which model it is.
#pragma once

#include <string>
#include <vector>

#include "tests/house/source_rules.hpp"

namespace takt::house {

/// One line "PATH:LINE: what is wrong" for every type of the libraries or the program, declared outside any class,
/// whose name an earlier one has: struct, class, enum or alias, in whatever namespace.
std::vector<std::string> name_violations(const std::vector<SourceFile>& files);

/// The same for every comparison with, or case of, a value of tpn::Model outside tpn/models.cpp: a model is what it
/// says of itself, not its name.
std::vector<std::string> model_violations(const std::vector<SourceFile>& files);

/// The same for every computation with indices of a net's parts or columns outside tpn/chain.*: what comes next, and
/// which columns are a part's, the pipeline says. PartIndex and ColumnIndex refuse it where they stand as such; this
/// finds it in subscripts of a pipeline's lists, behind value(), and in what makes an index.
std::vector<std::string> index_violations(const std::vector<SourceFile>& files);

}  // namespace takt::house
