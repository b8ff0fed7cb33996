// takt map: runs mapping heuristics on a problem, and holds each to its word.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/registry.hpp"
#include "tools/answers/result.hpp"
#include "tools/answers/verification.hpp"
#include "tools/files/files.hpp"
#include "tools/files/progress.hpp"
#include "tools/files/signals.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/heuristic_options.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/plan/plan_json.hpp"
#include "tools/vary/kept_rates.hpp"
#include "tools/vary/law_options.hpp"
#include "tools/vary/vary_words.hpp"
#include "tools/words/ahead_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/errors.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/rates.hpp"
#include "tpn/reader.hpp"
#include "tpn/visible.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using heuristics::Heuristic;
using heuristics::Proposal;
using heuristics::Solution;
using maxplus::Rational;
using tpn::JsonWriter;

constexpr const char* kAll = "all";
// What evaluating one mapping may take where no limit was given, in seconds.
constexpr double kEvaluation = 30;
// What all heuristics together may take where no limit was given.
constexpr double kAllTogether = 45;
// The same where only the best of them is wanted.
constexpr double kForTheBest = 10;

struct MapOptions {
  std::string file;
  std::string heuristic;  // empty: the best of all
  ModelChoice model;
  std::optional<std::string> output;
  std::uint64_t seed = heuristics::kDefaultSeed;
  std::optional<double> time_limit;
  bool trace = false;
  bool json = false;
  std::string ahead;   // empty: transfers are not ahead
  std::string law;     // with `within`; empty: the problem's laws
  std::string within;  // empty: mappings are chosen by their periods
  OptionTexts texts;
};

// A heuristic's answer and, where it proposes a mapping, what the mapping is worth.
struct HeuristicRun {
  const Heuristic* heuristic;
  std::optional<tpn::InvalidInstance> lacking;  // what the heuristic needs of the problem and does not find: no answer
  Solution solution;
  std::optional<tpn::Document> mapped;
  std::vector<ModelPeriod> periods;
  std::optional<AheadAdvice> ahead{};  // of which the mapped document has the transfers
  std::string not_ahead{};             // why it has none, if they were looked for
  std::optional<KeptRate> kept{};      // where mappings are chosen by it, and this one was looked at

  const Proposal* proposal() const { return lacking ? nullptr : std::get_if<Proposal>(&solution.result); }
  // Of the mapped document.
  const Rational& predicted_period() const { return ahead ? ahead->period : proposal()->predicted_period; }
  bool is_infeasible() const { return !lacking && std::holds_alternative<heuristics::Infeasible>(solution.result); }
  bool has_met_limit() const { return !lacking && std::holds_alternative<heuristics::LimitMet>(solution.result); }
  // Why there is no proposal.
  std::string reason() const {
    if (lacking) return fmt::format("{}: {}", lacking->pointer, lacking->detail);
    if (const auto* infeasible = std::get_if<heuristics::Infeasible>(&solution.result)) return infeasible->reason;
    return std::get<heuristics::LimitMet>(solution.result).reason;
  }
};

bool asks_all(const MapOptions& options) { return options.heuristic.empty() || options.heuristic == kAll; }

std::vector<const Heuristic*> chosen(const MapOptions& options) {
  std::vector<const Heuristic*> result;
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    if (asks_all(options) || heuristic.name == options.heuristic) result.push_back(&heuristic);
  }
  return result;
}

void require_consistent(const MapOptions& options) {
  if (options.output && (*options.output == "-" || options.output->empty())) {
    throw UsageError("-o takes a file; the document goes to standard output without it");
  }
  if (asks_all(options) && options.trace)
    throw UsageError("--trace goes with one heuristic: say which with --heuristic");
  if (options.heuristic != kAll && options.json && !options.output) {
    throw UsageError("--json goes with --heuristic all or -o; standard output holds the mapped document");
  }
  if (!options.law.empty() && options.within.empty()) {
    throw UsageError("--law goes with --within, by which mappings are chosen: --within \"99% 150ms\"");
  }
  require_known(options.texts, chosen(options));
  for (const Heuristic* heuristic : chosen(options)) settings_for(*heuristic, options.texts);
}

std::optional<tpn::Model> model_of(const tpn::Document& problem, const MapOptions& options) {
  return chosen_model(options.model, problem.model);
}

// That a heuristic is to make the period small under. Where nobody says, heuristics of the literature keep their own;
// among all, those that evaluate nets take the one by which all are ranked.
std::optional<tpn::Model> model_for(const Heuristic& heuristic, const tpn::Document& problem,
                                    const MapOptions& options) {
  const auto chosen = model_of(problem, options);
  const bool is_ranked = asks_all(options) && heuristic.model_use == heuristics::ModelUse::evaluation;
  return !chosen && is_ranked ? std::optional(tpn::Model::kOverlap) : chosen;
}

// The transfers that make the mapping's period least, under the model that it is meant for.
void take_ahead(HeuristicRun& run, const std::string& file, const evaluators::Deadline& deadline) {
  evaluators::Options settings;
  settings.deadline = deadline;
  auto folded = fold_instance(file, *run.mapped, run.solution.model, deadline);
  auto* const instance = std::get_if<EvaluatedInstance>(&folded);
  if (instance != nullptr) instance->evaluation = evaluators::evaluate(instance->net, settings);
  if (instance == nullptr || !instance->evaluation.exact()) {
    run.not_ahead = "takt did not look for transfers ahead: the period is not known exactly.";
    return;
  }
  run.ahead = find_ahead(*run.mapped, instance->net, instance->evaluation, settings, AheadEffort::full);
  if (run.ahead) {
    run.mapped->transfers = run.ahead->transfers;
    run.mapped->predicted_period = run.ahead->period;
    auto& notes = run.solution.log.notes;
    if (!notes.empty()) notes.emplace_back("The notes before this one are about mappings without transfers ahead.");
  } else if (deadline.has_passed()) {
    run.not_ahead = "No transfer ahead was found within the time limit that shortens the period.";
  } else {
    run.not_ahead = none_sentence(instance->net, instance->evaluation);
  }
}

HeuristicRun run_one(const Heuristic& heuristic, const tpn::ProblemView& problem, const MapOptions& options,
                     const evaluators::Deadline& deadline, const evaluators::Deadline& evaluated_by,
                     std::vector<heuristics::KnownMapping> known = {}) {
  heuristics::Settings settings;
  const auto settings_model = model_for(heuristic, problem.document(), options);
  settings.model = settings_model;
  settings.seed = options.seed;
  settings.deadline = deadline;
  settings.uses_all_time = options.time_limit.has_value();
  settings.known = std::move(known);
  settings.options = settings_for(heuristic, options.texts);
  HeuristicRun run{&heuristic, {}, {}, {}, {}};
  try {
    run.solution = heuristics::solve(heuristic, problem, std::move(settings));
  } catch (const tpn::InvalidInstance& error) {
    run.lacking = error.at(display_name(options.file));
  }
  if (run.proposal() != nullptr) {
    run.mapped = heuristics::mapped_document(problem.document(), heuristic, run.solution);
    if (!options.ahead.empty()) {
      const evaluators::Deadline found_by =
          evaluated_by.time() ? evaluated_by.half_way() : evaluators::Deadline(deadline_in(kEvaluation));
      take_ahead(run, options.file, found_by.or_on(interruption()));
    }
    run.periods = periods_of(options.file, *run.mapped, models_beside(settings_model),
                             evaluated_by.time() ? evaluated_by : deadline_in(kEvaluation));
  }
  return run;
}

void write_tables(std::ostream& out, const heuristics::Log& log) {
  for (const heuristics::LogTable& steps : log.tables) {
    Table table;
    for (const std::string& column : steps.columns) table.columns.push_back({column});
    table.rows = steps.rows;
    out << tpn::visible(steps.title) << '\n';
    table.write(out);
    out << '\n';
  }
}

std::string stages_of(const tpn::Document& document, const tpn::Part& part) {
  const auto& stages = document.application.stages;
  const std::string first = printable(stages[part.first_stage].name);
  return part.first_stage == part.last_stage ? first : first + " to " + printable(stages[part.last_stage].name);
}

std::string sequence_of(const tpn::Document& document, const tpn::Part& part) {
  constexpr std::size_t kShown = 12;
  std::string text;
  const auto names = tpn::names_of_turns(document.platform, tpn::processor_groups(document.platform), part.processors);
  for (std::size_t k = 0; k < std::min(kShown, names.size()); ++k) text += (k == 0 ? "" : ", ") + printable(names[k]);
  if (names.size() > kShown) text += fmt::format(", ... {} entries", part.processors.size());
  return text;
}

// What transfers ahead would make of the mapping, under the model that it is meant for.
std::optional<AheadAdvice> ahead_of(const HeuristicRun& run) {
  if (tpn::has_rates(run.mapped->application)) return std::nullopt;
  evaluators::Options options;
  options.deadline = deadline_in(kEvaluation);
  auto folded = fold_instance({}, *run.mapped, run.solution.model, options.deadline);
  auto* const instance = std::get_if<EvaluatedInstance>(&folded);
  if (instance == nullptr || !tpn::shared_owner(instance->net.pipeline)) return std::nullopt;
  return ahead_at_order(*run.mapped, instance->net, evaluators::evaluate(instance->net, options), options);
}

// What is ahead, or would be.
std::string ahead_sentence(const HeuristicRun& run, const MapOptions& options) {
  const TimeWords times(*run.mapped);
  if (run.ahead) return applied_sentence(*run.ahead, times);
  if (!options.ahead.empty()) return run.not_ahead;
  const auto advice = ahead_of(run);
  return advice ? advice_sentence(*advice, times) : "";
}

void write_summary(std::ostream& out, const HeuristicRun& run, const MapOptions& options) {
  const TimeWords times(*run.mapped);
  const Rational& predicted = run.predicted_period();
  fmt::print(
      out, "{} predicts {} under {}{}.\n", run.heuristic->name,
      times.amount(run.proposal()->predicted_period, times.per_item()), tpn::title_of(run.solution.model),
      run.ahead ? fmt::format(", and {} with {}", times.amount(predicted, times.per_item()), run.ahead->words) : "");
  Table table{
      {{"model"}, {"exact period", Align::right}, {"latency", Align::right}, {"prediction"}, {"gap", Align::right}},
      {}};
  for (const ModelPeriod& period : run.periods) {
    const bool is_meant = period.model == run.solution.model;
    table.rows.push_back({tpn::label_of(period.model), period_cell(period), latency_cell(period),
                          is_meant ? std::string(heuristics::name_of(relation_under(predicted, period))) : "",
                          is_meant ? gap_cell(predicted, period.bounds()) : ""});
  }
  table.write(out);
  if (const std::string sentence = ahead_sentence(run, options); !sentence.empty()) out << '\n' << sentence << '\n';
  out << "\nMapping\n";
  Table mapping{{{"stages"}, {"processors, in turn"}}, {}};
  for (const tpn::Part& part : *run.mapped->mapping) {
    mapping.rows.push_back({stages_of(*run.mapped, part), sequence_of(*run.mapped, part)});
  }
  mapping.write(out);
}

void write_mapping(JsonWriter& json, const tpn::Document& document) {
  json.begin_array();
  for (const tpn::Part& part : *document.mapping) {
    json.begin_object();
    write_mapped_part(json, part, document);
    json.end();
  }
  json.end();
}

// Of the periods of all mappings, and how far the prediction is above it, in percent: null if it is 0.
void write_lower_bound(JsonWriter& json, const Proposal& proposal, const tpn::Document& problem) {
  const Rational& bound = *proposal.lower_bound;
  const plan::Freedoms usable = plan::freedoms_of(problem);
  write_loads_bound(json, "period", bound, usable);
  plan::MappingClaim(plan::Prover::loads, usable).write(json);
  write_percent(json, "above_bound_percent",
                bound.sign() > 0 ? std::optional(proposal.predicted_period / bound - 1) : std::nullopt);
}

void write_proposal(JsonWriter& json, const HeuristicRun& run) {
  const Proposal& proposal = *run.proposal();
  const ModelPeriod& own = period_under(run.periods, run.solution.model);
  tpn::write_model(json, run.solution.model);
  write_time_unit(json, TimeWords(*run.mapped));
  write_exact(json, "predicted_period", run.predicted_period());
  json.key("periods");
  write_periods(json, run.periods);
  write_relation(json, run.predicted_period(), own);
  if (!exact_period(own)) json.member("limit", limit_of(own));
  // It is one of mappings without transfers ahead.
  if (proposal.lower_bound && !run.ahead) write_lower_bound(json, proposal, *run.mapped);
  if (run.ahead) write_ahead(json, *run.ahead, true);
  json.member("cut_short", proposal.cut_short);
  json.member("notes", run.solution.log.notes);
  json.key("mapping");
  write_mapping(json, *run.mapped);
}

void write_trace(JsonWriter& json, const heuristics::Log& log) {
  json.begin_array();
  for (const heuristics::LogTable& steps : log.tables) {
    json.begin_object();
    json.member("title", steps.title);
    json.member("columns", steps.columns);
    json.member("table_rows", steps.rows);
    json.end();
  }
  json.end();
}

void write_improvements(JsonWriter& json, const heuristics::Log& log) {
  json.begin_array();
  for (const heuristics::Improvement& improvement : log.improvements) {
    json.begin_object();
    json.member("iteration", improvement.iteration);
    write_exact(json, "period", improvement.period);
    json.end();
  }
  json.end();
}

void write_json(JsonWriter& json, const HeuristicRun& run, const std::string& file, bool trace,
                const std::optional<KeptRateQuestion>& by_rate) {
  json.begin_object();
  json.member("file", file);
  json.member("heuristic", run.heuristic->name);
  if (run.proposal() != nullptr) {
    write_proposal(json, run);
    if (by_rate && run.kept) write_kept_rate(json, *run.kept, *by_rate);
  } else {
    json.member("skipped", run.reason());
    json.member("infeasible", run.is_infeasible());
  }
  if (trace) {
    json.key("trace");
    write_trace(json, run.solution.log);
    if (!run.solution.log.improvements.empty()) {
      json.key("improvements");
      write_improvements(json, run.solution.log);
    }
  }
  json.end();
}

void write_notes(std::ostream& err, const HeuristicRun& run) {
  for (const std::string& note : run.solution.log.notes) {
    fmt::print(err, "takt: {}: {}\n", run.heuristic->name, tpn::visible(note));
  }
}

// What a run says besides its mapping; the status it amounts to.
int report(const HeuristicRun& run, Streams& streams) {
  const std::string_view name = run.heuristic->name;
  write_notes(streams.err, run);
  if (run.is_infeasible()) {
    fmt::print(streams.err, "takt: {} finds no mapping: {}\n", name, tpn::visible(run.reason()));
    return kNo;
  }
  if (run.has_met_limit()) {
    fmt::print(streams.err, "takt: {} has no mapping: {}\n", name, tpn::visible(run.reason()));
    return kLimit;
  }
  if (!run.proposal()->cut_short) return kAnswered;
  fmt::print(streams.err, "takt: {}: {} the search short; this is the best mapping so far\n", name,
             interruption() ? "an interruption cut" : "the time limit cut");
  return kLimit;
}

std::optional<KeptRateQuestion> rate_question(const MapOptions& options, const tpn::Document& problem) {
  if (options.within.empty()) return std::nullopt;
  require_law(options.law, problem, options.file);
  return kept_rate_question(options.law, options.within, problem);
}

std::string kept_sentence(const HeuristicRun& run, const KeptRateQuestion& question) {
  const std::string limit = limit_words(question.limit, TimeWords(*run.mapped));
  if (!run.kept->found) return fmt::format("Whether it keeps {} is not known: {}.", limit, run.kept->reason);
  if (!run.kept->is_kept()) return fmt::format("No rate keeps {} ({}).", limit, kept_rate_basis(question));
  return fmt::format("Up to {} keep {} ({}).", kept_rate_cell(*run.kept, *run.mapped), limit,
                     kept_rate_basis(question));
}

// The mapped document goes to its file or to standard output, what is said of it to the other.
void hand_over(const HeuristicRun& run, const MapOptions& options, const std::optional<KeptRateQuestion>& by_rate,
               Streams& streams) {
  const std::string document = tpn::write_document(*run.mapped);
  if (options.output) {
    write_file(*options.output, document);
  } else {
    streams.out << document;
  }
  if (!options.json) {
    std::ostream& out = options.output ? streams.out : streams.err;
    write_summary(out, run, options);
    if (by_rate && run.kept) out << '\n' << kept_sentence(run, *by_rate) << '\n';
    return;
  }
  print_object(streams.out, [&](JsonWriter& json) { write_json(json, run, options.file, options.trace, by_rate); });
}

int map_with_one(const Heuristic& heuristic, const tpn::ProblemView& problem, const MapOptions& options,
                 Streams& streams) {
  HeuristicRun run = [&] {
    const LimitedSearch search(options.time_limit);
    Progress progress(streams);
    progress.show(heuristic.name);
    return run_one(heuristic, problem, options, search.deadline(), std::nullopt);
  }();
  if (run.lacking) throw *run.lacking;
  const auto by_rate = rate_question(options, problem.document());
  if (by_rate && run.proposal() != nullptr) {
    const LimitedSearch search(options.time_limit);
    run.kept = kept_rate(*run.mapped, run.solution.model, *by_rate, search.deadline());
  }
  const int status = report(run, streams);
  if (options.trace && !options.json) write_tables(options.output ? streams.out : streams.err, run.solution.log);
  if (run.proposal() != nullptr) {
    hand_over(run, options, by_rate, streams);
  } else if (options.json) {
    print_object(streams.out, [&](JsonWriter& json) { write_json(json, run, options.file, options.trace, by_rate); });
  }
  return status;
}

// Among mappings of one period: the shortest sequences first, then those who prove how good they are.
std::pair<std::size_t, bool> after_period(const HeuristicRun& run) {
  std::size_t turns = 0;
  for (const tpn::Part& part : run.proposal()->mapping) turns += part.processors.size();
  return {turns, !run.proposal()->lower_bound};
}

// Of so many mappings with the shortest periods the rates are looked at.
constexpr std::size_t kVariedMappings = 8;

// Among the first mappings, which are different, those that keep the limit at the largest rates come first; the rest
// stay behind them.
std::size_t rank_by_rate(std::vector<HeuristicRun>& runs, const tpn::Model& model, const KeptRateQuestion& question,
                         const std::optional<double>& time_limit, Streams& streams) {
  const evaluators::Deadline all = evaluators::Deadline(deadline_in(time_limit.value_or(kAllTogether)));
  Progress progress(streams);
  std::size_t looked_at = 0;
  for (std::size_t k = 0; k < runs.size() && looked_at < kVariedMappings; ++k) {
    if (runs[k].proposal() == nullptr) continue;
    const auto same = std::ranges::find_if(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(k),
                                           [&](const HeuristicRun& other) {
                                             return other.kept && other.mapped->mapping == runs[k].mapped->mapping &&
                                                    other.mapped->transfers == runs[k].mapped->transfers;
                                           });
    if (same != runs.begin() + static_cast<std::ptrdiff_t>(k)) {
      runs[k].kept = same->kept;
      continue;
    }
    ++looked_at;
    progress.show(fmt::format("{}, its rate", runs[k].heuristic->name));
    const auto left = static_cast<int>(kVariedMappings - looked_at + 1);
    runs[k].kept = kept_rate(*runs[k].mapped, model, question, all.after_part(1, left).or_on(interruption()));
  }
  std::ranges::stable_sort(runs, [](const HeuristicRun& a, const HeuristicRun& b) {
    if (a.kept && b.kept) return keeps_more(*a.kept, *b.kept);
    return a.kept.has_value() && !b.kept;
  });
  return looked_at;
}

// Best first: the least upper bound of the period under the model; then mappings without one, then no mapping.
void rank(std::vector<HeuristicRun>& runs, tpn::Model model) {
  const auto upper = [&](const HeuristicRun& run) {
    const auto bounds = run.proposal() == nullptr ? std::nullopt : period_under(run.periods, model).bounds();
    return bounds ? std::optional(bounds->upper) : std::nullopt;
  };
  std::ranges::stable_sort(runs, [&](const HeuristicRun& a, const HeuristicRun& b) {
    const auto left = upper(a);
    const auto right = upper(b);
    if (left && right) return *left != *right ? *left < *right : after_period(a) < after_period(b);
    return left.has_value() || (!right && a.proposal() != nullptr && b.proposal() == nullptr);
  });
}

std::vector<heuristics::KnownMapping> mappings_of(const std::vector<HeuristicRun>& runs) {
  std::vector<heuristics::KnownMapping> mappings;
  for (const HeuristicRun& run : runs) {
    if (run.proposal() != nullptr) mappings.push_back({std::string(run.heuristic->name), run.proposal()->mapping});
  }
  return mappings;
}

std::vector<HeuristicRun> run_all(const tpn::ProblemView& problem, const MapOptions& options, Streams& streams) {
  const auto all = chosen(options);
  const maxplus::SearchClock::time_point end =
      deadline_in(options.time_limit.value_or(options.heuristic.empty() ? kForTheBest : kAllTogether));
  std::vector<HeuristicRun> runs;
  const InterruptibleSearch search;
  Progress progress(streams);
  for (std::size_t k = 0; k < all.size(); ++k) {
    progress.show(fmt::format("{}, {} of {}", all[k]->name, k + 1, all.size()));
    // What one leaves of its share falls to those after it.
    const auto now = maxplus::SearchClock::now();
    // Each takes a moment before it looks at the clock: without a mapping yet that is worth it.
    const auto has_mapping = [](const HeuristicRun& run) { return run.proposal() != nullptr; };
    if (now >= end && std::ranges::any_of(runs, has_mapping)) {
      HeuristicRun& left_out = runs.emplace_back(HeuristicRun{all[k], {}, {}, {}, {}});
      left_out.solution.result = heuristics::LimitMet{"the time limit passed before it began"};
      continue;
    }
    const auto share = std::max(end - now, maxplus::SearchClock::duration::zero()) / static_cast<int>(all.size() - k);
    // Half of a share for the search, so that what it finds can be evaluated.
    const evaluators::Deadline searched_by = evaluators::Deadline(now + share / 2).or_on(interruption());
    runs.push_back(run_one(*all[k], problem, options, searched_by, now + share, mappings_of(runs)));
  }
  return runs;
}

// "cut short, with the output of decode 2 frames ahead".
std::string remarks_on(const HeuristicRun& run) {
  std::string text = run.proposal()->cut_short ? "cut short" : "";
  if (run.ahead) text += (text.empty() ? "with " : ", with ") + run.ahead->words;
  return text;
}

// How mappings were ranked.
struct MapRanking {
  std::string model_words;
  std::optional<KeptRateQuestion> by_rate;
  std::size_t looked_at = 0;  // mappings whose rates were
};

std::string ranking_sentence(const MapRanking& ranking, const tpn::Document& problem) {
  if (!ranking.by_rate) return fmt::format("Best first, by the exact period under {}", ranking.model_words);
  return fmt::format(
      "Best first, by the largest rate that keeps {} under {} ({}), of the {} with the shortest exact periods",
      limit_words(ranking.by_rate->limit, TimeWords(problem)), ranking.model_words, kept_rate_basis(*ranking.by_rate),
      plural(ranking.looked_at, "mapping"));
}

void write_ranking(std::ostream& out, const std::vector<HeuristicRun>& runs, const tpn::Model& model,
                   const tpn::Document& problem, const MapRanking& ranking) {
  out << ranking_sentence(ranking, problem) << '\n';
  Table table{{{"heuristic"}, {"predicted", Align::right}}, {}};
  if (ranking.by_rate) table.columns.insert(table.columns.begin() + 1, {"rate", Align::right});
  for (const tpn::Model& shown : models_beside(model)) {
    table.columns.push_back({"exact " + tpn::label_of(shown), Align::right});
  }
  for (const TableColumn& column : {TableColumn{"model"},
                                    {"prediction"},
                                    {"gap", Align::right},
                                    {"latency", Align::right},
                                    {"longest sequence", Align::right},
                                    {"remarks"}}) {
    table.columns.push_back(column);
  }
  for (const HeuristicRun& run : runs) {
    const Proposal* proposal = run.proposal();
    if (proposal == nullptr) continue;
    const ModelPeriod& own = period_under(run.periods, run.solution.model);
    const Rational& predicted = run.predicted_period();
    std::vector<std::string> row = {std::string(run.heuristic->name), TimeWords(*run.mapped).readable(predicted)};
    if (ranking.by_rate) row.insert(row.begin() + 1, run.kept ? kept_rate_cell(*run.kept, *run.mapped) : "");
    for (const ModelPeriod& period : run.periods) row.push_back(period_cell(period));
    row.emplace_back(tpn::label_of(own.model));
    row.emplace_back(heuristics::name_of(relation_under(predicted, own)));
    row.push_back(gap_cell(predicted, own.bounds()));
    row.push_back(latency_cell(own));
    row.push_back(longest_sequence_cell(*run.mapped));
    row.push_back(remarks_on(run));
    table.rows.push_back(std::move(row));
  }
  table.write(out);
}

void write_skipped(std::ostream& out, const std::vector<HeuristicRun>& runs) {
  Table skipped{{{""}, {""}}, {}};
  for (const HeuristicRun& run : runs) {
    if (run.proposal() == nullptr) skipped.rows.push_back({std::string(run.heuristic->name), run.reason()});
  }
  if (skipped.rows.empty()) return;
  out << "Skipped\n";
  skipped.write(out);
}

// Why none of the heuristics has a mapping; the status of the answer.
int answer_without_mapping(const tpn::Document& problem, const std::vector<HeuristicRun>& runs, Streams& streams) {
  const auto lacking = std::ranges::find_if(runs, [](const HeuristicRun& run) { return run.lacking.has_value(); });
  if (lacking != runs.end()) {
    fmt::print(streams.err,
               "takt: {}. Heuristics may put any stage on any processor and send between any two: give every stage a "
               "work or a time on every processor, and every pair a bandwidth or a time, or write a mapping by hand\n",
               tpn::visible(lacking->lacking->what()));
    return kBadInput;
  }
  tpn::require_single_files(problem.application);
  const bool is_taken = std::ranges::any_of(
      runs, [&](const HeuristicRun& run) { return !tpn::why_refused(run.heuristic->takes, problem); });
  streams.err << (is_taken ? "takt: no heuristic finds a mapping\n" : "takt: no heuristic takes this problem\n");
  return std::ranges::any_of(runs, &HeuristicRun::has_met_limit) ? kLimit : kNo;
}

// "OVERLAP ONE-PORT", and how to have the other where nobody chose.
std::string ranking_words(const tpn::Model& model, const tpn::Document& problem, const MapOptions& options) {
  return tpn::title_of(model) + (model_of(problem, options) ? "" : " (default; --model strict for the other)");
}

struct RankedRuns {
  tpn::Model model;
  std::vector<HeuristicRun> runs;  // best first
  MapRanking ranking;
};

RankedRuns ranked(const tpn::ProblemView& problem, const MapOptions& options, Streams& streams) {
  const tpn::Model model = model_of(problem.document(), options).value_or(tpn::Model::kOverlap);
  RankedRuns result{model,
                    run_all(problem, options, streams),
                    {ranking_words(model, problem.document(), options), rate_question(options, problem.document())}};
  rank(result.runs, model);
  if (const auto& by_rate = result.ranking.by_rate) {
    result.ranking.looked_at = rank_by_rate(result.runs, model, *by_rate, options.time_limit, streams);
  }
  return result;
}

int map_with_all(const tpn::ProblemView& problem, const MapOptions& options, Streams& streams) {
  const RankedRuns found = ranked(problem, options, streams);
  const std::vector<HeuristicRun>& runs = found.runs;
  const MapRanking& ranking = found.ranking;
  for (const HeuristicRun& run : runs) {
    if (run.proposal() != nullptr) write_notes(streams.err, run);
  }
  if (options.json) {
    print_array(streams.out, runs, [&](JsonWriter& json, const HeuristicRun& run) {
      write_json(json, run, options.file, false, ranking.by_rate);
    });
  } else if (runs.front().proposal() == nullptr) {
    write_skipped(streams.out, runs);
  } else {
    write_ranking(streams.out, runs, found.model, problem.document(), ranking);
    if (runs.back().proposal() == nullptr) streams.out << '\n';
    write_skipped(streams.out, runs);
  }
  if (runs.front().proposal() == nullptr) return answer_without_mapping(problem.document(), runs, streams);
  if (options.output) write_file(*options.output, tpn::write_document(*runs.front().mapped));
  return kAnswered;
}

// Without the name of a heuristic: what the best of all proposes.
int map_with_best(const tpn::ProblemView& problem, const MapOptions& options, Streams& streams) {
  const RankedRuns found = ranked(problem, options, streams);
  const std::vector<HeuristicRun>& runs = found.runs;
  const MapRanking& ranking = found.ranking;
  const HeuristicRun& best = runs.front();
  if (best.proposal() == nullptr) return answer_without_mapping(problem.document(), runs, streams);
  const auto proposing = std::ranges::count_if(runs, [](const HeuristicRun& run) { return run.proposal() != nullptr; });
  const std::string by =
      ranking.by_rate
          ? fmt::format("the largest rate that keeps {} under {}",
                        limit_words(ranking.by_rate->limit, TimeWords(problem.document())), ranking.model_words)
          : "its exact period under " + ranking.model_words;
  fmt::print(options.output && !options.json ? streams.out : streams.err,
             "The best of {} by {} is that of {}; takt map FILE --heuristic all compares them.\n",
             plural(proposing, "mapping"), by, best.heuristic->name);
  write_notes(streams.err, best);
  hand_over(best, options, ranking.by_rate, streams);
  if (!interruption()) return kAnswered;
  streams.err << "takt: interrupted; this is the best mapping so far\n";
  return kLimit;
}

int map(const MapOptions& options, Streams& streams) {
  require_consistent(options);
  const tpn::Document document = read_problem(options.file, streams);
  // What is wrong with it is said before the search.
  rate_question(options, document);
  if (options.output) require_writable(*options.output);
  const tpn::ProblemView problem(document);
  if (options.heuristic.empty()) return map_with_best(problem, options, streams);
  if (options.heuristic == kAll) return map_with_all(problem, options, streams);
  return map_with_one(*heuristics::find_heuristic(options.heuristic), problem, options, streams);
}

std::string heuristic_list() {
  std::string text = "Heuristics (details: takt heuristics):\n";
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    text += fmt::format("  {:<24}{}\n", heuristic.name, heuristic.summary);
  }
  return text + fmt::format("  {:<24}{}\n", kAll, "try each of them: a table, best first; -o writes the best mapping");
}

constexpr const char* kExamplesOfMap =
    "\n"
    "Examples:\n"
    "  takt map examples/hedpm-problem.json -o mapped.json\n"
    "  takt map examples/hedpm-problem.json --heuristic hedpm --reading paper --trace -o hedpm.json\n"
    "  takt map examples/hedpm-problem.json --heuristic bsc -o bsc.json\n"
    "  takt map examples/hedpm-problem.json --heuristic all\n"
    "  takt map examples/hedpm-problem.json --within \"99% 40\" --law erlang:4 -o mapped.json";

void add_mapping_outputs(CommandLine& line, MapOptions& options) {
  line.flag("--trace", options.trace, "print what the heuristic tries, step by step");
  line.flag("--json", options.json, "print the results as JSON");
  line.option("-o", options.output,
              "write the mapped document to this file; default: mapped document on standard output, results on "
              "standard error")
      .offers_files()
      .type_name("OUT");
}

}  // namespace

Action define_map(CommandLine& line) {
  auto options = std::make_shared<MapOptions>();
  std::vector<std::string> names = heuristic_names();
  names.emplace_back(kAll);
  line.positional("PROBLEM", options->file, "an application and a platform (JSON); - is standard input");
  line.option("--heuristic", options->heuristic,
              "a heuristic, see below, or all; default: try all, take the best mapping")
      .check(one_of(names))
      .type_name("NAME");
  add_model_options(
      line, options->model,
      "the mapping is chosen for it; default: the file's, else the heuristic's, or overlap when all are tried");
  line.option("--seed", options->seed, "seed of random choices").check(whole_number()).shows_default().type_name("N");
  add_time_limit(line, options->time_limit, "",
                 fmt::format("takt takes the best mapping so far; default: {} s for the best, {} s with "
                             "all, none with one heuristic",
                             kForTheBest, kAllTogether));
  line.option(
          "--ahead", options->ahead,
          "let processors that serve several parts receive files ahead of time, where that shortens the period most")
      .check(one_of({"best"}))
      .type_name("best");
  line.option("--within", options->within,
              fmt::format("with times that vary: among the {} mappings with the shortest periods, choose the one with "
                          "the largest rate at which this share of data sets stays at most this long: \"99% 150ms\"",
                          kVariedMappings))
      .check(latency_limit())
      .type_name("LIMIT");
  line.option("--law", options->law,
              "with --within: distribution of the times, as in takt vary; default: the laws in the file")
      .check(law_text())
      .type_name("LAW");
  add_mapping_outputs(line, *options);
  add_heuristic_options(line, options->texts);
  line.footer(heuristic_list() + kExamplesOfMap);
  return [options](Streams& streams) { return map(*options, streams); };
}

}  // namespace takt::tools
