// Groups of copies on several threads, their numbers in the order of copies.
#include "vary/vary.hpp"

#include <algorithm>
#include <atomic>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::vary {

Figure figure_of(std::span<const double> numbers, double confidence) {
  maxplus::expects(numbers.size() >= 2, "an interval takes two numbers at least");
  const auto count = static_cast<double>(numbers.size());
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  double squares = 0;
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  const double error = std::sqrt(squares / (count - 1) / count);
  const boost::math::students_t_distribution<double> student(count - 1);
  return {mean, error * boost::math::quantile(student, (1 + confidence) / 2)};
}

namespace {

// What is kept of a copy under a scenario.
struct CopyFigures {
  double period = 0;
  double mean = 0;
  double halves = 0;               // mean of the second half less that of the first
  std::vector<double> sorted;      // latencies, ascending
  std::vector<double> in_order{};  // the same by data set, where they are kept
};

double mean_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

// All copies' latencies together. A percentile of each copy would be biased near the limit, where few copies have the
// long queues: so the interval is of those x whose share, a mean over copies, may be the one asked for, as Student's
// interval of that mean says.
class PooledLatencies {
 public:
  PooledLatencies(std::vector<const CopyFigures*> copies, double confidence)
      : copies_(std::move(copies)), confidence_(confidence) {
    for (const CopyFigures* copy : copies_) longest_ = std::max(longest_, copy->sorted.back());
  }

  Figure percentile(double share) const {
    const double value = first(share, [](const Figure& within) { return within.value; });
    const double low = first(share, [](const Figure& within) { return within.high(); });
    const double high = first(share, [](const Figure& within) { return within.low(); });
    return {value, std::max(high - value, value - low)};
  }

 private:
  // The share of latencies that are at most x.
  Figure share_within(double x) const {
    std::vector<double> shares;
    for (const CopyFigures* copy : copies_) {
      const auto within = std::ranges::upper_bound(copy->sorted, x) - copy->sorted.begin();
      shares.push_back(static_cast<double>(within) / static_cast<double>(copy->sorted.size()));
    }
    return figure_of(shares, confidence_);
  }

  // The least latency at which `get` of its share is the one asked for, but for rounding.
  template <typename Get>
  double first(double share, Get get) const {
    constexpr double kRounding = 1e-12;
    constexpr int kHalvings = 60;
    double below = -1;
    double from = longest_;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (below + from) / 2;
      (get(share_within(middle)) < share - kRounding ? below : from) = middle;
    }
    double least = longest_;
    for (const CopyFigures* copy : copies_) {
      const auto next = std::ranges::upper_bound(copy->sorted, below);
      if (next != copy->sorted.end()) least = std::min(least, *next);
    }
    return least;
  }

  std::vector<const CopyFigures*> copies_;
  double confidence_;
  double longest_ = 0;
};

class Copies {
 public:
  Copies(const PlayedNet& net, std::span<const Scenario> scenarios, std::span<const double> shares,
         const VarySettings& settings, bool keeps_latencies)
      : net_(net), scenarios_(scenarios), shares_(shares), settings_(settings), keeps_latencies_(keeps_latencies) {
    play_.seed = settings.seed;
    play_.data_sets = settings.data_sets;
    play_.skipped = settings.skipped.value_or(settings.data_sets / 5);
    play_.arrivals = settings.arrivals;
    play_.instructions = settings.instructions;
    is_heavy_ = !std::ranges::all_of(net.times().laws, has_mean_latency);
  }

  std::optional<VaryFigures> run() {
    std::uint64_t wanted = settings_.copies;
    bool is_cut_short = false;
    open_.resize(scenarios_.size());
    std::iota(open_.begin(), open_.end(), std::size_t{0});
    while (true) {
      is_cut_short = !play_up_to(wanted);
      if (is_cut_short || !settings_.precision) break;
      std::erase_if(open_, [&](std::size_t s) { return is_precise(s); });
      if (open_.empty()) break;
      wanted = 2 * copies();
    }
    if (copies() < 2) return std::nullopt;
    VaryFigures figures{.copies = copies(),
                        .data_sets = play_.data_sets,
                        .skipped = play_.skipped,
                        .is_cut_short = is_cut_short,
                        .scenarios = {}};
    for (std::size_t s = 0; s < scenarios_.size(); ++s) figures.scenarios.push_back(figures_of_scenario(s));
    return figures;
  }

 private:
  std::uint64_t copies() const { return groups_.size() * kLanes; }

  // False where the deadline passes first; then what stands are the first groups that are whole.
  bool play_up_to(std::uint64_t wanted) {
    const std::size_t begin = groups_.size();
    const std::size_t end = std::max<std::size_t>(begin, (wanted + kLanes - 1) / kLanes);
    groups_.resize(end);
    std::vector<char> is_done(end, 0);
    std::fill_n(is_done.begin(), begin, char{1});
    std::atomic<std::uint64_t> done = begin;
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t g = begin; g < end; ++g) {
      if (maxplus::has_passed(settings_.deadline)) continue;
      try {
        if (!play_group(g)) continue;
        is_done[g] = 1;
        const std::uint64_t count = ++done;
#pragma omp critical(takt_vary_copies)
        if (settings_.on_copies) settings_.on_copies(count * kLanes);
      } catch (...) {
#pragma omp critical(takt_vary_failure)
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
    const auto whole = static_cast<std::size_t>(std::ranges::find(is_done, 0) - is_done.begin());
    groups_.resize(whole);
    return whole == end;
  }

  bool play_group(std::size_t g) {
    std::vector<Scenario> scenarios;
    for (const std::size_t s : open_) scenarios.push_back(scenarios_[s]);
    auto played = play_copies(net_, scenarios, play_, g * kLanes, settings_.deadline);
    if (!played) return false;
    std::vector<std::vector<CopyFigures>>& group = groups_[g];
    group.resize(scenarios_.size());
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const std::size_t s = open_[i];
      PlayedScenario& scenario = (*played)[i];
      for (std::size_t k = 0; k < kLanes; ++k) {
        CopyFigures copy{.period = scenario.periods[k], .sorted = {}};
        if (scenarios_[s].gap) {
          std::vector<double>& latencies = scenario.latencies[k];
          const std::size_t half = latencies.size() / 2;
          copy.mean = mean_of(latencies);
          if (half > 0) {
            copy.halves = mean_of(std::span(latencies).subspan(half)) - mean_of(std::span(latencies).first(half));
          }
          if (keeps_latencies_) copy.in_order = latencies;
          if (!shares_.empty()) {
            copy.sorted = std::move(latencies);
            std::ranges::sort(copy.sorted);
          }
        }
        group[s].push_back(std::move(copy));
      }
    }
    return true;
  }

  template <typename Get>
  Figure figure(std::size_t scenario, Get get) const {
    std::vector<double> numbers;
    for (const auto& group : groups_) {
      for (const CopyFigures& copy : group[scenario]) numbers.push_back(get(copy));
    }
    return figure_of(numbers, settings_.confidence);
  }

  ScenarioFigures figures_of_scenario(std::size_t s) const {
    ScenarioFigures result{.copies = 0,
                           .period = figure(s, [](const CopyFigures& copy) { return copy.period; }),
                           .mean = {},
                           .within = {}};
    for (const auto& group : groups_) result.copies += group[s].size();
    if (!scenarios_[s].gap) return result;
    if (!is_heavy_) result.mean = figure(s, [](const CopyFigures& copy) { return copy.mean; });
    if (!shares_.empty()) {
      std::vector<const CopyFigures*> copies;
      for (const auto& group : groups_) {
        for (const CopyFigures& copy : group[s]) copies.push_back(&copy);
      }
      const PooledLatencies pooled(std::move(copies), settings_.confidence);
      for (const double share : shares_) result.within.push_back(pooled.percentile(share));
    }
    const Figure halves = figure(s, [](const CopyFigures& copy) { return copy.halves; });
    // Beyond what rounding makes of times that do not vary.
    const double rounding = 1e-9 * std::abs(figure(s, [](const CopyFigures& copy) { return copy.mean; }).value);
    result.is_settled = std::abs(halves.value) <= halves.margin + rounding;
    for (const auto& group : groups_) {
      for (const CopyFigures& copy : group[s]) {
        result.latencies.insert(result.latencies.end(), copy.in_order.begin(), copy.in_order.end());
      }
    }
    return result;
  }

  bool is_precise(std::size_t s) const {
    const ScenarioFigures figures = figures_of_scenario(s);
    const auto is_narrow = [&](const Figure& figure) {
      return figure.margin <= *settings_.precision * std::abs(figure.value);
    };
    if (!scenarios_[s].gap) return is_narrow(figures.period);
    return (!figures.mean || is_narrow(*figures.mean)) && std::ranges::all_of(figures.within, is_narrow);
  }

  const PlayedNet& net_;
  std::span<const Scenario> scenarios_;
  std::span<const double> shares_;
  const VarySettings& settings_;
  bool keeps_latencies_;
  bool is_heavy_ = false;
  PlaySettings play_;
  std::vector<std::size_t> open_;  // scenarios that are not precise enough yet
  std::vector<std::vector<std::vector<CopyFigures>>>
      groups_;  // by group, then scenario; without copies where it was not open
};

}  // namespace

std::optional<VaryFigures> figures_of(const PlayedNet& net, std::span<const Scenario> scenarios,
                                      std::span<const double> shares, const VarySettings& settings,
                                      bool keeps_latencies) {
  maxplus::expects(settings.copies >= 2 && settings.data_sets >= 2,
                   "figures take two copies of two data sets at least");
  return Copies(net, scenarios, shares, settings, keeps_latencies).run();
}

namespace {

// Which of ascending gaps first keeps the limit; their number where none does.
template <typename Get>
std::size_t first_that_keeps(const VaryFigures& figures, double latency, Get get) {
  std::size_t first = 0;
  while (first < figures.scenarios.size() && get(figures.scenarios[first].within[0]) > latency) ++first;
  return first;
}

class GapSearch {
 public:
  GapSearch(const PlayedNet& net, const LatencyLimit& limit, const VarySettings& settings)
      : net_(net), limit_(limit), settings_(settings) {}

  // The smallest gap between two, to kDigits, at which `get` of the percentile keeps the limit; it does at the larger.
  template <typename Get>
  std::optional<double> between(double low, double high, Get get) {
    constexpr double kDigits = 1e-4;
    while (high - low > kDigits * high) {
      constexpr std::size_t kAtOnce = 6;
      std::vector<Scenario> scenarios;
      for (std::size_t i = 1; i <= kAtOnce; ++i) {
        scenarios.push_back({low + (high - low) * static_cast<double>(i) / (kAtOnce + 1)});
      }
      const auto figures = played(scenarios);
      if (!figures) return std::nullopt;
      const std::size_t first = first_that_keeps(*figures, limit_.latency, get);
      if (first > 0) low = *scenarios[first - 1].gap;
      if (first < scenarios.size()) high = *scenarios[first].gap;
    }
    return high;
  }

  std::optional<VaryFigures> played(std::span<const Scenario> scenarios) {
    VarySettings settings = settings_;
    settings.precision.reset();
    auto figures = figures_of(net_, scenarios, std::span(&limit_.share, 1), settings);
    if (figures && figures->is_cut_short) return std::nullopt;
    return figures;
  }

 private:
  const PlayedNet& net_;
  const LatencyLimit& limit_;
  const VarySettings& settings_;
};

}  // namespace

std::optional<SmallestGap> smallest_gap(const PlayedNet& net, const LatencyLimit& limit, double shortest,
                                        const VarySettings& settings) {
  maxplus::expects(shortest > 0, "gaps are positive");
  GapSearch search(net, limit, settings);
  // So far apart that no data set meets another.
  constexpr double kApart = 1e6;
  const Scenario alone{shortest * kApart};
  const auto figures = search.played(std::span(&alone, 1));
  if (!figures) return std::nullopt;
  SmallestGap result;
  const Figure lone = figures->scenarios[0].within[0];
  result.alone = lone;
  const auto value = [](const Figure& figure) { return figure.value; };
  const auto low_end = [](const Figure& figure) { return figure.low(); };
  const auto high_end = [](const Figure& figure) { return figure.high(); };
  const auto smallest = [&](auto get) -> std::optional<double> {
    if (get(lone) > limit.latency) return std::nullopt;
    double high = shortest;
    while (true) {
      const Scenario scenario{high};
      const auto at = search.played(std::span(&scenario, 1));
      if (!at) return std::nullopt;
      if (get(at->scenarios[0].within[0]) <= limit.latency) break;
      high *= 2;
    }
    return high == shortest ? high : search.between(high / 2, high, get);
  };
  result.gap = smallest(value);
  result.low = smallest(low_end);
  result.high = smallest(high_end);
  if (maxplus::has_passed(settings.deadline)) return std::nullopt;
  return result;
}

}  // namespace takt::vary
