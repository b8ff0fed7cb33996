// takt plan: how many of which machines for a wanted rate, at least cost.
#include "plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "plan/bounds.hpp"
#include "tools/files/files.hpp"
#include "tools/files/model_choice.hpp"
#include "tools/files/several_files.hpp"
#include "tools/files/signals.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/pictures/svg_picture.hpp"
#include "tools/plan/frontier_plot.hpp"
#include "tools/plan/latency_plan.hpp"
#include "tools/plan/plan_certificates.hpp"
#include "tools/plan/plan_json.hpp"
#include "tools/plan/plan_options.hpp"
#include "tools/plan/plan_output.hpp"
#include "tools/plan/plan_words.hpp"
#include "tools/plan/planning.hpp"
#include "tools/plan/running.hpp"
#include "tools/plan/schedule.hpp"
#include "tools/plan/schedule_output.hpp"
#include "tools/plan/stock_output.hpp"
#include "tools/plan/stock_plans.hpp"
#include "tools/plan/wider_limits.hpp"
#include "tools/plan/wider_output.hpp"
#include "tools/plan/wider_plans.hpp"
#include "tools/plan/wider_questions.hpp"
#include "tools/plan/workflow_plans.hpp"
#include "tools/vary/law_options.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/rates.hpp"
#include "tpn/reader.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

tpn::Document read_planned_problem(const std::string& file, Streams& streams) {
  return tpn::read_document(read_document_text(file, streams), display_name(file), std::nullopt,
                            tpn::Catalogues::accepted);
}

// One plan: found, judged, told.
class Planner {
 public:
  Planner(const PlanOptions& options, Streams& streams) : options_(options), streams_(streams) {}

  int plan() {
    const tpn::Document document = read_planned_problem(options_.file, streams_);
    PlanWish wish = wish_of(options_, document);
    if (wish.latency || !options_.within.empty() || !options_.certificate.empty())
      tpn::require_single_files(document.application);
    if (!options_.within.empty()) require_law(options_.law, document, options_.file);
    if (options_.have && !document.platform.is_catalogue()) {
      throw UsageError("--have needs a platform of types; give processors that you own \"price\": 0");
    }
    if (!options_.beside.empty()) return plan_stock(document, wish);
    if (!tpn::is_chain(document.application)) return plan_workflow(document, wish);
    if (!document.platform.is_catalogue() || is_wider(options_.among)) return plan_wider(document, wish);
    const Rational most(plan::kMostMachines);
    PlanQuestions questions;
    const LimitedSearch search(options_.time_limit);
    // What is found is to be judged in time as well.
    const evaluators::Deadline all = search.deadline();
    questions.deadline = all.after_part(9, 10);
    std::optional<plan::Catalogue> read = plan::catalogue_within(document, questions.deadline);
    if (!read) return miss_catalogue();
    plan::Catalogue& catalogue = *read;
    if (options_.machines) set_counts(*options_.machines, catalogue);
    require_numbers_of_machines(document);
    if (options_.on_demand) {
      require_spot(document);
      catalogue = plan::on_spot(std::move(catalogue), document.platform);
    }
    if (!options_.schedule.empty()) return plan_schedule(document, catalogue, wish, questions.deadline);
    if (options_.have) wish.have = counts_of("--have", *options_.have, catalogue);
    if (!options_.from.empty()) start_from_running(catalogue, wish);
    ask_further(document, questions);
    if (wish.aim == PlanAim::period && plan::ample_period(catalogue) > wish.planned_period() * most) {
      miss(fmt::format("a part could need more than {} machines for that, which are not counted", most.to_string()));
      return status_;
    }
    PlanFindings findings = find_plan(catalogue, wish, questions);
    if (findings.found && !options_.within.empty()) keep_latency_as_asked(document, catalogue, findings, questions);
    if (findings.reach && wish.aim == PlanAim::period && findings.unlimited && !wish.on_demand && !catalogue.has_rates)
      findings.reach->wider = wider_answer(document, catalogue, wish, questions.deadline);
    return answer(document, catalogue, wish, findings, all);
  }

 private:
  int answer(const tpn::Document& document, const plan::Catalogue& catalogue, const PlanWish& wish,
             PlanFindings& findings, const evaluators::Deadline& all) {
    if (findings.is_cut_short) miss("the search ran out of time or memory");
    if (options_.have && findings.found) hold_to_counts(catalogue, *findings.found);
    if (findings.found) hand_over(document, catalogue, findings, all);
    if (!options_.certificate.empty() && wish.aim != PlanAim::none) prove(document, catalogue, findings, all);
    tell_all(document, catalogue, findings);
    return status_;
  }

  void start_from_running(const plan::Catalogue& catalogue, PlanWish& wish) {
    const std::string file = display_name(options_.from);
    const tpn::Document runs =
        tpn::read_document(read_text(options_.from, streams_), file, std::nullopt, tpn::Catalogues::accepted);
    if (!runs.mapping) {
      throw tpn::InvalidInstance("/mapping", "no mapping",
                                 "the mapping that runs now, in a document such as \"takt plan -o\" writes")
          .at(file);
    }
    running_ = running_machines(runs, options_.from, catalogue);
    wish.from = running_->plan(catalogue);
    if (options_.setup_price) wish.from->setup = read_number(*options_.setup_price);
  }

  void ask_further(const tpn::Document& document, PlanQuestions& questions) const {
    questions.frontier = options_.frontier || !options_.plot.empty();
    if (options_.up_to) questions.until = period_of_rate("--up-to", *options_.up_to, document);
    questions.losses = options_.losses;
    questions.prices = options_.price_ranges;
    questions.upgrade = options_.upgrade;
  }

  evaluators::Deadline deadline() const { return deadline_after(options_.time_limit); }

  int plan_schedule(const tpn::Document& document, const plan::Catalogue& catalogue, PlanWish& wish,
                    const evaluators::Deadline& deadline) {
    wish.aim = PlanAim::none;
    std::optional<Rational> setup;
    if (options_.setup_price) setup = read_number(*options_.setup_price);
    const ScheduleFindings findings =
        find_schedule(catalogue, wish, read_schedule(options_.schedule, document), setup, deadline);
    if (findings.is_cut_short) miss("the search ran out of time or memory");
    if (findings.impossible) status_ = kNo;
    const TimeWords times(document);
    Rational longest;
    for (const SchedulePhase& phase : findings.phases) longest = std::max(longest, phase.period);
    const PlanWords words{catalogue,
                          times,
                          MoneyWords(prices_of(document), document.platform.currency),
                          RateWords(times, longest),
                          plan::freedoms_of(document),
                          file_sizes(document)};
    if (options_.json) {
      print_object(streams_.out, [&](tpn::JsonWriter& json) { write_schedule(json, findings, words, options_.file); });
    } else {
      write_schedule(streams_.out, findings, words,
                     {.file = display_name(options_.file), .remark = other_model_remark(document, options_.model)});
    }
    return status_;
  }

  // Of several pipelines that share machines.
  int plan_stock(const tpn::Document& document, const PlanWish& wish) {
    std::vector<StockPipeline> pipelines;
    pipelines.push_back({options_.file, document, wish.period});
    std::vector<std::string> inputs = {options_.file};
    for (const std::string& text : options_.beside) inputs.push_back(file_and_rate(text).first);
    require_one_stdin(inputs);
    for (const std::string& text : options_.beside) {
      const auto [file, rate] = file_and_rate(text);
      tpn::Document other = read_planned_problem(file, streams_);
      const Rational period = period_of_rate("--beside", rate, other);
      pipelines.push_back({file, std::move(other), period});
    }
    for (const StockPipeline& pipeline : pipelines) {
      require_of_types(pipeline);
      if (pipeline.document.time_unit != document.time_unit)
        throw FileError(fmt::format("--beside: {} and {} must both have units, or none", options_.file, pipeline.file));
      if (const auto own = chosen_model(options_.model, pipeline.document.model); own && *own != wish.model)
        throw FileError(fmt::format("--beside: {} names another model than {}: choose one with --model", pipeline.file,
                                    options_.file));
      require_numbers_of_machines(pipeline.document);
    }
    require_apart_outputs(inputs, pipelines.size());
    const LimitedSearch search(options_.time_limit);
    const StockFindings findings = find_stock_plans(std::move(pipelines), wish, options_.machines, search.deadline());
    if (findings.catalogues.size() < findings.pipelines.size()) return miss_catalogue();
    if (findings.plans.empty()) status_ = findings.is_cut_short ? kLimit : kNo;
    if (findings.is_cut_short) miss("the search ran out of time or memory");
    for (std::size_t k = 0; k < findings.plans.size(); ++k) write_stock_plan(findings, k, search.deadline());
    tell_stock(findings);
    return status_;
  }

  static void require_of_types(const StockPipeline& pipeline) {
    const std::string file = display_name(pipeline.file);
    if (!pipeline.document.platform.is_catalogue())
      throw FileError(fmt::format("{}: /platform: found processors, expected types, which --beside needs", file));
    if (!tpn::is_chain(pipeline.document.application))
      throw FileError(fmt::format(
          "{}: /application/stages: found a workflow that forks or joins, expected a chain, which --beside needs",
          file));
  }

  void require_apart_outputs(const std::vector<std::string>& inputs, std::size_t pipelines) const {
    if (options_.output.empty()) return;
    std::vector<std::string> outputs;
    for (std::size_t k = 0; k < pipelines; ++k) outputs.push_back(numbered_name(options_.output, k));
    require_apart(inputs, outputs);
    for (const std::string& path : outputs) require_writable(path);
  }

  void write_stock_plan(const StockFindings& findings, std::size_t k, const evaluators::Deadline& deadline) {
    const StockPipeline& pipeline = findings.pipelines[k];
    const plan::Catalogue catalogue = plan::catalogue_of(pipeline.document);
    const FoundPlan found = plan_by_own_types(findings, k, catalogue);
    if (const auto why = too_large_to_map(pipeline.document, found))
      return miss(*why + "; the plan stands, not evaluated");
    const tpn::Document mapped = planned_document(pipeline.document, catalogue, findings.wish_of(k), found);
    if (const auto why = judge(mapped, deadline)) miss("a plan was not evaluated: " + *why);
    if (!options_.output.empty()) write_file(numbered_name(options_.output, k), tpn::write_document(mapped));
  }

  void tell_stock(const StockFindings& findings) {
    std::vector<Rational> prices;
    for (const plan::MachineType& type : findings.catalogues.front().types) prices.push_back(type.price);
    const MoneyWords money(prices, findings.pipelines.front().document.platform.currency);
    plan::Freedoms usable{};
    for (const StockPipeline& pipeline : findings.pipelines) usable.add(plan::freedoms_of(pipeline.document));
    std::vector<PlanWords> words;
    for (std::size_t k = 0; k < findings.pipelines.size(); ++k) {
      const tpn::Document& document = findings.pipelines[k].document;
      const TimeWords times(document);
      words.push_back({findings.catalogues[k], times, money,
                       RateWords(times, findings.pipelines[k].period, k == 0 ? written_pace() : std::nullopt), usable,
                       file_sizes(document)});
    }
    if (options_.json) {
      print_object(streams_.out, [&](tpn::JsonWriter& json) { write_stock_plans(json, findings, words); });
    } else {
      write_stock_plans(streams_.out, findings, words,
                        other_model_remark(findings.pipelines.front().document, options_.model));
    }
  }

  // Questions that have no meaning where quotas, or partitions, say how many machines there may be.
  void require_numbers_of_machines(const tpn::Document& document) const {
    const auto is_of_price = [](const tpn::Quota& quota) { return quota.of == tpn::Quota::Of::price; };
    if (std::ranges::any_of(document.platform.quotas, is_of_price)) {
      for (const auto& [is_asked, option] :
           {std::pair(options_.have.has_value(), "--have"), std::pair(options_.price_ranges, "--price-ranges"),
            std::pair(options_.on_demand.has_value(), "--on-demand")}) {
        if (is_asked) throw UsageError(fmt::format("{} does not go with a quota of price", option));
      }
    }
    const auto& stages = document.application.stages;
    const auto split = std::ranges::find_if(stages, [](const tpn::Stage& stage) { return stage.partitions > 0; });
    if (split == stages.end() || (options_.survive == 0 && !options_.on_demand)) return;
    throw UsageError(
        fmt::format("{} does not go with the {} partitions of {}: if a machine {}, its partitions would move",
                    options_.survive > 0 ? "--survive" : "--on-demand", split->partitions, printable(split->name),
                    options_.survive > 0 ? "fails" : "is taken away"));
  }

  void require_spot(const tpn::Document& document) const {
    const auto has_spot = [](const tpn::ProcessorType& type) { return type.spot_price.has_value(); };
    if (std::ranges::any_of(document.platform.types, has_spot)) return;
    throw FileError(
        fmt::format("{}: /platform/types: found no \"spot price\", expected one in some type: --on-demand needs it",
                    display_name(options_.file)));
  }

  // What is added is looked for as if there were as many of each type as one likes.
  void hold_to_counts(const plan::Catalogue& catalogue, const FoundPlan& found) {
    for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
      const plan::MachineType& type = catalogue.types[t];
      const std::uint64_t machines = found.facts.machines_by_type()[t];
      if (!type.count || machines <= *type.count) continue;
      miss(fmt::format(
          "the least addition makes {} {}, but the file has a count of {}; takt did not look for a plan within it",
          machines, printable(type.name), *type.count));
    }
  }

  // Of several types in a part, of unequal turns, or on processors with names.
  int plan_wider(const tpn::Document& document, const PlanWish& wish) {
    const InterruptibleSearch interruptible;
    const bool is_catalogue = document.platform.is_catalogue();
    require_wider_question(options_, is_catalogue ? "--among " + *options_.among : "a platform of processors");
    return is_catalogue ? plan_wider_types(document, wish) : plan_named(document, wish);
  }

  void require_wider(const plan::Catalogue& catalogue, PlanClass among, const PlanWish& wish) const {
    if (const auto why = why_not_wider(catalogue))
      throw UsageError(fmt::format("--among {}: {}", *options_.among, *why));
    if (among == PlanClass::weighted && wish.survive > 0)
      throw UsageError("--survive does not go with --among weighted: the turns change if a machine fails");
  }

  int plan_wider_types(const tpn::Document& document, const PlanWish& wish) {
    const PlanClass among = plan_class_named(*options_.among).value();
    std::optional<plan::Catalogue> read = plan::catalogue_within(document, deadline());
    if (!read) return miss_catalogue();
    plan::Catalogue& catalogue = *read;
    if (options_.machines) set_counts(*options_.machines, catalogue);
    require_wider(catalogue, among, wish);
    const evaluators::Deadline all = deadline();
    const PlanOnPlaces plan_on = [&](const std::vector<std::string>& places, const Rational& period,
                                     const evaluators::Deadline& until) {
      plan::Catalogue on = catalogue;
      for (plan::MachineType& type : on.types) {
        if (!places.empty() && std::ranges::find(places, type.name) == places.end()) type.count = 0;
      }
      return find_wider_plan(document, on, at_period(wish, period), among, until);
    };
    const PlanAtPeriod plan_at = [&](const Rational& period, const evaluators::Deadline& until) {
      return plan_within(document, wish, false, plan_on, period, until);
    };
    PlanQuestions questions;
    questions.deadline = all;
    WiderFindings findings;
    if (wish.aim == PlanAim::budget) {
      findings = fastest_of_types(catalogue, wish, among, plan_at, questions);
    } else {
      findings = plan_within(document, wish, false, plan_on, std::nullopt, part_of(all));
      if (wish.latency) take_typed_plan(document, catalogue, findings, questions);
    }
    if (!findings.mapped && !findings.are_limits_missed && wish.aim == PlanAim::period) {
      const PlanFindings typed = find_plan(catalogue, wish, questions);
      add_reach(findings, typed, document, catalogue, all);
      return tell_wider(document, findings, &catalogue, &typed);
    }
    look_further(document, findings, plan_at, all);
    return tell_wider(document, findings, nullptr, nullptr);
  }

  static WiderFindings fastest_of_types(const plan::Catalogue& catalogue, const PlanWish& wish, PlanClass among,
                                        const PlanAtPeriod& plan_at, const PlanQuestions& questions) {
    const PlanFindings typed = find_plan(catalogue, wish, questions);
    const Rational ample = plan::ample_period(catalogue);
    return fastest_for_budget(wish, among, plan_at, typed.found ? typed.found->kept : ample,
                              plan::period_bound_of_budget(catalogue, wish.model, wish.budget),
                              plan::cost_bound(catalogue, wish.model, ample), questions.deadline);
  }

  int plan_named(const tpn::Document& document, const PlanWish& wish) {
    require_named(document, wish);
    const evaluators::Deadline all = deadline();
    const PlanClass among = options_.among ? plan_class_named(*options_.among).value() : PlanClass::any;
    const auto plan_on_with = [&](bool with_reach) {
      return [&, with_reach](const std::vector<std::string>& places, const Rational& period,
                             const evaluators::Deadline& until) {
        if (places.empty()) return find_named_plan(document, at_period(wish, period), among, until, with_reach);
        const auto fewer = restricted(document, places);
        WiderFindings found;
        if (fewer) found = find_named_plan(*fewer, at_period(wish, period), among, until, with_reach);
        if (found.mapped) found.mapped->application = document.application;
        return found;
      };
    };
    const PlanAtPeriod plan_at = [&](const Rational& period, const evaluators::Deadline& until) {
      return plan_within(document, wish, true, plan_on_with(false), period, until);
    };
    WiderFindings findings;
    if (wish.aim == PlanAim::budget) {
      const auto start = fastest_named_period(document, wish, all.after_part(1, 4));
      const Rational least = std::ranges::min_element(document.platform.processors, {}, &tpn::Processor::price)->price;
      findings.wish = wish;
      findings.among = among;
      findings.is_named = true;
      findings.is_cut_short = true;
      if (start) findings = fastest_for_budget(wish, among, plan_at, *start, 0, least, part_of(all));
      findings.is_named = true;
    } else {
      findings = plan_within(document, wish, true, plan_on_with(true), std::nullopt, part_of(all));
    }
    look_further(document, findings, plan_at, all);
    return tell_wider(document, findings, nullptr, nullptr);
  }

  static bool is_wider(const std::optional<std::string>& among) {
    return among && plan_class_named(*among) != PlanClass::typed;
  }

  // Within a latency the cheapest of one type per part, which is one of any class, where nothing cheaper was found.
  static void take_typed_plan(const tpn::Document& document, const plan::Catalogue& catalogue, WiderFindings& findings,
                              const PlanQuestions& questions) {
    if (findings.mapped && findings.optimal_in()) return;
    const PlanFindings typed = find_plan(catalogue, findings.wish, questions);
    if (!typed.found || too_large_to_map(document, *typed.found)) return;
    if (findings.mapped && findings.cost <= typed.found->facts.cost()) return;
    findings.mapped = planned_document(document, catalogue, findings.wish, *typed.found);
    findings.mapped->heuristic.reset();
    findings.cost = typed.found->facts.cost();
    findings.latency = typed.found->facts.latency();
    findings.are_limits_missed = false;
  }

  // What is planned for alone: what else the wish asks for is looked at afterwards.
  static PlanWish at_period(PlanWish wish, const Rational& period) {
    wish.aim = PlanAim::period;
    wish.period = period;
    wish.headroom = 0;
    wish.latency.reset();
    return wish;
  }

  // A plan for the wish, or for another period.
  static WiderFindings plan_within(const tpn::Document& document, const PlanWish& wish, bool judges_failures,
                                   const PlanOnPlaces& plan_on, const std::optional<Rational>& period,
                                   const evaluators::Deadline& deadline) {
    PlanWish asked = wish;
    if (period) {
      asked = at_period(wish, *period);
      asked.latency = wish.latency;
    }
    WiderFindings findings = asked.latency || (judges_failures && asked.survive > 0)
                                 ? find_within_limits(document, asked, judges_failures, plan_on, deadline)
                                 : plan_on({}, asked.planned_period(), deadline);
    findings.wish = asked;
    return findings;
  }

  // What the plan may take of the time, where rows are wanted as well.
  evaluators::Deadline part_of(const evaluators::Deadline& all) const {
    return options_.frontier || !options_.plot.empty() ? all.half_way() : all;
  }

  // What other rates cost, and what a failure leaves.
  void look_further(const tpn::Document& document, WiderFindings& findings, const PlanAtPeriod& plan_at,
                    const evaluators::Deadline& deadline) const {
    if (!findings.mapped) return;
    if (options_.losses) add_losses(findings, !findings.is_named, deadline);
    if (!options_.frontier && options_.plot.empty()) return;
    const PlanWish& wish = findings.wish;
    Rational until = wish.aim == PlanAim::budget ? *findings.mapped->predicted_period * Rational::fraction(4, 5)
                                                 : wish.planned_period() / Rational(2);
    if (options_.up_to) until = period_of_rate("--up-to", *options_.up_to, document);
    add_rows(findings, plan_at, until, deadline);
  }

  int plan_workflow(const tpn::Document& document, const PlanWish& wish) {
    const InterruptibleSearch interruptible;
    require_plain_question(options_, "a workflow that forks or joins");
    if (!document.platform.is_catalogue()) {
      throw FileError(
          fmt::format("{}: /application/stages: found a workflow that forks or joins, expected a chain, or "
                      "a platform of types: takt map --heuristic polish maps workflows to named processors",
                      display_name(options_.file)));
    }
    if (is_wider(options_.among))
      throw UsageError(fmt::format("--among {} does not go with a workflow that forks or joins", *options_.among));
    if (const auto why = why_no_workflow_plan(wish)) throw UsageError(*why);
    std::optional<plan::WorkflowTimes> times = plan::WorkflowTimes::read(document, deadline());
    if (!times) return miss_catalogue();
    if (options_.machines) set_counts(*options_.machines, times->catalogue());
    WiderFindings findings = find_workflow_plan(document, *times, wish, deadline());
    PlanFindings none;
    none.wish = wish;
    return tell_wider(document, findings, &times->catalogue(), findings.mapped ? nullptr : &none);
  }

  void require_named(const tpn::Document& document, const PlanWish& wish) const {
    for (const auto& [is_asked, option] :
         {std::pair(options_.machines.has_value(), "--machines"), std::pair(wish.all_apart, "--apart")}) {
      if (is_asked) throw UsageError(fmt::format("{} does not go with a platform of processors", option));
    }
    if (document.platform.processors.empty()) {
      throw FileError(fmt::format("{}: /platform: found neither types nor processors", display_name(options_.file)));
    }
  }

  // With what typed plans say if there is none.
  int tell_wider(const tpn::Document& document, WiderFindings& findings, const plan::Catalogue* catalogue,
                 const PlanFindings* typed) {
    if (findings.mapped) {
      tpn::HeuristicRecord& record = findings.mapped->heuristic.emplace(tpn::HeuristicRecord{"plan", {}, {}});
      if (findings.wish.aim == PlanAim::budget) {
        record.options.emplace_back("budget", findings.wish.budget);
      } else {
        record.options.emplace_back("period", findings.wish.period);
      }
      record.options.emplace_back("cost", findings.cost);
      record.options.emplace_back("among", name_of(findings.among));
      if (const auto why = judge(*findings.mapped, deadline())) miss("the plan was not evaluated: " + *why);
      if (!options_.output.empty()) write_file(options_.output, tpn::write_document(*findings.mapped));
    } else {
      status_ = findings.is_settled() ? kNo : kLimit;
    }
    if ((findings.is_cut_short || !findings.mapped) && !findings.is_settled())
      miss(!findings.is_cut_short ? "whether another mapping does is not known"
           : options_.time_limit  ? "the search ran out of time or memory"
                                  : "the search met its own limit; --time-limit TIME lets it run longer");
    const TimeWords times(document);
    const Rational& period = findings.mapped ? *findings.mapped->predicted_period : findings.wish.period;
    const WiderWords words{times, MoneyWords(prices_of(document), document.platform.currency),
                           RateWords(times, period, written_pace()), plan::freedoms_of(document)};
    if (findings.mapped && !options_.plot.empty())
      write_file(options_.plot,
                 picture_bytes(plot_svg(rate_plot(findings, words, display_name(options_.file))), options_.plot));
    if (typed == nullptr || typed->found || typed->is_undecided) {
      tell_wider(document, findings, words, nullptr);
    } else {
      const PlanWords typed_words{*catalogue,  words.times,  words.money,
                                  words.rates, words.usable, file_sizes(document)};
      const TypedNo no{*typed, typed_words};
      tell_wider(document, findings, words, &no);
    }
    return status_;
  }

  void tell_wider(const tpn::Document& document, const WiderFindings& findings, const WiderWords& words,
                  const TypedNo* typed) {
    if (options_.json) {
      print_object(streams_.out,
                   [&](tpn::JsonWriter& json) { write_plan(json, findings, words, options_.file, typed); });
    } else {
      write_plan(streams_.out, findings, words, display_name(options_.file),
                 other_model_remark(document, options_.model), typed, options_.frontier);
    }
  }

  // Another plan, with machines added, for a percentile.
  void keep_latency_as_asked(const tpn::Document& document, const plan::Catalogue& catalogue, PlanFindings& findings,
                             const PlanQuestions& questions) {
    const KeptRateQuestion question = kept_rate_question(options_.law, options_.within, document);
    latency_ = plan_for_latency(document, catalogue, findings, question, questions);
    if (latency_->is_kept) return;
    const bool is_no = latency_->reason.empty() && !latency_->is_cut_short;
    status_ = is_no ? std::max(status_, static_cast<int>(kNo)) : static_cast<int>(kLimit);
  }

  std::optional<RatePace> written_pace() const {
    return options_.rate ? read_rate(*options_.rate)->pace : std::nullopt;
  }

  // Makes the mapped document, asks the judge and writes it.
  void hand_over(const tpn::Document& document, const plan::Catalogue& catalogue, const PlanFindings& findings,
                 const evaluators::Deadline& deadline) {
    const FoundPlan& plan = latency_ && latency_->plan ? *latency_->plan : *findings.found;
    if (const auto why = too_large_to_map(document, plan)) return miss(*why + "; the plan stands, not evaluated");
    mapped_ = planned_document(document, catalogue, findings.wish, plan);
    if (running_) keep_names(*mapped_, plan.parts, *running_);
    if (const auto why = judge(*mapped_, deadline)) miss("the plan was not evaluated: " + *why);
    // What keeps no limit is not what was asked for.
    if (latency_ && !latency_->is_kept) return;
    if (!options_.output.empty()) write_file(options_.output, tpn::write_document(*mapped_));
  }

  // Of the plan's period, and that nothing is better: as much as can be proved without a search.
  void prove(const tpn::Document& document, const plan::Catalogue& catalogue, const PlanFindings& findings,
             const evaluators::Deadline& deadline) {
    const PlanProofs proofs = plan_certificates(document, catalogue, findings, mapped_ ? &*mapped_ : nullptr, deadline);
    if (proofs.text) write_file(options_.certificate, *proofs.text);
    if (!proofs.others) return miss("a search proved this, but no certificate shows that nothing is better");
    const auto& bound = proofs.others->bound;
    if (!bound || findings.wish.aim != PlanAim::period || !findings.lower_bound || *findings.lower_bound <= *bound)
      return;
    const MoneyWords money(prices_of(document), document.platform.currency);
    tell(streams_, fmt::format("the certificate proves that nothing costs less than {}; a search proved the same of {}",
                               money.said(*bound), money.said(*findings.lower_bound)));
  }

  void tell_all(const tpn::Document& document, const plan::Catalogue& catalogue, const PlanFindings& findings) {
    const TimeWords times(document);
    const Rational period = paced_by(findings);
    const PlanWords words{catalogue,
                          times,
                          MoneyWords(prices_of(document), document.platform.currency),
                          RateWords(times, period, written_pace()),
                          plan::freedoms_of(document),
                          file_sizes(document)};
    const bool is_no_answer = !findings.found && !findings.is_undecided && !options_.only_frontier;
    if (is_no_answer) status_ = kNo;
    const std::string file = display_name(options_.file);
    if (findings.frontier && !options_.plot.empty())
      write_file(options_.plot, picture_bytes(plot_svg(frontier_plot(findings, words, file)), options_.plot));
    if (options_.json) {
      print_object(streams_.out, [&](tpn::JsonWriter& json) {
        write_plan(json, findings, words, options_.file, latency_ ? &*latency_ : nullptr);
      });
    } else {
      write_plan(streams_.out, findings, words,
                 {.file = file,
                  .remark = other_model_remark(document, options_.model),
                  .losses = options_.losses,
                  .frontier = options_.frontier,
                  .is_no_answer = is_no_answer});
      if (latency_) {
        fmt::print(streams_.out, "\n  {}\n", latency_sentences(*latency_, findings.wish, *findings.found, words));
      }
    }
  }

  // The period by which rates are told.
  static Rational paced_by(const PlanFindings& findings) {
    if (findings.found) return findings.found->facts.period();
    const bool has_points = findings.frontier && !findings.frontier->points.empty();
    if (findings.wish.aim == PlanAim::none && has_points) return findings.frontier->points.back().period;
    return findings.wish.period;
  }

  int miss_catalogue() {
    miss("the time was up before the times of all types were known: no plan was looked for");
    return status_;
  }

  void miss(const std::string& why) {
    status_ = kLimit;
    tell(streams_, fmt::format("{}: {}", display_name(options_.file), why));
  }

  const PlanOptions& options_;
  Streams& streams_;
  int status_ = kAnswered;
  std::optional<RunningMachines> running_;
  std::optional<LatencyPlan> latency_;   // where a percentile is asked for
  std::optional<tpn::Document> mapped_;  // of the plan, where one is found and it is not too large
};

}  // namespace

Action define_plan(CommandLine& line) {
  auto options = std::make_shared<PlanOptions>();
  line.positional("PROBLEM", options->file,
                  "a problem (JSON) whose platform has machine types, or processors; - is standard input");
  add_plan_options(line, *options);
  line.footer(
      "Examples:\n"
      "  takt plan examples/catalogue.json --rate 200/s --losses --upgrade\n"
      "  takt plan examples/catalogue.json --rate 200/s --model strict -o mapped.json\n"
      "  takt plan examples/catalogue.json --period \"5 ms\" --survive 1 --json\n"
      "  takt plan examples/catalogue.json --rate 200/s --have small=20,large=1\n"
      "  takt plan examples/catalogue.json --rate 300/s --from mapped.json --setup-price 1\n"
      "  takt plan examples/catalogue.json --schedule \"8h 300/s, 16h 50/s\"\n"
      "  takt plan examples/catalogue.json --rate 200/s --within \"99% 70ms\" --law erlang:4");
  return [options](Streams& streams) {
    settle(*options);
    return Planner(*options, streams).plan();
  };
}

}  // namespace takt::tools
