// takt measure: what the trace of a run shows, beside what was predicted.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "live/engine/route.hpp"
#include "live/measurement/measured_document.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/answers/result.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/live/measurement_output.hpp"
#include "tools/live/trace_reader.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/validate.hpp"
#include "tpn/visible.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

struct MeasureOptions {
  std::string file;
  std::string trace;
  ModelChoice model;
  std::optional<std::uint64_t> window;
  std::optional<std::string> tolerance;
  std::string measured;
  bool json = false;
  std::optional<double> time_limit;
};

class MeasureCommand {
 public:
  MeasureCommand(const MeasureOptions& options, Streams& streams) : options_(options), streams_(streams) {}

  int run() {
    check_options();
    const tpn::Document document = read_instance(options_.file, streams_);
    live::require_run(document);
    auto made = tpn::make_pipeline(document);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&made)) return refuse(options_.file, *too_large);
    auto read = read_trace(read_text(options_.trace, streams_),
                           {options_.trace, std::get<tpn::Pipeline>(made), stage_names(document.application),
                            options_.model, document.model});
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&read)) return refuse(options_.trace, *too_large);
    return measure(document, std::get<ReadTrace>(std::move(read)));
  }

 private:
  void check_options() const {
    require_one_stdin({options_.file, options_.trace});
    require_window(options_.window);
    require_beside_result("--measured", options_.measured, {options_.file, options_.trace});
  }

  int refuse(const std::string& file, const tpn::TooLarge& too_large) {
    fmt::print(streams_.err, "takt: {}: {}\n", display_name(file), too_large_hint(too_large));
    return kLimit;
  }

  int measure(const tpn::Document& document, const ReadTrace& trace) {
    const LimitedSearch search(options_.time_limit);
    evaluators::Options options;
    options.deadline = search.deadline();
    auto folded = fold_instance(options_.file, document, trace.model, options.deadline, options_.window.value_or(0));
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return refuse(options_.file, *too_large);
    auto& instance = std::get<EvaluatedInstance>(folded);
    require_data_sets(instance, trace);
    instance.evaluation = evaluators::evaluate(instance.net, options);
    const MeasuredRun run = measured_run(std::move(instance), options_.trace, trace.firings, options.deadline);
    if (!options_.measured.empty()) write_measured(document, run);
    return answer(run);
  }

  void require_data_sets(const EvaluatedInstance& instance, const ReadTrace& trace) const {
    const std::size_t data_sets = trace.firings.size() / instance.net.pipeline.columns.size();
    if (data_sets >= live::kFewestMeasured) return;
    throw FileError(fmt::format("{}: found {}, expected at least {} to measure", display_name(options_.trace),
                                plural(data_sets, "data set"), live::kFewestMeasured));
  }

  void write_measured(const tpn::Document& document, const MeasuredRun& run) const {
    const tpn::Document measured =
        live::measured_document(document, run.instance.net, run.measured, live::MeasuredValue::mean);
    tpn::validate(measured);
    write_file(options_.measured, tpn::write_document(measured));
  }

  int answer(const MeasuredRun& run) {
    std::optional<Rational> tolerance;
    if (options_.tolerance) tolerance = parse_share(*options_.tolerance);
    const bool holds = !tolerance || run.is_within(*tolerance);
    if (options_.json) {
      print_object(streams_.out, [&](tpn::JsonWriter& json) { write_measurement_json(json, run, tolerance); });
      return holds ? kAnswered : kNo;
    }
    write_measurement(streams_.out, run);
    if (!holds) {
      fmt::print(streams_.out, "\nThe measured period is further off than the tolerance of {}.\n",
                 options_.tolerance->c_str());
    }
    if (!options_.measured.empty()) {
      fmt::print(streams_.out, "\nwrote {}: the instance with the measured durations\n",
                 tpn::visible(options_.measured));
    }
    return holds ? kAnswered : kNo;
  }

  const MeasureOptions& options_;
  Streams& streams_;
};

}  // namespace

Action define_measure(CommandLine& line) {
  auto options = std::make_shared<MeasureOptions>();
  line.positional("INSTANCE", options->file, "an instance (JSON); - is standard input");
  line.positional("TRACE", options->trace,
                  "start and end of each operation of a run: CSV or JSON, as takt simulate writes them");
  add_model_options(line, options->model,
                    "the model of the run; default: that of the trace, which must name exactly one");
  add_window_option(line, options->window);
  line.option("--tolerance", options->tolerance,
              "largest deviation of the measured period, else exit status 1: 0.05, 1/20 or 5%")
      .check(share())
      .type_name("T");
  line.option("--measured", options->measured, "write the instance with the measured durations to this file")
      .check(output_name())
      .type_name("OUT");
  line.flag("--json", options->json, "print JSON: an object");
  add_time_limit(line, options->time_limit, "the periods", "takt compares the run only with the simulated one");
  line.footer(
      "takt drops the first fifth of the data sets. The measured period is the median over windows of whole\n"
      "hyper-periods, so stalls of the machine do not count. Exit status 1 if it is beyond the tolerance.\n"
      "\n"
      "Examples:\n"
      "  takt simulate examples/example-a.json --model strict --data-sets 400 -o run.csv\n"
      "  takt measure examples/example-a.json run.csv --tolerance 1%");
  return [options](Streams& streams) { return MeasureCommand(*options, streams).run(); };
}

}  // namespace takt::tools
