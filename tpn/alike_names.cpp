// Three names, or two and how many more.
#include "tpn/alike_names.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace takt::tpn {

std::string list_of_alike(const std::vector<std::string>& names) {
  constexpr std::size_t kNamedAlike = 3;
  const std::size_t shown = names.size() > kNamedAlike ? kNamedAlike - 1 : names.size();
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace takt::tpn
