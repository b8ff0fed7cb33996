// Chains judged in scaled integers, the best of them exactly.
#include "heuristics/divided/clique_search.hpp"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "heuristics/common/mapping_words.hpp"
#include "heuristics/divided/mapping.hpp"
#include "maxplus/contract.hpp"

namespace takt::heuristics {

namespace {

std::string names_of(const tpn::Document& problem, const Chain& chain) {
  constexpr std::size_t kMost = 32;
  std::string names;
  for (std::size_t k = 0; k < std::min(chain.size(), kMost); ++k) {
    if (k > 0) names += ' ';
    names += problem.platform.processors[chain[k]].name;
  }
  return chain.size() > kMost ? names + " ..." : names;
}

}  // namespace

std::size_t random_below(Random& random, std::size_t below) {
  return boost::random::uniform_int_distribution<std::size_t>(0, below - 1)(random);
}

void swap_at_random(Chain& chain, Random& random) {
  if (chain.size() < 2) return;
  const std::size_t a = random_below(random, chain.size());
  const std::size_t b = random_below(random, chain.size() - 1);
  std::swap(chain[a], chain[b < a ? b : b + 1]);
}

ScaledPipeline::ScaledPipeline(const DividedPipeline& pipeline, const Rational& epsilon) {
  maxplus::expects(pipeline.work > 0, "a pipeline with some work");
  const Integer most = kMostSpeed;
  const Integer all = speed_of(pipeline, document_chain(pipeline));
  std::int64_t sum = 0;
  for (const Integer& speed : pipeline.speeds) {
    const Integer scaled = all <= most ? speed : Integer(speed * most / all);
    speeds_.push_back(std::max<std::int64_t>(scaled.get_si(), 1));
    sum += speeds_.back();
  }
  work_ = sum * kBound;
  for (const Segment& segment : compact_segments(pipeline)) {
    const Integer start = segment.start * work_ / pipeline.work;
    const Integer end = segment.end * work_ / pipeline.work;
    segments_.push_back({start.get_si(), end.get_si(), segment.divisible});
  }
  const Rational gap = epsilon * kBound;
  gap_ = gap >= kBound ? kBound : std::max<std::int64_t>(gap.floor().get_si(), 1);
  ends_.resize(speeds_.size());
  loads_.resize(speeds_.size());
}

bool ScaledPipeline::possible(const Chain& chain, std::int64_t period) {
  std::int64_t position = 0;
  auto segment = segments_.begin();
  for (std::size_t k = 0; k < chain.size(); ++k) {
    std::int64_t end = position + period * speeds_[chain[k]];
    while (segment != segments_.end() && end >= segment->end) ++segment;
    if (segment == segments_.end()) {
      std::fill(ends_.begin() + static_cast<std::ptrdiff_t>(k), ends_.end(), work_);
      return true;
    }
    if (!segment->divisible && end > segment->start) end = segment->start;
    ends_[k] = position = end;
  }
  return false;
}

std::int64_t ScaledPipeline::approximate(const Chain& chain) {
  std::int64_t found = kBound;
  if (!possible(chain, found)) {
    std::int64_t failed = found;
    do {
      failed = found;
      found *= 2;
    } while (!possible(chain, found));
    bool last_possible = true;
    while (found - failed > gap_) {
      const std::int64_t middle = failed + (found - failed) / 2;
      last_possible = possible(chain, middle);
      (last_possible ? found : failed) = middle;
    }
    if (!last_possible) possible(chain, found);
  }
  std::int64_t period = 0;
  std::int64_t position = 0;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const std::int64_t speed = speeds_[chain[k]];
    loads_[k] = ends_[k] - position;
    position = ends_[k];
    period = std::max(period, (loads_[k] + speed - 1) / speed);
  }
  return period;
}

ChainTrials::ChainTrials(const tpn::Document& problem, const DividedPipeline& pipeline, const Settings& settings,
                         Log& log)
    : problem_(problem),
      pipeline_(pipeline),
      settings_(settings),
      log_(log),
      scaled_(pipeline, settings.number("epsilon")),
      unit_(Rational::fraction(pipeline.work, speed_of(pipeline, document_chain(pipeline))) * pipeline.unit /
            scaled_.bound()),
      iterations_(settings.count("iterations")),
      all_alike_(std::ranges::all_of(pipeline.speeds, [&](const Integer& s) { return s == pipeline.speeds.front(); })),
      first_(document_chain(pipeline)),
      improvements_{"Improvements", {"iteration", "period", "chain"}, {}} {
  first_period_ = try_chain(first_);
}

bool ChainTrials::go_on() {
  const std::int64_t enough = scaled_.bound() + 16;  // nearer than the scaled numbers can tell
  if (all_alike_ || iteration_ >= iterations_ || best_ <= enough) return false;
  cut_short_ = evaluators::has_passed(settings_.deadline);
  return !cut_short_;
}

std::int64_t ChainTrials::judge(const Chain& chain) {
  const std::int64_t period = scaled_.approximate(chain);
  if (!best_period_ || period < best_) {
    best_ = period;
    look_exactly(chain);
    improvements_.rows.push_back(
        {std::to_string(iteration_), time_in_words(problem_, unit_ * period), names_of(problem_, chain)});
  }
  return period;
}

void ChainTrials::look_exactly(const Chain& chain) {
  auto least = least_period(pipeline_, chain);
  if (best_period_ && least->period >= best_period_->period) return;
  best_period_ = std::move(least);
  best_chain_ = chain;
  log_.improvements.push_back({iteration_, best_period_->period * pipeline_.unit});
}

std::int64_t ChainTrials::try_chain(const Chain& chain) {
  ++iteration_;
  return judge(chain);
}

void ChainTrials::try_better(const Chain& chain) {
  ++iteration_;
  if (scaled_.possible(chain, best_ - 1)) judge(chain);
}

Result search_chains(const tpn::ProblemView& problem, const Settings& settings, Log& log,
                     const std::function<void(ChainTrials&, Random&)>& strategy) {
  const auto read = pipeline_of(problem, log);
  if (const auto* infeasible = std::get_if<Infeasible>(&read)) return *infeasible;
  const auto& pipeline = std::get<DividedPipeline>(read);
  if (pipeline.work == 0) {
    const Chain chain = document_chain(pipeline);
    return map_division(problem, pipeline, divide(pipeline, chain, least_period(pipeline, chain)->ends), settings, log);
  }
  ChainTrials trials(problem.document(), pipeline, settings, log);
  Random random(settings.seed);
  strategy(trials, random);
  log.tables.push_back(std::move(trials.improvements()));
  const Division division = divide(pipeline, trials.best_chain(), trials.best_period().ends);
  Proposal proposal = map_division(problem, pipeline, division, settings, log);
  proposal.cut_short = proposal.cut_short || trials.cut_short();
  return proposal;
}

Heuristic search_heuristic(std::string_view name, std::string_view summary, std::string_view cost, MapFunction* map) {
  const Option iterations = {.name = "iterations",
                             .help = "number of chains to try",
                             .standard = Rational(2000),
                             .bound = tpn::json::Bound::positive_whole,
                             .most = kMostIterations};
  return {.name = name,
          .summary = summary,
          .mapping_class = MappingClass::divided,
          .model = tpn::Model::kOverlap,
          .takes = {.workflows = true, .shared_resources = true, .several_ends = true, .segments = true, .rates = true},
          .communication = "free, or hidden behind computation",
          .optimality = "none; never worse than chain-dp, but for rounded fractions",
          .cost = cost,
          .source = "li2013data, Section V",
          .options = {iterations, epsilon_option(), granularity_option()},
          .map = map};
}

}  // namespace takt::heuristics
