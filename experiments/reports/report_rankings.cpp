// Figures that compare series draw by draw: performance profiles [dolan2002profiles] and mean ranks [demsar2006].
//
// A draw counts in all series, also where one has no result: a ratio is beyond all bounds then, a rank is the last.
// What no series has a result for says nothing of their order, and is left out of ranks.
#include <algorithm>
#include <map>

#include "experiments/reports/report.hpp"
#include "experiments/reports/series_choice.hpp"
#include "experiments/statistics/ranks.hpp"
#include "experiments/statistics/sampling.hpp"
#include "tpn/errors.hpp"

namespace takt::experiments {

namespace {

Estimate exact_estimate(const Rational& value) { return {value, value, {}}; }

class RankingMaker {
 public:
  RankingMaker(const Summary& summary, const FigureRequest& request)
      : summary_(summary), request_(request), cells_(chosen_cells(summary.description(), request.where)) {
    for (const SeriesStatistic& statistic : request.y) {
      for (const SeriesKeys& series : chosen_series(summary, cells_, statistic.series)) {
        if (takes_part(statistic, series)) contestants_.push_back({&statistic, series, {}});
      }
    }
  }

  ReportedFigure figure() const {
    ReportedFigure figure;
    figure.request = request_;
    figure.series = named_series(summary_.description(), contestants_);
    fill_labels(figure);
    if (request_.kind == FigureKind::profile) {
      add_profiles(figure);
    } else {
      figure.categories = {figure.request.x_label};
      add_ranks(figure);
    }
    return figure;
  }

 private:
  // Not where the measure has no meaning, such as a prediction under another model.
  bool takes_part(const SeriesStatistic& statistic, const SeriesKeys& series) const {
    return std::ranges::any_of(cells_, [&](std::size_t cell) {
      const Tally* const tally = find_tally(summary_, cell, series);
      return tally != nullptr && (tally->failed() > 0 || tally->measure(statistic.statistic.measure).count > 0);
    });
  }

  void fill_labels(ReportedFigure& figure) const {
    FigureRequest& request = figure.request;
    const bool is_profile = request.kind == FigureKind::profile;
    const std::size_t measure = request.y.front().statistic.measure;
    figure.x_words = request.x_label;
    figure.y_words = request.y_label;
    if (request.x_label.empty()) {
      request.x_label = is_profile ? summary_.description().measures[measure] + " / best" : "mean rank";
      figure.x_words =
          is_profile ? summary_.description().measure_words[measure] + " / best of the draw" : request.x_label;
    }
    if (request.y_label.empty()) figure.y_words = request.y_label = is_profile ? "share of draws" : "";
  }

  // By draw, those of a cell in which some series has a number.
  std::map<std::uint64_t, RankedBlock> draws_of(std::size_t cell) const {
    std::map<std::uint64_t, RankedBlock> draws;
    for (std::size_t s = 0; s < contestants_.size(); ++s) {
      const Tally* const tally = find_tally(summary_, cell, contestants_[s].series);
      if (tally == nullptr) continue;
      for (const DrawnValue& drawn : tally->values(contestants_[s].statistic->statistic.measure)) {
        const auto block = draws.try_emplace(drawn.draw, contestants_.size()).first;
        block->second[s] = drawn.value;
      }
    }
    return draws;
  }

  // Profiles.

  void add_profiles(ReportedFigure& figure) const {
    std::vector<std::map<Rational, std::uint64_t>> counts(contestants_.size());  // draws by ratio
    std::uint64_t all = 0;
    for (const std::size_t cell : cells_) {
      const auto& tallies = summary_.cell(cell).tallies;
      if (!tallies.empty()) all += tallies.front().draws();
      for (const auto& [draw, block] : draws_of(cell)) add_ratios(cell, draw, block, counts);
    }
    if (all == 0) return;
    for (std::size_t s = 0; s < contestants_.size(); ++s) {
      auto& points = figure.series[s].points;
      counts[s].try_emplace(Rational(1), 0);
      std::uint64_t passed = 0;
      for (const auto& [ratio, count] : counts[s]) {
        passed += count;
        points.push_back({ratio, exact_estimate(Rational(passed) / Rational(all)), {}});
      }
    }
  }

  void add_ratios(std::size_t cell, std::uint64_t draw, const RankedBlock& block,
                  std::vector<std::map<Rational, std::uint64_t>>& counts) const {
    std::optional<Rational> least;
    for (const auto& value : block) {
      if (value && (!least || *value < *least)) least = value;
    }
    if (least->sign() < 0) {
      throw tpn::InvalidInstance("/report",
                                 "the value " + least->to_string() + " in draw " + std::to_string(draw) +
                                     " of the cell " + tpn::json::quote(summary_.description().cells[cell].name) +
                                     ", of which " + tpn::json::quote(request_.name) + " takes ratios",
                                 "a measure that is never below 0");
    }
    for (std::size_t s = 0; s < block.size(); ++s) {
      if (!block[s]) continue;
      // Over 0 nothing but 0 has a ratio.
      if (least->sign() > 0) {
        ++counts[s][*block[s] / *least];
      } else if (block[s]->sign() == 0) {
        ++counts[s][Rational(1)];
      }
    }
  }

  // Ranks.

  void add_ranks(ReportedFigure& figure) const {
    const std::vector<RankedBlock> blocks = request_.over_cells ? cell_blocks() : draw_blocks();
    if (blocks.empty() || contestants_.size() < 2) return;
    const RankSummary summary = rank_summary(blocks);
    for (std::size_t s = 0; s < contestants_.size(); ++s) {
      figure.series[s].points.push_back({Rational(0), exact_estimate(summary.mean_ranks[s]), {}});
    }
    figure.rankings.push_back(ranking_of(summary, blocks));
  }

  std::vector<RankedBlock> draw_blocks() const {
    std::vector<RankedBlock> blocks;
    for (const std::size_t cell : cells_) {
      for (auto& [draw, block] : draws_of(cell)) blocks.push_back(block);
    }
    return blocks;
  }

  // The means of each cell; where one is known between two ends only, their middle.
  std::vector<RankedBlock> cell_blocks() const {
    std::vector<RankedBlock> blocks;
    for (const std::size_t cell : cells_) {
      RankedBlock block;
      for (const Unlabeled& one : contestants_) {
        Statistic mean = one.statistic->statistic;
        mean.kind = StatisticKind::mean;
        const auto answer = answer_of(summary_, cell, one.series, mean);
        block.push_back(answer ? std::optional((answer->lower + answer->upper) / Rational(2)) : std::nullopt);
      }
      const bool is_known = std::ranges::any_of(block, [](const auto& value) { return value.has_value(); });
      if (is_known) blocks.push_back(std::move(block));
    }
    return blocks;
  }

  Ranking ranking_of(const RankSummary& summary, const std::vector<RankedBlock>& blocks) const {
    Ranking ranking{.test = request_.test,
                    .level = request_.level,
                    .blocks = summary.blocks,
                    .statistic = summary.statistic,
                    .tail = summary.tail};
    const double level = request_.level.to_double().value_or(0);
    const std::size_t count = contestants_.size();
    std::vector<std::vector<bool>> differ(count, std::vector<bool>(count, false));
    if (request_.test == RankTest::nemenyi) {
      ranking.critical_difference = critical_rank_difference(count, summary.blocks, level);
      for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < count; ++b) {
          const Rational apart = summary.mean_ranks[a] - summary.mean_ranks[b];
          differ[a][b] = std::abs(apart.to_double().value_or(0)) >= *ranking.critical_difference;
        }
      }
    } else {
      compare_pairs(blocks, level, ranking, differ);
    }
    // Pairs are looked at where all together differ.
    if (summary.tail > level) differ.assign(count, std::vector<bool>(count, false));
    add_groups(summary, differ, ranking);
    return ranking;
  }

  static void compare_pairs(const std::vector<RankedBlock>& blocks, double level, Ranking& ranking,
                            std::vector<std::vector<bool>>& differ) {
    std::vector<double> tails;
    for (std::size_t a = 0; a < differ.size(); ++a) {
      for (std::size_t b = a + 1; b < differ.size(); ++b) {
        tails.push_back(signed_rank_tail(blocks, a, b));
        ranking.pairs.push_back({a, b, tails.back()});
      }
    }
    const std::vector<bool> rejected = holm_rejections(tails, level);
    for (std::size_t i = 0; i < rejected.size(); ++i) {
      const RankedPair& pair = ranking.pairs[i];
      differ[pair.first][pair.second] = differ[pair.second][pair.first] = rejected[i];
    }
  }

  // As many neighbors by mean rank as there are without two that differ; of those within others none.
  static void add_groups(const RankSummary& summary, const std::vector<std::vector<bool>>& differ, Ranking& ranking) {
    const std::size_t count = differ.size();
    for (std::size_t s = 0; s < count; ++s) ranking.order.push_back(s);
    std::ranges::stable_sort(ranking.order, {}, [&](std::size_t s) { return summary.mean_ranks[s]; });
    const auto& order = ranking.order;
    std::size_t covered = 0;  // behind the last of the groups so far
    for (std::size_t begin = 0; begin < count; ++begin) {
      std::size_t end = begin + 1;
      const auto joins = [&](std::size_t next) {
        return std::none_of(order.begin() + static_cast<std::ptrdiff_t>(begin),
                            order.begin() + static_cast<std::ptrdiff_t>(next),
                            [&](std::size_t s) { return differ[s][order[next]]; });
      };
      while (end < count && joins(end)) ++end;
      if (end - begin > 1 && end > covered) ranking.groups.push_back({begin, end - 1});
      covered = std::max(covered, end);
    }
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = a + 1; b < count; ++b) {
        const bool is_joined = std::ranges::any_of(
            ranking.groups, [&](const RankGroup& group) { return group.first <= a && b <= group.last; });
        if (!differ[order[a]][order[b]] && !is_joined) ranking.unjoined.push_back({a, b});
      }
    }
  }

  const Summary& summary_;
  const FigureRequest& request_;
  std::vector<std::size_t> cells_;
  std::vector<Unlabeled> contestants_;
};

}  // namespace

ReportedFigure ranking_figure_of(const Summary& summary, const FigureRequest& request) {
  return RankingMaker(summary, request).figure();
}

}  // namespace takt::experiments
