// takt plan: how many of which machines for a wanted rate, at least cost.
#include "plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tools/command_line.hpp"
#include "tools/files.hpp"
#include "tools/json_results.hpp"
#include "tools/number_words.hpp"
#include "tools/options.hpp"
#include "tools/plan/plan_json.hpp"
#include "tools/plan/plan_output.hpp"
#include "tools/plan/plan_words.hpp"
#include "tools/plan/planning.hpp"
#include "tools/several_files.hpp"
#include "tools/signals.hpp"
#include "tools/time_words.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

constexpr const char* kRateForm = "a rate above 0, such as 200/s, 12000/min or, without units, 3/2";

struct PlanOptions {
  std::string file;
  std::optional<std::string> rate;
  std::optional<std::string> period;
  std::optional<std::string> budget;
  std::optional<std::string> machines;
  ModelChoice model;
  std::string latency;
  std::string headroom;
  std::uint64_t survive = 0;
  bool apart = false;
  bool losses = false;
  bool upgrade = false;
  bool json = false;
  std::string output;
  std::optional<double> time_limit;
};

void require_consistent(const PlanOptions& options) {
  const int aims = static_cast<int>(options.rate.has_value()) + static_cast<int>(options.period.has_value()) +
                   static_cast<int>(options.budget.has_value()) + static_cast<int>(options.machines.has_value());
  if (aims != 1) {
    throw UsageError(fmt::format("{}: say what to plan for, with one of --rate, --period, --budget and --machines",
                                 aims == 0 ? "nothing is wanted" : "too much is wanted"));
  }
  if (options.output == "-") throw UsageError("-o takes a file; standard output holds the result");
  if (options.output.empty()) return;
  require_apart({options.file}, {options.output});
  require_writable(options.output);
}

// A number with a unit where the document has units, and without where not.
void require_same_units(const std::string& option, const std::string& text, bool has_unit,
                        const tpn::Document& document, const std::string& example) {
  const bool document_has = document.time_unit == tpn::TimeUnit::second;
  if (has_unit == document_has) return;
  if (document_has) {
    throw UsageError(fmt::format("{}: found \"{}\", expected a unit, as in {}: the file has units", option,
                                 printable(text), example));
  }
  throw UsageError(fmt::format("{}: found \"{}\", expected a number alone: the numbers of the file have no units",
                               option, printable(text)));
}

Rational read_time(const std::string& option, const std::string& text, const tpn::Document& document) {
  require_same_units(option, text, tpn::has_unit(text), document, "\"5 ms\"");
  return *read_quantity(text, tpn::Quantity::time);
}

void read_aim(PlanWish& wish, const PlanOptions& options, const tpn::Document& document) {
  if (options.rate) {
    const WrittenRate rate = *read_rate(*options.rate);
    require_same_units("--rate", *options.rate, rate.pace.has_value(), document, "200/s");
    wish.period = Rational(1) / rate.rate;
  } else if (options.period) {
    wish.period = read_time("--period", *options.period, document);
  }
}

PlanWish wish_of(const PlanOptions& options, const tpn::Document& document) {
  PlanWish wish;
  wish.model = chosen_model(options.model, document.model).value_or(tpn::Model::kOverlap);
  if (!tpn::follows_cycle_times(wish.model)) {
    throw UsageError(fmt::format("--model {}: its periods do not follow from cycle times, which plans are made by",
                                 tpn::name_of(wish.model)));
  }
  read_aim(wish, options, document);
  if (!options.headroom.empty()) wish.headroom = parse_share(options.headroom);
  if (wish.headroom >= Rational(1)) throw UsageError("--headroom takes a share below 1, such as 30%");
  wish.survive = options.survive;
  if (!options.latency.empty()) wish.latency = read_time("--latency", options.latency, document);
  wish.all_apart = options.apart;
  return wish;
}

tpn::Document read_problem(const PlanOptions& options, Streams& streams) {
  tpn::Document document = tpn::read_document(read_text(options.file, streams), display_name(options.file));
  if (document.platform.is_catalogue()) return document;
  throw FileError(
      fmt::format("{}: /platform: found processors, expected types without processors: a catalogue to "
                  "choose from",
                  display_name(options.file)));
}

ValueCheck rate_text() {
  return [](const std::string& text) -> std::string {
    return read_rate(text) ? "" : fmt::format("found \"{}\", expected {}", printable(text), kRateForm);
  };
}

// One plan: found, judged, told.
class Planner {
 public:
  Planner(const PlanOptions& options, Streams& streams) : options_(options), streams_(streams) {}

  int plan() {
    const tpn::Document document = read_problem(options_, streams_);
    const PlanWish wish = wish_of(options_, document);
    const plan::Catalogue catalogue = plan::catalogue_of(document);
    PlanQuestions questions;
    if (options_.time_limit) questions.deadline = deadline_in(*options_.time_limit);
    const InterruptibleSearch interruptible;
    questions.deadline = questions.deadline.or_on(interruption());
    const PlanFindings findings = find_plan(catalogue, wish, questions);
    if (findings.found) hand_over(document, catalogue, findings, questions.deadline);
    tell_all(document, catalogue, findings);
    return status_;
  }

 private:
  // Makes the mapped document, asks the judge and writes it.
  void hand_over(const tpn::Document& document, const plan::Catalogue& catalogue, const PlanFindings& findings,
                 const evaluators::Deadline& deadline) {
    if (findings.found->facts.machines() > kMostMachinesMade) {
      return miss(fmt::format("{} machines are more than the {} of which a mapped document is made; the plan stands",
                              findings.found->facts.machines(), kMostMachinesMade));
    }
    const tpn::Document mapped = planned_document(document, catalogue, findings.wish, *findings.found);
    if (const auto why = judge(mapped, deadline)) miss("the plan was not evaluated: " + *why);
    if (!options_.output.empty()) write_file(options_.output, tpn::write_document(mapped));
  }

  void tell_all(const tpn::Document& document, const plan::Catalogue& catalogue, const PlanFindings& findings) {
    const TimeWords times(document);
    std::optional<Pace> pace;
    if (options_.rate) pace = read_rate(*options_.rate)->pace;
    const Rational period = findings.found ? findings.found->facts.period() : findings.wish.period;
    const PlanWords words{catalogue, times, MoneyWords(catalogue, document.platform.currency),
                          RateWords(times, period, pace)};
    if (!findings.found) status_ = kNo;
    if (options_.json) {
      JsonResults results(JsonResults::Form::object, streams_.out);
      write_plan(results.next(), findings, words, options_.file);
      results.finish();
    } else if (findings.found) {
      write_plan(streams_.out, findings, words,
                 {.file = display_name(options_.file), .losses = options_.losses, .neighbors = options_.upgrade});
    } else {
      fmt::print(streams_.out, "No: no mapping of this kind reaches {}.\n",
                 words.rates.of_period(findings.wish.period));
    }
  }

  void miss(const std::string& why) {
    status_ = kLimit;
    tell(streams_, fmt::format("{}: {}", display_name(options_.file), why));
  }

  const PlanOptions& options_;
  Streams& streams_;
  int status_ = kAnswered;
};

}  // namespace

Action define_plan(CommandLine& line) {
  auto options = std::make_shared<PlanOptions>();
  line.positional("PROBLEM", options->file, "a problem whose platform has types (JSON); - is standard input");
  line.option("--rate", options->rate, "the cheapest plan for so many data sets per time")
      .check(rate_text())
      .type_name("R");
  line.option("--period", options->period, "the same, with the time per data set")
      .check(positive_time())
      .type_name("T");
  add_model_options(line, options->model, "unless said, the file's own, else overlap");
  line.option("--latency", options->latency, "no data set may stay longer").check(positive_time()).type_name("T");
  line.option("--headroom", options->headroom, "plan for a period that is shorter by this share, such as 30%")
      .check(share())
      .type_name("SHARE");
  line.option("--survive", options->survive, "keep the rate after any K machines have failed")
      .check(whole_number())
      .type_name("K");
  line.flag("--apart", options->apart, "give each stage machines of its own");
  line.flag("--losses", options->losses, "show what is left of the rate once a machine fails");
  line.flag("--upgrade", options->upgrade, "show what one more machine of each type would bring, and the next plans");
  line.flag("--json", options->json, "print JSON in place of text");
  line.option("-o", options->output, "write the plan as a mapped document").check(output_name()).type_name("MAPPED");
  add_time_limit(line, options->time_limit, "beyond which what is found by then is shown");
  line.footer(
      "Examples:\n"
      "  takt plan examples/catalogue.json --rate 200/s --losses --upgrade\n"
      "  takt plan examples/catalogue.json --rate 200/s --model strict -o mapped.json\n"
      "  takt plan examples/catalogue.json --period \"5 ms\" --survive 1 --json");
  return [options](Streams& streams) {
    require_consistent(*options);
    return Planner(*options, streams).plan();
  };
}

}  // namespace takt::tools
