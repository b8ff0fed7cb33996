// The same cut for all names: the first under which most of them stay apart.
#include "tools/words/short_names.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

constexpr std::size_t kMostSeen = 512;

enum class NameCut { end, middle, beginning };

// Both ends of a name by characters.
struct NameEnds {
  std::vector<std::string_view> front;
  std::vector<std::string_view> back;  // from the last on
};

NameEnds ends_of(std::string_view name) {
  std::vector<std::string_view> characters;
  for (std::string_view rest = name; !rest.empty(); rest.remove_prefix(characters.back().length())) {
    characters.push_back(rest.substr(0, tpn::first_character(rest).length));
  }
  NameEnds ends;
  const auto seen = static_cast<std::ptrdiff_t>(std::min(characters.size(), kMostSeen));
  ends.front.assign(characters.begin(), characters.begin() + seen);
  ends.back.assign(characters.rbegin(), characters.rbegin() + seen);
  return ends;
}

// With that many characters left.
std::string cut_to(const NameEnds& ends, NameCut cut, std::size_t characters) {
  std::size_t front = cut == NameCut::end ? characters : 0;
  if (cut == NameCut::middle) front = (characters + 1) / 2;
  std::string text;
  for (std::size_t k = 0; k < front; ++k) text += ends.front[k];
  text += "…";
  for (std::size_t k = characters - front; k > 0; --k) text += ends.back[k - 1];
  return text;
}

std::string longest_cut(const NameEnds& ends, NameCut cut, const std::function<bool(const std::string&)>& fits) {
  std::size_t yes = 0;
  std::size_t no = ends.front.size();
  while (yes + 1 < no) {
    const std::size_t middle = (yes + no) / 2;
    (fits(cut_to(ends, cut, middle)) ? yes : no) = middle;
  }
  return cut_to(ends, cut, yes);
}

// Texts that stand for more than one name.
std::size_t confused(const std::vector<std::string>& names, const std::vector<std::string>& texts) {
  std::map<std::string, std::set<std::string>> meant;
  for (std::size_t k = 0; k < names.size(); ++k) meant[texts[k]].insert(names[k]);
  return static_cast<std::size_t>(std::ranges::count_if(meant, [](const auto& one) { return one.second.size() > 1; }));
}

}  // namespace

std::vector<std::string> short_names(const std::vector<std::string>& names, const NameFits& fits) {
  std::vector<std::optional<NameEnds>> too_long(names.size());
  bool any = false;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (fits(k, names[k])) continue;
    too_long[k] = ends_of(names[k]);
    any = true;
  }
  if (!any) return names;
  std::vector<std::string> best;
  std::optional<std::size_t> least;
  for (const NameCut cut : {NameCut::end, NameCut::middle, NameCut::beginning}) {
    std::vector<std::string> texts = names;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (!too_long[k]) continue;
      texts[k] = longest_cut(*too_long[k], cut, [&](const std::string& text) { return fits(k, text); });
    }
    const std::size_t now = confused(names, texts);
    if (least && *least <= now) continue;
    least = now;
    best = std::move(texts);
    if (now == 0) break;
  }
  return best;
}

}  // namespace takt::tools
