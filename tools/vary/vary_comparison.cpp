// First all nets saturated, then each at the rates that it sustains.
#include "tools/vary/vary_comparison.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "tools/answers/limit_words.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/capacity.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

namespace {

class Comparing {
 public:
  Comparing(std::span<const NetChoice> choices, const VaryQuestion& question)
      : choices_(choices), question_(question) {}

  std::variant<VaryComparison, NotVaried> run(const std::string& title) {
    const std::size_t rates = question_.gaps.empty() ? kComparedLoads.size() : question_.gaps.size();
    if (const auto reason = too_many_latencies(question_, rates * choices_.size())) return NotVaried{*reason};
    for (const NetChoice& choice : choices_) {
      if (const auto reason = add_net(choice)) return NotVaried{*reason};
    }
    result_.title = title;
    result_.file = choices_.front().file;
    result_.times = TimeWords(*choices_.front().document);
    result_.question = question_;
    if (!add_periods()) return NotVaried{"the time was up before two copies were played"};
    add_rates();
    return std::move(result_);
  }

 private:
  // Why there is none.
  std::optional<std::string> add_net(const NetChoice& choice) {
    const maxplus::Deadline& deadline = question_.settings.deadline;
    auto folded = tpn::fold(*choice.document, choice.model, deadline);
    if (choice.window > 0 && std::holds_alternative<tpn::FoldedNet>(folded)) {
      folded = tpn::with_capacity(std::get<tpn::FoldedNet>(std::move(folded)), {.buffers = {}, .window = choice.window},
                                  deadline);
    }
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return too_large_text(*too_large);
    const tpn::FoldedNet& net = nets_.emplace_back(std::get<tpn::FoldedNet>(std::move(folded)));
    auto times = vary::times_of(*choice.document, net, question_.law, deadline);
    if (!times) return "the time was up before the laws of all durations were known";
    result_.has_mean_latency = result_.has_mean_latency && std::ranges::all_of(times->laws, vary::has_mean_latency);
    played_.emplace_back(net, *std::move(times));
    // All exact periods together take half of the time at most.
    const auto parts = static_cast<int>(2 * choices_.size());
    const auto exact = exact_period_of(net, deadline, parts);
    const auto upper = exact ? upper_bound_of(*choice.document, net, question_.law, *exact) : std::nullopt;
    result_.nets.push_back({choice, exact, upper, {}, {}});
    return std::nullopt;
  }

  bool add_periods() {
    std::vector<vary::NetScenarios> saturated;
    for (const vary::PlayedNet& net : played_) saturated.push_back({&net, {vary::Scenario{}}});
    vary::VarySettings settings = question_.settings;
    settings.deadline = settings.deadline.after_part(1, 3);
    const auto figures = vary::figures_of_each(saturated, {}, settings);
    if (!figures) return false;
    for (std::size_t n = 0; n < played_.size(); ++n) {
      result_.nets[n].period = (*figures)[n].scenarios[0].period;
      result_.amount.add_saturated((*figures)[n]);
    }
    return true;
  }

  double slowest() const {
    double longest = 0;
    for (const ComparedNet& net : result_.nets) longest = std::max(longest, net.period.value);
    return longest;
  }

  void choose_gaps() {
    for (const maxplus::Rational& gap : question_.gaps) result_.gaps.push_back(double_of(gap));
    if (question_.has_own_gap()) result_.gaps.push_back(question_.table->mean_gap);
    if (!result_.gaps.empty() || slowest() == 0) return;
    for (const double load : kComparedLoads) result_.gaps.push_back(slowest() / load);
  }

  bool takes(const ComparedNet& net, double gap) const { return has_latencies(question_, gap, net.period, net.upper); }

  void add_rates() {
    choose_gaps();
    std::vector<vary::NetScenarios> scenarios;
    bool has_some = false;
    for (std::size_t n = 0; n < played_.size(); ++n) {
      scenarios.push_back({&played_[n], {}});
      for (const double gap : result_.gaps) {
        if (takes(result_.nets[n], gap)) scenarios.back().scenarios.push_back({gap});
      }
      has_some = has_some || !scenarios.back().scenarios.empty();
    }
    if (!has_some) {
      for (ComparedNet& net : result_.nets) net.at_rates.resize(result_.gaps.size());
      return;
    }
    auto figures = vary::figures_of_each(scenarios, question_.shares, rate_settings(question_));
    if (!figures) {
      result_.amount.is_cut_short = true;
      result_.gaps.clear();
      return;
    }
    for (std::size_t n = 0; n < played_.size(); ++n) {
      result_.amount.add_at_rates((*figures)[n]);
      auto next = (*figures)[n].scenarios.begin();
      for (const double gap : result_.gaps) {
        std::optional<vary::ScenarioFigures>& at = result_.nets[n].at_rates.emplace_back();
        if (takes(result_.nets[n], gap)) at = std::move(*next++);
      }
    }
  }

  std::span<const NetChoice> choices_;
  const VaryQuestion& question_;
  std::deque<tpn::FoldedNet> nets_;  // played nets refer to them
  std::deque<vary::PlayedNet> played_;
  VaryComparison result_;
};

}  // namespace

std::variant<VaryComparison, NotVaried> compare_varied(const std::string& title, std::span<const NetChoice> choices,
                                                       const VaryQuestion& question) {
  return Comparing(choices, question).run(title);
}

}  // namespace takt::tools
