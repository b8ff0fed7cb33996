// The table of variables: those that drawings have, and the page's own.
#include "tools/report/page_colors.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "tools/pictures/palette.hpp"

namespace takt::tools {

namespace {

struct PageVariable {
  std::string_view name;
  SchemeColor color;
  bool ends_line = false;
};

constexpr std::array kVariables = {PageVariable{"bg", kPageColor},
                                   PageVariable{"pane", {"#f7f7f5", "#1b1f24"}},
                                   PageVariable{"ink", kInkColor},
                                   PageVariable{"dim", kDimColor},
                                   PageVariable{"line", {"#dfe2e6", "#343b44"}},
                                   PageVariable{"rule", kRuleColor, true},
                                   PageVariable{"acc", kAccentColor},
                                   PageVariable{"accbg", {"#fff4ec", "#33221a"}},
                                   PageVariable{"onacc", {"#fff", "#1a120c"}, true},
                                   PageVariable{"r", kReceiveColor},
                                   PageVariable{"c", kComputeColor},
                                   PageVariable{"s", kSendColor, true},
                                   PageVariable{"ok", {"#1a6e46", "#7bd3a5"}},
                                   PageVariable{"okbg", {"#eaf6ef", "#17302a"}},
                                   PageVariable{"box", {"#fff", "#1b1f24"}},
                                   PageVariable{"lnk", {"#b9c0c8", "#4b545e"}},
                                   PageVariable{"edge", kEdgeColor},
                                   PageVariable{"lo", {".62", ".4"}, true},
                                   PageVariable{"h0", kTints[0]},
                                   PageVariable{"h1", kTints[1]},
                                   PageVariable{"h2", kTints[2]},
                                   PageVariable{"h3", kTints[3]},
                                   PageVariable{"h4", kTints[4]},
                                   PageVariable{"h5", kTints[5]},
                                   PageVariable{"on", kOnHue, true}};

std::string lines_of(std::string_view SchemeColor::*scheme, std::string_view indent) {
  std::string lines(indent);
  for (const PageVariable& variable : kVariables) {
    lines += fmt::format("--{}: {};", variable.name, variable.color.*scheme);
    const bool is_last = &variable == &kVariables.back();
    lines += !variable.ends_line ? " " : is_last ? "\n" : fmt::format("\n{}", indent);
  }
  return lines;
}

}  // namespace

std::string page_colors() {
  return fmt::format(
      ":root {{\n  color-scheme: light dark;\n{}}}\n@media (prefers-color-scheme: dark) {{\n  :root {{\n{}  }}\n}}\n",
      lines_of(&SchemeColor::light, "  "), lines_of(&SchemeColor::dark, "    "));
}

}  // namespace takt::tools
