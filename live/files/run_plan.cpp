// Every key is written and must be there: plans are made by programs.
#include "live/files/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <variant>

#include "heuristics/registry.hpp"
#include "live/engine/stage_files.hpp"
#include "live/files/checksum.hpp"
#include "tpn/ends.hpp"
#include "tpn/json.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/law.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::live {

namespace json = tpn::json;

namespace {

constexpr std::array<std::string_view, 3> kAnchors = {"observed", "agreed", "logical"};
constexpr std::array<std::string_view, 2> kLinks = {"emulate", "real"};
constexpr std::array<std::string_view, 2> kTurnOrders = {"in-turn", "first-free"};
constexpr std::array<std::string_view, 4> kKernels = {"emulate", "spin", "program", "library"};
constexpr std::array<std::string_view, 3> kWaits = {"auto", "bell", "poll"};
constexpr std::array<std::string_view, 3> kRealTimes = {"auto", "on", "off"};
constexpr std::array<std::string_view, 2> kRecordForms = {"sized", "lines"};
constexpr std::array<std::string_view, 2> kSwitches = {"roll", "drain"};
constexpr std::array<std::string_view, 2> kRules = {"paper", "safe"};
constexpr std::array<std::string_view, 2> kArrivals = {"periodic", "poisson"};

class PlanReader {
 public:
  explicit PlanReader(json::Tree tree) : tree_(std::move(tree)) { json::as_object(tree_, tree_.root, "a plan"); }

  std::uint64_t count(std::string_view key) const { return count(value(key)); }
  Rational number(std::string_view key) const { return json::as_number(tree_, value(key), json::Bound::positive); }
  bool flag(std::string_view key) const { return json::as_boolean(tree_, value(key)); }
  const std::string& text(std::string_view key) const { return json::as_string(tree_, value(key), "a text"); }
  const json::Tree& tree() const { return tree_; }

  template <typename Choice, std::size_t kCount>
  Choice choice(std::string_view key, const std::array<std::string_view, kCount>& names) const {
    return choice<Choice>(value(key), names);
  }
  template <typename Choice, std::size_t kCount>
  Choice choice(const json::Value& word, const std::array<std::string_view, kCount>& names) const {
    const std::string& text = json::as_string(tree_, word, "a word");
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) json::fail(tree_, word, json::quote(text), json::one_of(names));
    return static_cast<Choice>(found - names.begin());
  }

  std::vector<std::size_t> indices(std::string_view key, std::size_t below) const {
    std::vector<std::size_t> found;
    for (const json::Value& item : json::as_array(tree_, value(key), "indices")) {
      found.push_back(count(item));
      if (found.back() >= below) json::fail(tree_, item, json::describe(item), "an index of a processor");
    }
    return found;
  }

  std::vector<BackgroundLoad> loads(std::string_view key) const {
    std::vector<BackgroundLoad> found;
    for (const json::Value& item : json::as_array(tree_, value(key), "loads")) {
      const auto part = [&](std::string_view name) -> const json::Value& {
        return json::required(tree_, item, "a load", name);
      };
      found.push_back({.processor = count(part("processor")),
                       .load = json::as_number(tree_, part("load"), json::Bound::non_negative),
                       .from = static_cast<Ticks>(count(part("from"))),
                       .until = static_cast<Ticks>(count(part("until")))});
    }
    return found;
  }

  std::optional<AdaptationPlan> adaptation(std::string_view key) const {
    const json::Value& object = value(key);
    if (object.kind == json::Kind::null) return std::nullopt;
    const auto part = [&](std::string_view name) -> const json::Value& {
      return json::required(tree_, object, "an adaptation", name);
    };
    AdaptationPlan plan;
    plan.heuristic = json::as_string(tree_, part("heuristic"), "a heuristic");
    plan.threshold = json::as_number(tree_, part("threshold"), json::Bound::non_negative);
    plan.kind = choice<SwitchKind>(part("switch"), kSwitches);
    plan.limit_ms = count(part("limit_ms"));
    plan.logs_all_times = json::as_boolean(tree_, part("logs_all_times"));
    plan.rule = choice<AdaptationRule>(part("rule"), kRules);
    for (const json::Value& row : json::as_array(tree_, part("normal"), "rows of times")) {
      std::vector<std::uint64_t>& times = plan.normal.emplace_back();
      for (const json::Value& time : json::as_array(tree_, row, "times")) times.push_back(count(time));
    }
    return plan;
  }

  std::optional<JitterPlan> jitter(std::string_view key) const {
    const json::Value& object = value(key);
    if (object.kind == json::Kind::null) return std::nullopt;
    const json::Value& law = json::required(tree_, object, "a jitter", "law");
    JitterPlan plan{json::as_string(tree_, law, "a law"), count(json::required(tree_, object, "a jitter", "seed"))};
    const auto parsed = tpn::parse_law(plan.law);
    const auto* wrong = std::get_if<tpn::LawExpectation>(&parsed);
    if (!plan.law.empty() && wrong != nullptr) json::fail(tree_, law, json::describe(law), wrong->expected);
    return plan;
  }

  std::optional<ArrivalTerms> arrivals(std::string_view key) const {
    const json::Value& object = value(key);
    if (object.kind == json::Kind::null) return std::nullopt;
    const auto part = [&](std::string_view name) -> const json::Value& {
      return json::required(tree_, object, "arrivals", name);
    };
    return ArrivalTerms{json::as_number(tree_, part("gap"), json::Bound::positive),
                        choice<vary::ArrivalKind>(part("kind"), kArrivals), count(part("seed"))};
  }

  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> found;
    for (const json::Value& item : json::as_array(tree_, value(key), "texts")) {
      found.push_back(json::as_string(tree_, item, "a text"));
    }
    return found;
  }

  std::vector<std::uint64_t> counts(std::string_view key) const {
    std::vector<std::uint64_t> found;
    for (const json::Value& item : json::as_array(tree_, value(key), "numbers")) found.push_back(count(item));
    return found;
  }

  FailurePlan failures(std::string_view key) const {
    const json::Value& object = value(key);
    const auto part = [&](const json::Value& of, std::string_view name) -> const json::Value& {
      return json::required(tree_, of, "what follows a failure", name);
    };
    FailurePlan plan{json::as_boolean(tree_, part(object, "stops")), count(part(object, "retries")), {}};
    for (const json::Value& item : json::as_array(tree_, part(object, "known"), "failures")) {
      plan.known.push_back({count(part(item, "data_set")), json::as_string(tree_, part(item, "stage"), "a stage"),
                            json::as_string(tree_, part(item, "words"), "words")});
    }
    return plan;
  }

  std::vector<std::pair<std::string, std::string>> pairs(std::string_view key) const {
    std::vector<std::pair<std::string, std::string>> found;
    const json::Value& object = json::as_object(tree_, value(key), "commands");
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
      found.emplace_back(object.keys[i].name, json::as_string(tree_, object.items[i], "a command"));
    }
    return found;
  }

 private:
  const json::Value& value(std::string_view key) const { return json::required(tree_, tree_.root, "a plan", key); }
  std::uint64_t count(const json::Value& value) const {
    const Rational number = json::as_number(tree_, value, json::Bound::whole);
    if (!number.numerator().fits_ulong_p()) json::fail(tree_, value, json::describe(value), "a smaller number");
    return number.numerator().get_ui();
  }

  json::Tree tree_;
};

void write_loads(tpn::JsonWriter& json, const std::vector<BackgroundLoad>& loads) {
  json.key("loads");
  json.begin_array();
  for (const BackgroundLoad& load : loads) {
    json.begin_object();
    json.member("processor", load.processor);
    json.member("load", load.load.to_string());
    json.member("from", static_cast<std::uint64_t>(load.from));
    json.member("until", static_cast<std::uint64_t>(load.until));
    json.end();
  }
  json.end();
}

void write_adaptation(tpn::JsonWriter& json, const std::optional<AdaptationPlan>& adaptation) {
  json.key("adaptation");
  if (!adaptation) return json.value(nullptr);
  json.begin_object();
  json.member("heuristic", adaptation->heuristic);
  json.member("threshold", adaptation->threshold.to_string());
  json.member("switch", name_of(adaptation->kind));
  json.member("limit_ms", adaptation->limit_ms);
  json.member("logs_all_times", adaptation->logs_all_times);
  json.member("rule", kRules[static_cast<std::size_t>(adaptation->rule)]);
  json.member("normal", adaptation->normal);
  json.end();
}

void write_drawn(tpn::JsonWriter& json, const RunPlan& plan) {
  json.key("jitter");
  if (plan.jitter) {
    json.begin_object();
    json.member("law", plan.jitter->law);
    json.member("seed", plan.jitter->seed);
    json.end();
  } else {
    json.value(nullptr);
  }
  json.key("arrivals");
  if (!plan.arrivals) return json.value(nullptr);
  json.begin_object();
  json.member("gap", plan.arrivals->gap.to_string());
  json.member("kind", kArrivals[static_cast<std::size_t>(plan.arrivals->kind)]);
  json.member("seed", plan.arrivals->seed);
  json.end();
}

void write_failures(tpn::JsonWriter& json, const FailurePlan& plan) {
  json.key("on_failure");
  json.begin_object();
  json.member("stops", plan.stops);
  json.member("retries", plan.retries);
  json.key("known");
  json.begin_array();
  for (const KnownFailure& failure : plan.known) {
    json.begin_object();
    json.member("data_set", failure.data_set);
    json.member("stage", failure.stage);
    json.member("words", failure.words);
    json.end();
  }
  json.end();
  json.end();
}

void write_stage_programs(tpn::JsonWriter& json, const RunPlan& plan) {
  json.key("programs");
  json.begin_object();
  for (const auto& [stage, command] : plan.programs) json.member(stage, command);
  json.end();
  json.key("each");
  json.begin_array();
  for (const std::string& stage : plan.each) json.value(stage);
  json.end();
}

void write_journal_terms(tpn::JsonWriter& json, const RunPlan& plan) {
  json.member("journal", plan.journal);
  json.member("sync", plan.sync);
  json.member("segment", plan.segment);
  json.member("spool", plan.spool);
  json.member("keeps_spool", plan.keeps_spool);
}

void read_journal_terms(const PlanReader& reader, RunPlan& plan) {
  plan.journal = reader.text("journal");
  plan.sync = reader.count("sync");
  plan.segment = reader.count("segment");
  plan.spool = reader.text("spool");
  plan.keeps_spool = reader.flag("keeps_spool");
}

// Times of a coordinator; 0 for those that it has not.
void write_watching(tpn::JsonWriter& json, const CoordinatorTerms& coordination) {
  const auto& stalls = coordination.stalls;
  json.member("least_gap", static_cast<std::uint64_t>(coordination.least_gap.value_or(0)));
  json.member("looks_every", static_cast<std::uint64_t>(coordination.looks_every.value_or(0)));
  json.member("stall_told_after", static_cast<std::uint64_t>(stalls ? stalls->told_after : 0));
  json.member("stall_ended_after", static_cast<std::uint64_t>(stalls ? stalls->ended_after.value_or(0) : 0));
}

void read_watching(const PlanReader& reader, CoordinatorTerms& coordination) {
  const auto time = [&](std::string_view key) -> std::optional<Ticks> {
    const std::uint64_t ticks = reader.count(key);
    return ticks > 0 ? std::optional(static_cast<Ticks>(ticks)) : std::nullopt;
  };
  coordination.least_gap = time("least_gap");
  coordination.looks_every = time("looks_every");
  const auto told = time("stall_told_after");
  const auto ended = time("stall_ended_after");
  if (told) coordination.stalls = {*told, ended};
}

// Whose files stages take, where they are no chain.
void write_takers(tpn::JsonWriter& json, const tpn::Application& application) {
  const StageFlow flow(application);
  if (flow.is_chain()) return;
  json.key("after");
  json.begin_array();
  for (std::size_t stage = 0; stage < application.stages.size(); ++stage) {
    json.begin_array();
    for (const std::size_t before : flow.before(stage)) json.value(application.stages[before].name);
    json.end();
  }
  json.end();
}

std::string pipeline_text(const RunPlan& plan) {
  std::string text;
  tpn::JsonWriter json(text, tpn::IllFormed::replaced);
  json.begin_object(tpn::JsonLayout::line);
  json.member("application", plan.instance.application.name);
  json.key("stages");
  json.begin_array();
  for (const tpn::Stage& stage : plan.instance.application.stages) json.value(stage.name);
  json.end();
  write_takers(json, plan.instance.application);
  json.member("kernel", name_of(plan.kernel));
  if (is_made_up(plan.kernel)) {
    json.member("bytes", plan.bytes);
  } else {
    json.member("input", !plan.spool.empty() ? "stream" : plan.input.empty() ? "numbers" : "lines");
  }
  json.end();
  return text;
}

// Stages whose program is started for each data set, in their order; nothing if there are none.
void write_each(tpn::JsonWriter& json, const RunPlan& plan) {
  if (plan.each.empty()) return;
  json.key("each");
  json.begin_array();
  for (const tpn::Stage& stage : plan.instance.application.stages) {
    if (std::ranges::find(plan.each, stage.name) != plan.each.end()) json.value(stage.name);
  }
  json.end();
}

// In the order of the stages, whatever that of the options.
std::string programs_text(const RunPlan& plan) {
  std::string text;
  tpn::JsonWriter json(text, tpn::IllFormed::replaced);
  json.begin_object(tpn::JsonLayout::line);
  if (plan.kernel == KernelKind::program) {
    json.member("records", name_of(plan.records));
    json.key("programs");
    json.begin_object();
    for (const tpn::Stage& stage : plan.instance.application.stages) {
      for (const auto& [name, command] : plan.programs) {
        if (name == stage.name) json.member(name, command);
      }
    }
    json.end();
    write_each(json, plan);
  }
  if (plan.kernel == KernelKind::library) json.member("executable", plan.executable);
  json.end();
  return text;
}

// A text of a fingerprint, or a checksum in its place.
std::string in_bounds(std::string text) {
  if (text.size() < kMostFingerprint / 2) return text;
  Checksum sum;
  sum.add(text);
  return fmt::format("{{\"checksum\": \"{:016x}\", \"bytes\": {}}}", sum.value(), text.size());
}

}  // namespace

std::string_view name_of(Anchor anchor) { return kAnchors[static_cast<std::size_t>(anchor)]; }
std::string_view name_of(LinkUse links) { return kLinks[static_cast<std::size_t>(links)]; }
std::string_view name_of(TurnOrder turns) { return kTurnOrders[static_cast<std::size_t>(turns)]; }
std::string_view name_of(KernelKind kernel) { return kKernels[static_cast<std::size_t>(kernel)]; }
std::string_view name_of(WaitKind wait) { return kWaits[static_cast<std::size_t>(wait)]; }
std::string_view name_of(RealTime real_time) { return kRealTimes[static_cast<std::size_t>(real_time)]; }

RealTime priority_of(const RunPlan& plan) {
  return plan.real_time == RealTime::automatic && !is_made_up(plan.kernel) ? RealTime::off : plan.real_time;
}
std::string_view name_of(RecordForm records) { return kRecordForms[static_cast<std::size_t>(records)]; }

AdaptationTerms adaptation_terms(const RunPlan& plan, const CoordinatorTerms& coordination) {
  AdaptationTerms terms;
  terms.remapping.heuristic = heuristics::find_heuristic(plan.adaptation->heuristic);
  if (terms.remapping.heuristic == nullptr) {
    throw std::runtime_error(fmt::format("found the unknown heuristic {}", plan.adaptation->heuristic));
  }
  terms.remapping.model = plan.model;
  terms.remapping.window = coordination.window;
  terms.remapping.time_limit = std::chrono::milliseconds(plan.adaptation->limit_ms);
  terms.monitor.threshold = plan.adaptation->threshold;
  terms.monitor.counts_under_way = plan.engine.anchor != Anchor::logical;
  terms.rule = plan.adaptation->rule;
  terms.safe.times_under_way = terms.monitor.counts_under_way;
  for (const std::vector<std::uint64_t>& row : plan.adaptation->normal) {
    terms.safe.normal.emplace_back(row.begin(), row.end());
  }
  terms.kind = plan.adaptation->kind;
  terms.logs_all_times = plan.adaptation->logs_all_times;
  return terms;
}

JitterTerms jitter_terms(const JitterPlan& plan) {
  if (plan.law.empty()) return {std::nullopt, plan.seed};
  return {std::get<tpn::Law>(tpn::parse_law(plan.law)), plan.seed};
}

Fingerprint fingerprint_of(const RunPlan& plan) {
  return {in_bounds(pipeline_text(plan)), in_bounds(programs_text(plan))};
}

std::string write_run_plan(const RunPlan& plan) {
  std::string text = tpn::write_document_line(plan.instance);
  if (!text.ends_with('\n')) text += '\n';
  tpn::JsonWriter json(text, tpn::IllFormed::replaced);
  json.begin_object(tpn::JsonLayout::line);
  tpn::write_model(json, plan.model);
  json.member("anchor", name_of(plan.engine.anchor));
  json.member("links", name_of(plan.engine.links));
  json.member("order", name_of(plan.engine.turns));
  json.member("first_data_set", plan.coordination.first_data_set);
  json.member("data_sets", plan.coordination.data_sets);
  json.member("window", plan.coordination.window);
  json.member("unit_seconds", plan.unit_seconds.to_string());
  json.key("processors");
  json.value(plan.processors);
  json.member("kernel", name_of(plan.kernel));
  json.member("bytes", plan.bytes);
  write_stage_programs(json, plan);
  json.member("records", name_of(plan.records));
  json.member("stage_limit_ms", plan.stage_limit_ms);
  json.member("input", plan.input);
  json.member("wait", name_of(plan.wait));
  json.member("real_time", name_of(plan.real_time));
  write_loads(json, plan.loads);
  write_adaptation(json, plan.adaptation);
  write_drawn(json, plan);
  write_journal_terms(json, plan);
  write_watching(json, plan.coordination);
  write_failures(json, plan.on_failure);
  json.key("again");
  json.begin_array();
  for (const std::uint64_t data_set : plan.again) json.value(data_set);
  json.end();
  json.member("executable", plan.executable);
  json.member("output", plan.output);
  write_probe_terms(json, plan.probe);
  json.end();
  return text += '\n';
}

RunPlan read_run_plan(std::string_view text, const std::string& file) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  RunPlan plan;
  plan.instance = tpn::read_document(text.substr(0, end), file, 1);
  const PlanReader reader(json::parse(text.substr(end), file));
  plan.model = tpn::read_model(reader.tree(), reader.tree().root).value_or(plan.model);
  plan.engine = {reader.choice<Anchor>("anchor", kAnchors), reader.choice<LinkUse>("links", kLinks),
                 reader.choice<TurnOrder>("order", kTurnOrders)};
  plan.coordination = {reader.count("first_data_set"),
                       reader.count("data_sets"),
                       reader.count("window"),
                       std::nullopt,
                       std::nullopt,
                       std::nullopt,
                       nullptr};
  plan.unit_seconds = reader.number("unit_seconds");
  // Source and sink come behind the platform's processors.
  plan.processors = reader.indices("processors", tpn::EndNumbers(plan.instance.platform).end());
  plan.kernel = reader.choice<KernelKind>("kernel", kKernels);
  plan.bytes = reader.count("bytes");
  plan.programs = reader.pairs("programs");
  plan.each = reader.texts("each");
  plan.records = reader.choice<RecordForm>("records", kRecordForms);
  plan.stage_limit_ms = reader.count("stage_limit_ms");
  plan.input = reader.text("input");
  plan.wait = reader.choice<WaitKind>("wait", kWaits);
  plan.real_time = reader.choice<RealTime>("real_time", kRealTimes);
  plan.loads = reader.loads("loads");
  plan.adaptation = reader.adaptation("adaptation");
  plan.jitter = reader.jitter("jitter");
  plan.arrivals = reader.arrivals("arrivals");
  read_journal_terms(reader, plan);
  read_watching(reader, plan.coordination);
  plan.on_failure = reader.failures("on_failure");
  plan.again = reader.counts("again");
  plan.executable = reader.text("executable");
  plan.output = reader.text("output");
  plan.probe = read_probe_terms(reader.tree(), reader.tree().root);
  return plan;
}

}  // namespace takt::live
