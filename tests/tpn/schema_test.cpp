// docs/instance.schema.json, judged by an independent validator, against the reader.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tests/tpn/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/reader.hpp"

namespace takt::tpn {
namespace {

using Json = nlohmann::json;

Json schema_json() { return Json::parse(testing::contents(testing::source_path("docs/instance.schema.json"))); }

const valijson::Schema& schema() {
  static valijson::Schema parsed;
  static const bool is_parsed = [] {
    const Json text = schema_json();
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(text), parsed);
    return true;
  }();
  REQUIRE(is_parsed);
  return parsed;
}

bool schema_accepts(const Json& document) {
  valijson::Validator validator;
  return validator.validate(schema(), valijson::adapters::NlohmannJsonAdapter(document), nullptr);
}

enum class Verdict { accepted, invalid, malformed };

struct Judgement {
  Verdict verdict;
  std::string message;
};

Judgement reader_verdict(const Json& document) {
  try {
    read_document(document.dump(), "f");
    return {Verdict::accepted, ""};
  } catch (const ParseError& error) {
    return {Verdict::malformed, error.what()};
  } catch (const InvalidInstance& error) {
    return {Verdict::invalid, error.what()};
  }
}

// How often each outcome came up, so that a test can say it was a test.
struct Tally {
  int accepted = 0;
  int invalid = 0;
  int malformed = 0;
};

// The schema says what is malformed; names and whatever else joins one place to another is the reader's alone.
void compare(const Json& document, Tally& tally) {
  const Judgement judgement = reader_verdict(document);
  // A pattern cannot tell that these two are not whole numbers.
  for (const std::string text : {"1/2", "3/06"}) {
    if (judgement.message.find("found the text \"" + text + "\", expected a whole number") != std::string::npos) return;
  }
  // Counts beyond their bounds, which may be written as text, the reader refuses before it has seen the rest.
  if (judgement.message.find("expected a whole number from ") != std::string::npos) return;
  CAPTURE(document.dump());
  CAPTURE(judgement.message);
  REQUIRE(schema_accepts(document) == (judgement.verdict != Verdict::malformed));
  tally.accepted += judgement.verdict == Verdict::accepted ? 1 : 0;
  tally.invalid += judgement.verdict == Verdict::invalid ? 1 : 0;
  tally.malformed += judgement.verdict == Verdict::malformed ? 1 : 0;
}

void collect_pointers(const Json& value, const Json::json_pointer& here, std::vector<Json::json_pointer>& pointers) {
  pointers.push_back(here);
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) collect_pointers(item, here / key, pointers);
  }
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) collect_pointers(value[i], here / i, pointers);
  }
}

std::vector<Json::json_pointer> pointers_of(const Json& document) {
  std::vector<Json::json_pointer> pointers;
  collect_pointers(document, Json::json_pointer(), pointers);
  return pointers;
}

const std::vector<Json>& replacements() {
  static const std::vector<Json> values = Json::parse(R"([
      null, true, false, 0, 7, -1, 0.5, 1.5, -0.5, -0.0, 2.0, 1e300, "", "x", "0", "-0", "12", "1/2", "-1/2", "1/0",
      "0/3", "3/06", "-0/1", "+1", "1/", "/2", " 1", "1.5", "0.5", "2.0", "1e3", "-0.0", "-0.5", "1.5/2", "10 ms",
      "1/3ms", "7 \u00b5s", "0 s", "-1 s", "1.5e-3 h", "10 MS", " ms", "4 MB", "0.0 KiB", "8 kbit", "1.25 GB/s", "0 B/s",
      "0.0 Mbit/min", "2e9/s", "1/3 /ms", "0/s", "1/", [], {}, [1], ["P0"], {"name": "x"}, "overlap"])");
  return values;
}

std::set<std::string> known_keys() {
  std::set<std::string> keys{"unknown", "", "$schema", "//"};
  for (const KeyTable& table : key_tables()) keys.insert(table.keys.begin(), table.keys.end());
  return keys;
}

TEST_CASE("the schema and the reader know the same keys of the same objects") {
  const Json text = schema_json();
  std::set<std::string> named;
  for (const KeyTable& table : key_tables()) {
    CAPTURE(std::string(table.object));
    const Json& object = table.object == "document" ? text : text.at("definitions").at(std::string(table.object));
    std::set<std::string> in_schema;
    for (const auto& [key, value] : object.at("properties").items()) in_schema.insert(key);
    CHECK(in_schema == std::set<std::string>(table.keys.begin(), table.keys.end()));
    CHECK(object.at("additionalProperties") == false);
    CHECK(object.at("patternProperties") == Json::parse(R"({"^(\\$schema|//)$": {"$ref": "#/definitions/remark"}})"));
    named.emplace(table.object);
  }
  for (const auto& [name, definition] : text.at("definitions").items()) {
    CAPTURE(name);
    if (definition.contains("properties")) CHECK(named.count(name) == 1);
  }
}

TEST_CASE("the schema accepts every good document") {
  for (const auto& file : testing::good_documents()) {
    CAPTURE(file.string());
    CHECK(schema_accepts(Json::parse(testing::contents(file))));
  }
}

// Every stride-th of them where there are so many.
void compare_single_changes(const Json& original, Tally& tally) {
  const std::size_t stride = support::makes_all_draws() ? 1 : 41;
  std::size_t changes = 0;
  const auto compare_some = [&](const auto& change) {
    if (changes++ % stride != 0) return;
    Json changed = original;
    change(changed);
    compare(changed, tally);
  };
  const std::set<std::string> keys = known_keys();
  for (const auto& pointer : pointers_of(original)) {
    for (const Json& replacement : replacements()) {
      compare_some([&](Json& changed) { changed[pointer] = replacement; });
    }
    if (!pointer.empty()) {
      compare_some([&](Json& changed) {
        Json& parent = changed[pointer.parent_pointer()];
        if (parent.is_object()) {
          parent.erase(pointer.back());
        } else {
          parent.erase(static_cast<std::size_t>(std::stoul(pointer.back())));
        }
      });
    }
    if (!original[pointer].is_object()) continue;
    for (const std::string& key : keys) {
      for (const Json& value : {Json(1), Json("x"), Json::array()}) {
        compare_some([&](Json& changed) { changed[pointer][key] = value; });
      }
    }
  }
}

TEST_CASE("schema and reader agree on single changes of documents with every key, units, types, hosts and laws") {
  for (const std::string file : {"document", "units", "types", "hosts", "laws"}) {
    CAPTURE(file);
    Tally tally;
    compare_single_changes(Json::parse(testing::contents(testing::source_path("tests/data/full-" + file + ".json"))),
                           tally);
    CHECK(tally.accepted > 7);
    CHECK(tally.invalid > 1);
    CHECK(tally.malformed > 50);
  }
}

TEST_CASE("schema and reader agree on random changes of all good documents") {
  support::Draw random(20090800);
  const auto below = [&](std::size_t bound) { return random.index(bound); };
  const std::set<std::string> key_set = known_keys();
  const std::vector<std::string> keys(key_set.begin(), key_set.end());
  Tally tally;
  for (const auto& file : testing::good_documents()) {
    const Json original = Json::parse(testing::contents(file));
    const auto pointers = pointers_of(original);
    if (pointers.size() > 1000) continue;  // example C's thousands of links are all alike
    for (std::uint64_t round = support::draws(200); round > 0; --round) {
      Json changed = original;
      for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
        const auto& pointer = pointers[below(pointers.size())];
        if (!changed.contains(pointer)) continue;
        Json& value = changed[pointer];
        if (value.is_object() && !value.empty()) {
          switch (below(3)) {
            case 0:
              value.erase(std::next(value.begin(), static_cast<long>(below(value.size()))));
              break;
            case 1:
              value[keys[below(keys.size())]] = replacements()[below(replacements().size())];
              break;
            default:
              value = replacements()[below(replacements().size())];
          }
        } else if (value.is_array() && !value.empty()) {
          if (below(2) == 0) {
            value.erase(below(value.size()));
          } else {
            value.push_back(value[below(value.size())]);
          }
        } else {
          value = replacements()[below(replacements().size())];
        }
      }
      compare(changed, tally);
    }
  }
  CHECK(tally.accepted > 10);
  CHECK(tally.invalid > 20);
  CHECK(tally.malformed > 100);
}

}  // namespace
}  // namespace takt::tpn
