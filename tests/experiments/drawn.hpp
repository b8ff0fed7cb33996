// Draws of generators for tests.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/draws/generator.hpp"

namespace takt::experiments {

using Said = std::vector<std::pair<std::string_view, std::string>>;

/// The arguments of the generator of that name with these values, as texts.
inline Arguments arguments_of(std::string_view name, const Said& said = {}) {
  const Generator& generator = *find_generator(name);
  Arguments arguments(generator);
  for (const auto& [parameter, text] : said) {
    for (const GeneratorParameter& known : generator.parameters) {
      if (known.name == parameter) arguments.set(parameter, std::get<ParameterValue>(parse_value(known, text)));
    }
  }
  return arguments;
}

/// Draw number `draw` of seed 1.
inline tpn::Document drawn(const Arguments& arguments, std::uint64_t draw,
                           const std::vector<std::string>& paired = {}) {
  return arguments.generator().draw(arguments, key_of(arguments, 1, draw, paired));
}

}  // namespace takt::experiments
