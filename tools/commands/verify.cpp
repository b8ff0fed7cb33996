// takt verify: do the predicted periods of mappings hold?
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "heuristics/verdict.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/verification.hpp"
#include "tools/files/files.hpp"
#include "tools/files/progress.hpp"
#include "tools/files/signals.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/each_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/lines/line_results.hpp"
#include "tools/lines/plain_line.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using heuristics::Holds;
using maxplus::Rational;

struct VerifyOptions {
  std::vector<std::string> files;
  ModelChoice model;
  std::string tolerance = "0";
  bool json = false;
  LinesChoice lines;
  std::optional<double> time_limit;
};

// A prediction and the periods that it is held against.
struct Claim {
  std::string file;
  tpn::Document document;
  std::vector<tpn::Model> models;  // under which it must hold
  std::vector<ModelPeriod> periods;

  const Rational& predicted() const { return *document.predicted_period; }
  std::string heuristic() const { return document.heuristic ? document.heuristic->name : ""; }
};

// A claim under one of its models.
struct JudgedClaim {
  const Claim* claim;
  const ModelPeriod* period;
  Holds holds;
};

// `place`: the file, or a line of it, in messages.
Claim claim_of(const std::string& file, const std::string& place, tpn::Document document,
               const VerifyOptions& options) {
  Claim claim{file, std::move(document), {}, {}};
  if (!claim.document.predicted_period) {
    throw tpn::InvalidInstance("/predicted_period", "none", "the period that a heuristic or a person predicts")
        .at(place);
  }
  claim.models = models_of(claim.document, options.model);
  return claim;
}

std::vector<JudgedClaim> judge(const std::vector<Claim>& claims, const Rational& tolerance) {
  std::vector<JudgedClaim> verdicts;
  for (const Claim& claim : claims) {
    for (const tpn::Model model : claim.models) {
      const ModelPeriod& period = period_under(claim.periods, model);
      const auto bounds = period.bounds();
      const Holds holds = bounds ? heuristics::holds_within(claim.predicted(), *bounds, tolerance) : Holds::undecided;
      verdicts.push_back({&claim, &period, holds});
    }
  }
  return verdicts;
}

// The object of a line of JSON Lines has no spaces, and that line's number.
void write_json(tpn::JsonWriter& json, const JudgedClaim& verdict, const Rational& tolerance,
                std::optional<std::size_t> line = std::nullopt) {
  const Claim& claim = *verdict.claim;
  const EvaluatedInstance* result = verdict.period->result();
  const auto bounds = verdict.period->bounds();
  const auto exact = exact_period(*verdict.period);
  if (line) {
    json.begin_object(tpn::JsonLayout::compact);
  } else {
    json.begin_object();
  }
  json.member("file", claim.file);
  if (line) json.member("line", *line);
  json.member("heuristic", claim.document.heuristic ? std::optional(claim.heuristic()) : std::nullopt);
  tpn::write_model(json, verdict.period->model);
  write_time_unit(json, TimeWords(claim.document));
  write_exact(json, "predicted_period", claim.predicted());
  write_exact(json, "period", exact);
  write_exact(json, "period_lower_bound", bounds ? std::optional(bounds->lower) : std::nullopt);
  write_exact(json, "period_upper_bound", bounds ? std::optional(bounds->upper) : std::nullopt);
  json.key("periods");
  write_periods(json, claim.periods);
  write_relation(json, claim.predicted(), *verdict.period);
  write_exact(json, "tolerance", tolerance);
  json.member("holds", verdict.holds == Holds::undecided ? std::nullopt : std::optional(verdict.holds == Holds::yes));
  json.key("critical_circuit");
  if (result != nullptr) {
    write_circuit_json(json, *result, CircuitLength::excerpt);
  } else {
    json.value(nullptr);
  }
  if (!exact) json.member("limit", limit_of(*verdict.period));
  json.end();
}

// Those of all claims, each once.
std::vector<tpn::Model> all_models(const std::vector<JudgedClaim>& verdicts) {
  std::vector<tpn::Model> models;
  for (const JudgedClaim& verdict : verdicts) {
    for (const ModelPeriod& period : verdict.claim->periods) {
      if (std::ranges::find(models, period.model) == models.end()) models.push_back(period.model);
    }
  }
  return models;
}

void write_overview(std::ostream& out, const std::vector<JudgedClaim>& verdicts) {
  Table table{{{"file"}, {"heuristic"}, {"predicted", Align::right}}, {}};
  const std::vector<tpn::Model> models = all_models(verdicts);
  for (const tpn::Model& model : models) table.columns.push_back({"exact " + tpn::label_of(model), Align::right});
  for (const TableColumn& column : {TableColumn{"model"},
                                    {"relation"},
                                    {"gap", Align::right},
                                    {"latency", Align::right},
                                    {"longest sequence", Align::right}}) {
    table.columns.push_back(column);
  }
  for (const JudgedClaim& verdict : verdicts) {
    const Claim& claim = *verdict.claim;
    const TimeWords times(claim.document);
    std::vector<std::string> row = {display_name(claim.file), printable(claim.heuristic()),
                                    times.readable(claim.predicted())};
    for (const tpn::Model& model : models) {
      const auto period = std::ranges::find(claim.periods, model, &ModelPeriod::model);
      row.push_back(period == claim.periods.end() ? "" : period_cell(*period));
    }
    row.emplace_back(tpn::label_of(verdict.period->model));
    row.emplace_back(heuristics::name_of(relation_under(claim.predicted(), *verdict.period)));
    row.push_back(gap_cell(claim.predicted(), verdict.period->bounds()));
    row.push_back(latency_cell(*verdict.period));
    row.push_back(longest_sequence_cell(claim.document));
    table.rows.push_back(std::move(row));
  }
  table.write(out);
}

std::string failure_text(const JudgedClaim& verdict) {
  const Claim& claim = *verdict.claim;
  const bool is_low = relation_under(claim.predicted(), *verdict.period) == heuristics::Relation::optimistic;
  const auto bounds = verdict.period->bounds();
  const bool is_exact = bounds->lower == bounds->upper;
  const TimeWords times(claim.document);
  return fmt::format("{}, {}: predicted {}, but the period is {}{}", display_name(claim.file),
                     tpn::title_of(verdict.period->model), times.said(claim.predicted()),
                     is_exact ? ""
                     : is_low ? "at least "
                              : "at most ",
                     times.said(is_low ? bounds->lower : bounds->upper));
}

void write_failures(std::ostream& out, const std::vector<JudgedClaim>& verdicts) {
  for (const JudgedClaim& verdict : verdicts) {
    if (verdict.holds != Holds::no) continue;
    out << '\n' << failure_text(verdict) << '\n';
    const EvaluatedInstance* result = verdict.period->result();
    if (result->evaluation.exact()) write_circuit(out, *result, CircuitLength::excerpt);
  }
}

int status_of(const std::vector<JudgedClaim>& verdicts) {
  const auto any = [&](Holds holds) {
    return std::ranges::find(verdicts, holds, &JudgedClaim::holds) != verdicts.end();
  };
  if (any(Holds::no)) return kNo;
  return any(Holds::undecided) ? kLimit : kAnswered;
}

void evaluate(Claim& claim, const VerifyOptions& options) {
  claim.periods =
      periods_of(claim.file, claim.document, models_beside(claim.models.back()), deadline_after(options.time_limit));
}

void evaluate(std::vector<Claim>& claims, const VerifyOptions& options, Streams& streams) {
  const InterruptibleSearch search;
  Progress progress(streams);
  for (std::size_t k = 0; k < claims.size(); ++k) {
    const std::string name = std::filesystem::path(display_name(claims[k].file)).filename().string();
    progress.show(fmt::format("{}, {} of {}", printable(name), k + 1, claims.size()));
    streams.document = display_name(claims[k].file);
    evaluate(claims[k], options);
  }
}

class VerifyLine {
 public:
  explicit VerifyLine(const VerifyOptions& options) : options_(options), tolerance_(parse_share(options.tolerance)) {}

  void operator()(const TextLine& line, LineOutput& output) {
    if (!options_.json && !options_.model.rooms && add_quickly(line, output)) return;
    const std::string& file = options_.files.front();
    std::vector<Claim> claims;
    claims.push_back(claim_of(file, fmt::format("{}:{}", display_name(file), line.number),
                              parse_instance(line.text, file, line.number), options_));
    evaluate(claims.front(), options_);
    const std::vector<JudgedClaim> verdicts = judge(claims, tolerance_);
    output.worsen(status_of(verdicts));
    for (const JudgedClaim& verdict : verdicts) {
      if (options_.json) {
        tpn::JsonWriter json(output.text(), tpn::IllFormed::replaced);
        write_json(json, verdict, tolerance_, line.number);
        output.text() += '\n';
      } else {
        write_line(output.text(), line_verdict(line.number, verdict));
      }
    }
  }

 private:
  LineVerdict line_verdict(std::size_t line, const JudgedClaim& verdict) const {
    const tpn::Document& document = verdict.claim->document;
    LineVerdict result{.file = verdict.claim->file,
                       .line = line,
                       .heuristic = {},
                       .model = verdict.period->model,
                       .time_unit = document.time_unit,
                       .predicted = verdict.claim->predicted(),
                       .period = verdict.period->bounds(),
                       .periods = {},
                       .tolerance = tolerance_,
                       .limit = {}};
    if (document.heuristic) result.heuristic = document.heuristic->name;
    for (const ModelPeriod& period : verdict.claim->periods) {
      result.periods.emplace_back(period.model, exact_period(period));
    }
    if (!exact_period(*verdict.period)) result.limit = limit_of(*verdict.period);
    return result;
  }

  // False if it is not for plain instances: nothing was added then.
  bool add_quickly(const TextLine& line, LineOutput& output) {
    if (!plain_->read(line.text) || !plain_->instance().predicted_period()) return false;
    const tpn::PlainReader& instance = plain_->instance();
    const std::optional<tpn::Model> chosen = chosen_model(options_.model, instance.model());
    const auto models = models_beside(chosen);
    const auto periods = plain_->periods(models);
    if (periods.empty()) return false;
    const auto& predicted = *instance.predicted_period();
    LineVerdict verdict{.file = options_.files.front(),
                        .line = line.number,
                        .heuristic = instance.heuristic(),
                        .predicted = Rational::fraction(predicted.numerator, predicted.denominator),
                        .period = {},
                        .periods = {},
                        .tolerance = tolerance_,
                        .limit = {}};
    for (const PlainPeriod& found : periods) verdict.periods.emplace_back(found.model, found.period.rational());
    for (const auto& [model, period] : verdict.periods) {
      if (chosen && *chosen != model) continue;
      verdict.model = model;
      verdict.period = heuristics::PeriodBounds{*period, *period};
      const Holds holds = heuristics::holds_within(verdict.predicted, *verdict.period, tolerance_);
      output.worsen(holds == Holds::yes ? kAnswered : kNo);
      write_line(output.text(), verdict);
    }
    return true;
  }

  const VerifyOptions& options_;
  Rational tolerance_;
  std::shared_ptr<PlainLine> plain_ = std::make_shared<PlainLine>();  // an answerer can be copied
};

int verify(const VerifyOptions& options, Streams& streams) {
  require_one_stdin(options.files);
  require_consistent(options.lines, options.files);
  if (options.lines.lines) {
    return answer_lines(
        options.files.front(), options.lines.jobs, [&] { return VerifyLine(options); }, streams);
  }
  const Rational tolerance = parse_share(options.tolerance);
  std::vector<Claim> claims;
  for (const std::string& file : options.files) {
    claims.push_back(claim_of(file, display_name(file), read_instance(file, streams), options));
  }
  evaluate(claims, options, streams);
  const std::vector<JudgedClaim> verdicts = judge(claims, tolerance);
  for (const JudgedClaim& verdict : verdicts) {
    if (verdict.holds != Holds::undecided) continue;
    fmt::print(streams.err, "takt: {}, {}: undecided: {}\n", display_name(verdict.claim->file),
               tpn::label_of(verdict.period->model), limit_of(*verdict.period));
  }
  if (options.json) {
    const bool is_alone = verdicts.size() == 1 && options.files.size() == 1;
    JsonResults results(is_alone ? JsonResults::Form::object : JsonResults::Form::array, streams.out);
    for (const JudgedClaim& verdict : verdicts) write_json(results.next(), verdict, tolerance);
    results.finish();
  } else {
    write_overview(streams.out, verdicts);
    write_failures(streams.out, verdicts);
  }
  return status_of(verdicts);
}

}  // namespace

Action define_verify(CommandLine& line) {
  auto options = std::make_shared<VerifyOptions>();
  line.positional("FILE", options->files, "instances (JSON) with a predicted_period; - is standard input");
  add_model_options(line, options->model);
  line.option("--tolerance", options->tolerance,
              "largest deviation from the exact period at which a prediction holds: 0.05, 1/20 or 5%; default: 0")
      .check(share())
      .type_name("T");
  line.flag("--json", options->json, "print JSON: an object, or an array for several results");
  add_lines_options(line, options->lines);
  add_time_limit(line, options->time_limit, "each file or line", "periods are intervals");
  line.footer(
      "A prediction is optimistic if it is below the exact period, pessimistic if above; the gap is\n"
      "(predicted - exact) / exact. Exit status 1 if a prediction fails under a model that it is compared with.\n"
      "\n"
      "Examples:\n"
      "  takt verify bsc.json\n"
      "  takt verify examples/hedpm-case-study.json --model strict --tolerance 5%");
  return [options](Streams& streams) { return verify(*options, streams); };
}

}  // namespace takt::tools
