// Completion times of each model, after one another.
#include "tools/answers/completion_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>
#include <variant>

#include "evaluators/insight/completion.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/answers/result.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using evaluators::Completions;
using evaluators::CompletionTime;
using maxplus::Integer;
using maxplus::Rational;

std::optional<Integer> read_count(const std::string& text) {
  const auto number = read_number(text);
  if (!number || !number->is_integer() || number->sign() <= 0) return std::nullopt;
  if (number->numerator().get_str().size() > kCountDigits) return std::nullopt;
  return number->numerator();
}

Rational per_data_set(const CompletionTime& time, const Rational& whole) { return whole / Rational(time.data_sets); }

std::string sentence(const Completions& completions, const TimeWords& times) {
  if (completions.repeats_every) {
    return fmt::format("From {} {} on, ends repeat every {}, later by as much each time.", times.item(),
                       *completions.transient, times.items(*completions.repeats_every));
  }
  const bool are_exact = std::ranges::all_of(completions.times, &CompletionTime::exact);
  return are_exact ? "Everything starts as early as it may, from an empty pipeline on."
                   : "No repetition was seen, so these are bounds: certain ones, from a schedule and a circuit.";
}

void write_table(std::ostream& out, const CompletionQuestion& question, const EvaluatedInstance& instance,
                 const Completions& completions) {
  const TimeWords& times = instance.times;
  fmt::print(out, "{}, {}\n{}\n\n", display_name(question.file), tpn::title_of(instance.net.model),
             sentence(completions, times));
  Table table{{{times.item_plural(), Align::right},
               {"done after", Align::right},
               {"exactly", Align::right},
               {"at most", Align::right},
               {"exactly", Align::right},
               {times.per_item().substr(1), Align::right}},
              {}};
  for (const CompletionTime& time : completions.times) {
    const Cells lower = times.cells(time.lower);
    const Cells upper = time.exact() ? Cells{} : times.cells(time.upper);
    table.rows.push_back({time.data_sets.get_str(), (time.exact() ? "" : "at least ") + lower.readable, lower.exact,
                          upper.readable, upper.exact,
                          time.exact() ? times.readable(per_data_set(time, time.lower)) : ""});
  }
  table.write(out);
}

void write_csv(std::ostream& out, const tpn::Model& model, const Completions& completions) {
  for (const CompletionTime& time : completions.times) {
    fmt::print(out, "{},{},{},{},{},{}\n", tpn::name_of(model), time.data_sets.get_str(), time.lower.to_string(),
               time.upper.to_string(), nearest_decimal(time.lower), nearest_decimal(time.upper));
  }
}

void write_json(tpn::JsonWriter& json, const CompletionQuestion& question, const EvaluatedInstance& instance,
                const Completions& completions) {
  json.begin_object();
  json.member("file", question.file);
  tpn::write_model(json, instance.net.model);
  write_time_unit(json, instance.times);
  json.member("repeats_every_data_sets", completions.repeats_every);
  json.member("transient_data_sets", completions.transient);
  write_objects(json, "completion", completions.times, [&](const CompletionTime& time) {
    write_count(json, "data_sets", time.data_sets);
    write_exact(json, "time", time.exact() ? std::optional(time.lower) : std::nullopt);
    write_exact(json, "time_lower_bound", time.lower);
    write_exact(json, "time_upper_bound", time.upper);
  });
  json.end();
}

}  // namespace

ValueCheck count_of_data_sets() {
  return [](const std::string& text) {
    return read_count(text)
               ? std::string()
               : fmt::format("found \"{}\", expected a whole number of data sets, such as 100 or 1e9", text);
  };
}

int write_completions(const CompletionQuestion& question, const tpn::Document& document,
                      const std::vector<tpn::Model>& models, Streams& streams) {
  std::vector<Integer> data_sets;
  for (const std::string& text : question.data_sets) data_sets.push_back(read_count(text).value());
  const LimitedSearch search(question.time_limit);
  evaluators::Options settings;
  settings.deadline = search.deadline();
  JsonResults results(models.size(), streams.out);
  int status = kAnswered;
  if (question.format == "csv") {
    streams.out << "model,data_sets,lower_bound,upper_bound,lower_bound_decimal,upper_bound_decimal\n";
  }
  for (const tpn::Model& model : models) {
    const auto folded = fold_instance(question.file, document, model, settings.deadline);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded))
      return tell_limit(streams, question.file, model, too_large_text(*too_large));
    const auto& instance = std::get<EvaluatedInstance>(folded);
    const Completions completions = evaluators::completions_of(instance.net, data_sets, settings);
    if (!std::ranges::all_of(completions.times, &CompletionTime::exact)) status = kLimit;
    if (question.format == "json") {
      write_json(results.next(), question, instance, completions);
    } else if (question.format == "csv") {
      write_csv(streams.out, model, completions);
    } else {
      if (&model != &models.front()) streams.out << '\n';
      write_table(streams.out, question, instance, completions);
    }
  }
  if (question.format == "json") results.finish();
  return status;
}

}  // namespace takt::tools
