// With examples for completions.
#include "tools/frame/laws.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tools/words/suggestion.hpp"
#include "tpn/law.hpp"

namespace takt::tools {

ValueCheck law_text(const std::string& word) {
  std::vector<std::string> examples;
  std::vector<std::string> names;
  for (const tpn::LawForm& form : tpn::law_forms()) {
    examples.push_back(fmt::format("{}{}{}", form.name, form.key.empty() ? "" : ":", form.example));
    names.emplace_back(form.name);
  }
  if (!word.empty()) {
    examples.insert(examples.begin(), word);
    names.push_back(word);
  }
  return {[word, names](const std::string& text) -> std::string {
            if (!word.empty() && text == word) return "";
            const auto law = tpn::parse_law(text);
            const auto* wrong = std::get_if<tpn::LawExpectation>(&law);
            if (wrong == nullptr) return "";
            const std::string name = text.substr(0, text.find(':'));
            return fmt::format("found \"{}\"{}, expected {}{}", text,
                               tpn::find_law_form(name) == nullptr ? suggestion(name, names) : "",
                               word.empty() ? "" : word + ", or ", wrong->expected);
          },
          {.names = std::move(examples)}};
}

}  // namespace takt::tools
