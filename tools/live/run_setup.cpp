// What is wrong is said before a process is started.
#include "tools/live/run_setup.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "live/adaptation/first_free.hpp"
#include "live/engine/route.hpp"
#include "live/engine/stage_files.hpp"
#include "live/files/mix_kernel.hpp"
#include "live/process/each_program.hpp"
#include "live/process/journal_file.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/files/model_choice.hpp"
#include "tools/frame/rates.hpp"
#include "tools/live/failure_options.hpp"
#include "tools/live/normal_times_reader.hpp"
#include "tools/live/rehearsed_run.hpp"
#include "tools/live/stream_input.hpp"
#include "tools/words/listing.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/units.hpp"
#include "tpn/visible.hpp"
#include "vary/net_times.hpp"
#include "vary/play.hpp"

namespace takt::tools {

namespace {

using live::KernelKind;
using maxplus::Rational;

// Of a run whose time unit nobody says: long enough for messages not to count.
const Rational kUsualPeriod = Rational::fraction(1, 100);
constexpr std::uint64_t kMostRunDataSets = 10'000'000;
constexpr live::Ticks kLooksEvery = 1'000'000'000;

tpn::Model model_of(const RunChoices& choices, const tpn::Document& document) {
  const tpn::Model model = one_model_of(document, choices.model);
  if (live::can_run(model)) return model;
  throw tpn::InvalidInstance("/model", tpn::json::quote(tpn::name_of(model)),
                             "a model that can be run: --model " + tpn::json::alternatives(run_model_names()))
      .at(display_name(choices.file));
}

KernelKind kernel_of(const RunChoices& choices) {
  const auto wants = [&](std::string_view kernel) { return choices.kernel.empty() || choices.kernel == kernel; };
  const bool has_programs = !choices.programs.empty() || !choices.each.empty();
  if (has_programs && !choices.executable.empty()) {
    throw UsageError("--program and --executable exclude each other: stages are programs, or functions of one");
  }
  if (has_programs) {
    if (!wants("program")) throw UsageError("--program and --each go with --kernel program");
    return KernelKind::program;
  }
  if (!choices.executable.empty()) {
    if (!wants("library")) throw UsageError("--executable goes with --kernel library");
    return KernelKind::library;
  }
  if (choices.kernel == "program")
    throw UsageError("--kernel program needs --program STAGE=COMMAND, or --each, for each stage");
  if (choices.kernel == "library") throw UsageError("--kernel library needs --executable PROGRAM");
  return choices.kernel == "spin" ? KernelKind::spin : KernelKind::emulate;
}

// STAGE=COMMAND of an option, added to the programs of the stages.
void add_program(std::string_view option, const std::string& text, const tpn::Document& document, live::RunPlan& plan) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || equals + 1 == text.size()) {
    throw UsageError(fmt::format("{}: found {}, expected STAGE=COMMAND", option, tpn::json::quote(text)));
  }
  const std::vector<tpn::Stage>& stages = document.application.stages;
  if (std::ranges::find(stages, name, &tpn::Stage::name) == stages.end()) {
    throw UsageError(fmt::format("{}: found {}, expected the name of a stage", option, tpn::json::quote(name)));
  }
  if (std::ranges::any_of(plan.programs, [&](const auto& program) { return program.first == name; })) {
    throw UsageError(fmt::format("{}: stage {} has two programs", option, tpn::visible(name)));
  }
  plan.programs.emplace_back(name, text.substr(equals + 1));
}

// A program that is started for each data set and takes several files must say which it wants.
void require_named_files(const live::RunPlan& plan, const tpn::Document& document) {
  const live::StageFlow flow(document.application);
  for (std::size_t stage = 0; !flow.is_chain() && stage < document.application.stages.size(); ++stage) {
    const std::string& name = document.application.stages[stage].name;
    const auto before = flow.before(stage);
    if (before.size() < 2 || std::ranges::find(plan.each, name) == plan.each.end()) continue;
    const std::string& command =
        std::ranges::find(plan.programs, name, [](const auto& one) { return one.first; })->second;
    std::vector<std::string> names;
    bool is_named = false;
    for (const std::size_t of : before) {
      is_named = is_named || command.find("{" + flow.name(of) + "}") != std::string::npos;
      names.push_back(tpn::visible(flow.name(of)));
    }
    if (is_named) continue;
    throw UsageError(fmt::format(
        "--each: stage {} takes the files of {}, but its command names none of them; {{{}}} stands for the file of {}",
        tpn::visible(name), listing(names), tpn::visible(flow.name(before.front())),
        tpn::visible(flow.name(before.front()))));
  }
}

// takt quotes what takes the place of {} in a command.
void require_bare_places(const live::RunPlan& plan, const tpn::Document& document) {
  const live::StageFlow flow(document.application);
  for (const auto& [name, command] : plan.programs) {
    if (std::ranges::find(plan.each, name) == plan.each.end()) continue;
    std::vector<std::string> places = {"{}"};
    for (const tpn::Stage& stage : document.application.stages) {
      if (!flow.is_chain()) places.push_back("{" + stage.name + "}");
    }
    for (const std::string& place : places) {
      if (!live::is_between_quotes(command, place)) continue;
      throw UsageError(fmt::format(
          "--each: the command of stage {} has {} between quotes: takt itself puts quotes around what takes "
          "its place, so write it without",
          tpn::visible(name), tpn::visible(place)));
    }
  }
}

void set_programs(live::RunPlan& plan, const RunChoices& choices, const tpn::Document& document) {
  for (const std::string& text : choices.programs) add_program("--program", text, document, plan);
  for (const std::string& text : choices.each) {
    add_program("--each", text, document, plan);
    plan.each.push_back(plan.programs.back().first);
  }
  if (plan.programs.empty()) return;
  for (const tpn::Stage& stage : document.application.stages) {
    if (std::ranges::any_of(plan.programs, [&](const auto& program) { return program.first == stage.name; })) continue;
    throw UsageError(
        fmt::format("stage {} has no program; each stage needs one, by --program or --each", tpn::visible(stage.name)));
  }
  require_named_files(plan, document);
  require_bare_places(plan, document);
}

live::EngineTerms engine_of(const RunChoices& choices, KernelKind kernel) {
  live::EngineTerms terms;
  terms.anchor = choices.anchor == "logical"    ? live::Anchor::logical
                 : choices.anchor == "observed" ? live::Anchor::observed
                                                : live::Anchor::agreed;
  if (choices.order == "first-free") terms.turns = live::TurnOrder::first_free;
  const bool is_real = choices.links.empty() ? !is_made_up(kernel) : choices.links == "real";
  terms.links = is_real ? live::LinkUse::real : live::LinkUse::emulated;
  if (terms.anchor == live::Anchor::logical && (is_real || kernel != KernelKind::emulate)) {
    throw UsageError(
        "--anchor logical goes with --kernel emulate and --links emulate: other times come from the clock");
  }
  return terms;
}

std::uint64_t data_sets_of(const RunChoices& choices, Streams& streams) {
  if (is_stream(choices.input)) return kEndlessDataSets;
  const auto lines = input_lines(choices, streams);
  if (lines && choices.data_sets.value_or(0) > *lines) {
    throw UsageError(fmt::format("--data-sets: found {}, expected at most {}, the lines of {}", *choices.data_sets,
                                 *lines, tpn::visible(choices.input)));
  }
  const std::uint64_t data_sets = choices.data_sets.value_or(lines.value_or(kRunDataSets));
  if (data_sets > kMostRunDataSets) {
    throw UsageError(fmt::format("--data-sets: found {}, expected at most {}", data_sets, kMostRunDataSets));
  }
  return data_sets;
}

// As the launcher finds it: a path, or a name among the programs of PATH.
std::optional<std::filesystem::path> found_program(const std::string& program) {
  const auto is_runnable = [](const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  };
  if (program.find('/') != std::string::npos) {
    return is_runnable(program) ? std::optional(std::filesystem::path(program)) : std::nullopt;
  }
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (is_runnable(std::filesystem::path(folder) / program)) return std::filesystem::path(folder) / program;
  }
  return std::nullopt;
}

void require_runnable(const std::string& program) {
  if (found_program(program)) return;
  if (program.find('/') != std::string::npos) {
    throw UsageError(fmt::format("--executable: found {}, expected a program that can be run", tpn::visible(program)));
  }
  throw UsageError(fmt::format("--executable: found {0}, expected a program of PATH, or a path, such as ./{0}",
                               tpn::visible(program)));
}

void require_consistent_stages(const RunChoices& choices, KernelKind kernel) {
  if (choices.bytes < live::MixKernel::kLeastBytes || choices.bytes > (std::uint64_t{1} << 30)) {
    throw UsageError(
        fmt::format("--bytes: found {}, expected {} to 2^30", choices.bytes, live::MixKernel::kLeastBytes));
  }
  if (!choices.input.empty() && is_made_up(kernel)) {
    throw UsageError("--input goes with --program, --each or --executable");
  }
  // Another launcher may start programs on other machines.
  if (kernel == KernelKind::library && choices.launcher.empty()) require_runnable(choices.executable);
  if (choices.records != "sized" && choices.programs.empty()) throw UsageError("--records goes with --program");
  if (choices.stage_limit && kernel != KernelKind::program) {
    throw UsageError("--stage-limit goes with --program and --each");
  }
}

// The plan of a run is JSON, which has no other texts: they would come to processes as something else.
void require_utf8(const RunChoices& choices) {
  std::vector<std::pair<const char*, std::string>> texts = {{"--journal", choices.journal}, {"--input", choices.input}};
  for (const std::string& program : choices.programs) texts.emplace_back("--program", program);
  for (const std::string& program : choices.each) texts.emplace_back("--each", program);
  for (const auto& [option, text] : texts) {
    for (std::string_view left = text; !left.empty();) {
      const tpn::Utf8Start start = tpn::first_character(left);
      if (!start.code) throw UsageError(fmt::format("{}: found {}, expected UTF-8", option, tpn::visible(text)));
      left.remove_prefix(start.length);
    }
  }
}

void require_consistent_order(const RunChoices& choices) {
  if (choices.order != "first-free") return;
  const auto refuse = [](std::string_view option, std::string_view why) {
    throw UsageError(fmt::format("--order first-free and {} exclude each other: {}", option, why));
  };
  if (choices.adapt != "off") refuse("--adapt", "a slow processor then takes fewer data sets anyway");
  if (!choices.trace_file.empty()) refuse("--trace-file", "a trace needs processors that take turns");
  if (choices.tolerance) refuse("--tolerance", "the exact period is no prediction then");
  if (choices.anchor == "logical") refuse("--anchor logical", "the model does not say which processor is free");
}

// What varies, or comes at a rate, is one mapping in turn whose times nobody else changes: that is what takt vary
// plays.
void require_consistent_draws(const RunChoices& choices) {
  if (choices.rate.empty() && !choices.arrivals.empty()) throw UsageError("--arrivals goes with --rate");
  if (choices.seed && choices.jitter.empty() && choices.arrivals != "poisson") {
    throw UsageError("--seed goes with --jitter or --arrivals poisson: nothing else is drawn");
  }
  if (choices.jitter.empty() && choices.rate.empty()) return;
  const auto refuse = [&](std::string_view option, std::string_view why) {
    throw UsageError(
        fmt::format("{} and {} exclude each other: {}", choices.jitter.empty() ? "--rate" : "--jitter", option, why));
  };
  if (choices.adapt != "off") refuse("--adapt", "takt vary covers one mapping");
  if (choices.order == "first-free") refuse("--order first-free", "in takt vary processors take turns");
  if (!choices.loads.empty()) refuse("--load", "takt vary knows no loads");
  if (choices.tolerance) refuse("--tolerance", "the exact period is a bound then, and no prediction");
  if (choices.rate.empty()) return;
  const auto refuse_rate = [](std::string_view option, std::string_view why) {
    throw UsageError(fmt::format("--rate and {} exclude each other: {}", option, why));
  };
  if (choices.max_rate) refuse_rate("--max-rate", "each of them is a pace");
  if (is_stream(choices.input)) refuse_rate("--input of a stream", "the pace is that of the input");
  if (!choices.again.empty()) refuse_rate("--again", "data sets that failed do not arrive again");
  if (choices.anchor == "logical") refuse_rate("--anchor logical", "data sets arrive by a real clock");
}

void require_consistent(const RunChoices& choices) {
  require_consistent_order(choices);
  require_consistent_draws(choices);
  require_rehearsable(choices);
  if (choices.retries > 0 && choices.journal.empty() && !choices.rehearse) {
    throw UsageError("--retries goes with --journal, which keeps the results");
  }
  if (choices.adapt == kAllWays && !choices.journal.empty()) {
    throw UsageError("--adapt all compares runs; --journal keeps the results of one");
  }
  if (choices.adapt == kAllWays && !choices.status.empty()) {
    throw UsageError("--adapt all compares runs; --status shows one");
  }
  if (choices.sync > 0 && choices.journal.empty()) throw UsageError("--sync goes with --journal");
  if (choices.segment > 0 && choices.journal.empty()) throw UsageError("--segment goes with --journal");
  if (choices.same_journal && choices.journal.empty()) throw UsageError("--same-journal goes with --journal");
  require_utf8(choices);
  require_window(choices.window);
}

std::vector<std::string> fields_of(std::string_view text) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    fields.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

// PROCESSOR:LOAD:FROM[:TO]. Names may hold colons: of those that stand in front, the longest.
live::BackgroundLoad load_of(const std::string& text, const PreparedRun& run) {
  const auto fail = [&](const std::string& what) {
    throw UsageError(fmt::format("--load: found {}, expected {}", tpn::json::quote(text), what));
  };
  const auto& processors = run.document.platform.processors;
  live::BackgroundLoad load{.processor = processors.size(), .load = {}};
  std::size_t length = 0;
  for (std::size_t p = 0; p < processors.size(); ++p) {
    const std::string& name = processors[p].name;
    if (!text.starts_with(name + ":") || (load.processor < processors.size() && name.size() < length)) continue;
    load.processor = p;
    length = name.size();
  }
  if (load.processor == processors.size()) fail("the name of a processor first");
  const std::vector<std::string> fields = fields_of(std::string_view(text).substr(length + 1));
  if (fields.size() < 2 || fields.size() > 3) fail("PROCESSOR:LOAD:FROM or PROCESSOR:LOAD:FROM:TO");
  const auto number = read_number(fields[0]);
  if (!number || number->sign() < 0) fail("a load of 0 or more");
  load.load = *number;
  const auto ticks = [&](const std::string& field) {
    const auto time = read_quantity(field, tpn::Quantity::time);
    if (!time || time->sign() < 0) fail("times of 0 or more");
    const Rational seconds = tpn::has_unit(field) ? *time : *time * run.plan.unit_seconds;
    const Rational exact = seconds * Rational(1'000'000'000);
    const maxplus::Integer whole = exact.floor();
    if (!whole.fits_slong_p()) fail("shorter times");
    return static_cast<live::Ticks>(whole.get_si());
  };
  load.from = ticks(fields[1]);
  if (fields.size() == 3) load.until = ticks(fields[2]);
  if (load.until <= load.from) fail("an end behind the begin");
  return load;
}

void set_normal(live::AdaptationPlan& plan, const PreparedRun& run, const RunChoices& choices, Streams& streams) {
  constexpr double kLongest = 1e18;  // nanoseconds
  const Rational ticks_per_unit = run.plan.unit_seconds * Rational(1'000'000'000);
  const std::string text = read_text(choices.normal, streams);
  for (const auto& row : read_normal_times(text, choices.normal, run.document, ticks_per_unit)) {
    std::vector<std::uint64_t>& times = plan.normal.emplace_back();
    for (const double time : row) times.push_back(static_cast<std::uint64_t>(std::clamp(time, 0.0, kLongest)));
  }
}

void set_adaptation(PreparedRun& run, const RunChoices& choices, Streams& streams) {
  for (const std::string& text : choices.loads) run.plan.loads.push_back(load_of(text, run));
  if (!choices.loads.empty() && !is_made_up(run.plan.kernel) && !choices.rehearse) {
    throw UsageError("--load goes with --kernel emulate or spin: real stages are slowed by real loads");
  }
  const bool adapts = choices.adapt != "off";
  if (!adapts && (choices.threshold || choices.switch_kind != "roll" || !choices.log.empty())) {
    throw UsageError("--threshold, --switch and --log go with --adapt");
  }
  const bool is_safe = choices.adapt_rule == "safe";
  if (!choices.normal.empty() && (!adapts || choices.adapt == kAllWays || !is_safe)) {
    throw UsageError("--normal goes with --adapt HEURISTIC and the safe rule");
  }
  if (!is_safe && !adapts) throw UsageError("--adapt-rule goes with --adapt");
  if (!adapts || choices.adapt == kAllWays) return;
  if (is_safe && choices.threshold) {
    throw UsageError("--threshold goes with --adapt-rule paper: the safe rule has none");
  }
  live::AdaptationPlan plan;
  plan.rule = is_safe ? live::AdaptationRule::safe : live::AdaptationRule::paper;
  if (!choices.normal.empty()) set_normal(plan, run, choices, streams);
  plan.heuristic = choices.adapt;
  if (choices.threshold) plan.threshold = parse_growth(*choices.threshold);
  plan.kind = choices.switch_kind == "drain" ? live::SwitchKind::drain : live::SwitchKind::roll;
  plan.logs_all_times = !choices.log.empty();
  run.plan.adaptation = plan;
}

// What mappings of the run may name: those of this one, and the ends; or all.
std::vector<std::size_t> processors_of(const tpn::Pipeline& pipeline, bool takes_all) {
  std::vector<bool> takes_part(pipeline.processors.size(), takes_all);
  for (const tpn::NetPart& part : pipeline.parts) {
    for (const std::size_t processor : part.sequence) takes_part[processor] = true;
  }
  std::vector<std::size_t> processors;
  for (std::size_t p = 0; p < takes_part.size(); ++p) {
    if (takes_part[p]) processors.push_back(p);
  }
  return processors;
}

std::optional<EvaluatedInstance> evaluated(const std::string& file, const tpn::Document& document,
                                           const tpn::Model& model, std::uint64_t window, Streams* streams) {
  auto folded = fold_instance(file, document, model, {}, window);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
    if (streams != nullptr) fmt::print(streams->err, "takt: {}: {}\n", display_name(file), too_large_hint(*too_large));
    return std::nullopt;
  }
  auto& instance = std::get<EvaluatedInstance>(folded);
  instance.evaluation = evaluators::evaluate(instance.net);
  return std::move(instance);
}

// Fills in what follows from a document: its net, window and processors. False if it is too large.
bool complete(PreparedRun& run, const std::string& file, bool takes_all, Streams* streams) {
  live::CoordinatorTerms& coordination = run.plan.coordination;
  const bool is_chosen = run.window.reason != WindowReason::asked;
  auto instance = evaluated(file, run.document, run.plan.model, is_chosen ? 0 : coordination.window, streams);
  if (!instance) return false;
  run.instance = std::move(*instance);
  if (is_chosen) {
    run.window = choose_window(run.instance, run.document, coordination.data_sets, run.varies);
    coordination.window = run.window.window;
    auto limited = evaluated(file, run.document, run.plan.model, coordination.window, streams);
    if (!limited) return false;
    run.instance = std::move(*limited);
  }
  if (const std::size_t columns = run.instance.net.pipeline.columns.size(); columns > live::kMostColumns) {
    throw tpn::InvalidInstance("/mapping", fmt::format("{} operations for each data set", columns),
                               fmt::format("at most {} in a run, computations and transfers", live::kMostColumns))
        .at(display_name(file));
  }
  run.plan.instance = run.document;
  run.plan.processors = processors_of(run.instance.net.pipeline, takes_all);
  return true;
}

void set_unit(PreparedRun& run, const RunChoices& choices) {
  const Rational& period = run.instance.evaluation.upper;
  if (!choices.unit.empty()) {
    run.plan.unit_seconds = *read_quantity(choices.unit, tpn::Quantity::time);
  } else if (is_made_up(run.plan.kernel) && !run.instance.times.has_units() && period.sign() > 0) {
    run.plan.unit_seconds = kUsualPeriod / period;
  }
  const live::StageFlow flow(run.document.application);
  const tpn::ProblemView problem(run.document);
  const Rational ticks_per_unit = run.plan.unit_seconds * Rational(1'000'000'000);
  if (!live::Route::make(run.instance.net.pipeline, ticks_per_unit, flow, {}, &problem.timing())) {
    throw UsageError("--unit: durations are too long to be counted in nanoseconds; choose a shorter unit");
  }
}

void require_one_part_each(const PreparedRun& run) {
  const tpn::ProblemView problem(run.document);
  if (const auto reason = live::FirstFree::why_not(problem, run.instance.net.pipeline)) {
    throw UsageError("--order first-free: " + *reason);
  }
}

void set_jitter(PreparedRun& run, const RunChoices& choices) {
  if (choices.jitter.empty()) return;
  if (!choices.rehearse && !is_made_up(run.plan.kernel)) {
    throw UsageError("--jitter goes with --kernel emulate or spin: real stages have real times");
  }
  if (!choices.rehearse && run.plan.engine.links == live::LinkUse::real) {
    throw UsageError("--jitter goes with --links emulate: real links have real times");
  }
  const bool is_of_file = choices.jitter == kLawsOfFile;
  if (is_of_file && !vary::has_laws(run.document)) {
    throw UsageError(
        fmt::format("--jitter file: found no law in {}, expected one: how do times vary? Such as --jitter "
                    "lognormal:0.5",
                    display_name(choices.file)));
  }
  run.plan.jitter = live::JitterPlan{is_of_file ? "" : choices.jitter, choices.seed.value_or(1)};
}

// Once the mapping's net is known.
void require_drawable(const PreparedRun& run) {
  if (!run.plan.jitter || !run.instance.net.pipeline.has_batches()) return;
  throw UsageError("--jitter: found batches, expected none: their times are not drawn");
}

// A rate counts by the time of the document; where that has no units and the rate has one, by the clock.
void set_arrivals(PreparedRun& run, const RunChoices& choices) {
  if (choices.rate.empty()) return;
  live::ArrivalTerms arrivals;
  const WrittenRate rate = read_rate(choices.rate).value();
  if (rate.pace && !run.instance.times.has_units()) {
    arrivals.gap = Rational(1) / (rate.rate * run.plan.unit_seconds);
  } else {
    arrivals.gap = period_of_rate("--rate", choices.rate, run.document);
  }
  if (choices.arrivals == "poisson") arrivals.kind = vary::ArrivalKind::poisson;
  arrivals.seed = choices.seed.value_or(1);
  run.plan.arrivals = arrivals;
}

// What changes the turns at ports goes with what takes it.
void require_lasting_turns(const RunChoices& choices, const tpn::Document& document) {
  const bool adapts = choices.adapt != "off";
  if (!adapts && choices.order != "first-free") return;
  if (const auto reason = tpn::why_refused(live::kChangingRunsTake, document)) {
    throw UsageError(fmt::format("{}: {}", adapts ? "--adapt" : "--order first-free", *reason));
  }
}

// A run that delivers nothing for so long stands still.
live::StallTerms stall_terms(const PreparedRun& run, const RunChoices& choices) {
  constexpr double kLeast = 30;
  const Rational period = run.instance.evaluation.upper * run.plan.unit_seconds;
  const double periods = 50 * period.to_double().value_or(0);
  const auto ticks = [](double seconds) { return static_cast<live::Ticks>(std::min(seconds, 1e9) * 1e9); };
  live::StallTerms terms{ticks(std::max(kLeast, periods)), std::nullopt};
  if (choices.stall_limit) terms.ended_after = std::max<live::Ticks>(ticks(*choices.stall_limit), 1);
  return terms;
}

// What a journal knows of a program with functions. Another launcher may start one that is not on this machine.
std::string executable_words(const RunChoices& choices, Streams& streams) {
  if (choices.journal.empty() || choices.executable.empty()) return "";
  const auto program = found_program(choices.executable);
  if (const auto words = program ? live::content_words(program->string()) : std::nullopt) return *words;
  fmt::print(streams.err, "takt: {} cannot be read here: {} identifies it only by its name\n",
             tpn::visible(choices.executable), tpn::visible(choices.journal));
  return choices.executable;
}

}  // namespace

double predicted_seconds(const PreparedRun& run) {
  if (run.plan.engine.turns != live::TurnOrder::in_turn) return 0;
  return (run.instance.evaluation.upper * run.plan.unit_seconds).to_double().value_or(0);
}

std::string_view period_word(const PreparedRun& run) {
  return run.plan.engine.turns == live::TurnOrder::in_turn ? "predicted" : "in turn";
}

std::vector<std::string> run_model_names() {
  std::vector<std::string> names = model_names();
  std::erase_if(names, [](const std::string& name) { return !live::can_run(*tpn::find_model(name)); });
  return names;
}

void set_stages(live::RunPlan& plan, const RunChoices& choices, const tpn::Document& document) {
  plan.kernel = kernel_of(choices);
  require_consistent_stages(choices, plan.kernel);
  set_programs(plan, choices, document);
  plan.records = choices.records == "lines" ? live::RecordForm::lines : live::RecordForm::sized;
  if (choices.stage_limit) plan.stage_limit_ms = static_cast<std::uint64_t>(std::ceil(*choices.stage_limit * 1000));
  plan.input = choices.input;
  plan.bytes = choices.bytes;
}

std::optional<std::uint64_t> input_lines(const RunChoices& choices, Streams& streams) {
  if (choices.input.empty()) return std::nullopt;
  const std::string text = read_text(choices.input, streams);
  if (text.empty()) throw UsageError(fmt::format("--input: {} is empty", tpn::visible(choices.input)));
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + (text.back() == '\n' ? 0 : 1);
}

std::optional<PreparedRun> prepare_run(const RunChoices& choices, Streams& streams) {
  require_consistent(choices);
  PreparedRun run;
  run.document = read_instance(choices.file, streams);
  live::require_run(run.document);
  require_lasting_turns(choices, run.document);
  live::RunPlan& plan = run.plan;
  plan.model = model_of(choices, run.document);
  tell_one_model(choices.file, run.document, choices.model, streams);
  set_stages(plan, choices, run.document);
  require_consistent_failures(choices, plan.kernel);
  plan.on_failure = failure_plan_of(choices);
  plan.engine = engine_of(choices, plan.kernel);
  plan.journal = choices.journal;
  plan.sync = choices.sync;
  plan.segment = choices.segment;
  plan.executable = executable_words(choices, streams);
  plan.wait = choices.wait == "bell"   ? live::WaitKind::bell
              : choices.wait == "poll" ? live::WaitKind::poll
                                       : live::WaitKind::automatic;
  plan.real_time = choices.real_time == "on"    ? live::RealTime::on
                   : choices.real_time == "off" ? live::RealTime::off
                                                : live::RealTime::automatic;
  set_jitter(run, choices);
  plan.coordination.data_sets = data_sets_of(choices, streams);
  plan.coordination.window = choices.window.value_or(0);
  set_stream(plan, choices);
  run.varies = !is_made_up(plan.kernel) || plan.jitter || !choices.rate.empty();
  run.window.reason = choices.window ? WindowReason::asked : WindowReason::least;
  const bool takes_all = choices.adapt != "off";
  if (!complete(run, choices.file, takes_all, &streams)) return std::nullopt;
  require_drawable(run);
  set_unit(run, choices);
  set_arrivals(run, choices);
  if (choices.order == "first-free") require_one_part_each(run);
  plan.coordination.stalls = stall_terms(run, choices);
  if (!choices.status.empty()) plan.coordination.looks_every = kLooksEvery;
  set_adaptation(run, choices, streams);
  return run;
}

std::optional<PreparedRun> prepared_again(const PreparedRun& run, tpn::Document document, bool takes_all) {
  PreparedRun next = run;
  next.document = std::move(document);
  if (!complete(next, run.instance.file, takes_all, nullptr)) return std::nullopt;
  return next;
}

}  // namespace takt::tools
