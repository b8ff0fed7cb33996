// Groups of copies on several threads, their numbers in the order of copies.
#include "vary/vary.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"
#include "maxplus/rational.hpp"
#include "vary/percentiles.hpp"

namespace takt::vary {

namespace {

// What is kept of a copy under a scenario.
struct CopyFigures {
  double period = 0;
  double mean = 0;
  double halves = 0;               // mean of the second half less that of the first
  std::vector<double> sorted;      // latencies, ascending
  std::vector<double> in_order{};  // the same by data set, where they are kept
};

std::uint64_t skipped_of(const VarySettings& settings) {
  constexpr std::uint64_t kShare = 5;
  return settings.skipped.value_or(settings.data_sets / kShare);
}

// The least number of data sets after which each net repeats itself; nothing beyond `most`.
std::optional<std::uint64_t> common_rows(std::span<const NetScenarios> nets, std::uint64_t most) {
  maxplus::Integer rows = 1;
  for (const NetScenarios& net : nets) rows = lcm(rows, net.net->net().pipeline.rows);
  return rows <= most ? std::optional<std::uint64_t>(rows.get_ui()) : std::nullopt;
}

// Whole hyper-periods are measured if they fit: of times that do not vary means are exact then.
std::uint64_t skipped_of(const VarySettings& settings, std::span<const NetScenarios> nets) {
  const std::uint64_t skipped = skipped_of(settings);
  const std::uint64_t measured = settings.data_sets - skipped;
  const auto rows = common_rows(nets, measured);
  return settings.skipped || !rows ? skipped : skipped + measured % *rows;
}

double mean_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

// A net under one of its scenarios.
struct PlayedCase {
  std::size_t net = 0;
  std::size_t scenario = 0;
  std::optional<double> gap;
};

class Copies {
 public:
  // Where it `lengthens`, what longer copies are to be played of is left as it is then.
  Copies(std::span<const NetScenarios> nets, std::span<const double> shares, const VarySettings& settings,
         bool keeps_latencies, bool lengthens)
      : nets_(nets), shares_(shares), settings_(settings), keeps_latencies_(keeps_latencies), lengthens_(lengthens) {
    play_.seed = settings.seed;
    play_.data_sets = settings.data_sets;
    play_.skipped = skipped_of(settings, nets);
    play_.arrivals = settings.arrivals;
    play_.instructions = settings.instructions;
    for (std::size_t n = 0; n < nets.size(); ++n) {
      for (std::size_t i = 0; i < nets[n].scenarios.size(); ++i) cases_.push_back({n, i, nets[n].scenarios[i].gap});
    }
    closed_.resize(cases_.size());
  }

  std::optional<std::vector<VaryFigures>> run() {
    std::uint64_t wanted = settings_.copies;
    open_.resize(cases_.size());
    std::iota(open_.begin(), open_.end(), std::size_t{0});
    while (true) {
      is_cut_short_ = !play_up_to(wanted);
      if (copies() < 2) return std::nullopt;
      for (const std::size_t c : open_) closed_[c] = figures_of_case(c);
      if (is_cut_short_ || !settings_.precision) break;
      drop_finished();
      if (open_.empty()) break;
      wanted = next_copies();
      is_full_ = wanted <= copies();
      if (is_full_) break;
    }
    return result();
  }

  // What longer copies are to be played of; known after a run.
  const std::vector<PlayedCase>& waiting() const { return waiting_; }

 private:
  std::uint64_t copies() const { return groups_.size() * kLanes; }

  // False if the deadline passes first; then what stands are the first groups that are whole.
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
    groups_[g].resize(cases_.size());
    for (std::size_t n = 0; n < nets_.size(); ++n) {
      std::vector<std::size_t> cases;
      std::vector<Scenario> scenarios;
      for (const std::size_t c : open_) {
        if (cases_[c].net != n) continue;
        cases.push_back(c);
        scenarios.push_back({cases_[c].gap});
      }
      if (cases.empty()) continue;
      auto played = play_copies(*nets_[n].net, scenarios, play_, g * kLanes, settings_.deadline);
      if (!played) return false;
      for (std::size_t i = 0; i < cases.size(); ++i) keep((*played)[i], groups_[g][cases[i]]);
    }
    return true;
  }

  // What is needed of a group's copies under a scenario.
  void keep(PlayedScenario& played, std::vector<CopyFigures>& copies) const {
    for (std::size_t k = 0; k < kLanes; ++k) {
      CopyFigures& copy = copies.emplace_back();
      copy.period = played.periods[k];
      if (played.latencies.empty()) continue;
      std::vector<double>& latencies = played.latencies[k];
      const std::size_t half = latencies.size() / 2;
      copy.mean = mean_of(latencies);
      if (half > 0) {
        copy.halves = mean_of(std::span(latencies).subspan(half)) - mean_of(std::span(latencies).first(half));
      }
      if (keeps_latencies_) copy.in_order = latencies;
      if (!shares_.empty()) {
        copy.sorted = std::move(latencies);
        sort_latencies(copy.sorted);
      }
    }
  }

  template <typename Get>
  std::vector<double> numbers(std::size_t c, Get get) const {
    std::vector<double> numbers;
    for (const auto& group : groups_) {
      for (const CopyFigures& copy : group[c]) numbers.push_back(get(copy));
    }
    return numbers;
  }

  ScenarioFigures figures_of_case(std::size_t c) const {
    ScenarioFigures result;
    result.period = figure_of(numbers(c, [](const CopyFigures& copy) { return copy.period; }), settings_.confidence);
    result.copies = result.period.by_copy.size();
    result.data_sets = play_.data_sets;
    if (!cases_[c].gap) return result;
    CopiesFigure mean = figure_of(numbers(c, [](const CopyFigures& copy) { return copy.mean; }), settings_.confidence);
    const Figure halves =
        figure_of(numbers(c, [](const CopyFigures& copy) { return copy.halves; }), settings_.confidence);
    // Beyond what rounding makes of times that do not vary.
    result.is_settled = std::abs(halves.value) <= halves.margin + 1e-9 * std::abs(mean.value);
    if (std::ranges::all_of(nets_[cases_[c].net].net->times().laws, has_mean_latency)) result.mean = std::move(mean);
    std::vector<std::span<const double>> sorted;
    for (const auto& group : groups_) {
      for (const CopyFigures& copy : group[c]) {
        if (!shares_.empty()) sorted.emplace_back(copy.sorted);
        result.latencies.insert(result.latencies.end(), copy.in_order.begin(), copy.in_order.end());
      }
    }
    if (shares_.empty()) return result;
    const PooledLatencies pooled(std::move(sorted), settings_.confidence);
    for (const double share : shares_) result.within.push_back(pooled.percentile(share));
    return result;
  }

  // The widest margin of a case, as a multiple of what is asked for.
  double excess_of(std::size_t c) const {
    const ScenarioFigures& figures = *closed_[c];
    double most = 0;
    const auto add = [&](const Figure& figure) {
      if (figure.margin > 0) most = std::max(most, figure.margin / (*settings_.precision * std::abs(figure.value)));
    };
    if (!cases_[c].gap) add(figures.period);
    if (figures.mean) add(*figures.mean);
    for (const Figure& within : figures.within) add(within);
    return most;
  }

  // The same of all nets that are fed so.
  double excess_at(const std::optional<double>& gap) const {
    double most = 0;
    for (const std::size_t c : open_) {
      if (cases_[c].gap == gap) most = std::max(most, excess_of(c));
    }
    return most;
  }

  // Whether longer copies are to be played of all nets that are fed so: where latencies have not settled, and where
  // much more is to be played, for a bias that is not seen yet would be seen then.
  bool waits_for_longer(const std::optional<double>& gap) const {
    constexpr double kMuch = 2;
    if (lengthens_ && gap && excess_at(gap) > kMuch) return true;
    return lengthens_ &&
           std::ranges::any_of(open_, [&](std::size_t c) { return cases_[c].gap == gap && !closed_[c]->is_settled; });
  }

  // Closes what is precise enough, for all nets that are fed so, and what longer copies are to be played of.
  void drop_finished() {
    std::vector<std::size_t> still;
    std::vector<std::size_t> finished;
    for (const std::size_t c : open_) {
      const bool waits = waits_for_longer(cases_[c].gap);
      if (waits) waiting_.push_back(cases_[c]);
      (!waits && excess_at(cases_[c].gap) > 1 ? still : finished).push_back(c);
    }
    for (const std::size_t c : finished) {
      for (auto& group : groups_) group[c] = {};
    }
    open_ = std::move(still);
  }

  // As many copies as the scenario that takes the fewest more wants, as the square root of their number tells, and as
  // many at most as there may be.
  std::uint64_t next_copies() const {
    constexpr double kLeast = 1.25;
    constexpr double kMost = 4;
    double factor = kMost;
    std::uint64_t per_group = 0;
    for (const std::size_t c : open_) {
      const double excess = excess_at(cases_[c].gap);
      factor = std::min(factor, std::max(excess * excess, kLeast));
      if (cases_[c].gap) per_group += kLanes * (play_.data_sets - play_.skipped);
    }
    const std::uint64_t wanted =
        std::min(static_cast<std::uint64_t>(static_cast<double>(copies()) * factor), settings_.most_copies);
    return per_group == 0 ? wanted : std::min(wanted, settings_.most_latencies / per_group * kLanes);
  }

  std::vector<VaryFigures> result() {
    std::vector<VaryFigures> result(nets_.size());
    for (VaryFigures& of_net : result) {
      of_net.data_sets = play_.data_sets;
      of_net.skipped = play_.skipped;
      of_net.is_cut_short = is_cut_short_;
      of_net.is_full = is_full_;
    }
    for (std::size_t c = 0; c < cases_.size(); ++c) {
      VaryFigures& of_net = result[cases_[c].net];
      of_net.copies = std::max(of_net.copies, closed_[c]->copies);
      of_net.scenarios.push_back(std::move(*closed_[c]));
    }
    return result;
  }

  std::span<const NetScenarios> nets_;
  std::span<const double> shares_;
  const VarySettings& settings_;
  bool keeps_latencies_;
  bool lengthens_;
  PlaySettings play_;
  std::vector<PlayedCase> cases_;
  std::vector<std::size_t> open_;                              // cases that are not precise enough yet
  std::vector<std::optional<ScenarioFigures>> closed_;         // by case, what is known
  std::vector<std::vector<std::vector<CopyFigures>>> groups_;  // by group, then case; without copies where it is closed
  std::vector<PlayedCase> waiting_;
  bool is_cut_short_ = false;
  bool is_full_ = false;
};

// Plays copies, and longer and longer ones of what wants them.
class LongerCopies {
 public:
  LongerCopies(std::span<const NetScenarios> nets, std::span<const double> shares, const VarySettings& settings,
               bool keeps_latencies)
      : nets_(nets), shares_(shares), settings_(settings), keeps_latencies_(keeps_latencies) {}

  std::optional<std::vector<VaryFigures>> run() {
    std::size_t scenarios = 0;
    for (const NetScenarios& net : nets_) scenarios += net.scenarios.size();
    Copies first(nets_, shares_, settings_, keeps_latencies_, may_lengthen(scenarios));
    auto figures = first.run();
    std::vector<PlayedCase> waiting = first.waiting();
    while (figures && !waiting.empty() && !figures->front().is_cut_short) {
      settings_ = longer();
      waiting = play_again(*figures, waiting);
    }
    return figures;
  }

 private:
  VarySettings longer() const {
    constexpr std::uint64_t kLonger = 4;
    VarySettings result = settings_;
    result.data_sets *= kLonger;
    if (result.skipped) *result.skipped *= kLonger;
    return result;
  }

  bool may_lengthen(std::size_t scenarios) const {
    constexpr std::uint64_t kMostDataSets = std::uint64_t{1} << 40;
    return settings_.precision && settings_.lengthens && settings_.data_sets <= kMostDataSets &&
           latencies_of(scenarios, longer()) <= settings_.most_latencies;
  }

  // Puts the figures of longer copies in the place of these, and returns what waits for still longer ones. Where the
  // deadline passes before there are any, what stands is better than nothing.
  std::vector<PlayedCase> play_again(std::vector<VaryFigures>& figures, std::span<const PlayedCase> places) const {
    std::vector<NetScenarios> nets;
    for (const NetScenarios& net : nets_) nets.push_back({net.net, {}});
    for (const PlayedCase& place : places) nets[place.net].scenarios.push_back({place.gap});
    Copies copies(nets, shares_, settings_, keeps_latencies_, may_lengthen(places.size()));
    auto again = copies.run();
    for (VaryFigures& of_net : figures) {
      of_net.is_cut_short = !again || again->front().is_cut_short;
      of_net.is_full = of_net.is_full || (again && again->front().is_full);
    }
    if (!again) return {};
    std::vector<std::vector<std::size_t>> scenario_of(nets.size());
    for (const PlayedCase& place : places) scenario_of[place.net].push_back(place.scenario);
    for (std::size_t n = 0; n < nets.size(); ++n) {
      for (std::size_t i = 0; i < scenario_of[n].size(); ++i) {
        figures[n].scenarios[scenario_of[n][i]] = std::move((*again)[n].scenarios[i]);
      }
      figures[n].copies = 0;
      for (const ScenarioFigures& scenario : figures[n].scenarios) {
        figures[n].copies = std::max(figures[n].copies, scenario.copies);
      }
    }
    std::vector<PlayedCase> waiting = copies.waiting();
    for (PlayedCase& one : waiting) one.scenario = scenario_of[one.net][one.scenario];
    return waiting;
  }

  std::span<const NetScenarios> nets_;
  std::span<const double> shares_;
  VarySettings settings_;
  bool keeps_latencies_;
};

}  // namespace

std::uint64_t latencies_of(std::size_t scenarios, const VarySettings& settings) {
  const maxplus::Integer all = maxplus::Integer(settings.data_sets - skipped_of(settings)) *
                               maxplus::Integer(settings.copies) * maxplus::Integer(scenarios);
  return all.fits_ulong_p() ? all.get_ui() : std::numeric_limits<std::uint64_t>::max();
}

std::optional<std::vector<VaryFigures>> figures_of_each(std::span<const NetScenarios> nets,
                                                        std::span<const double> shares, const VarySettings& settings,
                                                        bool keeps_latencies) {
  maxplus::expects(settings.copies >= 2 && settings.data_sets >= 2,
                   "figures take two copies of two data sets at least");
  std::size_t at_rates = 0;
  for (const NetScenarios& net : nets) {
    at_rates += static_cast<std::size_t>(
        std::ranges::count_if(net.scenarios, [](const Scenario& scenario) { return scenario.gap.has_value(); }));
  }
  maxplus::expects(latencies_of(at_rates, settings) <= settings.most_latencies,
                   "the latencies to begin with may be kept");
  return LongerCopies(nets, shares, settings, keeps_latencies).run();
}

std::optional<VaryFigures> figures_of(const PlayedNet& net, std::span<const Scenario> scenarios,
                                      std::span<const double> shares, const VarySettings& settings,
                                      bool keeps_latencies) {
  const NetScenarios alone{&net, {scenarios.begin(), scenarios.end()}};
  auto figures = figures_of_each(std::span(&alone, 1), shares, settings, keeps_latencies);
  if (!figures) return std::nullopt;
  return std::move(figures->front());
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
  GapSearch(const PlayedNet& net, const LatencyLimit& limit, const VarySettings& settings, double digits)
      : net_(net), limit_(limit), settings_(settings), digits_(digits) {}

  // The smallest gap between two at which `get` of the percentile keeps the limit; it does at the larger.
  template <typename Get>
  std::optional<double> between(double low, double high, Get get) {
    while (high - low > digits_ * high) {
      std::vector<Scenario> scenarios;
      for (std::size_t i = 1; i <= kGapsAtOnce; ++i) {
        scenarios.push_back({low + (high - low) * static_cast<double>(i) / (kGapsAtOnce + 1)});
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
  double digits_;
};

}  // namespace

std::optional<SmallestGap> smallest_gap(const PlayedNet& net, const LatencyLimit& limit, double shortest,
                                        const VarySettings& settings, const GapTerms& terms) {
  maxplus::expects(shortest > 0 && terms.digits > 0, "gaps are positive");
  GapSearch search(net, limit, settings, terms.digits);
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
  if (terms.has_interval) {
    result.low = smallest(low_end);
    result.high = smallest(high_end);
  }
  if (maxplus::has_passed(settings.deadline)) return std::nullopt;
  return result;
}

}  // namespace takt::vary
