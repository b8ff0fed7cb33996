// Values are checked by the parser; what depends on the document, once it is read.
#include "tools/plan/plan_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/files/files.hpp"
#include "tools/files/model_choice.hpp"
#include "tools/pictures/svg_picture.hpp"
#include "tools/plan/plan_words.hpp"
#include "tools/plan/schedule.hpp"
#include "tools/vary/law_options.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/suggestion.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

void read_aim(PlanWish& wish, const PlanOptions& options, const tpn::Document& document) {
  wish.aim = options.budget                   ? PlanAim::budget
             : options.rate || options.period ? PlanAim::period
             : options.machines               ? PlanAim::machines
                                              : PlanAim::none;
  if (options.budget) wish.budget = *read_number(*options.budget);
  if (options.rate) {
    wish.period = period_of_rate("--rate", *options.rate, document);
  } else if (options.period) {
    wish.period = read_time("--period", *options.period, document);
  }
}

bool is_price(const std::string& text) {
  const auto amount = read_number(text);
  return amount && amount->sign() >= 0;
}

ValueCheck amount_of_money() {
  return [](const std::string& text) -> std::string {
    if (is_price(text)) return "";
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string number = text.substr(0, digits);
    return fmt::format("found \"{}\"{}, expected a price, at least 0, such as 2.50", printable(text),
                       is_price(number) ? fmt::format(" (did you mean \"{}\"?)", number) : "");
  };
}

// "0", "0/s".
bool is_zero_rate(const std::string& text) {
  return text == "0" || (text.starts_with("0/") && read_rate("1" + text.substr(1)));
}

// "expected a rate above 0, as in ..." where 0 will do as well.
std::string with_zero(const std::string& wrong) { return wrong.empty() ? "" : wrong + ", or 0"; }

ValueCheck rate_or_zero() {
  return [](const std::string& text) { return is_zero_rate(text) ? std::string() : with_zero(positive_rate()(text)); };
}

bool is_count(const std::string& text, std::uint64_t& count) {
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, count);
  return read.ec == std::errc() && read.ptr == end;
}

void add_targets(CommandLine& line, PlanOptions& options) {
  line.option("--rate", options.rate, "find the cheapest plan for this rate, such as 200/s")
      .check(positive_rate())
      .type_name("R");
  line.option("--period", options.period, "the same for this time per data set, such as 5ms")
      .check(positive_time())
      .type_name("T");
  line.option("--budget", options.budget, "find the fastest plan that costs at most B")
      .check(amount_of_money())
      .type_name("B");
  line.option("--machines", options.machines,
              "use at most N machines of each type: find the fastest plan, or the cheapest for a rate")
      .type_name("TYPE=N,...");
  line.option("--have", options.have, "you own N machines of each type, at no cost: find the least to add for a rate")
      .type_name("TYPE=N,...");
  line.option("--from", options.from,
              "the mapping that runs now: find the plan for a rate that sets up the fewest machines for other stages, "
              "then the cheapest")
      .type_name("MAPPED");
  line.option("--schedule", options.schedule,
              "find the cheapest plans for rates that change in a cycle, such as \"8h 120/s, 16h 40/s\"; prices are "
              "per hour")
      .check([](const std::string& text) {
        return text.empty() ? fmt::format("found \"\", expected {}", kScheduleForm) : std::string();
      })
      .type_name("PHASES");
  line.option("--beside", options.beside,
              "plan another pipeline too, such as \"other.json 50/s\", with machines from the same stock: find the "
              "least total cost; repeatable")
      .type_name("PIPELINE");
  line.option("--on-demand", options.on_demand,
              "machines at full price must keep this rate alone (0: none needed); the others are at the spot price of "
              "their type")
      .check(rate_or_zero())
      .type_name("R");
  line.option("--setup-price", options.setup_price,
              "with --from or --schedule: the price of setting up a machine, part of the cost to minimize")
      .check(amount_of_money())
      .type_name("P");
}

void add_limits(CommandLine& line, PlanOptions& options) {
  add_model_options(line, options.model, "default: the file's, else overlap");
  line.option("--latency", options.latency, "longest time that a data set may stay")
      .check(positive_time())
      .type_name("T");
  line.option("--within", options.within,
              "with times that vary: add machines until an estimated share of data sets stays at most this long: \"99% "
              "150ms\"")
      .check(latency_limit())
      .type_name("LIMIT");
  line.option("--law", options.law,
              "with --within: distribution of the times, as in takt vary; default: the laws in the file")
      .check(law_text())
      .type_name("LAW");
  line.option("--headroom", options.headroom,
              "plan for a period that is shorter by this share, such as 30%; default: 0")
      .check(share())
      .type_name("SHARE");
  line.option("--survive", options.survive, "keep the rate after any K machines have failed; default: 0")
      .check(whole_number())
      .type_name("K");
  line.flag("--apart", options.apart, "no two stages on one machine");
  line.option("--among", options.among,
              "class of plans: typed (each part on machines of one type), mixed (on any types), weighted (and any "
              "turns); default: typed, or for a platform of processors every class")
      .check(one_of({"typed", "mixed", "weighted"}))
      .type_name("CLASS");
}

void add_outputs(CommandLine& line, PlanOptions& options) {
  line.flag("--frontier", options.frontier, "print the cost of every rate, from the cheapest plan on");
  line.option("--up-to", options.up_to, "last rate of --frontier; default: twice the wanted rate, or 60 rows")
      .check(positive_rate())
      .type_name("R");
  line.option("--plot", options.plot, "draw the cost of every rate into this file: .svg, .png or .pdf")
      .check(output_name())
      .type_name("OUT");
  line.flag("--losses", options.losses, "print the rate that is left after a machine fails");
  line.flag("--upgrade", options.upgrade, "print the gain of one more machine of each type, and the next plans");
  line.flag("--price-ranges", options.price_ranges,
            "print for each type the prices at which the plan stays the cheapest");
  line.flag("--json", options.json, "print JSON");
  line.option("--certificate", options.certificate,
              "write a proof of the period, and that no plan of the class is better, for takt check")
      .check(output_name())
      .type_name("OUT");
  line.option("-o", options.output, "write the plan as a mapped document").check(output_name()).type_name("MAPPED");
  add_time_limit(line, options.time_limit, "", "takt prints what it has");
}

}  // namespace

void add_plan_options(CommandLine& line, PlanOptions& options) {
  add_targets(line, options);
  add_limits(line, options);
  add_outputs(line, options);
}

namespace {

using AskedOption = std::pair<bool, const char*>;

// What is asked beside the plan itself, or of another class of plans.
std::vector<AskedOption> further_questions(const PlanOptions& options) {
  return {{!options.within.empty(), "--within"},
          {!options.plot.empty(), "--plot"},
          {options.upgrade, "--upgrade"},
          {options.price_ranges, "--price-ranges"},
          {!options.certificate.empty(), "--certificate"}};
}

void refuse_beside(const char* option, const std::vector<AskedOption>& others) {
  for (const auto& [is_asked, other] : others) {
    if (is_asked) throw UsageError(fmt::format("{} does not go with {}", option, other));
  }
}

bool is_for_rate(const PlanOptions& options) { return options.rate || options.period; }

bool has_other_class(const PlanOptions& options) { return options.among.value_or("typed") != "typed"; }

// Options that say which machines are there.
void settle_machines_there(const PlanOptions& options) {
  const bool is_rate = is_for_rate(options);
  const bool is_other_class = has_other_class(options);
  if (options.have) {
    if (!is_rate) throw UsageError("--have goes with --rate or --period");
    refuse_beside(
        "--have",
        {{options.machines.has_value(), "--machines"}, {is_other_class, "--among"}, {options.frontier, "--frontier"}});
    refuse_beside("--have", further_questions(options));
  }
  if (!options.from.empty()) {
    if (!is_rate) throw UsageError("--from goes with --rate or --period");
    require_one_stdin({options.file, options.from});
    refuse_beside(
        "--from",
        {{options.have.has_value(), "--have"}, {is_other_class, "--among"}, {options.frontier, "--frontier"}});
    refuse_beside("--from", further_questions(options));
  }
}

// Options that look for another plan than the cheapest for a rate.
void settle_other_plans(const PlanOptions& options) {
  const bool is_rate = is_for_rate(options);
  const bool is_other_class = has_other_class(options);
  if (!options.schedule.empty()) {
    refuse_beside("--schedule", {{is_rate, "--rate or --period"},
                                 {options.budget.has_value(), "--budget"},
                                 {options.have.has_value(), "--have"},
                                 {!options.from.empty(), "--from"},
                                 {is_other_class, "--among"},
                                 {options.losses, "--losses"},
                                 {options.frontier, "--frontier"},
                                 {!options.output.empty(), "-o: --rate and --from plan one phase after the other"}});
    refuse_beside("--schedule", further_questions(options));
  }
  if (!options.beside.empty()) {
    if (!is_rate) throw UsageError("--beside goes with --rate or --period");
    refuse_beside("--beside", {{options.have.has_value(), "--have"},
                               {!options.from.empty(), "--from"},
                               {options.on_demand.has_value(), "--on-demand"},
                               {is_other_class, "--among"},
                               {!options.latency.empty(), "--latency"},
                               {options.losses, "--losses"},
                               {options.frontier, "--frontier"}});
    refuse_beside("--beside", further_questions(options));
  }
  if (options.on_demand) {
    if (!is_rate) throw UsageError("--on-demand goes with --rate or --period");
    refuse_beside("--on-demand", {{options.have.has_value(), "--have"},
                                  {!options.from.empty(), "--from"},
                                  {is_other_class, "--among"},
                                  {options.survive > 0, "--survive"},
                                  {options.losses, "--losses"},
                                  {options.frontier, "--frontier"},
                                  {options.upgrade, "--upgrade"},
                                  {options.price_ranges, "--price-ranges"},
                                  {!options.plot.empty(), "--plot"},
                                  {!options.within.empty(), "--within"}});
  }
}

void settle_files(const PlanOptions& options) {
  std::vector<std::string> outputs;
  for (const auto& [option, path] : {std::pair("-o", options.output), std::pair("--plot", options.plot),
                                     std::pair("--certificate", options.certificate)}) {
    if (path == "-") throw UsageError(fmt::format("{} takes a file; standard output holds the result", option));
    if (!path.empty()) outputs.push_back(path);
  }
  if (!options.plot.empty() && !names_picture(options.plot)) {
    throw UsageError(fmt::format("--plot {}: a plot's name ends in {}", options.plot, kPictureEndings));
  }
  std::vector<std::string> inputs = {options.file};
  if (!options.from.empty()) inputs.push_back(options.from);
  require_apart(inputs, outputs);
  for (const std::string& path : outputs) require_writable(path);
}

}  // namespace

void settle(PlanOptions& options) {
  const int aims = static_cast<int>(options.rate.has_value()) + static_cast<int>(options.period.has_value()) +
                   static_cast<int>(options.budget.has_value());
  if (aims > 1) throw UsageError("--rate, --period and --budget exclude one another");
  if (aims == 0 && !options.machines && options.schedule.empty()) {
    options.rate = options.up_to;
    options.only_frontier = options.frontier || !options.plot.empty();
    if (!options.rate && !options.only_frontier)
      throw UsageError(
          "say what to plan for: --rate 200/s, --period 5ms, --budget 2.50, --machines TYPE=N,... or --schedule \"8h "
          "300/s, 16h 50/s\"");
  }
  settle_machines_there(options);
  settle_other_plans(options);
  if (options.setup_price && options.from.empty() && options.schedule.empty())
    throw UsageError("--setup-price goes with --from or --schedule");
  if (options.price_ranges && !options.rate && !options.period)
    throw UsageError("--price-ranges goes with --rate or --period");
  if (!options.headroom.empty() && !options.rate && !options.period && options.schedule.empty())
    throw UsageError("--headroom goes with --rate, --period or --schedule");
  if (!options.law.empty() && options.within.empty())
    throw UsageError("--law goes with --within: --within \"99% 150ms\"");
  if (!options.within.empty() && !options.rate && !options.period)
    throw UsageError("--within goes with --rate or --period");
  if (options.up_to && !options.frontier && options.plot.empty())
    throw UsageError("--up-to goes with --frontier or --plot");
  settle_files(options);
}

std::vector<std::uint64_t> counts_of(const char* option, const std::string& text, const plan::Catalogue& catalogue) {
  std::vector<std::uint64_t> counts(catalogue.types.size());
  std::vector<std::string> names;
  for (const plan::MachineType& type : catalogue.types) names.push_back(type.name);
  std::vector<bool> is_set(names.size());
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t sign = item.rfind('=');
    std::uint64_t count = 0;
    if (sign == std::string::npos || item.size() == sign + 1 || !is_count(item.substr(sign + 1), count)) {
      throw UsageError(fmt::format("{}: found \"{}\", expected TYPE=N, N a whole number, as in small=20,large=4",
                                   option, printable(item)));
    }
    const std::string name = item.substr(0, sign);
    const auto known = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (known == names.size()) {
      throw UsageError(fmt::format("{}: found \"{}\"{}, expected a type of the file, {}", option, printable(name),
                                   suggestion(name, names), tpn::json::alternatives(names)));
    }
    if (is_set[known]) throw UsageError(fmt::format("{} names {} twice", option, printable(name)));
    is_set[known] = true;
    counts[known] = count;
  }
  return counts;
}

void set_counts(const std::string& text, plan::Catalogue& catalogue) {
  const std::vector<std::uint64_t> counts = counts_of("--machines", text, catalogue);
  for (std::size_t t = 0; t < counts.size(); ++t) catalogue.types[t].count = counts[t];
}

namespace {

Rational read_on_demand(const std::string& text, const PlanWish& wish, const tpn::Document& document) {
  if (is_zero_rate(text)) return 0;
  const Rational period = period_of_rate("--on-demand", text, document);
  if (period < wish.period) throw UsageError("--on-demand: found a higher rate than that of the plan");
  return Rational(1) / period;
}

}  // namespace

PlanWish wish_of(const PlanOptions& options, const tpn::Document& document) {
  PlanWish wish;
  wish.model = chosen_model(options.model, document.model).value_or(tpn::Model::kOverlap);
  if (!tpn::follows_cycle_times(wish.model)) {
    throw UsageError(
        fmt::format("--model {}: plans need a model whose periods follow from cycle times", tpn::name_of(wish.model)));
  }
  read_aim(wish, options, document);
  if (!options.headroom.empty()) wish.headroom = parse_share(options.headroom);
  if (wish.headroom >= Rational(1)) throw UsageError("--headroom takes a share below 1, such as 30%");
  constexpr std::uint64_t kMostFailures = 1'000'000;
  if (options.survive > kMostFailures) {
    throw UsageError(fmt::format("--survive: found {}, expected at most {}", options.survive, kMostFailures));
  }
  wish.survive = options.survive;
  if (!options.latency.empty()) wish.latency = read_time("--latency", options.latency, document);
  wish.all_apart = options.apart;
  wish.is_class_named = options.among.has_value();
  if (options.on_demand) wish.on_demand = read_on_demand(*options.on_demand, wish, document);
  return wish;
}

namespace {

void refuse_with(const std::string& of, const std::vector<AskedOption>& asked) {
  for (const auto& [is_asked, option] : asked) {
    if (is_asked) throw UsageError(fmt::format("{} does not go with {}", option, of));
  }
}

}  // namespace

// Of plans without closed forms: what cannot be asked.
void require_wider_question(const PlanOptions& options, const std::string& of) {
  const bool has_aim = options.rate || options.period || options.budget;
  refuse_with(of, {{!options.schedule.empty(), "--schedule"},
                   {options.only_frontier, "--frontier without --rate, --period or --budget"},
                   {!has_aim, "--machines without --rate, --period or --budget"},
                   {options.have.has_value(), "--have"},
                   {!options.from.empty(), "--from"},
                   {options.on_demand.has_value(), "--on-demand"},
                   {!options.beside.empty(), "--beside"},
                   {!options.latency.empty() && options.budget, "--latency together with --budget"},
                   {options.survive > 0 && options.budget, "--survive together with --budget"},
                   {options.survive > 0 && options.losses, "--survive together with --losses"},
                   {options.survive > 0 && (options.frontier || !options.plot.empty()),
                    "--survive together with --frontier or --plot"}});
  for (const AskedOption& asked : further_questions(options)) {
    if (std::string_view(asked.second) != "--plot") refuse_with(of, {asked});
  }
}

void require_plain_question(const PlanOptions& options, const std::string& of) {
  refuse_with(of, {{options.budget.has_value(), "--budget"},
                   {options.losses, "--losses"},
                   {options.frontier, "--frontier"},
                   {!options.plot.empty(), "--plot"},
                   {!options.latency.empty(), "--latency"}});
  require_wider_question(options, of);
}

}  // namespace takt::tools
