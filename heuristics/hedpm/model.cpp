// Means over rows and matrices are kept as sums; times are exact.
#include "heuristics/hedpm/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heuristics/common/amounts.hpp"
#include "maxplus/contract.hpp"
#include "tpn/ends.hpp"

namespace takt::heuristics::dynamic_mapping {

using tpn::LinearTime;

namespace {

// Processors up to which the inverses of their times are added up exactly, and bits of each if there are more.
constexpr std::size_t kExactInverses = 64;
constexpr std::size_t kInverseBits = 128;

// The best latency and the best bandwidth among links, each for itself.
class BestLink {
 public:
  void see(const LinearTime& link) {
    if (!best_) {
      best_ = link;
      return;
    }
    best_->fixed = std::min(best_->fixed, link.fixed);
    if (link.per_unit) {
      best_->per_unit = best_->per_unit ? std::min(*best_->per_unit, *link.per_unit) : *link.per_unit;
    }
  }
  const std::optional<LinearTime>& best() const { return best_; }

 private:
  std::optional<LinearTime> best_;
};

// The link with node 0, no better than the processor's best with another processor.
LinearTime no_better_than(LinearTime link, const std::optional<LinearTime>& best) {
  if (!best) return link;
  link.fixed = std::max(link.fixed, best->fixed);
  if (link.per_unit && best->per_unit) link.per_unit = std::max(*link.per_unit, *best->per_unit);
  return link;
}

}  // namespace

void LinkSums::add(const LinearTime& link) {
  latency += link.fixed;
  ++links;
  // A link that takes no time for any byte has no bandwidth, nor any part in their mean.
  if (!link.per_unit || link.per_unit->sign() == 0) return;
  bandwidth += Rational(1) / *link.per_unit;
  ++with_bandwidth;
}

void LinkSums::add(const LinearTime& link, std::size_t count) {
  LinkSums one;
  one.add(link);
  latency += one.latency * Rational(count);
  bandwidth += one.bandwidth * Rational(count);
  links += count;
  with_bandwidth += one.with_bandwidth * count;
}

void LinkSums::add(const LinkSums& other) {
  latency += other.latency;
  bandwidth += other.bandwidth;
  links += other.links;
  with_bandwidth += other.with_bandwidth;
}

void LinkSums::remove(const LinkSums& other) {
  latency -= other.latency;
  bandwidth -= other.bandwidth;
  links -= other.links;
  with_bandwidth -= other.with_bandwidth;
}

std::optional<LinearTime> LinkSums::mean() const {
  if (links == 0) return std::nullopt;
  LinearTime mean{latency / Rational(links), std::nullopt};
  if (with_bandwidth > 0) {
    const Rational share = Rational(with_bandwidth) / Rational(links);
    mean.per_unit = share * Rational(with_bandwidth) / bandwidth;
  }
  return mean;
}

void ProcessorSums::add(const LinearTime& processor) {
  ++processors;
  fixed += processor.fixed;
  if (!processor.per_unit) return;
  per_unit += *processor.per_unit;
  if (processor.fixed.sign() != 0) return;  // an average of speeds and fixed times has no speed
  speed += Rational(1) / *processor.per_unit;
  ++with_speed;
}

void ProcessorSums::remove(const LinearTime& processor) {
  --processors;
  fixed -= processor.fixed;
  if (!processor.per_unit) return;
  per_unit -= *processor.per_unit;
  if (processor.fixed.sign() != 0) return;
  speed -= Rational(1) / *processor.per_unit;
  --with_speed;
}

LinearTime ProcessorSums::mean() const {
  maxplus::expects(processors > 0, "a mean is over at least one processor");
  const Rational count(processors);
  if (with_speed == processors) return {0, count / speed};
  if (per_unit.sign() == 0) return {fixed / count, std::nullopt};
  return {fixed / count, per_unit / count};
}

void Matches::add(tpn::Part part) {
  for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) part_of_[k] = parts_.size();
  parts_.push_back(std::move(part));
}

tpn::Mapping Matches::mapping() const {
  tpn::Mapping mapping = parts_;
  std::ranges::sort(mapping, {}, &tpn::Part::first_stage);
  return mapping;
}

// Adds up the rows of the matrices: links between processors, then node 0 and the diagonal, which follow from them.
class CostModel::MeansBuilder {
 public:
  explicit MeansBuilder(CostModel& model)
      : model_(model), count_(model.processors_.size()), ins_(count_), outs_(count_) {
    for (auto* rows : {&model.incoming_, &model.outgoing_, &model.world_, &model.diagonal_}) rows->assign(count_, {});
    model.all_ = {};
    model.missing_ = 0;
  }

  void build() {
    add_named_links();
    add_other_links();
    for (const std::size_t p : model_.all_processors_) {
      model_.all_.add(model_.outgoing_[p]);
      add_world_and_diagonal(p);
    }
    if (best_of_world_.best()) model_.all_.add(*best_of_world_.best());
  }

 private:
  // Those that the platform lists.
  void add_named_links() {
    for (const tpn::NamedLink& named : model_.timing_.named_links()) {
      const auto here = model_.timing_.link(named);
      if (!here) {
        ++model_.missing_;
        continue;
      }
      const LinearTime& seen = model_.mean_link_ ? *model_.mean_link_ : *here;
      LinkSums one;
      one.add(seen);
      model_.outgoing_[named.from].add(one);
      outs_[named.from].see(seen);
      model_.incoming_[named.to].add(one);
      ins_[named.to].see(seen);
    }
  }

  // Of a processor to those of each class, and from them.
  void add_other_links() {
    const tpn::OtherLinks& others = model_.timing_.other_links();
    const auto class_of = [&](std::size_t p) { return others.class_of.empty() ? 0 : others.class_of[p]; };
    std::vector<std::size_t> sizes(others.classes);
    for (const std::size_t p : model_.all_processors_) ++sizes[class_of(p)];
    const std::span named = model_.timing_.named_links();
    std::vector<std::vector<std::size_t>> named_to(count_);  // the classes of its named partners
    std::vector<std::vector<std::size_t>> named_from(count_);
    for (const tpn::NamedLink& link : named) {
      named_to[link.from].push_back(class_of(link.to));
      named_from[link.to].push_back(class_of(link.from));
    }
    for (const std::size_t p : model_.all_processors_) {
      std::vector<std::size_t> to = sizes;
      std::vector<std::size_t> from = sizes;
      for (auto* counts : {&to, &from}) --(*counts)[class_of(p)];
      for (const std::size_t c : named_to[p]) --to[c];
      for (const std::size_t c : named_from[p]) --from[c];
      for (std::size_t c = 0; c < others.classes; ++c) {
        const auto& out = others.kinds[others.kind_of[class_of(p) * others.classes + c]].link;
        const auto& in = others.kinds[others.kind_of[c * others.classes + class_of(p)]].link;
        if (!out) model_.missing_ += to[c];
        add_alike(out, to[c], model_.outgoing_[p], outs_[p]);
        add_alike(in, from[c], model_.incoming_[p], ins_[p]);
      }
    }
  }

  void add_alike(const std::optional<LinearTime>& link, std::size_t count, LinkSums& row, BestLink& best) const {
    if (count == 0 || !link) return;
    const LinearTime& seen = model_.mean_link_ ? *model_.mean_link_ : *link;
    row.add(seen, count);
    best.see(seen);
  }

  void add_world_and_diagonal(std::size_t p) {
    BestLink own;
    for (const BestLink* const best : {&ins_[p], &outs_[p]}) {
      if (best->best()) own.see(*best->best());
    }
    if (model_.has_source()) enter_world(p, model_.source_link(p), ins_[p], model_.incoming_[p], own);
    if (model_.has_sink()) enter_world(p, model_.sink_link(p), outs_[p], model_.outgoing_[p], own);
    if (own.best()) {
      model_.diagonal_[p].add(*own.best());
      model_.incoming_[p].add(model_.diagonal_[p]);
      model_.outgoing_[p].add(model_.diagonal_[p]);
    }
    model_.all_.add(model_.world_[p]);
    model_.all_.add(model_.diagonal_[p]);
  }

  void enter_world(std::size_t p, const std::optional<LinearTime>& link, const BestLink& best, LinkSums& row,
                   BestLink& own) {
    if (!link) {
      ++model_.missing_;
      return;
    }
    const LinearTime entry = no_better_than(*link, best.best());
    if (entry != *link) ++model_.capped_;
    row.add(entry);
    model_.world_[p].add(entry);
    own.see(entry);
    best_of_world_.see(entry);
  }

  CostModel& model_;
  std::size_t count_;
  // The best links of each processor with others.
  std::vector<BestLink> ins_;
  std::vector<BestLink> outs_;
  BestLink best_of_world_;
};

CostModel::CostModel(const tpn::ProblemView& problem, View view)
    : problem_(problem.document()), timing_(problem.timing()), times_(problem) {
  for (std::size_t p = 0; p < problem_.platform.processors.size(); ++p) {
    processors_.push_back(times_.linear(p));
    all_processors_.push_back(p);
  }
  require_amounts(problem);
  const auto& stages = problem_.application.stages;
  files_.push_back(problem_.application.input.value_or(0));
  for (std::size_t k = 0; k < stages.size(); ++k) {
    works_.push_back(stages[k].work.value_or(0) * timing_.gain(k));
    files_.push_back(stages[k].output.value_or(0) * timing_.gain(k));
  }
  MeansBuilder(*this).build();
  if (view == View::averaged) average();
}

Rational CostModel::computation(std::size_t first, std::size_t last, std::size_t p) const {
  if (times_.are_by_work()) return processors_[p].of(times_.work_before(last + 1) - times_.work_before(first));
  return processors_[p].fixed + computation_before(last + 1, p) - computation_before(first, p);
}

Rational CostModel::computation_before(std::size_t stage, std::size_t p) const {
  if (times_.are_by_work()) return processors_[p].per_unit.value_or(0) * times_.work_before(stage);
  return mean_before_.empty() ? times_.before(stage, p) : mean_before_[stage];
}

// Every processor takes what the average one does: what is fixed, and stage by stage what is not.
void CostModel::average_own_times() {
  const AverageProcessor mean(*this, all_processors_);
  Rational fixed;
  for (const std::size_t p : all_processors_) fixed += processors_[p].fixed;
  fixed /= Rational(processors_.size());
  std::vector<Rational> before{Rational()};
  for (std::size_t k = 0; k < stages(); ++k) before.push_back(before.back() + mean.time(k) - fixed);
  const auto differs = [&](std::size_t p) {
    if (fixed != processors_[p].fixed) return true;
    for (std::size_t k = 1; k <= stages(); ++k)
      if (before[k] != times_.before(k, p)) return true;
    return false;
  };
  is_unequal_ = std::ranges::any_of(all_processors_, differs);
  mean_before_ = std::move(before);
  processors_.assign(processors_.size(), LinearTime{fixed, std::nullopt});
}

void CostModel::average() {
  ProcessorSums sums;
  for (const std::size_t p : all_processors_) sums.add(processors_[p]);
  if (is_by_work()) {
    const LinearTime mean = sums.mean();
    is_unequal_ = std::ranges::any_of(processors_, [&](const LinearTime& time) { return time != mean; });
    processors_.assign(processors_.size(), mean);
  } else {
    average_own_times();
  }
  const auto mean_link = all_.mean();
  const auto differs = [&](const std::optional<LinearTime>& link) { return link && *link != *mean_link; };
  is_unequal_ =
      is_unequal_ ||
      std::ranges::any_of(timing_.other_links().kinds,
                          [&](const tpn::OtherLinks::Kind& kind) { return kind.pairs > 0 && differs(kind.link); }) ||
      std::ranges::any_of(timing_.named_links(),
                          [&](const tpn::NamedLink& link) { return differs(timing_.link(link)); });
  mean_link_ = mean_link;
  MeansBuilder(*this).build();
}

std::vector<std::string> CostModel::notes() const {
  std::vector<std::string> notes;
  if (!has_source() || !has_sink()) {
    notes.push_back(fmt::format("The platform has no {}, so that the transfer there costs nothing.",
                                has_source() ? "sink"
                                : has_sink() ? "source"
                                             : "source and no sink"));
  }
  if (!is_by_work()) {
    notes.emplace_back("Stages have times of their own: the mean of processors is, stage by stage, one of these.");
  } else if (std::ranges::any_of(all_processors_, [&](std::size_t p) { return !processors_[p].per_unit; })) {
    notes.emplace_back("Some processors have a fixed time: where they count, the mean is one of times, not of speeds.");
  }
  if (all_.links > all_.with_bandwidth) {
    notes.emplace_back("Some links have a fixed time, which counts as a latency in the means.");
  }
  if (missing_ > 0) {
    notes.push_back(fmt::format("{} links are missing; the means are over those that exist.", missing_));
  }
  if (capped_ > 0) {
    notes.push_back(
        fmt::format("{} links with source or sink are better than any other link of their processor; the "
                    "means take them for such a link.",
                    capped_));
  }
  if (is_unequal_) {
    notes.emplace_back(
        "Processors or links are unequal; the mapping and its prediction are those of the average ones.");
  }
  return notes;
}

std::optional<LinearTime> CostModel::link(std::size_t from, std::size_t to) const {
  if (!mean_link_) return timing_.link(from, to);
  return timing_.has_link(from, to) ? mean_link_ : std::nullopt;
}

// Of several that take turns the first one's link stands for all: who is linked with each of them is what counts, for
// a chain to start from.
std::optional<LinearTime> CostModel::source_link(std::size_t p) const {
  for (std::size_t k = 1; k < tpn::count_of(problem_.platform.source); ++k)
    if (!timing_.source_link(p, k)) return std::nullopt;
  auto link = timing_.source_link(p);
  return link && mean_link_ ? mean_link_ : link;
}

std::optional<LinearTime> CostModel::sink_link(std::size_t p) const {
  for (std::size_t k = 1; k < tpn::count_of(problem_.platform.sink); ++k)
    if (!timing_.sink_link(p, k)) return std::nullopt;
  auto link = timing_.sink_link(p);
  return link && mean_link_ ? mean_link_ : link;
}

LinkSums CostModel::entries(std::size_t p, std::span<const std::size_t> others) const {
  LinkSums sums = world_[p];
  sums.add(diagonal_[p]);
  if (mean_link_) {
    std::size_t count = 0;
    for (const std::size_t q : others) {
      if (q != p) count += (timing_.has_link(q, p) ? 1U : 0U) + (timing_.has_link(p, q) ? 1U : 0U);
    }
    if (count > 0) sums.add(*mean_link_, count);
    return sums;
  }
  for (const std::size_t q : others) {
    if (q == p) continue;
    if (const auto in = timing_.link(q, p)) sums.add(*in);
    if (const auto out = timing_.link(p, q)) sums.add(*out);
  }
  return sums;
}

std::optional<Rational> CostModel::reception(std::size_t first, std::size_t p, const Matches& matches) const {
  std::optional<LinearTime> here;
  if (first == 0) {
    if (!has_source()) return Rational();
    here = source_link(p);
  } else if (matches.holds(first - 1)) {
    LinkSums sums;
    for (const std::size_t q : matches.processors(first - 1)) {
      const auto in = link(q, p);
      if (!in) return std::nullopt;
      sums.add(*in);
    }
    here = sums.mean();
  } else {
    here = incoming_[p].mean();
  }
  if (!here) return std::nullopt;
  return here->of(files_[first]);
}

std::optional<Rational> CostModel::sending(std::size_t last, std::size_t p, const Matches& matches) const {
  std::optional<LinearTime> here;
  if (last + 1 == stages()) {
    if (!has_sink()) return Rational();
    here = sink_link(p);
  } else if (matches.holds(last + 1)) {
    LinkSums sums;
    for (const std::size_t q : matches.processors(last + 1)) {
      const auto out = link(p, q);
      if (!out) return std::nullopt;
      sums.add(*out);
    }
    here = sums.mean();
  } else {
    here = outgoing_[p].mean();
  }
  if (!here) return std::nullopt;
  return here->of(files_[last + 1]);
}

std::optional<Rational> CostModel::execution_time(std::size_t first, std::size_t last, std::size_t p,
                                                  const Matches& matches) const {
  const auto in = reception(first, p, matches);
  const auto out = sending(last, p, matches);
  if (!in || !out) return std::nullopt;
  return *in + computation(first, last, p) + *out;
}

std::optional<Rational> CostModel::execution_time_beside(std::size_t stage, std::size_t p,
                                                         std::span<const std::size_t> others,
                                                         const Matches& matches) const {
  auto in = reception(stage, p, matches);
  auto out = sending(stage, p, matches);
  if (!in || !out) return std::nullopt;
  LinkSums sums;
  for (const std::size_t q : others) {
    const auto there = link(p, q);
    if (q != p && there) sums.add(*there);
  }
  if (const auto beside = sums.mean()) {
    if (stage + 1 < stages()) {
      out = beside->of(files_[stage + 1]);
    } else if (stage > 0) {
      in = beside->of(files_[stage]);
    }
  }
  return *in + computation(stage, stage, p) + *out;
}

std::optional<Rational> CostModel::production_time(const tpn::Mapping& mapping) const {
  Matches matches(stages());
  for (const tpn::Part& part : mapping) matches.add(part);
  Rational production;
  for (const tpn::Part& part : mapping) {
    Rational largest;
    for (const std::size_t p : part.processors) {
      const auto time = execution_time(part.first_stage, part.last_stage, p, matches);
      if (!time) return std::nullopt;
      largest = std::max(largest, *time);
    }
    production = std::max(production, largest / Rational(part.processors.size()));
  }
  return production;
}

AverageProcessor::AverageProcessor(const CostModel& model, std::span<const std::size_t> processors)
    : model_(model), is_short_(processors.size() <= kExactInverses) {
  if (!model.is_by_work()) stages_.resize(model.stages());
  for (const std::size_t p : processors) {
    sums_.add(model.processor(p));
    if (model.fixed(p).sign() != 0) ++with_fixed_;
    for (std::size_t k = 0; k < stages_.size(); ++k) {
      const Rational time = own_time(k, p);
      stages_[k].times += time;
      if (time.sign() == 0) ++stages_[k].zeros;
      if (time.sign() > 0) stages_[k].inverses += inverse(time);
    }
  }
}

void AverageProcessor::remove(std::size_t p) {
  sums_.remove(model_.processor(p));
  if (model_.fixed(p).sign() != 0) --with_fixed_;
  for (std::size_t k = 0; k < stages_.size(); ++k) {
    const Rational time = own_time(k, p);
    stages_[k].times -= time;
    if (time.sign() == 0) --stages_[k].zeros;
    if (time.sign() > 0) stages_[k].inverses -= inverse(time);
  }
}

Rational AverageProcessor::own_time(std::size_t stage, std::size_t p) const {
  return model_.computation_before(stage + 1, p) - model_.computation_before(stage, p);
}

// A sum of many fractions has a denominator of many digits; of those that are multiples of 2^-k it has not.
Rational AverageProcessor::inverse(const Rational& time) const {
  Rational exact = Rational(1) / time;
  if (is_short_) return exact;
  const auto above = mpz_sizeinbase(exact.numerator().get_mpz_t(), 2);
  const auto below = mpz_sizeinbase(exact.denominator().get_mpz_t(), 2);
  const mp_bitcnt_t shift = kInverseBits + (below > above ? below - above : 0);
  const maxplus::Integer scaled = (exact.numerator() << shift) / exact.denominator();
  return Rational::fraction(scaled, maxplus::Integer(1) << shift);
}

Rational AverageProcessor::growing(std::size_t stage) const {
  const Rational count(sums_.processors);
  const StageSums& sums = stages_[stage];
  if (with_fixed_ > 0 || sums.zeros > 0) return sums.times / count;
  return count / sums.inverses;
}

Rational AverageProcessor::time(std::size_t stage) const {
  if (model_.is_by_work()) return sums_.mean().of(model_.work(stage));
  return sums_.fixed / Rational(sums_.processors) + growing(stage);
}

Rational AverageProcessor::mean_time(std::span<const std::size_t> stages) const {
  const Rational count(stages.size());
  Rational sum;
  if (model_.is_by_work()) {
    for (const std::size_t k : stages) sum += model_.work(k);
    return sums_.mean().of(sum / count);
  }
  for (const std::size_t k : stages) sum += growing(k);
  return sums_.fixed / Rational(sums_.processors) + sum / count;
}

}  // namespace takt::heuristics::dynamic_mapping
