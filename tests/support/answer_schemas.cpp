// Valijson; each schema is parsed once.
#include "tests/support/answer_schemas.hpp"

#include <fstream>
#include <map>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace takt::testing::schemas {

namespace {

using Json = nlohmann::json;

Json schema_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file.good()) throw std::runtime_error("no schema " + path.string());
  return Json::parse(file);
}

}  // namespace

bool accepts(const std::filesystem::path& folder, const std::string& name, const Json& answer, std::string& why) {
  static std::map<std::string, valijson::Schema> parsed;
  if (!parsed.contains(name)) {
    const Json schema = schema_in(folder / (name + ".schema.json"));
    valijson::SchemaParser().populateSchema(
        valijson::adapters::NlohmannJsonAdapter(schema), parsed[name],
        [&folder](const std::string& uri) { return new Json(schema_in(folder / uri)); },
        [](const Json* document) { delete document; });
  }
  valijson::ValidationResults results;
  valijson::Validator validator;
  const bool is_valid = validator.validate(parsed.at(name), valijson::adapters::NlohmannJsonAdapter(answer), &results);
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& place : error.context) why += place;
    why += ": " + error.description + '\n';
  }
  return is_valid;
}

}  // namespace takt::testing::schemas
