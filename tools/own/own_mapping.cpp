// Names to numbers; tpn::validate_mapping judges the rest.
#include "tools/own/own_mapping.hpp"

#include <algorithm>
#include <vector>

#include "tpn/errors.hpp"
#include "tpn/json.hpp"
#include "tpn/units.hpp"
#include "tpn/validate.hpp"

namespace takt::tools {

namespace {

namespace json = tpn::json;

template <typename Named>
std::size_t number_of(const json::Tree& tree, const json::Value& name, const std::vector<Named>& all,
                      const std::string& what) {
  const std::string& text = json::as_string(tree, name, "the name of a " + what);
  const auto found = std::ranges::find(all, text, &Named::name);
  if (found == all.end()) {
    json::fail(tree, name, "the unknown " + what + " " + json::quote(text),
               "the name of a " + what + " of the problem");
  }
  return static_cast<std::size_t>(found - all.begin());
}

tpn::Part read_part(const json::Tree& tree, const json::Value& value, const tpn::Document& problem) {
  json::as_object(tree, value, "a part");
  tpn::Part part;
  const auto& stages = json::as_array(tree, json::required(tree, value, "a part", "stages"), "names of stages");
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const std::size_t number = number_of(tree, stages[k], problem.application.stages, "stage");
    if (k == 0) part.first_stage = number;
    if (k > 0 && number != part.last_stage + 1) {
      json::fail(tree, stages[k], "stage " + json::quote(stages[k].text), "the stage that follows the one before");
    }
    part.last_stage = number;
  }
  if (stages.empty()) json::fail(tree, value, "a part without stages", "at least one");
  const auto& processors =
      json::as_array(tree, json::required(tree, value, "a part", "processors"), "names of processors");
  for (const json::Value& name : processors) {
    part.processors.push_back(number_of(tree, name, problem.platform.processors, "processor"));
  }
  return part;
}

std::optional<maxplus::Rational> read_prediction(const json::Tree& tree) {
  const json::Value* value = json::find(tree.root, "predicted_period");
  if (value == nullptr) return std::nullopt;
  if (value->kind != json::Kind::string) return json::as_number(tree, *value, json::Bound::non_negative);
  const auto read = tpn::parse_quantity(value->text, tpn::Quantity::time, tree.max_digits);
  if (const auto* number = std::get_if<maxplus::Rational>(&read)) return *number;
  json::fail(tree, *value, json::describe(*value), "a time");
}

}  // namespace

OwnMapping read_own_mapping(std::string_view text, const std::string& origin, const tpn::ProblemView& problem) {
  return read_own_mapping(json::parse(text, origin), problem);
}

OwnMapping read_own_mapping(const json::Tree& tree, const tpn::ProblemView& problem) {
  json::as_object(tree, tree.root, "a document, or its mapping alone");
  OwnMapping own;
  const json::Value& parts = json::required(tree, tree.root, "the object", "mapping");
  for (const json::Value& part : json::as_array(tree, parts, "parts")) {
    own.mapping.push_back(read_part(tree, part, problem.document()));
  }
  if (own.mapping.empty()) json::fail(tree, parts, "an empty array", "parts, at least one");
  own.predicted_period = read_prediction(tree);
  try {
    tpn::validate_mapping(problem, own.mapping);
  } catch (const tpn::InvalidInstance& error) {
    throw error.at(tree.file);
  }
  return own;
}

}  // namespace takt::tools
