// What a misspelt name may mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace takt::tools {

/// The nearest of the names: the same but for case, else the only one that the text begins, else the only one that a
/// change or two make of it (letters put in, left out, replaced or swapped, one for each three letters). "" where there
/// is none.
std::string nearest_name(std::string_view text, const std::vector<std::string>& names);

/// " (did you mean \"strict\"?)" for the nearest of the names, to stand behind what was found; or "".
std::string suggestion(std::string_view text, const std::vector<std::string>& names);

}  // namespace takt::tools
