// Traces of runs in files: what is written is read again; a run for Perfetto has its critical circuit marked.
#include "tools/live/trace_writer.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/tools/program.hpp"
#include "tools/answers/result.hpp"
#include "tools/files/files.hpp"
#include "tools/live/measurement_output.hpp"
#include "tools/live/trace_reader.hpp"
#include "tools/words/operation_words.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using evaluators::Firing;
using maxplus::Rational;
using nlohmann::ordered_json;
using tools::EvaluatedInstance;
using tools::TraceForm;

// An example under STRICT, evaluated, and its play as if it had been a run.
struct PlayedExample {
  tpn::Document document;
  EvaluatedInstance instance;
  std::vector<Firing> trace;

  tools::TraceSubject subject(std::uint64_t data_sets) const {
    return {instance.file, instance.stages, instance.times, data_sets};
  }
};

PlayedExample played_example(const std::string& path, std::uint64_t data_sets) {
  const tpn::Document document = support::document_of(path);
  auto folded = tools::fold_instance(path, document, tpn::Model::kStrict);
  PlayedExample example{document, std::get<EvaluatedInstance>(std::move(folded)), {}};
  example.instance.evaluation = evaluators::evaluate(example.instance.net);
  evaluators::play(example.instance.net, data_sets, [&](const Firing& firing) {
    example.trace.push_back(firing);
    return true;
  });
  return example;
}

TEST_CASE("a trace that is written to a file, as CSV or as JSON, is read again") {
  const PlayedExample example = played_example("examples/example-a.json", 12);
  const TemporaryFolder folder;
  for (const char* const name : {"run.csv", "run.json", "run"}) {
    const std::string path = folder.path(name);
    tools::write_trace_file(path, example.subject(12), example.instance.net, example.trace, nullptr);
    const auto read = tools::read_trace(
        text_of(path), {path, example.instance.net.pipeline, example.instance.stages, {}, std::nullopt});
    const auto& trace = std::get<tools::ReadTrace>(read);
    CHECK(trace.model == tpn::Model::kStrict);
    REQUIRE(trace.firings.size() == example.trace.size());
    for (std::size_t i = 0; i < trace.firings.size(); ++i) {
      REQUIRE(trace.firings[i].operation == example.trace[i].operation);
      REQUIRE(trace.firings[i].start == example.trace[i].start);
      REQUIRE(trace.firings[i].end == example.trace[i].end);
    }
  }
  CHECK(tools::trace_form("a.csv") == TraceForm::csv);
  CHECK(tools::trace_form("a.json") == TraceForm::json);
  CHECK(tools::trace_form("a.trace.json") == TraceForm::perfetto);
  CHECK(!tools::trace_form("a.txt").has_value());
}

TEST_CASE("a run for Perfetto has a slice on each line of an operation and flows along the critical circuit") {
  const PlayedExample example = played_example("examples/example-a.json", 24);
  const evaluators::CriticalCircuit& circuit = example.instance.evaluation.circuit;
  std::ostringstream out;
  tools::write_perfetto_trace(out, example.subject(24), example.instance.net, example.trace, &circuit,
                              Rational::fraction(43, 1'000'000));
  const ordered_json run = ordered_json::parse(out.str());
  CHECK(run.at("otherData").at("schedule") == "run");
  CHECK(run.at("otherData").at("model") == "strict");
  int slices = 0;
  int critical = 0;
  int flows = 0;
  for (const ordered_json& event : run.at("traceEvents")) {
    if (event.at("ph") == "s") ++flows;
    if (event.at("ph") != "X") continue;
    ++slices;
    if (event.at("cat") == "critical") ++critical;
  }
  CHECK(slices == 24 * (4 + 3 * 2));
  // The circuit has ten operations for six data sets, four computations among them.
  std::uint64_t computations = 0;
  for (const auto& step : circuit.steps) computations += step.column.value() % 2 == 0 ? 1 : 0;
  REQUIRE(circuit.steps.size() == 10);
  CHECK(critical > static_cast<int>(2 * (20 - computations)));
  CHECK(critical <= static_cast<int>(4 * (20 - computations)));
  CHECK(flows > 20);
  // S0 takes 22 time units of 43 us.
  CHECK_THAT(out.str(), Contains(R"("ts":0.000,"dur":946.000,"args":{"data_set":0,"start":"0","duration":"22",)"));
}

TEST_CASE("a run whose time units lasted a known time is told of in seconds") {
  const PlayedExample example = played_example("examples/example-a.json", 100);
  const auto run = tools::measured_run(example.instance, "", example.trace, {}, Rational::fraction(43, 1'000'000));
  std::ostringstream out;
  tools::write_measurement(out, run);
  CHECK_THAT(
      out.str(),
      Contains(
          "\n"
          "predicted 692/3 units = 9.91867 ms (no critical resource: M_ct 9.28083 ms of P2)\n"
          "measured  9.91867 ms, +0.00 % (mean 9.91867 ms, 95 %: 9.91867 ms .. 9.91867 ms; 100 data sets, 0 stalls)\n"
          "explained with mean times                 9.91867 ms, +0.00 %\n"
          "          with each operation's own time  9.91867 ms, +0.00 %\n"
          "          the rest                        +0 s, +0.00 %\n"
          "what counts: nothing: none of these makes a difference of 1 %\n"
          "100 data sets delivered in order, none lost, none twice\n"));
  std::string text;
  tpn::JsonWriter json(text, tpn::IllFormed::replaced);
  tools::write_measurement_json(json, run, Rational::fraction(1, 100));
  const ordered_json object = ordered_json::parse(text);
  CHECK(object.at("unit_seconds_decimal").get<double>() == Approx(43e-6));
  CHECK(object.at("unit_seconds") == "43/1000000");
  CHECK(object.at("predicted_period_decimal").get<double>() == Approx(692 / 3.0));
  CHECK(object.at("holds") == true);
  CHECK(!object.contains("trace_file"));
  CHECK(run.is_within(0));
  CHECK(run.gap() == Rational(0));
}

TEST_CASE("operations that begin far too soon are told of where they are more than a few") {
  PlayedExample example = played_example("examples/example-a.json", 100);
  for (std::size_t k = 0; k < 7; ++k) example.trace[(50 + k) * 7 + 1].start -= 30;
  const auto words = [&] {
    std::ostringstream out;
    tools::write_measurement(out, tools::measured_run(example.instance, "", example.trace, {}));
    return out.str();
  };
  CHECK_THAT(words(), !Contains("began too early"));
  example.trace[60 * 7 + 1].start -= 40;
  CHECK_THAT(
      words(),
      Contains("\n8 operations began too early, by up to 40: before the end of an operation that precedes them"));
}

}  // namespace
}  // namespace takt::testing
