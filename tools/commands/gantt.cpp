// takt gantt: the operations of each processor over time, as a drawing, a table or a trace.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/paced.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/answers/result.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/gantt/chart_table.hpp"
#include "tools/gantt/chart_trace.hpp"
#include "tools/gantt/chart_window.hpp"
#include "tools/gantt/gantt_chart.hpp"
#include "tools/gantt/gantt_svg.hpp"
#include "tools/pictures/svg_picture.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using maxplus::Integer;
using maxplus::Rational;

// Lines of a table; a chart has fewer.
constexpr std::size_t kMostOperations = 1'000'000;

enum class ChartFormat { svg, png, pdf, csv, json, trace };
struct ChartFormatName {
  std::string_view name;
  std::string_view ending;
  ChartFormat format;
};
// An ending that ends another comes behind it.
constexpr std::array kFormats = {ChartFormatName{"svg", ".svg", ChartFormat::svg},
                                 ChartFormatName{"png", ".png", ChartFormat::png},
                                 ChartFormatName{"pdf", ".pdf", ChartFormat::pdf},
                                 ChartFormatName{"csv", ".csv", ChartFormat::csv},
                                 ChartFormatName{"trace", ".trace.json", ChartFormat::trace},
                                 ChartFormatName{"json", ".json", ChartFormat::json}};

struct ColorName {
  std::string_view name;
  GanttColor color;
};
constexpr std::array kColors = {ColorName{"data-set", GanttColor::data_set}, ColorName{"stage", GanttColor::stage},
                                ColorName{"kind", GanttColor::kind}};

template <typename Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

struct GanttOptions {
  std::string file;
  ModelChoice model;
  std::string schedule = "paced";
  std::optional<std::uint64_t> data_sets;
  std::optional<std::string> from;
  std::optional<std::string> to;
  std::string color = "data-set";
  std::string format;
  std::string unit;
  std::string output;
  bool unfold = false;
  std::optional<double> time_limit;

  bool is_paced() const { return schedule == "paced"; }
};

// Why there is no chart, a status of kLimit.
struct NoChart {
  std::string text;
};

// A chart of a net under one model. Its schedule refers to it, so it stays where it is.
class ModelChart {
 public:
  explicit ModelChart(EvaluatedInstance instance) : instance_(std::move(instance)) {}

  // Nothing if all went well.
  std::optional<NoChart> choose(const GanttOptions& options, const WindowWish& wish,
                                const evaluators::Deadline& deadline) {
    if (!options.is_paced()) return choose_start_up(wish);
    evaluators::Options search;
    search.deadline = deadline;
    instance_.evaluation = evaluators::evaluate(instance_.net, search);
    if (!instance_.evaluation.exact()) {
      return NoChart{
          fmt::format("the steady state needs the exact period, which is known to be between {} and {} only: "
                      "{}; --schedule start-up needs none",
                      exact_and_decimal(instance_.evaluation.lower), exact_and_decimal(instance_.evaluation.upper),
                      limit_text(instance_.evaluation))};
    }
    auto paced = evaluators::paced_schedule(instance_.net, instance_.evaluation.upper, deadline);
    if (const auto* limit = std::get_if<evaluators::Limit>(&paced)) {
      evaluators::Evaluation stopped = instance_.evaluation;
      stopped.limit = *limit;
      return NoChart{"no schedule of the steady state: " + limit_text(stopped) + "; --schedule start-up needs none"};
    }
    paced_ = std::get<evaluators::PacedSchedule>(std::move(paced));
    paced_chart_.emplace(instance_.net, paced_, instance_.evaluation.circuit);
    window_ = paced_window(subject(), *paced_chart_, wish);
    return std::nullopt;
  }

  ChartSubject subject() const { return {instance_.net, instance_.stages, instance_.times}; }
  const tpn::Model& model() const { return instance_.net.model; }
  const ChosenWindow& window() const { return window_; }

  // "one lap of the critical circuit: ...; first 14 of 4,730 operations of the circuit".
  std::string words() const {
    std::string text = window_.words;
    for (const std::string& cut : window_.cut) text += "; " + cut;
    return text;
  }

  std::variant<GanttDrawing, NoChart> drawing(GanttColor color, GanttFolding folding) const {
    auto drawn = paced_chart_ ? gantt_of(instance_.file, subject(), *paced_chart_, window_, color, folding)
                              : gantt_of(instance_.file, subject(), *start_up_, window_, color, folding);
    if (!drawn) {
      return NoChart{
          fmt::format("the window has more than {} operations, or is too far from the start: choose a narrower one "
                      "with --from and --to, or for a table with -o OUT.csv",
                      kMostDrawn)};
    }
    if (!is_drawable(*drawn)) {
      return NoChart{"the window's times are beyond what a drawing can hold; a table has them: -o OUT.csv"};
    }
    return *std::move(drawn);
  }

  std::variant<ChartTable, NoChart> table() const {
    const ChartSchedule& schedule =
        paced_chart_ ? static_cast<const ChartSchedule&>(*paced_chart_) : static_cast<const ChartSchedule&>(*start_up_);
    auto operations = operations_in(schedule, window_.times, kMostOperations);
    if (!operations) {
      return NoChart{
          fmt::format("the window has more than {} operations, or is too far from the start: choose a narrower one "
                      "with --from and --to",
                      kMostOperations)};
    }
    ChartTable table{subject(), paced_chart_ ? ScheduleKind::paced : ScheduleKind::start_up, window_.times, {}, {}, {}};
    if (paced_chart_) {
      table.period = paced_chart_->period();
      table.entry = paced_chart_->entry();
    }
    table.operations = *std::move(operations);
    return table;
  }

  // The operations of the critical circuit within the window, in order.
  std::vector<ChartOperation> circuit() const {
    std::vector<ChartOperation> steps;
    if (!paced_chart_ || paced_chart_->lap_time().sign() == 0) return steps;
    const Integer lap = Rational(window_.times.from / paced_chart_->lap_time()).floor();
    for (Integer k = lap * paced_chart_->lap_steps();; ++k) {
      ChartOperation step = paced_chart_->step(k);
      if (step.start >= window_.times.to) return steps;
      if (step.end > window_.times.from) steps.push_back(std::move(step));
    }
  }

 private:
  std::optional<NoChart> choose_start_up(const WindowWish& wish) {
    const Integer operations = Integer(wish.data_sets.value_or(1)) * instance_.net.pipeline.columns.size();
    if (operations > kMostOperations) {
      return NoChart{too_large_hint({tpn::LimitKind::played_operations, operations, kMostOperations})};
    }
    start_up_.emplace(instance_.net);
    window_ = start_up_window(subject(), *start_up_, wish);
    return std::nullopt;
  }

  EvaluatedInstance instance_;
  evaluators::PacedSchedule paced_;
  std::optional<PacedChart> paced_chart_;
  std::optional<StartUpChart> start_up_;
  ChosenWindow window_;
};

ChartFormat chosen_format(const GanttOptions& options) {
  if (!options.format.empty()) return std::ranges::find(kFormats, options.format, &ChartFormatName::name)->format;
  if (options.output.empty()) return ChartFormat::svg;
  for (const ChartFormatName& row : kFormats) {
    if (options.output.ends_with(row.ending)) return row.format;
  }
  throw UsageError("-o " + options.output + ": a chart's name ends in .svg, .png, .pdf, .csv, .json or .trace.json");
}

// "0" is a time of any document.
Rational chart_time(const std::string& option, const std::string& text, const tpn::Document& document) {
  return read_number(text) == Rational() ? Rational() : read_time(option, text, document);
}

WindowWish wish_of(const GanttOptions& options, const tpn::Document& document) {
  WindowWish wish;
  wish.data_sets = options.data_sets;
  if (options.data_sets && (options.from || options.to))
    throw UsageError("--data-sets does not go with --from or --to");
  if (options.from && !options.to) throw UsageError("--from goes with --to");
  if (!options.to) return wish;
  wish.times = TimeWindow{options.from ? chart_time("--from", *options.from, document) : Rational(),
                          chart_time("--to", *options.to, document)};
  if (wish.times->from >= wish.times->to) {
    throw UsageError(
        fmt::format("found --from {} --to {}, expected --to after --from", options.from.value_or("0"), *options.to));
  }
  return wish;
}

bool is_drawing(ChartFormat format) {
  return format == ChartFormat::svg || format == ChartFormat::png || format == ChartFormat::pdf;
}

bool is_one_for_all(ChartFormat format) { return format == ChartFormat::csv || format == ChartFormat::json; }

// Of several models each has a file, but tables have all in one, or on standard output.
ModelOutputs outputs_of(const GanttOptions& options, ChartFormat format, const tpn::Document& document,
                        Streams& streams) {
  if (options.output == "-") throw UsageError("-o takes a file; the chart goes to standard output without it");
  if (!is_one_for_all(format)) return model_outputs(options.file, options.output, document, options.model, streams);
  if (!options.output.empty()) {
    require_apart({options.file}, {options.output});
    require_writable(options.output);
  }
  return {models_of(document, options.model), {options.output}};
}

class GanttCommand {
 public:
  GanttCommand(const GanttOptions& options, Streams& streams)
      : options_(options), streams_(streams), format_(chosen_format(options)) {}

  int run() {
    const tpn::Document document = read_instance(options_.file, streams_);
    const WindowWish wish = wish_of(options_, document);
    if (!options_.unit.empty() && TimeWords(document).has_units()) {
      throw UsageError("--unit is for times without units; those of " + display_name(options_.file) + " have some");
    }
    const auto [models, paths] = outputs_of(options_, format_, document, streams_);
    paths_ = paths;
    const LimitedSearch search(options_.time_limit);
    for (const tpn::Model& model : models) {
      auto folded = fold_instance(options_.file, document, model, search.deadline());
      if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded))
        return refuse(model, {too_large_hint(*too_large)});
      charts_.push_back(std::make_unique<ModelChart>(std::get<EvaluatedInstance>(std::move(folded))));
      if (const auto none = charts_.back()->choose(options_, wish, search.deadline())) return refuse(model, *none);
    }
    return is_drawing(format_) ? write_drawings() : write_tables();
  }

 private:
  int refuse(const tpn::Model& model, const NoChart& none) {
    return tell_limit(streams_, options_.file, model, none.text);
  }

  int write_drawings() {
    const GanttColor color = std::ranges::find(kColors, options_.color, &ColorName::name)->color;
    std::vector<GanttDrawing> drawings;
    for (const auto& chart : charts_) {
      auto drawn = chart->drawing(color, options_.unfold ? GanttFolding::none : GanttFolding::alike);
      if (const auto* none = std::get_if<NoChart>(&drawn)) return refuse(chart->model(), *none);
      drawings.push_back(std::get<GanttDrawing>(std::move(drawn)));
    }
    const std::string_view ending = std::ranges::find(kFormats, format_, &ChartFormatName::format)->ending;
    for (std::size_t k = 0; k < drawings.size(); ++k) {
      const std::string picture = picture_bytes(gantt_svg(drawings[k]), ending);
      hand_out(streams_, paths_[k], charts_[k]->words(), [&](std::ostream& out) { out << picture; });
    }
    return kAnswered;
  }

  int write_tables() {
    std::vector<ChartTable> tables;
    std::size_t operations = 0;
    for (const auto& chart : charts_) {
      auto made = chart->table();
      if (const auto* none = std::get_if<NoChart>(&made)) return refuse(chart->model(), *none);
      tables.push_back(std::get<ChartTable>(std::move(made)));
      operations += tables.back().operations.size();
    }
    if (format_ == ChartFormat::trace) {
      const std::string unit = tables.front().subject.times.has_units() ? "s"
                               : options_.unit.empty()                  ? "ms"
                                                                        : options_.unit;
      for (std::size_t k = 0; k < tables.size(); ++k) {
        hand_out(streams_, paths_[k], charts_[k]->words(), [&](std::ostream& out) {
          write_chart_trace(out, options_.file, tables[k], charts_[k]->circuit(), unit);
        });
      }
      return kAnswered;
    }
    const std::string what = charts_.size() == 1
                                 ? fmt::format("{}; {}", plural(operations, "operation"), charts_.front()->words())
                                 : fmt::format("{} under {} models", plural(operations, "operation"), charts_.size());
    hand_out(streams_, paths_.front(), what, [&](std::ostream& out) {
      format_ == ChartFormat::csv ? write_chart_csv(out, tables) : write_chart_json(out, options_.file, tables);
    });
    return kAnswered;
  }

  const GanttOptions& options_;
  Streams& streams_;
  ChartFormat format_;
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<ModelChart>> charts_;
};

void define_window(CommandLine& line, GanttOptions& options) {
  line.option("--data-sets", options.data_sets,
              "show N periods of the steady state, or the start-up until N data sets are done; default: one lap of the "
              "critical circuit, or one hyper-period of the start-up, but at most 400 bars")
      .check(positive_integer())
      .type_name("N");
  line.option("--from", options.from, "start of the chart; default: 0").check(any_time()).type_name("T");
  line.option("--to", options.to, "end of the chart").check(any_time()).type_name("T");
}

void define_output(CommandLine& line, GanttOptions& options) {
  line.option("-o", options.output,
              ".svg, .png, .pdf, .csv, .json or .trace.json (for ui.perfetto.dev); default: SVG on standard output. "
              "Two models make two drawings or traces, such as OUT-strict.svg")
      .check(output_name())
      .type_name("OUT");
  line.option("--format", options.format,
              tpn::json::alternatives(names_of(kFormats)) + "; default: by the ending of OUT")
      .check(one_of(names_of(kFormats)))
      .type_name("FORMAT");
  line.option("--unit", options.unit,
              "a time unit in a trace, if the file has no units: " + tpn::json::alternatives(trace_units()) +
                  "; default: ms")
      .check(one_of(trace_units()))
      .type_name("UNIT");
}

}  // namespace

Action define_gantt(CommandLine& line) {
  auto options = std::make_shared<GanttOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_options(line, options->model);
  line.option("--schedule", options->schedule,
              "paced: the steady state, with data sets let in evenly; start-up: everything as early as possible, from "
              "an empty pipeline")
      .check(one_of({"paced", "start-up"}))
      .shows_default()
      .type_name("SCHEDULE");
  define_window(line, *options);
  line.option("--color", options->color, "what colors show: " + tpn::json::alternatives(names_of(kColors)))
      .check(one_of(names_of(kColors)))
      .shows_default()
      .type_name("WHAT");
  line.flag("--unfold", options->unfold,
            fmt::format("one line per machine; default: if a part has more than {} identical machines, only the first "
                        "{} and those on the critical circuit",
                        kMostAlike, kShownAlike));
  define_output(line, *options);
  add_time_limit(line, options->time_limit, "the period and the schedule", "");
  line.footer(
      "Operations of the critical circuit are outlined. Time 0 is the start of its first step, or of the start-up.\n"
      "Times T are in time units, or have a unit if the file has units.\n"
      "\n"
      "Examples:\n"
      "  takt gantt examples/example-a.json --model strict -o lap.svg\n"
      "  takt gantt examples/example-a.json --schedule start-up --data-sets 12 -o start.svg\n"
      "  takt gantt examples/example-a.json --model overlap --from 0 --to 500 -o part.csv");
  return [options](Streams& streams) { return GanttCommand(*options, streams).run(); };
}

}  // namespace takt::tools
