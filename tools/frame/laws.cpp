// With examples for completions.
#include "tools/frame/laws.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tpn/law.hpp"

namespace takt::tools {

ValueCheck law_text(const std::string& word) {
  std::vector<std::string> names = {"constant",  "exponential",   "uniform:20%", "erlang:4",
                                    "gamma:0.5", "lognormal:0.5", "normal:0.2",  "pareto:2.5"};
  if (!word.empty()) names.insert(names.begin(), word);
  return {[word](const std::string& text) -> std::string {
            if (!word.empty() && text == word) return "";
            const auto law = tpn::parse_law(text);
            const auto* wrong = std::get_if<tpn::LawExpectation>(&law);
            if (wrong == nullptr) return "";
            return fmt::format("found \"{}\", expected {}{}", text, word.empty() ? "" : word + ", or ",
                               wrong->expected);
          },
          {.names = std::move(names)}};
}

}  // namespace takt::tools
