// What heuristics say of a problem's times is told in its units, as results are: with units and without the same but
// for these.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/registry.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;

// "30ms" and "2/ms" as a document without units has them, or with: in milliseconds.
std::string written(std::string text, bool has_units) {
  const auto replace = [&](const std::string& mark, const std::string& before, const std::string& after) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && (std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '.'))
        --begin;
      const std::string number = text.substr(begin, at - begin);
      const std::string made = has_units ? "\"" + number + before + after + "\"" : number;
      text.replace(begin, at + mark.size() - begin, made);
      at = begin + made.size() - 1;
    }
  };
  replace("[per ms]", "e3", "/s");
  replace("[B per ms]", " kB", "/s");
  replace("[ms]", " ms", "");
  return text;
}

constexpr std::string_view kWorks = R"({
  "application": {"input": 24, "stages": [
    {"name": "s1", "work": 60, "output": 12}, {"name": "s2", "work": 90, "output": 30},
    {"name": "s3", "work": 45, "output": 6}, {"name": "s4", "work": 120, "output": 18}]},
  "platform": {"processors": [{"name": "p1", "speed": 2[per ms]}, {"name": "p2", "speed": 1[per ms]},
                              {"name": "p3", "speed": 3[per ms]}, {"name": "p4", "speed": 1[per ms]},
                              {"name": "p5", "speed": 2[per ms]}],
               "bandwidth": 6[B per ms], "latency": 1[ms], "source": {"bandwidth": 6[B per ms]},
               "sink": {"bandwidth": 6[B per ms]}}})";

constexpr std::string_view kAlike = R"({
  "application": {"stages": [
    {"name": "s1", "work": 60, "output": 12}, {"name": "s2", "work": 60, "output": 12},
    {"name": "s3", "work": 60, "output": 12}, {"name": "s4", "work": 60, "output": 12}]},
  "platform": {"processors": [{"name": "p1", "speed": 2[per ms]}, {"name": "p2", "speed": 2[per ms]},
                              {"name": "p3", "speed": 2[per ms]}],
               "bandwidth": 6[B per ms]}})";

constexpr std::string_view kWorkflow = R"({
  "application": {"stages": [
    {"name": "a", "work": 30, "output": 12}, {"name": "b", "work": 60, "output": 12, "after": ["a"]},
    {"name": "c", "work": 90, "output": 12, "after": ["a"]}, {"name": "d", "work": 20, "after": ["b", "c"]}]},
  "platform": {"processors": [{"name": "p1", "speed": 2[per ms]}, {"name": "p2", "speed": 1[per ms]},
                              {"name": "p3", "speed": 3[per ms]}, {"name": "p4", "speed": 1[per ms]}],
               "bandwidth": 6[B per ms]}})";

// All that it says, in lines.
std::vector<std::string> texts_of(const heuristics::Solution& solution) {
  std::vector<std::string> texts = solution.log.notes;
  for (const heuristics::LogTable& table : solution.log.tables) {
    texts.push_back(table.title);
    for (const auto& row : table.rows) texts.insert(texts.end(), row.begin(), row.end());
  }
  return texts;
}

std::string without(std::string text, std::string_view what) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) text.erase(at, what.size());
  return text;
}

TEST_CASE("notes and tables of heuristics tell times in the problem's units") {
  int told = 0;
  int answered = 0;
  for (const std::string_view problem : {kWorks, kAlike, kWorkflow}) {
    const tpn::Document plain = tpn::read_document(written(std::string(problem), false), "plain");
    const tpn::Document units = tpn::read_document(written(std::string(problem), true), "units");
    REQUIRE(units.time_unit == tpn::TimeUnit::second);
    for (const heuristics::Heuristic& heuristic : heuristics::heuristics()) {
      // Those of the paper have four decimals without units.
      if (heuristic.name == "hedpm" || heuristic.name == "dpm") continue;
      if (tpn::why_refused(heuristic.takes, plain)) continue;
      CAPTURE(heuristic.name, problem);
      const heuristics::Solution before = heuristics::solve(heuristic, plain);
      const heuristics::Solution after = heuristics::solve(heuristic, units);
      const std::vector<std::string> numbers = texts_of(before);
      const std::vector<std::string> times = texts_of(after);
      REQUIRE(numbers.size() == times.size());
      for (std::size_t k = 0; k < times.size(); ++k) {
        if (numbers[k].find(" have speeds ") != std::string::npos) continue;  // no times
        CHECK((times[k] == "0 s" ? "0" : without(times[k], " ms")) == numbers[k]);
        told += times[k] == numbers[k] ? 0 : 1;
      }
      const auto* proposal = std::get_if<heuristics::Proposal>(&after.result);
      answered += proposal == nullptr ? 0 : 1;
    }
  }
  CAPTURE(told, answered);
  CHECK(answered > 25);
  CHECK(told > 80);
}

TEST_CASE("a time in words has the unit that suits it, where there are units") {
  tpn::Document document;
  CHECK(heuristics::time_in_words(document, Rational::fraction(3, 1000)) == "0.003");
  document.time_unit = tpn::TimeUnit::second;
  CHECK(heuristics::time_in_words(document, Rational::fraction(3, 1000)) == "3 ms");
  CHECK(heuristics::time_in_words(document, Rational::fraction(1, 3)) == "333.333 ms");
  CHECK(heuristics::time_in_words(document, 0) == "0 s");
  CHECK(heuristics::time_in_words(document, Rational::fraction(25, 10'000'000)) == "2.5 us");
}

TEST_CASE("hedpm's steps tell times of a problem with units in these") {
  const tpn::Document units = tpn::read_document(written(std::string(kWorks), true), "units");
  const heuristics::Solution solution = heuristics::solve(*heuristics::find_heuristic("hedpm"), units);
  REQUIRE(std::holds_alternative<heuristics::Proposal>(solution.result));
  REQUIRE_FALSE(solution.log.tables.empty());
  for (const auto& row : solution.log.tables.front().rows) CHECK(row.back().ends_with(" ms"));
}

}  // namespace
}  // namespace takt::testing
