// Names that are too long for their place, cut so that those that differ stay apart.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace takt::tools {

/// Whether a text has room in the place of name k. Of shorter texts more do.
using NameFits = std::function<bool(std::size_t k, const std::string& text)>;

/// Names, those without room cut to the longest that has, an ellipsis for what is left out: the end; or the middle or
/// the beginning, where two names that differ would look alike otherwise. Looks at 512 characters of a name from either
/// end. Names that differ nowhere else may look alike.
std::vector<std::string> short_names(const std::vector<std::string>& names, const NameFits& fits);

}  // namespace takt::tools
