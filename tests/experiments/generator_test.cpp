// Parameters as texts, arguments, and what holds of every generator.
#include "experiments/generator.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tpn/validate.hpp"

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

TEST_CASE("every generator draws valid documents of its kind, the same for the same key") {
  for (const Generator& generator : generators()) {
    INFO(generator.name);
    const Arguments arguments(generator);
    for (std::uint64_t draw = 0; draw < 20; ++draw) {
      const DrawKey key{.seed = 3, .cell = cell_hash(arguments.canonical()), .draw = draw};
      const tpn::Document document = generator.draw(arguments, key);
      CHECK_NOTHROW(tpn::validate(document));
      CHECK(document.mapping.has_value() == (generator.kind == DrawnKind::instance));
      CHECK(document == generator.draw(arguments, key));
      DrawKey other = key;
      other.seed = 4;
      CHECK_FALSE(document == generator.draw(arguments, other));
    }
  }
}

}  // namespace takt::experiments
