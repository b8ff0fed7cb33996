// Local searches in one order after the other.
#include "heuristics/search/order_search.hpp"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/ordered_problem.hpp"

namespace takt::heuristics {

namespace {

// Rounds in a row, per restart that the search may have, that find nothing better.
constexpr std::uint64_t kRoundsPerRestart = 2;
// Of the moves, or the time left, that a round has; and descents in vain within one.
constexpr std::uint64_t kRoundShare = 40;
constexpr int kTimeShare = 8;
constexpr std::uint64_t kRoundRestarts = 3;

void set_option(Settings& settings, std::string_view name, std::uint64_t value) {
  std::ranges::find(settings.options, name, &OptionSetting::first)->second = Rational(value);
}

}  // namespace

StageOrderSearch::StageOrderSearch(const tpn::ProblemView& problem, const Settings& settings,
                                   std::span<const SearchStart> starts, const Rational& lower_bound)
    : problem_(problem),
      settings_(settings),
      starts_(starts),
      lower_bound_(lower_bound),
      uses_all_time_(settings.uses_all_time && settings.deadline.time()),
      most_moves_(settings.count("moves")),
      engine_(settings.seed),
      best_{starts.front().mapping, starts.front().period},
      order_(starts.front().order),
      progress_{{0, starts.front().period}} {}

void StageOrderSearch::run() {
  std::vector<SearchStart> alike;
  for (const SearchStart& start : starts_)
    if (start.order == starts_.front().order) alike.push_back(start);
  search(order_, alike, most_moves_ / 2, uses_all_time_ ? settings_.deadline.after_part(1, 3) : settings_.deadline,
         true);
  if (!tpn::may_be_reordered(problem_.document().application)) return;
  for (const SearchStart& start : starts_) {
    if (start.order == starts_.front().order || is_over()) continue;
    search(start.order, std::span(&start, 1), most_moves_ / kRoundShare,
           uses_all_time_ ? settings_.deadline.after_part(1, kTimeShare) : settings_.deadline, false);
  }
  const std::uint64_t most_in_vain = settings_.count("restarts") * kRoundsPerRestart;
  for (std::uint64_t in_vain = 0; !is_over() && (uses_all_time_ || in_vain < most_in_vain); ++in_vain) {
    const evaluators::Period before = best_.period;
    round();
    if (best_.period < before) in_vain = 0;
  }
  cut_short_ = cut_short_ || (!uses_all_time_ && evaluators::has_passed(settings_.deadline));
}

bool StageOrderSearch::is_over() const {
  return cannot_improve() || has_tried_all_it_may() || evaluators::has_passed(settings_.deadline);
}

// The best mapping, its stages listed anew.
void StageOrderSearch::round() {
  ++rounds_;
  const OrderedProblem ordered(problem_, order_);
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < best_.mapping.size(); ++i)
    groups.insert(groups.end(), best_.mapping[i].last_stage - best_.mapping[i].first_stage + 1, i);
  const tpn::StageOrder anew =
      tpn::drawn_order(ordered.view().document().application, groups, [this](std::size_t count) {
        return boost::random::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
      });
  SearchStart start{"listed anew", {}, {}};
  tpn::StageOrder order;
  for (std::size_t k = 0; k < anew.size(); ++k) {
    order.push_back(order_ ? (*order_)[anew[k]] : anew[k]);
    const bool begins = k == 0 || groups[anew[k]] != groups[anew[k - 1]];
    if (begins) start.mapping.push_back({k, k, best_.mapping[groups[anew[k]]].processors});
    start.mapping.back().last_stage = k;
  }
  const OrderedProblem next(problem_, order);
  const auto evaluation = evaluators::MappingEvaluator(next.view()).evaluate(start.mapping, *settings_.model);
  ++tried_;
  ++evaluated_;
  if (evaluation.answer != evaluators::MappingAnswer::exact) return;
  start.period = evaluation.lower.rational();
  search(order, std::span(&start, 1), std::max<std::uint64_t>(most_moves_ / kRoundShare, 1),
         uses_all_time_ ? settings_.deadline.after_part(1, kTimeShare) : settings_.deadline, false);
}

void StageOrderSearch::search(const std::optional<tpn::StageOrder>& order, std::span<const SearchStart> starts,
                              std::uint64_t moves, const evaluators::Deadline& deadline, bool is_first) {
  const OrderedProblem ordered(problem_, order);
  Settings settings = settings_;
  settings.deadline = deadline;
  settings.seed = engine_();
  set_option(settings, "moves", moves);
  if (!is_first) {
    settings.uses_all_time = false;
    set_option(settings, "restarts", std::min(kRoundRestarts, settings_.count("restarts")));
  }
  LocalSearch search(ordered.view(), settings, starts, lower_bound_);
  search.run();
  if (is_first) cut_short_ = search.cut_short();
  if (improvements_.columns.empty()) {
    improvements_.title = search.improvements().title;
    improvements_.columns = search.improvements().columns;
  }
  if (search.best().period <= best_.period) {
    if (search.best().period < best_.period) {
      for (const auto& row : search.improvements().rows) improvements_.rows.push_back(row);
      for (const Improvement& one : search.progress()) {
        if (one.period < progress_.back().period) progress_.push_back({tried_ + one.iteration, one.period});
      }
    }
    best_ = search.best();
    order_ = order;
  }
  tried_ += search.tried();
  evaluated_ += search.evaluated();
}

}  // namespace takt::heuristics
