// Candidates, then the shortest circuit through them.
#include "tools/plan/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plan/bounds.hpp"
#include "plan/counted/counted.hpp"
#include "tools/frame/options.hpp"
#include "tools/frame/rates.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

SchedulePhase read_phase(const std::string& text, const tpn::Document& document) {
  const std::string phase(trimmed(text));
  // "8 h 120/s" as well: the rate is the last word.
  const std::size_t gap = phase.rfind(' ');
  if (gap == std::string::npos)
    throw UsageError(fmt::format("--schedule: found \"{}\", expected {}", printable(phase), kScheduleForm));
  const std::string duration(trimmed(std::string_view(phase).substr(0, gap)));
  const std::string rate = phase.substr(gap + 1);
  for (const auto& [wrong, what] :
       {std::pair(positive_time()(duration), "duration"), std::pair(positive_rate()(rate), "rate")}) {
    if (!wrong.empty()) throw UsageError(fmt::format("--schedule: {} of a phase: {}", what, wrong));
  }
  const Rational hour = document.time_unit == tpn::TimeUnit::second ? 3600 : 1;
  return {duration, read_time("--schedule", duration, document) / hour, period_of_rate("--schedule", rate, document)};
}

// What a choice costs: money first, then machines that are set up.
struct ScheduleCost {
  Rational money;
  std::uint64_t set_up = 0;

  friend auto operator<=>(const ScheduleCost&, const ScheduleCost&) = default;
  friend ScheduleCost operator+(const ScheduleCost& a, const ScheduleCost& b) {
    return {a.money + b.money, a.set_up + b.set_up};
  }
};

class ScheduleSearch {
 public:
  ScheduleSearch(const plan::Catalogue& catalogue, const PlanWish& wish, std::vector<SchedulePhase> phases,
                 const std::optional<Rational>& setup, const evaluators::Deadline& deadline)
      : catalogue_(catalogue), deadline_(deadline), setup_(setup.value_or(0)) {
    findings_.wish = wish;
    findings_.phases = std::move(phases);
    findings_.setup = setup;
  }

  ScheduleFindings find() {
    for (const SchedulePhase& phase : findings_.phases) findings_.duration += phase.duration;
    if (!find_cheapest()) return std::move(findings_);
    choose();
    for (int round = 0; round < kRounds && setup_.sign() > 0 && improve(); ++round) {
    }
    tell();
    return std::move(findings_);
  }

 private:
  static constexpr int kRounds = 8;
  static constexpr std::size_t kMostServing = 12;

  const std::vector<SchedulePhase>& phases() const { return findings_.phases; }
  std::size_t before(std::size_t k) const { return (k + phases().size() - 1) % phases().size(); }
  std::size_t after(std::size_t k) const { return (k + 1) % phases().size(); }

  PlanWish wish_of(std::size_t k) const {
    PlanWish wish = findings_.wish;
    wish.aim = PlanAim::period;
    wish.period = phases()[k].period;
    return wish;
  }

  plan::CountedAnswer solve(const PlanWish& wish, const plan::TypedPlan* running, const Rational& duration) {
    plan::CountedQuery asked{wish.query(wish.planned_period()), wish.latency, deadline_};
    asked.has_potentials = false;
    if (running != nullptr) {
      asked.query.running = *running;
      asked.query.setup = setup_;
      for (const plan::MachineType& type : catalogue_.types) asked.query.weights.push_back(type.price * duration);
    }
    plan::CountedAnswer answer = plan::solve_within(catalogue_, asked);
    if (answer.cut_short) findings_.is_cut_short = true;
    return answer;
  }

  // Of each phase the cheapest plan, which is a candidate; false if there is none.
  bool find_cheapest() {
    for (std::size_t k = 0; k < phases().size(); ++k) {
      const plan::CountedAnswer answer = solve(wish_of(k), nullptr, 1);
      if (!answer.plan) {
        if (!answer.cut_short) findings_.impossible = k;
        return false;
      }
      findings_.lower_bound += phases()[k].duration * answer.lower_bound;
      const PlanWish wish = wish_of(k);
      findings_.any_bound += phases()[k].duration * plan::cost_bound(catalogue_, wish.model, wish.planned_period());
      add(*answer.plan);
      chosen_.push_back(index_of(*answer.plan));
    }
    best_ = cost_of(chosen_);
    const auto busiest = std::ranges::min_element(phases(), {}, &SchedulePhase::period) - phases().begin();
    findings_.one_plan = candidates_[chosen_[static_cast<std::size_t>(busiest)]].facts.cost() * findings_.duration;
    return true;
  }

  std::size_t index_of(const plan::TypedPlan& plan) const {
    return static_cast<std::size_t>(std::ranges::find(candidates_, plan, &FoundPlan::parts) - candidates_.begin());
  }

  // False if it is one already.
  bool add(const plan::TypedPlan& plan) {
    if (index_of(plan) < candidates_.size()) return false;
    candidates_.push_back(found_plan(catalogue_, findings_.wish, plan));
    return true;
  }

  RunningPlan running(std::size_t candidate) const {
    return {candidates_[candidate].parts, candidates_[candidate].facts.machines_by_type(), {}};
  }

  ScheduleCost step(std::size_t from, std::size_t to, std::size_t k) const {
    const std::uint64_t set_up = ChangeOver(candidates_[to].parts, running(from)).set_up;
    return {candidates_[to].facts.cost() * phases()[k].duration + setup_ * Rational(set_up), set_up};
  }

  ScheduleCost cost_of(const std::vector<std::size_t>& way) const {
    ScheduleCost sum;
    for (std::size_t k = 0; k < way.size(); ++k) sum = sum + step(way[before(k)], way[k], k);
    return sum;
  }

  // The cheapest plans that serve a phase, and those of the phases beside it, where they do.
  std::vector<std::size_t> serving(std::size_t k) const {
    const Rational period = wish_of(k).planned_period();
    std::vector<std::size_t> serve;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (candidates_[c].kept <= period) serve.push_back(c);
    }
    std::ranges::stable_sort(serve, {}, [&](std::size_t c) { return candidates_[c].facts.cost(); });
    const std::vector<std::size_t> all = serve;
    serve.resize(std::min(serve.size(), kMostServing));
    for (const std::size_t c : {chosen_[k], chosen_[before(k)], chosen_[after(k)]}) {
      if (std::ranges::find(serve, c) == serve.end() && std::ranges::find(all, c) != all.end()) serve.push_back(c);
    }
    return serve;
  }

  // The cheapest circuit through plans that serve their phases.
  void choose() {
    std::vector<std::vector<std::size_t>> serve;
    for (std::size_t k = 0; k < phases().size(); ++k) serve.push_back(serving(k));
    for (const std::size_t first : serve.front()) {
      if (deadline_.has_passed()) {
        findings_.is_cut_short = true;
        break;
      }
      choose_from(first, serve);
    }
  }

  void choose_from(std::size_t first, const std::vector<std::vector<std::size_t>>& serve) {
    struct Reached {
      ScheduleCost cost;
      std::vector<std::size_t> way;
    };
    std::vector<Reached> reached = {{{}, {first}}};
    for (std::size_t k = 1; k < serve.size(); ++k) {
      std::vector<Reached> next;
      for (const std::size_t to : serve[k]) next.push_back(cheapest_step(reached, to, k));
      reached = std::move(next);
    }
    Reached all = cheapest_step(reached, first, 0);
    all.way.pop_back();
    if (!(all.cost < best_)) return;
    best_ = all.cost;
    chosen_ = std::move(all.way);
  }

  template <typename Reached>
  Reached cheapest_step(const std::vector<Reached>& reached, std::size_t to, std::size_t k) const {
    std::optional<Reached> best;
    for (const Reached& from : reached) {
      const ScheduleCost own = step(from.way.back(), to, k);
      const ScheduleCost cost = from.cost + own;
      if (best && !(cost < best->cost)) continue;
      best.emplace(Reached{cost, from.way});
    }
    best->way.push_back(to);
    return *std::move(best);
  }

  // With the plans that are nearest to those chosen for the phases beside; false if that makes nothing cheaper.
  bool improve() {
    bool has_more = false;
    for (std::size_t k = 0; k < phases().size(); ++k) {
      for (const std::size_t beside : {before(k), after(k)}) {
        if (beside == k || deadline_.has_passed()) continue;
        const plan::TypedPlan parts = candidates_[chosen_[beside]].parts;
        const plan::CountedAnswer answer = solve(wish_of(k), &parts, phases()[k].duration);
        if (answer.plan && add(*answer.plan)) has_more = true;
      }
    }
    const ScheduleCost known = best_;
    if (has_more) choose();
    return best_ < known;
  }

  void tell() {
    findings_.cost = best_.money;
    for (std::size_t k = 0; k < phases().size(); ++k)
      findings_.plans.push_back(
          {candidates_[chosen_[k]], ChangeOver(candidates_[chosen_[k]].parts, running(chosen_[before(k)]))});
  }

  const plan::Catalogue& catalogue_;
  const evaluators::Deadline& deadline_;
  Rational setup_;
  ScheduleFindings findings_;
  std::vector<FoundPlan> candidates_;
  std::vector<std::size_t> chosen_;  // by phase
  ScheduleCost best_;
};

}  // namespace

std::vector<SchedulePhase> read_schedule(const std::string& text, const tpn::Document& document) {
  std::vector<SchedulePhase> phases;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    phases.push_back(read_phase(text.substr(begin, end - begin), document));
    begin = end + 1;
  }
  if (phases.size() > kMostPhases)
    throw UsageError(fmt::format("--schedule: found {} phases, expected at most {}", phases.size(), kMostPhases));
  return phases;
}

ScheduleFindings find_schedule(const plan::Catalogue& catalogue, const PlanWish& wish,
                               std::vector<SchedulePhase> phases, const std::optional<Rational>& setup,
                               const evaluators::Deadline& deadline) {
  return ScheduleSearch(catalogue, wish, std::move(phases), setup, deadline).find();
}

}  // namespace takt::tools
