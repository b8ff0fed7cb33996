// One chain of all pipelines, and its plan taken apart.
#include "tools/plan/stock_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plan/bounds.hpp"
#include "plan/counted/counted.hpp"
#include "plan/shared_stock.hpp"
#include "tools/frame/options.hpp"
#include "tools/frame/rates.hpp"
#include "tools/plan/plan_options.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

void refuse_difference(const plan::MachineType& type, const char* what, const std::string& one,
                       const std::string& other) {
  throw FileError(fmt::format("--beside: {} and {} have different {} of {}; a type must be the same in both", one,
                              other, what, printable(type.name)));
}

// The types of all files, alike where several have them.
std::vector<plan::MachineType> types_of_all(const std::vector<StockPipeline>& pipelines,
                                            const std::vector<plan::Catalogue>& catalogues) {
  std::vector<plan::MachineType> types;
  std::vector<std::string> files;
  for (std::size_t k = 0; k < catalogues.size(); ++k) {
    for (const plan::MachineType& type : catalogues[k].types) {
      const auto known = std::ranges::find(types, type.name, &plan::MachineType::name);
      if (known == types.end()) {
        types.push_back(type);
        files.push_back(pipelines[k].file);
        continue;
      }
      const std::string& file = files[static_cast<std::size_t>(known - types.begin())];
      if (known->price != type.price) refuse_difference(type, "prices", file, pipelines[k].file);
      if (known->cores != type.cores) refuse_difference(type, "numbers of cores", file, pipelines[k].file);
      if (known->ports != type.ports) refuse_difference(type, "numbers of ports", file, pipelines[k].file);
      if (known->memory != type.memory) refuse_difference(type, "sizes of memory", file, pipelines[k].file);
      if (known->count != type.count) refuse_difference(type, "counts", file, pipelines[k].file);
    }
  }
  return types;
}

void require_free_times(const plan::Catalogue& catalogue, const std::string& file) {
  for (const plan::MachineType& type : catalogue.types) {
    if (type.fixed_time)
      throw FileError(
          fmt::format("--beside does not go with {}: its type {} has a fixed \"time\"", file, printable(type.name)));
  }
}

// One currency, and quotas of the first file alone: others would say something else of the same machines.
void require_one_set_of_quotas(const std::vector<StockPipeline>& pipelines, std::size_t types) {
  const tpn::Platform& first = pipelines.front().document.platform;
  const auto counts_all = [](const tpn::Quota& quota) { return quota.types.empty(); };
  if (types > first.types.size() && std::ranges::any_of(first.quotas, counts_all)) {
    throw FileError(fmt::format("--beside: a quota of {} counts all types, but other files have more types",
                                pipelines.front().file));
  }
  for (std::size_t k = 1; k < pipelines.size(); ++k) {
    const tpn::Platform& other = pipelines[k].document.platform;
    if (other.currency != first.currency) {
      throw FileError(fmt::format("--beside: {} and {} have different currencies, \"{}\" and \"{}\"",
                                  pipelines.front().file, pipelines[k].file, printable(first.currency),
                                  printable(other.currency)));
    }
    if (!other.quotas.empty())
      throw UsageError(fmt::format("--beside: {} has quotas; only {} may have them, and they hold for all",
                                   pipelines[k].file, pipelines.front().file));
  }
}

}  // namespace

std::pair<std::string, std::string> file_and_rate(const std::string& text) {
  const std::string words(trimmed(text));
  const std::size_t gap = words.rfind(' ');
  if (gap == std::string::npos || !read_rate(words.substr(gap + 1))) {
    throw UsageError(
        fmt::format("--beside: found \"{}\", expected a file and a rate, as in \"other.json 50/s\"", printable(text)));
  }
  return {std::string(trimmed(std::string_view(words).substr(0, gap))), words.substr(gap + 1)};
}

PlanWish StockFindings::wish_of(std::size_t pipeline) const {
  PlanWish own = wish;
  own.aim = PlanAim::period;
  own.period = pipelines[pipeline].period;
  return own;
}

std::vector<std::uint64_t> StockFindings::machines_by_type() const {
  std::vector<std::uint64_t> machines(catalogues.front().types.size());
  for (const FoundPlan& plan : plans) {
    for (std::size_t t = 0; t < machines.size(); ++t) machines[t] += plan.facts.machines_by_type()[t];
  }
  return machines;
}

namespace {

// What the plans cost that each pipeline would have by itself; findings have which of them is impossible.
Rational cost_apart(StockFindings& findings, const evaluators::Deadline& deadline) {
  Rational apart;
  for (std::size_t k = 0; k < findings.catalogues.size(); ++k) {
    plan::Catalogue alone = findings.catalogues[k];
    if (k > 0) alone.quotas = findings.catalogues.front().quotas;
    PlanQuestions questions;
    questions.deadline = deadline;
    PlanFindings found = find_plan(alone, findings.wish_of(k), questions);
    if (found.is_cut_short) findings.is_cut_short = true;
    if (found.found) {
      apart += found.found->facts.cost();
    } else if (!found.is_undecided && !findings.impossible) {
      findings.impossible = k;
      findings.alone = std::move(found);
    }
  }
  return apart;
}

// False if the time is over.
bool read_catalogues(StockFindings& findings, const evaluators::Deadline& deadline) {
  for (const StockPipeline& pipeline : findings.pipelines) {
    auto read = plan::catalogue_within(pipeline.document, deadline);
    if (!read) return false;
    require_free_times(*read, pipeline.file);
    findings.catalogues.push_back(*std::move(read));
  }
  return true;
}

}  // namespace

StockFindings find_stock_plans(std::vector<StockPipeline> pipelines, const PlanWish& wish,
                               const std::optional<std::string>& counts, const evaluators::Deadline& deadline) {
  StockFindings findings;
  findings.wish = wish;
  findings.pipelines = std::move(pipelines);
  std::vector<plan::Catalogue>& catalogues = findings.catalogues;
  if (!read_catalogues(findings, deadline)) {
    findings.is_cut_short = true;
    return findings;
  }
  const std::vector<plan::MachineType> types = types_of_all(findings.pipelines, catalogues);
  require_one_set_of_quotas(findings.pipelines, types.size());
  std::vector<Rational> periods;
  for (std::size_t k = 0; k < catalogues.size(); ++k) {
    catalogues[k] = plan::with_all_types(catalogues[k], types);
    if (counts) set_counts(*counts, catalogues[k]);
    periods.push_back(findings.wish_of(k).planned_period());
  }
  for (tpn::QuotaUses& quota : catalogues.front().quotas) quota.uses.resize(types.size());
  const plan::SharedStock stock = plan::share_stock(catalogues, periods);
  plan::CountedQuery query{wish.query(stock.period), std::nullopt, deadline};
  query.has_potentials = false;
  const plan::CountedAnswer answer = plan::solve_within(stock.catalogue, query);
  findings.is_cut_short = answer.cut_short;
  findings.lower_bound = answer.lower_bound;
  findings.any_bound = plan::cost_bound(stock.catalogue, wish.model, stock.period);
  const Rational apart = cost_apart(findings, deadline);
  if (!answer.plan) return findings;
  std::vector<plan::TypedPlan> plans = plan::plans_of_each(stock, *answer.plan);
  for (std::size_t k = 0; k < plans.size(); ++k) {
    findings.plans.push_back(found_plan(catalogues[k], findings.wish_of(k), std::move(plans[k])));
    findings.cost += findings.plans.back().facts.cost();
  }
  findings.lower_bound = std::max(findings.lower_bound, findings.any_bound);
  if (apart < findings.cost && !findings.is_cut_short) findings.apart_cost = apart;
  return findings;
}

FoundPlan plan_by_own_types(const StockFindings& findings, std::size_t pipeline, const plan::Catalogue& catalogue) {
  plan::TypedPlan parts = findings.plans[pipeline].parts;
  for (plan::TypedPart& part : parts) {
    const std::string& name = findings.catalogues[pipeline].types[part.type].name;
    part.type = static_cast<std::size_t>(std::ranges::find(catalogue.types, name, &plan::MachineType::name) -
                                         catalogue.types.begin());
  }
  return found_plan(catalogue, findings.wish_of(pipeline), std::move(parts));
}

std::string numbered_name(const std::string& path, std::size_t pipeline) {
  if (pipeline == 0) return path;
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1) && dot > 0;
  const std::size_t end = has_ending ? dot : path.size();
  return fmt::format("{}-{}{}", path.substr(0, end), pipeline + 1, path.substr(end));
}

}  // namespace takt::tools
