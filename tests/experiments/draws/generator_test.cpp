// Parameters as texts, arguments, and what holds of every generator.
#include "experiments/draws/generator.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <string>

#include "tpn/reader.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::experiments {

namespace {

const GeneratorParameter kRange = {
    .name = "times", .help = "times", .kind = ParameterKind::range, .standard = "5", .most = 1000};

std::string read_again(const GeneratorParameter& parameter, std::string_view text) {
  const auto value = parse_value(parameter, text);
  if (const auto* refused = std::get_if<ParameterExpectation>(&value)) return "expected " + refused->expected;
  return value_text(std::get<ParameterValue>(value));
}

}  // namespace

TEST_CASE("a range is one number, two ends, or two ends and a step") {
  CHECK(read_again(kRange, "5") == "5");
  CHECK(read_again(kRange, "5..5") == "5");
  CHECK(read_again(kRange, "5..15") == "5..15");
  CHECK(read_again(kRange, "1..2.3 by 0.5") == "1..2 by 1/2");
  CHECK(read_again(kRange, "3/2..7/2") == "3/2..7/2");
  for (const char* text : {"", "15..5", "5..", "..5", "5..15 by 0", "0.5..2", "1..1001", "5 .. 15", "1..2 by x"}) {
    CHECK(read_again(kRange, text) ==
          "expected a number or a range such as 5..15 or \"0.01..10 by 0.01\", from 1 to 1000");
  }
  const Range range = std::get<Range>(std::get<ParameterValue>(parse_value(kRange, "1..2 by 1/4")));
  CHECK(range.size() == 5);
  CHECK(range.at(3) == Rational::fraction(7, 4));
}

TEST_CASE("arguments are standard until set, and canonical where they differ") {
  const Generator& generator = *find_generator("replicated-mapping");
  Arguments arguments(generator);
  CHECK(arguments.count("stages") == 10);
  CHECK(arguments.canonical() == "replicated-mapping");
  arguments.set("processors", std::uint64_t{30});
  arguments.set("network", std::string("pair"));
  CHECK(arguments.canonical() == "replicated-mapping;processors=30;network=pair");
  CHECK(arguments.canonical({"processors"}) == "replicated-mapping;network=pair");
  arguments.set("stages", std::uint64_t{31});
  REQUIRE(generator.objection(arguments));
}

TEST_CASE("a parameter that must be above its least value says so") {
  GeneratorParameter parameter = kRange;
  parameter.is_above_least = true;
  CHECK(read_again(parameter, "1.001..2") == "1001/1000");
  CHECK(read_again(parameter, "1..2") ==
        "expected a number or a range such as 5..15 or \"0.01..10 by 0.01\", above 1, at most 1000");
  parameter.kind = ParameterKind::number;
  CHECK(read_again(parameter, "1") == "expected a number above 1, at most 1000");
}

TEST_CASE("every generator draws valid documents of its kind, the same for the same key") {
  for (const Generator& generator : generators()) {
    INFO(generator.name);
    const Arguments arguments(generator);
    for (std::uint64_t draw = 0; draw < 20; ++draw) {
      const DrawKey key = key_of(arguments, 3, draw);
      const tpn::Document document = generator.draw(arguments, key);
      CHECK_NOTHROW(tpn::validate(document));
      CHECK(document.mapping.has_value() == (generator.kind == DrawnKind::instance));
      CHECK(document == generator.draw(arguments, key));
      CHECK_FALSE(document == generator.draw(arguments, key_of(arguments, 4, draw)));
      CHECK_FALSE(document == generator.draw(arguments, key_of(arguments, 3, draw + 1)));
    }
  }
}

namespace {

// All combinations of the choices from the given parameter on, each visited.
void each_combination(Arguments arguments, std::size_t from, const std::function<void(const Arguments&)>& visit) {
  const auto& parameters = arguments.generator().parameters;
  while (from < parameters.size() && parameters[from].kind != ParameterKind::choice) ++from;
  if (from == parameters.size()) return visit(arguments);
  for (const std::string_view choice : parameters[from].choices) {
    arguments.set(parameters[from].name, std::string(choice));
    each_combination(arguments, from + 1, visit);
  }
}

}  // namespace

TEST_CASE("every combination of choices and small or large counts draws valid documents that are written and read") {
  std::size_t documents = 0;
  for (const Generator& generator : generators()) {
    each_combination(Arguments(generator), 0, [&](const Arguments& chosen) {
      INFO(chosen.canonical());
      for (std::uint64_t draw = 0; draw < 4; ++draw) {
        Arguments arguments = chosen;
        for (const GeneratorParameter& parameter : generator.parameters) {
          if (parameter.kind == ParameterKind::count) arguments.set(parameter.name, std::uint64_t{1} + draw * draw);
        }
        if (generator.objection != nullptr && generator.objection(arguments)) continue;
        const tpn::Document document = draw_document(arguments, 5, draw);
        REQUIRE_NOTHROW(tpn::validate(document));
        REQUIRE(tpn::read_document(tpn::write_document(document), "drawn") == document);
        ++documents;
      }
    });
  }
  CHECK(documents > 600);
}

TEST_CASE("the document of a draw says where it comes from, and how to draw it again") {
  Arguments arguments(*find_generator("skeleton-pair"));
  CHECK(draw_document(arguments, 7, 17).application.name == "skeleton-pair, seed 7, draw 17");
  CHECK(command_of(arguments, 7, 17) == "takt generate skeleton-pair --seed 7 --draw 17");
  arguments.set("works", Range{Rational::fraction(1, 100), 10, Rational::fraction(1, 100)});
  arguments.set("processors", std::uint64_t{100});
  const std::string command = command_of(arguments, 7, 17, {"processors"});
  CHECK(command ==
        "takt generate skeleton-pair --processors 100 --works '1/100..10 by 1/100' --paired processors --seed 7 --draw "
        "17");
  CHECK(draw_document(arguments, 7, 17, {"processors"}).remarks.at("").comment == command);
}

TEST_CASE("no text of a generator, and no name of a parameter, is in the way of others") {
  for (const Generator& generator : generators()) {
    INFO(generator.name);
    CHECK(find_generator(generator.name) == &generator);
    std::set<std::string_view> names;
    for (const GeneratorParameter& parameter : generator.parameters) {
      INFO(parameter.name);
      CHECK(names.insert(parameter.name).second);
      for (const char* own : {"seed", "draw", "draws", "lines", "paired", "help", "json"}) CHECK(parameter.name != own);
      CHECK(parameter.help.back() != '.');
    }
  }
}

}  // namespace takt::experiments
