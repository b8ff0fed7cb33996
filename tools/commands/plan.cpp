// takt plan: how many of which machines for a wanted rate, at least cost.
#include "plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tools/command_line.hpp"
#include "tools/files.hpp"
#include "tools/json_results.hpp"
#include "tools/number_words.hpp"
#include "tools/options.hpp"
#include "tools/plan/frontier_plot.hpp"
#include "tools/plan/plan_certificates.hpp"
#include "tools/plan/plan_json.hpp"
#include "tools/plan/plan_output.hpp"
#include "tools/plan/plan_words.hpp"
#include "tools/plan/planning.hpp"
#include "tools/plan/wider_output.hpp"
#include "tools/plan/wider_plans.hpp"
#include "tools/several_files.hpp"
#include "tools/signals.hpp"
#include "tools/suggestion.hpp"
#include "tools/time_words.hpp"
#include "tpn/errors.hpp"
#include "tpn/json.hpp"
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
  std::string among = "typed";
  bool frontier = false;
  std::optional<std::string> up_to;
  std::string plot;
  bool losses = false;
  bool upgrade = false;
  bool json = false;
  std::string output;
  std::string certificate;
  std::optional<double> time_limit;
};

void require_consistent(const PlanOptions& options) {
  const int aims = static_cast<int>(options.rate.has_value()) + static_cast<int>(options.period.has_value()) +
                   static_cast<int>(options.budget.has_value());
  if (aims > 1) throw UsageError("--rate, --period and --budget exclude one another");
  if (aims == 0 && !options.machines) {
    throw UsageError("say what to plan for: --rate 200/s, --period 5ms, --budget 2.50 or --machines TYPE=N,...");
  }
  if (!options.headroom.empty() && !options.rate && !options.period)
    throw UsageError("--headroom goes with --rate or --period");
  if (options.up_to && !options.frontier && options.plot.empty())
    throw UsageError("--up-to goes with --frontier or --plot");
  std::vector<std::string> outputs;
  for (const auto& [option, path] : {std::pair("-o", options.output), std::pair("--plot", options.plot),
                                     std::pair("--certificate", options.certificate)}) {
    if (path == "-") throw UsageError(fmt::format("{} takes a file; standard output holds the result", option));
    if (!path.empty()) outputs.push_back(path);
  }
  require_apart({options.file}, outputs);
  for (const std::string& path : outputs) require_writable(path);
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

// As a period.
Rational period_of_rate(const std::string& option, const std::string& text, const tpn::Document& document) {
  const WrittenRate rate = *read_rate(text);
  require_same_units(option, text, rate.pace.has_value(), document, "200/s");
  return Rational(1) / rate.rate;
}

// "small=20,large=4" as counts of all types: of others there is none.
void set_counts(const std::string& text, plan::Catalogue& catalogue) {
  for (plan::MachineType& type : catalogue.types) type.count = 0;
  std::vector<std::string> names;
  for (const plan::MachineType& type : catalogue.types) names.push_back(type.name);
  std::vector<bool> is_set(names.size());
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t sign = item.rfind('=');
    std::uint64_t count = 0;
    const char* last = item.data() + item.size();
    if (sign == std::string::npos || item.size() == sign + 1 ||
        std::from_chars(item.data() + sign + 1, last, count).ptr != last) {
      throw UsageError(fmt::format(
          "--machines: found \"{}\", expected TYPE=N, N a whole number, as in small=20,large=4", printable(item)));
    }
    const std::string name = item.substr(0, sign);
    const auto known = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (known == names.size()) {
      throw UsageError(fmt::format("--machines: found \"{}\", expected a type of the file, {}{}", printable(name),
                                   tpn::json::alternatives(names), suggestion(name, names)));
    }
    if (is_set[known]) throw UsageError(fmt::format("--machines names {} twice", printable(name)));
    is_set[known] = true;
    catalogue.types[known].count = count;
  }
}

void read_aim(PlanWish& wish, const PlanOptions& options, const tpn::Document& document) {
  wish.aim = options.budget ? PlanAim::budget : options.rate || options.period ? PlanAim::period : PlanAim::machines;
  if (options.budget) wish.budget = *read_number(*options.budget);
  if (options.rate) {
    wish.period = period_of_rate("--rate", *options.rate, document);
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
  return tpn::read_document(read_text(options.file, streams), display_name(options.file), std::nullopt,
                            tpn::Catalogues::accepted);
}

// Of wider plans, which have no closed forms: what cannot be asked.
void require_plain_question(const PlanOptions& options, const std::string& of) {
  const auto refuse = [&](bool is_asked, const char* option) {
    if (is_asked) throw UsageError(fmt::format("{} does not go with {}", option, of));
  };
  refuse(options.budget.has_value(), "--budget");
  refuse(!options.rate && !options.period, "--machines without --rate or --period");
  refuse(!options.latency.empty(), "--latency");
  refuse(options.frontier, "--frontier");
  refuse(!options.plot.empty(), "--plot");
  refuse(options.losses, "--losses");
  refuse(options.upgrade, "--upgrade");
  refuse(!options.certificate.empty(), "--certificate");
}

ValueCheck rate_text() {
  return [](const std::string& text) -> std::string {
    return read_rate(text) ? "" : fmt::format("found \"{}\", expected {}", printable(text), kRateForm);
  };
}

ValueCheck amount_of_money() {
  return [](const std::string& text) -> std::string {
    const auto amount = read_number(text);
    return amount && amount->sign() >= 0
               ? ""
               : fmt::format("found \"{}\", expected a price, at least 0, such as 2.50", printable(text));
  };
}

// One plan: found, judged, told.
class Planner {
 public:
  Planner(const PlanOptions& options, Streams& streams) : options_(options), streams_(streams) {}

  int plan() {
    const tpn::Document document = read_problem(options_, streams_);
    const PlanWish wish = wish_of(options_, document);
    if (!document.platform.is_catalogue() || options_.among != "typed") return plan_wider(document, wish);
    plan::Catalogue catalogue = plan::catalogue_of(document);
    if (options_.machines) set_counts(*options_.machines, catalogue);
    PlanQuestions questions;
    questions.deadline = deadline();
    questions.frontier = options_.frontier || !options_.plot.empty();
    if (options_.up_to) questions.until = period_of_rate("--up-to", *options_.up_to, document);
    questions.upgrade = options_.upgrade;
    const InterruptibleSearch interruptible;
    const PlanFindings findings = find_plan(catalogue, wish, questions);
    if (findings.is_cut_short) miss("the time was up, or memory short, before all was found");
    if (findings.found) hand_over(document, catalogue, findings, questions.deadline);
    if (!options_.certificate.empty()) prove(document, catalogue, findings, questions.deadline);
    tell_all(document, catalogue, findings);
    return status_;
  }

 private:
  evaluators::Deadline deadline() const {
    evaluators::Deadline limit;
    if (options_.time_limit) limit = deadline_in(*options_.time_limit);
    return limit.or_on(interruption());
  }

  // Of several types in a part, of unequal turns, or on processors with names.
  int plan_wider(const tpn::Document& document, const PlanWish& wish) {
    const InterruptibleSearch interruptible;
    const bool is_catalogue = document.platform.is_catalogue();
    require_plain_question(options_, is_catalogue ? "--among " + options_.among : "a platform of processors");
    WiderFindings findings;
    if (is_catalogue) {
      const PlanClass among = options_.among == name_of(PlanClass::mixed) ? PlanClass::mixed : PlanClass::weighted;
      plan::Catalogue catalogue = plan::catalogue_of(document);
      if (options_.machines) set_counts(*options_.machines, catalogue);
      if (!catalogue.has_equal_links()) {
        throw UsageError(
            fmt::format("--among {}: the time of a transfer depends on the types that it is between here; "
                        "these plans are for equal links",
                        options_.among));
      }
      if (among == PlanClass::weighted && wish.survive > 0)
        throw UsageError("--survive does not go with --among weighted: without a machine the turns are others");
      findings = find_wider_plan(document, catalogue, wish, among, deadline());
    } else {
      require_named(document, wish);
      findings = find_named_plan(document, wish, deadline());
    }
    return tell_wider(document, findings);
  }

  void require_named(const tpn::Document& document, const PlanWish& wish) const {
    for (const auto& [is_asked, option] :
         {std::pair(options_.machines.has_value(), "--machines"), std::pair(wish.survive > 0, "--survive"),
          std::pair(wish.all_apart, "--apart"), std::pair(options_.among != "typed", "--among")}) {
      if (is_asked) throw UsageError(fmt::format("{} does not go with a platform of processors", option));
    }
    if (document.platform.processors.empty()) {
      throw FileError(fmt::format("{}: /platform: found neither types nor processors", display_name(options_.file)));
    }
  }

  int tell_wider(const tpn::Document& document, WiderFindings& findings) {
    if (findings.mapped) {
      tpn::HeuristicRecord& record = findings.mapped->heuristic.emplace(tpn::HeuristicRecord{"plan", {}, {}});
      record.options = {{"period", findings.wish.period}, {"cost", findings.cost}, {"among", name_of(findings.among)}};
      if (const auto why = judge(*findings.mapped, deadline())) miss("the plan was not evaluated: " + *why);
      if (!options_.output.empty()) write_file(options_.output, tpn::write_document(*findings.mapped));
    } else {
      status_ = findings.impossible_in() ? kNo : kLimit;
    }
    if (findings.is_cut_short && !findings.is_settled())
      miss("the time was up, or another limit met, before all was found");
    const TimeWords times(document);
    const Rational& period = findings.mapped ? *findings.mapped->predicted_period : findings.wish.period;
    const WiderWords words{times, MoneyWords(prices_of(document), document.platform.currency),
                           RateWords(times, period, written_pace())};
    if (options_.json) {
      JsonResults results(JsonResults::Form::object, streams_.out);
      write_plan(results.next(), findings, words, options_.file);
      results.finish();
    } else {
      write_plan(streams_.out, findings, words, display_name(options_.file));
    }
    return status_;
  }

  std::optional<Pace> written_pace() const { return options_.rate ? read_rate(*options_.rate)->pace : std::nullopt; }

  // Makes the mapped document, asks the judge and writes it.
  void hand_over(const tpn::Document& document, const plan::Catalogue& catalogue, const PlanFindings& findings,
                 const evaluators::Deadline& deadline) {
    if (const auto why = too_large_to_map(document, *findings.found))
      return miss(*why + "; the plan stands, not evaluated");
    mapped_ = planned_document(document, catalogue, findings.wish, *findings.found);
    if (const auto why = judge(*mapped_, deadline)) miss("the plan was not evaluated: " + *why);
    if (!options_.output.empty()) write_file(options_.output, tpn::write_document(*mapped_));
  }

  // Of the plan's period, and that nothing is better: as much as can be proved without a search.
  void prove(const tpn::Document& document, const plan::Catalogue& catalogue, const PlanFindings& findings,
             const evaluators::Deadline& deadline) {
    const PlanProofs proofs = plan_certificates(document, catalogue, findings, mapped_ ? &*mapped_ : nullptr, deadline);
    if (proofs.text) write_file(options_.certificate, *proofs.text);
    if (!proofs.others) return miss("a search proved this, and no certificate says that nothing is better");
    const auto& bound = proofs.others->bound;
    if (!bound || findings.wish.aim != PlanAim::period || !findings.lower_bound || *findings.lower_bound <= *bound)
      return;
    miss(fmt::format("the certificate proves that nothing costs less than {}; that nothing does than {}, a search did",
                     bound->to_string(), findings.lower_bound->to_string()));
  }

  void tell_all(const tpn::Document& document, const plan::Catalogue& catalogue, const PlanFindings& findings) {
    const TimeWords times(document);
    const Rational period = findings.found ? findings.found->facts.period() : findings.wish.period;
    const PlanWords words{catalogue, times, MoneyWords(prices_of(document), document.platform.currency),
                          RateWords(times, period, written_pace())};
    if (!findings.found && !findings.is_cut_short) status_ = kNo;
    const std::string file = display_name(options_.file);
    if (findings.frontier && !options_.plot.empty())
      write_file(options_.plot, plot_svg(frontier_plot(findings, words, file)));
    if (options_.json) {
      JsonResults results(JsonResults::Form::object, streams_.out);
      write_plan(results.next(), findings, words, options_.file);
      results.finish();
    } else {
      write_plan(streams_.out, findings, words,
                 {.file = file, .losses = options_.losses, .frontier = options_.frontier});
    }
  }

  void miss(const std::string& why) {
    status_ = kLimit;
    tell(streams_, fmt::format("{}: {}", display_name(options_.file), why));
  }

  const PlanOptions& options_;
  Streams& streams_;
  int status_ = kAnswered;
  std::optional<tpn::Document> mapped_;  // of the plan, where one is found and it is not too large
};

}  // namespace

Action define_plan(CommandLine& line) {
  auto options = std::make_shared<PlanOptions>();
  line.positional("PROBLEM", options->file,
                  "a problem whose platform has types, or processors (JSON); - is standard input");
  line.option("--rate", options->rate, "the cheapest plan for so many data sets per time")
      .check(rate_text())
      .type_name("R");
  line.option("--period", options->period, "the same, with the time per data set")
      .check(positive_time())
      .type_name("T");
  line.option("--budget", options->budget, "the fastest plan that costs no more")
      .check(amount_of_money())
      .type_name("B");
  line.option("--machines", options->machines,
              "on so many machines at most, of each type: the fastest plan, or the cheapest for a rate")
      .type_name("TYPE=N,...");
  add_model_options(line, options->model, "unless said, the file's own, else overlap");
  line.option("--latency", options->latency, "no data set may stay longer").check(positive_time()).type_name("T");
  line.option("--headroom", options->headroom, "plan for a period that is shorter by this share, such as 30%")
      .check(share())
      .type_name("SHARE");
  line.option("--survive", options->survive, "keep the rate after any K machines have failed")
      .check(whole_number())
      .type_name("K");
  line.flag("--apart", options->apart, "give each stage machines of its own");
  line.option("--among", options->among,
              "the plans to choose from: typed, each part on machines of one type; mixed, on any; weighted, with any "
              "turns; unless said, typed")
      .check(one_of({"typed", "mixed", "weighted"}))
      .type_name("CLASS");
  line.flag("--frontier", options->frontier, "show what every rate costs, from the cheapest plan on");
  line.option("--up-to", options->up_to, "how far --frontier goes; unless said, to twice the rate that is wanted")
      .check(rate_text())
      .type_name("R");
  line.option("--plot", options->plot, "draw that into a file, as SVG").check(output_name()).type_name("OUT.svg");
  line.flag("--losses", options->losses, "show what is left of the rate once a machine fails");
  line.flag("--upgrade", options->upgrade, "show what one more machine of each type would bring, and the next plans");
  line.flag("--json", options->json, "print JSON in place of text");
  line.option("--certificate", options->certificate,
              "write what proves the period, and that nothing of the kind is better, to this file; see takt check")
      .check(output_name())
      .type_name("OUT");
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
