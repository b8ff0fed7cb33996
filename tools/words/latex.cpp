// Special characters, one by one.
#include "tools/words/latex.hpp"

#include <algorithm>
#include <array>

#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

struct LatexSign {
  std::string_view text;
  std::string_view latex;
};

// The longer one first where one begins another.
constexpr auto kSigns =
    std::to_array<LatexSign>({{"<=", "$\\le$"},     {">=", "$\\ge$"},    {"!=", "$\\ne$"},
                              {"<", "$<$"},         {">", "$>$"},        {"\\", "\\textbackslash{}"},
                              {"|", "\\textbar{}"}, {"~", "\\~{}"},      {"^", "\\^{}"},
                              {"&", "\\&"},         {"%", "\\%"},        {"$", "\\$"},
                              {"#", "\\#"},         {"_", "\\_"},        {"{", "\\{"},
                              {"}", "\\}"},         {"χ²", "$\\chi^2$"}, {"±", "$\\pm$"},
                              {"×", "$\\times$"},   {"·", "$\\cdot$"},   {"≤", "$\\le$"},
                              {"≥", "$\\ge$"},      {"≠", "$\\ne$"},     {"≈", "$\\approx$"},
                              {"→", "$\\to$"},      {"–", "--"},         {"—", "---"},
                              {"“", "``"},          {"”", "''"},         {"…", "\\ldots{}"}});

}  // namespace

std::string latex_text(std::string_view text) {
  const std::string shown = tpn::visible(text);
  std::string_view rest = shown;
  std::string latex;
  bool is_after_blank = true;
  while (!rest.empty()) {
    const bool is_blank = std::string_view(" (").find(rest.front()) != std::string_view::npos;
    const auto* const sign =
        std::ranges::find_if(kSigns, [&](const LatexSign& known) { return rest.starts_with(known.text); });
    if (rest.front() == '"') {
      latex += is_after_blank ? "``" : "''";
      rest.remove_prefix(1);
    } else if (sign != kSigns.end()) {
      latex += sign->latex;
      rest.remove_prefix(sign->text.size());
    } else {
      latex += rest.front();
      rest.remove_prefix(1);
    }
    is_after_blank = is_blank;
  }
  return latex;
}

}  // namespace takt::tools
