// Commas, and "and" before the last.
#include "tools/words/listing.hpp"

#include <fmt/format.h>

namespace takt::tools {

std::string listing(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t shown = names.size() > most ? most - 1 : names.size();
  std::string text;
  for (std::size_t k = 0; k < shown; ++k) {
    if (k > 0) text += k + 1 == names.size() ? " and " : ", ";
    text += names[k];
  }
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace takt::tools
