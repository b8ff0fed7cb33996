// Laws in documents: what is read, what is written, what exact answers see of them, and what is refused.
#include "tpn/law.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/tpn/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/reader.hpp"
#include "tpn/timing.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

using maxplus::Rational;

std::string full_text() { return testing::contents(testing::source_path("tests/data/full-laws.json")); }

Document full() { return read_document(full_text(), "full-laws.json"); }

Rational milliseconds(long count, long of = 1) { return Rational::fraction(count, 1000 * of); }

}  // namespace

TEST_CASE("numbers of a document have laws, and are their means") {
  const Document document = full();
  const Application& application = document.application;
  CHECK(*application.input == Rational(500'000));
  CHECK(*application.input_law == Law{LawKind::lognormal, Rational::fraction(3, 10)});
  CHECK(*application.data_set_law == Law{LawKind::gamma, Rational::fraction(1, 4)});

  const Stage& decode = application.stages[0];
  REQUIRE(decode.times.size() == 3);
  CHECK(decode.times[0].processor == 2);
  CHECK(decode.times[0].time == milliseconds(9, 2));
  CHECK(decode.times[0].law->samples ==
        std::vector<Rational>{Rational::fraction(8, 9), Rational::fraction(11, 9), Rational::fraction(8, 9)});
  for (std::size_t k = 1; k < 3; ++k) {
    CHECK(decode.times[k].inherited);
    CHECK(decode.times[k].time == milliseconds(8));
    CHECK(*decode.times[k].law == Law{LawKind::uniform, Rational::fraction(1, 5)});
  }
  CHECK(*decode.output == Rational(5'500'000));
  CHECK(decode.output_law->samples == std::vector<Rational>{Rational::fraction(12, 11), Rational::fraction(10, 11)});

  const Stage& detect = application.stages[1];
  CHECK(detect.times[0].fixed == milliseconds(6));
  CHECK(*detect.times[0].law == Law{LawKind::erlang, 4});
  CHECK_FALSE(detect.times[1].law);
  CHECK(*detect.output_law == Law{LawKind::exponential});
  CHECK(*application.stages[2].work_law == Law{LawKind::normal, Rational::fraction(1, 5)});
  CHECK(*application.stages[3].work == Rational(1'750'000));
  CHECK(application.stages[3].work_law->samples.back() == Rational(0));

  const Platform& platform = document.platform;
  CHECK(*platform.processors[3].time_law == Law{LawKind::constant});
  CHECK(platform.processors[3].inherited.computation);
  CHECK(*platform.processors[4].time_law == Law{LawKind::pareto, Rational::fraction(5, 2)});
  CHECK(*platform.defaults.latency == milliseconds(1, 10));
  CHECK(*platform.links[1].timing.fixed_law == Law{LawKind::gamma, Rational::fraction(3, 2)});
  CHECK(*platform.sink->timing.time == milliseconds(3, 2));
}

TEST_CASE("documents with laws are written as they are read") {
  const Document document = full();
  const std::string text = write_document(document);
  CHECK(read_document(text, "again") == document);
  CHECK(write_document(read_document(text, "again")) == text);
  for (const std::string part :
       {R"("input": {"//": "compressed", "mean": "500 kB", "law": "lognormal", "cv": 0.3})",
        R"("data sets": {"//": "large frames are large for every stage", "law": "gamma", "cv": 0.25})",
        R"("gpu-1": {"samples": ["4 ms", "5.5 ms", "4 ms"]})",
        R"("gpu-1": {"fixed": "6 ms", "each": "1 ms", "law": "erlang", "phases": 4})",
        R"("work": {"samples": [1000000, 2000000, 4000000, 0]})", R"({"name": "appliance-1", "type": "appliance"})",
        R"("latency": {"samples": ["200 us", "300 us"]})"}) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("samples of a number that changes keep their proportions") {
  Document document = full();
  document.application.stages[0].times[0].time = milliseconds(9);
  CHECK(write_document(document).find(R"("gpu-1": {"samples": ["8 ms", "11 ms", "8 ms"]})") != std::string::npos);
}

TEST_CASE("exact durations are those of the means") {
  const Document document = full();
  std::string plain = full_text();
  const std::pair<std::string, std::string> laws[] = {
      {R"({"mean": "0.5 MB", "law": "lognormal", "cv": 0.3, "//": "compressed"})", R"("0.5 MB")"},
      {R"({"samples": ["6 MB", 5000000]})", R"("5.5 MB")"},
      {R"({"mean": "200 kB", "law": "exponential"})", R"("200 kB")"},
      {R"({"samples": ["0.2 ms", "0.3 ms"]})", R"("0.25 ms")"},
      {R"({"mean": "2 ms", "law": "gamma", "cv": 1.5})", R"("2 ms")"},
      {R"({"mean": 5e6, "law": "normal", "cv": 0.2})", "5e6"}};
  for (const auto& [law, mean] : laws) plain = testing::replaced(plain, law, mean);
  const Document without = read_document(plain, "plain");
  const Timing varied(document);
  const Timing constant(without);
  for (std::size_t from = 0; from < document.platform.processors.size(); ++from) {
    CHECK(varied.from_source(from) == constant.from_source(from));
    for (std::size_t stage = 0; stage < 4; ++stage) {
      CHECK(varied.stage_time(stage, from) == constant.stage_time(stage, from));
      for (std::size_t to = 0; to < document.platform.processors.size(); ++to)
        if (from != to) CHECK(varied.transfer(stage, from, to) == constant.transfer(stage, from, to));
    }
  }
  CHECK(varied.link_law(0, 2)->kind == LawKind::samples);
  CHECK(varied.link_law(1, 2)->kind == LawKind::gamma);
  CHECK(varied.link_law(2, 1)->kind == LawKind::gamma);
  CHECK(varied.link_law(0, 1)->kind == LawKind::exponential);
  CHECK(varied.source_link_law(0)->kind == LawKind::uniform);
  CHECK(varied.source_link_law(1)->kind == LawKind::lognormal);
  CHECK(varied.sink_link_law(4)->kind == LawKind::samples);
  CHECK(constant.sink_link_law(4)->kind == LawKind::samples);
}

TEST_CASE("a wrong law is said at its place") {
  const std::string spread = R"("law": "uniform", "spread": "20%")";
  const std::string samples = R"(["4 ms", "5.5 ms", "4 ms"])";
  const std::vector<testing::WrongChange> wrong = {
      {{spread, R"("law": "uniform", "spread": "120%")"},
       R"(f:9:88: /application/stages/0/time/edge/spread: found the law "uniform" with the spread 1.2, expected a )"
       "spread above 0 % and at most 100 %"},
      {{spread, R"("law": "uniform")"},
       R"(f:9:43: /application/stages/0/time/edge: found the law "uniform" without "spread", expected a spread )"
       R"(above 0 % and at most 100 %, such as "spread": "20%")"},
      {{spread, R"("law": "uniform", "spread": "wide")"},
       R"(f:9:88: /application/stages/0/time/edge/spread: found the text "wide", expected a spread above 0 % and at )"
       "most 100 %"},
      {{spread, R"("law": "exponential", "cv": 1)"},
       R"(f:9:88: /application/stages/0/time/edge/cv: found "cv" beside the law "exponential", expected no )"
       "parameter, as this law has none"},
      {{spread, R"("law": "gamma", "spread": 1)"},
       R"(f:9:86: /application/stages/0/time/edge/spread: found "spread" beside the law "gamma", expected "cv")"},
      {{spread, R"("law": "lognormale", "cv": 1)"},
       R"(f:9:67: /application/stages/0/time/edge/law: found the text "lognormale" (did you mean "lognormal"?), )"
       R"(expected "constant", "exponential", "uniform", "erlang", "gamma", "lognormal", "normal" or "pareto")"},
      {{R"("law": "pareto", "exponent": 2.5)", R"("law": "pareto", "exponent": 1)"},
       R"(f:25:80: /platform/processors/4/time/exponent: found the law "pareto" with the exponent 1, expected an )"
       "exponent above 1 and at most 1000000 (a law with a smaller one has no mean)"},
      {{samples, "[]"},
       "f:9:117: /application/stages/0/time/gpu-1/samples: found an empty array, expected samples, at least one"},
      {{samples, R"(["4 ms", "-1 ms"])"},
       R"(f:9:126: /application/stages/0/time/gpu-1/samples/1: found the text "-1 ms", expected a number of at )"
       "least 0"},
      {{samples, R"(["4 ms"], "law": "gamma", "cv": 1)"},
       R"(f:9:134: /application/stages/0/time/gpu-1/law: found "law" beside "samples", expected the samples alone: )"
       "they say how the number varies, and their mean is its mean"},
      {{R"("fixed": "6 ms", "each": "1 ms", "law")", R"("fixed": "6 ms", "mean": "1 ms", "law")"},
       R"(f:10:70: /application/stages/1/time/gpu-1/mean: found "mean" beside "fixed", expected either one time or )"
       R"("fixed" and "each"; a law may be given with these)"},
  };
  testing::check_messages(full_text(), wrong);
  CHECK_THAT(testing::message_of_text(testing::replaced(full_text(), samples, R"(["4 ms", 5])")),
             Catch::Contains("found the number 5 without a unit"));
}

TEST_CASE("laws of documents that are no text are validated") {
  Document document = full();
  document.application.stages[2].work_law = SharedLaw(Law{LawKind::normal, Rational::fraction(4, 5)});
  CHECK_THROWS_AS(validate(document), InvalidInstance);
  document.application.stages[2].work_law = SharedLaw(Law{LawKind::samples, 0, {Rational(2)}});
  CHECK_THROWS_AS(validate(document), InvalidInstance);
  document.application.stages[2].work_law = SharedLaw(Law{LawKind::samples, 0, {Rational(2), Rational(0)}});
  CHECK_NOTHROW(validate(document));
}

}  // namespace takt::tpn
