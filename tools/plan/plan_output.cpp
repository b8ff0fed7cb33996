// First what was asked, then what proves it, then the parts.
#include "tools/plan/plan_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tools/plan/plan_reasons.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"
#include "tpn/models.hpp"
#include "tpn/rates.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

namespace {

// "1.57, with 29 machines", "29 machines".
std::string price_words(const plan::PlanFacts& facts, const PlanWords& words) {
  const std::string machines = machines_words(words.catalogue, facts);
  return words.money.counts_machines() ? machines
                                       : fmt::format("{}, with {}", words.money.said(facts.cost()), machines);
}

// What was wanted, where the plan does more.
std::string wanted_words(const PlanFindings& findings, const PlanWords& words) {
  const PlanWish& wish = findings.wish;
  if (wish.aim != PlanAim::period || findings.found->kept == wish.period) return "";
  return fmt::format(" {} was asked for{}.", words.rates.of_period(wish.period),
                     wish.headroom.sign() > 0 ? fmt::format("{} with {} % of headroom",
                                                            findings.has_chosen_headroom ? "; takt planned" : ",",
                                                            decimal(wish.headroom * 100))
                                              : "");
}

// Limits that takt chose: the proofs say nothing of plans beyond them.
std::string chosen_words(const PlanFindings& findings, const PlanWords& words) {
  std::vector<std::string> chosen;
  if (findings.has_chosen_headroom)
    chosen.push_back(fmt::format("{} % of headroom", decimal(findings.wish.headroom * 100)));
  if (findings.has_chosen_latency)
    chosen.push_back(fmt::format("a latency of at most {}", words.times.readable(*findings.wish.latency)));
  if (chosen.empty()) return "";
  return fmt::format(
      " takt chose {} to keep the percentile. What is proved holds for such plans only: a cheaper plan may keep it, "
      "too.",
      listing(chosen));
}

plan::MappingClaim loads_of(const PlanWords& words) { return {plan::Prover::loads, words.usable}; }

// What is proved of the class that was asked for by its name: " No plan with one type per part, ..., is cheaper:
// proved."
std::string class_claim(const PlanFindings& findings, const PlanWords& words, const std::string& does) {
  if (!findings.wish.is_class_named || !findings.is_optimal) return "";
  return fmt::format(" {} {}: proved.", capital(none_typed(words)), does);
}

constexpr const char* kOpen = " Whether takt can find a better one is not known: the time was up.";

std::string cost_claims(const PlanFindings& findings, const PlanWords& words) {
  const plan::MappingClaim claim = loads_of(words);
  std::string text = cost_bound_sentence(claim, words.money, findings.found->facts.cost(), findings.any_bound);
  if (findings.any_bound != findings.found->facts.cost() || !claim.is_of_any())
    text += class_claim(findings, words, words.money.counts_machines() ? "needs fewer machines" : "is cheaper");
  if (!findings.is_optimal) return text + kOpen;
  return text + (findings.is_price_open ? " Whether something as cheap is faster is not known: the time was up." : "");
}

// What is to be added: "if you add 4 small, for 0.20", "with what you have".
std::string added_words(const PlanFindings& findings, const PlanWords& words) {
  if (std::ranges::all_of(findings.added, [](std::uint64_t count) { return count == 0; })) return "with what you have";
  const std::string machines = machine_counts_words(findings.added, words);
  return words.money.counts_machines()
             ? fmt::format("if you add {}", machines)
             : fmt::format("if you add {}, for {}", machines, words.money.said(findings.added_cost));
}

std::string added_claims(const PlanFindings& findings, const PlanWords& words) {
  if (findings.added_cost == Rational(0)) return "No plan asks for less.";
  const plan::MappingClaim claim = loads_of(words);
  const std::string text =
      cost_bound_sentence(claim, words.money, findings.added_cost, findings.any_bound, " to add") +
      class_claim(findings, words, words.money.counts_machines() ? "needs fewer machines added" : "is cheaper to add");
  return findings.is_optimal ? text : text + kOpen;
}

std::string change_claims(const PlanFindings& findings, const PlanWords& words) {
  const RunningPlan& from = *findings.wish.from;
  const ChangeOver& changes = *findings.changes;
  const Rational& cost = findings.found->facts.cost();
  std::string text;
  if (from.setup) {
    text = fmt::format("It costs {} in all, with {} for each machine that is set up. ",
                       words.money.said(cost + *from.setup * Rational(changes.set_up)), words.money.said(*from.setup));
  }
  const plan::MappingClaim claim = loads_of(words);
  text += cost_bound_sentence(claim, words.money, cost, findings.any_bound);
  text += class_claim(findings, words, from.setup ? "is cheaper in all" : "sets up fewer machines, or as few for less");
  if (!findings.is_optimal) text += kOpen;
  if (!findings.cheapest || findings.cheapest->facts.cost() == cost) return text;
  const FoundPlan& cheapest = *findings.cheapest;
  return fmt::format("{} The cheapest plan that was found, for {}, would set up {}.", text,
                     words.money.said_as_machines(cheapest.facts.cost()),
                     machines_words(Integer(static_cast<unsigned long>(ChangeOver(cheapest.parts, from).set_up))));
}

std::string rate_claims(const PlanFindings& findings, const PlanWords& words) {
  const PlanWish& wish = findings.wish;
  const std::string within =
      wish.aim == PlanAim::budget ? " for at most " + words.money.said(wish.budget) : std::string(" on these machines");
  const std::string faster =
      wish.survive > 0 ? "keeps a higher rate after " + failures_words(wish.survive) : std::string("is faster");
  const std::string text = rate_bound_sentence(loads_of(words), words.rates, findings.found->kept, findings.any_bound,
                                               within, wish.survive) +
                           class_claim(findings, words, faster + within);
  return findings.is_optimal ? text : text + kOpen;
}

std::string loss_words(const PlanFindings& findings, std::size_t part, const PlanWords& words) {
  const plan::TypedPart& typed = findings.found->parts[part];
  if (const auto period = findings.found->facts.period_without(part)) return words.rates.of_period(*period);
  if (!words.catalogue.is_replicable(typed.first_stage, typed.last_stage)) return "stops: not replicable";
  const bool has_partitions = words.catalogue.partitions(typed.first_stage, typed.last_stage) > 0;
  return typed.machines > 1 && has_partitions ? "stops: its partitions" : "stops";
}

std::string gain_words(const Rational& before, const Rational& after) {
  const auto gain = gain_percent(before, after);
  return gain ? fmt::format("{:+.1f} %", *gain) : "";
}

// Where a plan lies: "203.1/s for 1.63".
std::string point_words(const FoundPlan& point, const PlanWords& words) {
  return words.money.counts_machines()
             ? fmt::format("{} with {}", words.rates.of_period(point.kept),
                           machines_words(words.catalogue, point.facts))
             : fmt::format("{} for {}", words.rates.of_period(point.kept), words.money.said(point.facts.cost()));
}

// "a frame", "an image".
std::string with_article(std::string_view article, const std::string& noun) {
  const bool is_vowel = std::string_view("aeioAEIO").find(noun.front()) != std::string_view::npos;
  return fmt::format("{}{} {}", article, is_vowel ? "n" : "", noun);
}

}  // namespace

std::string plan_headline(const PlanFindings& findings, const PlanWords& words) {
  const FoundPlan& found = *findings.found;
  const std::uint64_t failures = findings.wish.survive;
  const std::string kept =
      failures > 0 ? fmt::format("; {} after {}", words.rates.of_period(found.kept), failures_words(failures)) : "";
  if (!findings.wish.have.empty()) {
    return fmt::format("{} {}; {} serve{}.{}", words.rates.of_period(found.facts.period()),
                       added_words(findings, words), machines_words(words.catalogue, found.facts), kept,
                       wanted_words(findings, words));
  }
  return fmt::format("{} {} {}{}.{}", words.rates.of_period(found.facts.period()),
                     words.money.counts_machines() ? "with" : "for", price_words(found.facts, words), kept,
                     wanted_words(findings, words));
}

std::string change_sentence(const PlanFindings& findings, const PlanWords& words) {
  const ChangeOver& changes = *findings.changes;
  const auto is_none = [](const std::vector<std::uint64_t>& counts) {
    return std::ranges::all_of(counts, [](std::uint64_t count) { return count == 0; });
  };
  const auto machines = [](std::uint64_t count) { return machines_words(Integer(static_cast<unsigned long>(count))); };
  std::string text = changes.all_staying == 0 ? std::string("No machine stays")
                                              : fmt::format("{} {}", machines(changes.all_staying),
                                                            changes.all_staying == 1 ? "stays" : "stay");
  std::vector<std::string> others;
  if (!is_none(changes.moved)) others.push_back(machine_counts_words(changes.moved, words) + " moved");
  if (!is_none(changes.rented)) others.push_back(machine_counts_words(changes.rented, words) + " rented");
  text += changes.set_up == 0 ? std::string("; none is set up")
                              : fmt::format("; {} to be set up: {}",
                                            changes.set_up == 1 ? "1 is" : fmt::format("{} are", changes.set_up),
                                            fmt::join(others, ", "));
  if (!is_none(changes.returned)) text += fmt::format("; {} returned", machine_counts_words(changes.returned, words));
  return text + ".";
}

std::string spot_sentence(const PlanFindings& findings, const PlanWords& words) {
  if (!findings.wish.on_demand) return "";
  const FoundPlan& found = *findings.found;
  std::uint64_t spot = 0;
  Rational saved;
  for (const plan::TypedPart& part : found.parts) {
    const std::uint64_t others = part.machines - plan::machines_on_demand(words.catalogue, part);
    spot += others;
    saved += words.catalogue.types[part.type].premium * Rational(others);
  }
  if (spot == 0) return "No machine is at a spot price: all are on demand.";
  const auto left = plan::period_on_demand(words.catalogue, findings.wish.model, found.parts);
  return fmt::format(
      "{}, which saves {}; without {} {}.",
      spot == 1 ? std::string("1 machine is at its spot price") : fmt::format("{} machines are at spot prices", spot),
      words.money.said(saved), spot == 1 ? "it" : "them",
      left ? fmt::format("the plan does {}", words.rates.of_period(*left)) : "the plan stops");
}

std::string plan_claims(const PlanFindings& findings, const PlanWords& words) {
  const std::string chosen = chosen_words(findings, words);
  if (!findings.wish.have.empty()) return added_claims(findings, words) + chosen;
  if (findings.changes) return change_claims(findings, words) + chosen;
  return (findings.wish.aim == PlanAim::period ? cost_claims(findings, words) : rate_claims(findings, words)) + chosen;
}

std::vector<std::optional<Rational>> file_sizes(const tpn::Document& document) {
  const auto& stages = document.application.stages;
  std::vector<std::optional<Rational>> sizes;
  if (tpn::has_rates(document.application)) return sizes;
  sizes.push_back(document.application.input);
  for (const tpn::Stage& stage : stages) sizes.push_back(stage.output);
  return sizes;
}

namespace {

// " (24 cores)", " (1 of 8 cores)" where a stage is not replicable; empty if machines have one core.
std::string cores_at_work(const plan::TypedPart& part, const PlanWords& words) {
  const plan::MachineType& type = words.catalogue.types[part.type];
  if (type.cores == 1 || words.catalogue.is_replicable(part.first_stage, part.last_stage))
    return cores_words(type, part.machines);
  return fmt::format(" (1 of {} cores)", type.cores);
}

// "; room for two files before and behind each part is enough".
std::string room_words(const FoundPlan& found, const PlanWords& words) {
  const std::optional<Integer> rooms = found.facts.rooms();
  if (!rooms) return "";
  const bool has_cores = std::ranges::any_of(
      found.parts, [&](const plan::TypedPart& part) { return words.catalogue.types[part.type].cores > 1; });
  return fmt::format("; room for {} files before and behind each {} is enough", *rooms <= 2 ? "two" : rooms->get_str(),
                     has_cores ? "core" : "part");
}

}  // namespace

Table part_table(const PlanFindings& findings, const PlanWords& words, bool losses) {
  const FoundPlan& found = *findings.found;
  std::size_t width = 0;
  for (const plan::TypedPart& part : found.parts) width = std::max(width, std::to_string(part.machines).size());
  const Rational at = findings.wish.busy_period(found.facts);
  Table table{{{"part"},
               {"machines"},
               {findings.changes          ? "of these stay"
                : findings.wish.on_demand ? "on demand"
                                          : "",
                Align::right},
               {with_article("a", words.times.item()) + " takes", Align::right},
               {at == found.facts.period() ? "busy" : "busy at " + words.rates.of_period(at), Align::right},
               {losses ? "if one fails" : ""}},
              {}};
  for (std::size_t i = 0; i < found.parts.size(); ++i) {
    const plan::TypedPart& part = found.parts[i];
    const Rational busy = found.facts.busy(i, at);
    const Binding binding = binding_of(found.facts.limits()[i], found.facts.times()[i]);
    const std::string does = binding_words(binding);
    std::string machines = fmt::format("{:>{}} {}{}", part.machines, width,
                                       printable(words.catalogue.types[part.type].name), cores_at_work(part, words));
    if (part.standby > 0) machines += fmt::format(" + {} standing by", part.standby);
    table.rows.push_back({stages_words(words.catalogue, part.first_stage, part.last_stage), machines,
                          findings.changes          ? std::to_string(findings.changes->staying[i])
                          : findings.wish.on_demand ? std::to_string(plan::machines_on_demand(words.catalogue, part))
                                                    : "",
                          does.empty() ? "no time" : fmt::format("{} to {}", words.times.readable(binding.time), does),
                          busy == Rational(1) ? "100 %" : percent(busy), losses ? loss_words(findings, i, words) : ""});
  }
  return table;
}

std::string stay_sentence(const PlanFindings& findings, const PlanWords& words) {
  if (words.catalogue.has_rates) {
    return fmt::format(
        "Rates only: stages consume or produce several files. The load of each machine allows this rate; whether\n"
        "  turns keep it, and how long {} stays, takt does not know.",
        with_article("a", words.times.item()));
  }
  const plan::PlanFacts& facts = findings.found->facts;
  const Integer window = facts.window();
  const bool waits_without_limit = tpn::separates_operations(findings.wish.model) && findings.wish.model.rooms() == 0;
  return fmt::format("{} stays {}; {} under way{}.", with_article("A", words.times.item()),
                     words.times.readable(facts.latency()), window == 1 ? "one is" : window.get_str() + " are",
                     waits_without_limit ? room_words(*findings.found, words) : "");
}

std::string quota_sentence(const PlanFindings& findings, const PlanWords& words) {
  std::vector<std::string> uses;
  for (const tpn::QuotaUses& quota : words.catalogue.quotas)
    uses.push_back(quota_words(quota, findings.found->facts.machines_by_type(), words));
  return uses.empty() ? "" : fmt::format("Quotas: {}.", fmt::join(uses, "; "));
}

Table replan_table(const PlanFindings& findings, const PlanWords& words) {
  Table table{{{"one less of"}, {"all placed anew"}, {"", Align::right}, {""}}, {}};
  for (const FoundReplan& replan : findings.replans) {
    const std::string type = printable(words.catalogue.types[replan.type].name);
    if (!replan.left) {
      table.rows.push_back({type, "stops", "", ""});
      continue;
    }
    table.rows.push_back({type, words.rates.of_period(replan.left->kept),
                          gain_words(findings.found->facts.period(), replan.left->kept),
                          fmt::format("({})", part_machines_words(replan.left->parts, words))});
  }
  return table;
}

Table upgrade_table(const PlanFindings& findings, const PlanWords& words) {
  const bool is_free = words.money.counts_machines();
  const char* then = findings.wish.survive > 0 ? "then kept" : "then";
  Table table{{{"one more of"}, {then}, {"", Align::right}, {is_free ? "" : "for", Align::right}, {""}}, {}};
  for (const FoundUpgrade& upgrade : findings.upgrades) {
    const std::string type = printable(words.catalogue.types[upgrade.type].name);
    if (!upgrade.faster) {
      table.rows.push_back({type, "nothing", "", "", ""});
      continue;
    }
    const FoundPlan& faster = *upgrade.faster;
    table.rows.push_back({type, words.rates.of_period(faster.kept), gain_words(findings.found->kept, faster.kept),
                          is_free ? "" : words.money.said(faster.facts.cost()),
                          fmt::format("({})", part_machines_words(faster.parts, words))});
  }
  return table;
}

Table price_table(const PlanFindings& findings, const PlanWords& words) {
  Table table{
      {{"type"}, {words.money.heading("price"), Align::right}, {"cheapest from", Align::right}, {"to", Align::right}},
      {}};
  for (const plan::PriceRange& range : findings.price_ranges) {
    const plan::MachineType& type = words.catalogue.types[range.type];
    table.rows.push_back({printable(type.name), words.money.number(type.price), words.money.number(range.lowest),
                          range.highest ? words.money.number(*range.highest) : "any price"});
  }
  return table;
}

std::string neighbor_sentences(const PlanFindings& findings, const PlanWords& words) {
  const char* by = findings.wish.survive > 0 ? ", by the rate kept" : "";
  std::string text;
  if (findings.cheaper) {
    text = fmt::format("Next cheaper{}: {}", by, point_words(*findings.cheaper, words));
    text +=
        words.money.counts_machines() ? "." : fmt::format(" ({}).", machines_words(findings.cheaper->facts.machines()));
  }
  if (findings.faster)
    text += fmt::format("{}Next faster{}: {}.", text.empty() ? "" : " ", by, point_words(*findings.faster, words));
  return text;
}

namespace {

bool is_plan(const plan::FrontierPoint& point, const PlanFindings& findings) {
  return findings.found && point.period == findings.found->kept && point.cost == findings.found->facts.cost();
}

// Where the table ends, and what is known of its last row.
std::string frontier_end(const PlanFindings& findings, const PlanWords& words) {
  const plan::Frontier& frontier = *findings.frontier;
  if (frontier.cut_short && frontier.points.empty()) return "The time was up before a row was found.";
  if (frontier.cut_short) {
    return frontier.is_last_fastest ? "The time was up: there may be more rows."
                                    : "The time was up: there may be more rows, and a faster plan for the last one's "
                                      "price.";
  }
  if (frontier.points.empty()) return fmt::format("{} is possible: proved.", capital(none_typed(words)));
  if (frontier.is_whole) {
    return fmt::format("{} {}, whatever it costs: proved.", capital(none_typed(words)),
                       findings.wish.survive > 0 ? "keeps more" : "is faster");
  }
  std::string text;
  if (!frontier.is_last_fastest) text = "Faster ones cost no more than the last row: some machines are free.";
  if (frontier.points.size() < kMostRows || findings.found) return text;
  return fmt::format("{}{}{} rows; --up-to {} shows more.", text, text.empty() ? "" : " ", frontier.points.size(),
                     words.rates.of_period(frontier.points.back().period / Rational(2)));
}

void write_frontier(std::ostream& out, const PlanFindings& findings, const PlanWords& words) {
  constexpr std::size_t kShown = kMostRows;
  const bool survives = findings.wish.survive > 0;
  const auto& points = findings.frontier->points;
  const std::size_t left_out = points.size() - std::min(points.size(), kShown);
  if (!points.empty())
    fmt::print(out, "\nEach row is the cheapest plan {}, for its rate, and the fastest for its price",
               plan::MappingClaim(plan::Prover::typed, words.usable).kind());
  if (!points.empty() && !findings.frontier->is_last_fastest) out << ", but perhaps the last";
  out << '\n';
  if (left_out > 0) fmt::print(out, "  (the cheapest {} are left out; --json has them)\n", left_out);
  Table table{{{survives ? "kept" : "rate", Align::right},
               {survives ? "rate" : "", Align::right},
               {words.money.counts_machines() ? "" : words.money.heading("price"), Align::right},
               {"machines", Align::right},
               {"parts"},
               {""}},
              {}};
  for (std::size_t k = left_out; k < points.size(); ++k) {
    const FoundPlan point = found_plan(words.catalogue, findings.wish, points[k].plan);
    table.rows.push_back({words.rates.of_period(point.kept),
                          survives ? words.rates.of_period(point.facts.period()) : "",
                          words.money.counts_machines() ? "" : words.money.number(points[k].cost),
                          std::to_string(point.facts.machines()), part_machines_words(points[k].plan, words),
                          is_plan(points[k], findings) ? "<- the plan" : ""});
  }
  if (!points.empty()) table.write(out);
  const std::string end = frontier_end(findings, words);
  if (!end.empty()) out << end << '\n';
}

void write_none(std::ostream& out, const PlanFindings& findings, const PlanWords& words, const PlanShown& shown) {
  const std::string head = fmt::format("{}, {}{}: ", shown.file, tpn::title_of(findings.wish.model), shown.remark);
  const std::string no = fmt::format("No under {}{}: ", tpn::title_of(findings.wish.model), shown.remark);
  if (findings.wish.aim == PlanAim::none) {
    out << head << "what every rate costs\n";
  } else if (findings.is_undecided) {
    out << head << "no plan was found in time.";
    if (findings.any_bound && findings.any_bound->sign() > 0)
      fmt::print(out, " {} costs less than {}: proved.", capital(loads_of(words).none()),
                 words.money.said_as_machines(*findings.any_bound));
    out << '\n';
  } else {
    out << (shown.is_no_answer ? no : head) << reason_of(findings, words).text << '\n';
    for (const std::string& sentence : reach_sentences(findings, words)) out << sentence << '\n';
  }
  if (findings.frontier && shown.frontier) write_frontier(out, findings, words);
}

void write_found(std::ostream& out, const PlanFindings& findings, const PlanWords& words, const PlanShown& shown) {
  fmt::print(out, "{}, {}{}: {}\n{}\n", shown.file, tpn::title_of(findings.wish.model), shown.remark,
             plan_headline(findings, words), plan_claims(findings, words));
  if (findings.changes) fmt::print(out, "{}\n", change_sentence(findings, words));
  if (const std::string spot = spot_sentence(findings, words); !spot.empty()) fmt::print(out, "{}\n", spot);
  if (findings.cost_together) {
    fmt::print(out, "Keeping stages apart costs more: {}, against {} if they might share parts.\n",
               words.money.said(findings.found->facts.cost()), words.money.said(*findings.cost_together));
  }
  out << '\n';
  part_table(findings, words, shown.losses).write(out);
  fmt::print(out, "\n  {}\n", stay_sentence(findings, words));
  if (const std::string quotas = quota_sentence(findings, words); !quotas.empty()) fmt::print(out, "  {}\n", quotas);
  if (!findings.replans.empty()) {
    out << '\n';
    replan_table(findings, words).write(out);
  }
  if (!findings.price_ranges.empty()) {
    fmt::print(out, "\n  If only the price of one type changes, {} is cheaper than this one at these prices:\n",
               none_typed(words));
    price_table(findings, words).write(out);
  }
  const Table upgrades = upgrade_table(findings, words);
  const std::string neighbors = neighbor_sentences(findings, words);
  if (!upgrades.rows.empty() || !neighbors.empty()) out << '\n';
  if (!upgrades.rows.empty()) upgrades.write(out);
  if (!neighbors.empty()) fmt::print(out, "  {}\n", neighbors);
  if (findings.frontier && shown.frontier) write_frontier(out, findings, words);
}

}  // namespace

void write_plan(std::ostream& out, const PlanFindings& findings, const PlanWords& words, const PlanShown& shown) {
  if (findings.found) return write_found(out, findings, words, shown);
  write_none(out, findings, words, shown);
}

}  // namespace takt::tools
