// Rounds the fractions of a division so that the largest load rises least, and spreads the entries.
#include "heuristics/divided/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "heuristics/common/mapping_words.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/decimal.hpp"
#include "plan/wider/weighted_round_robin.hpp"
#include "tpn/timing.hpp"

namespace takt::heuristics {

namespace {

// Entries by segment and share; a share may be left with none.
using Entries = std::vector<std::vector<std::uint64_t>>;

// Which loads are within a period T: those up to it, or only those below.
enum class Within { reached, below };

class Rounding {
 public:
  Rounding(const DividedPipeline& pipeline, const Division& division)
      : pipeline_(pipeline), division_(division), whole_(pipeline.speeds.size()) {
    for (std::size_t i = 0; i < division.size(); ++i) {
      if (division[i].size() == 1) whole_[division[i].front().processor] += pipeline.segments[i].work();
    }
  }

  // A pass with `turns` entries a shared segment. Where it fails, next_ is the next period worth trying.
  std::optional<Entries> pass(std::uint64_t turns, const Rational& period, Within within = Within::reached) {
    next_.reset();
    std::vector<Integer> loads;  // times turns
    loads.reserve(whole_.size());
    for (const Integer& load : whole_) loads.emplace_back(load * turns);
    Entries entries(division_.size());
    for (std::size_t i = 0; i < division_.size(); ++i) {
      if (division_[i].size() == 1) {
        entries[i] = {1};
      } else if (!share_out(i, turns, period, within, loads, entries[i])) {
        return std::nullopt;
      }
    }
    return entries;
  }

  // The least period of sequences with `entries` entries, not below `bound`.
  std::pair<Rational, Entries> least(std::uint64_t turns, const Rational& bound) {
    constexpr int kHalvings = 12;  // any number is right
    auto entries = pass(turns, bound);
    if (entries) return {bound, std::move(*entries)};
    // Whoever takes whole entries where the division has fractions takes less than one more of the segment behind him
    // and one more of that before him.
    Rational failed = bound;
    Rational possible = bound;
    for (std::size_t i = 0; i < division_.size(); ++i) {
      for (const WorkShare& share : division_[i]) {
        const Integer two = 2 * pipeline_.segments[i].work();
        possible = std::max(possible, bound + Rational::fraction(two, turns * pipeline_.speeds[share.processor]));
      }
    }
    for (int k = 0; k < kHalvings; ++k) {
      const Rational middle = (failed + possible) / 2;
      (pass(turns, middle) ? possible : failed) = middle;
    }
    Rational period = failed;
    entries = pass(turns, period);
    while (!entries) {
      period = *next_;
      entries = pass(turns, period);
    }
    return {std::move(period), std::move(*entries)};
  }

  std::size_t shares() const {
    return std::accumulate(division_.begin(), division_.end(), std::size_t{0},
                           [](std::size_t sum, const auto& shares) { return sum + shares.size(); });
  }

 private:
  bool share_out(std::size_t i, std::uint64_t turns, const Rational& period, Within within, std::vector<Integer>& loads,
                 std::vector<std::uint64_t>& entries) {
    const Integer work = pipeline_.segments[i].work();  // an entry's, times turns
    const Integer step = period.denominator() * work;
    std::uint64_t left = turns;
    Integer room;
    Integer most;
    for (const WorkShare& share : division_[i]) {
      Integer& load = loads[share.processor];
      const Integer& speed = pipeline_.speeds[share.processor];
      room = period.numerator() * speed * turns - period.denominator() * load;
      if (within == Within::reached) {
        mpz_fdiv_q(most.get_mpz_t(), room.get_mpz_t(), step.get_mpz_t());
      } else {
        mpz_cdiv_q(most.get_mpz_t(), room.get_mpz_t(), step.get_mpz_t());
        most -= 1;
      }
      const std::uint64_t taken = most < 0 ? 0 : (most > left ? left : most.get_ui());
      load += taken * work;
      if (taken < left) {
        Rational next = Rational::fraction(load + work, speed * turns);
        if (!next_ || next < *next_) next_ = std::move(next);
      }
      left -= taken;
      entries.push_back(taken);
    }
    return left == 0;
  }

  const DividedPipeline& pipeline_;
  const Division& division_;
  std::vector<Integer> whole_;  // by processor, the segments that nobody shares with him
  std::optional<Rational> next_;
};

// The division itself, where it repeats within the granularity.
std::optional<Entries> exact_entries(const Division& division, std::uint64_t granularity) {
  Integer rows = 1;
  for (const auto& shares : division) {
    for (const WorkShare& share : shares) rows = lcm(rows, share.fraction.denominator());
    if (rows > granularity) return std::nullopt;
  }
  Entries entries;
  for (const auto& shares : division) {
    std::vector<std::uint64_t>& own = entries.emplace_back();
    for (const WorkShare& share : shares) own.push_back((share.fraction * rows).numerator().get_ui());
  }
  return entries;
}

// The best entries within the granularity, and whether the deadline left some untried.
std::pair<Entries, bool> rounded_entries(const DividedPipeline& pipeline, const Division& division,
                                         std::uint64_t granularity, const evaluators::Deadline& deadline) {
  constexpr std::array<std::uint64_t, 12> kRound = {12, 24, 60, 120, 240, 360, 720, 1260, 2520, 5040, 10080, 27720};
  constexpr std::uint64_t kMostShares = 2'000'000;  // looked at in all passes: a second or two
  Rounding rounding(pipeline, division);
  const Rational bound = period_of(pipeline, division) / pipeline.unit;
  for (const std::uint64_t turns : kRound) {
    if (turns > granularity) break;
    if (auto entries = rounding.pass(turns, bound)) return {std::move(*entries), false};
  }
  auto best = rounding.least(granularity, bound);
  const std::uint64_t trials = std::max<std::uint64_t>(kMostShares / rounding.shares(), 16);
  const std::uint64_t last = std::max(granularity / 2, granularity - std::min(granularity, trials));
  for (std::uint64_t turns = granularity - 1; turns > last && best.first > bound; --turns) {
    if (evaluators::has_passed(deadline)) return {std::move(best.second), true};
    if (rounding.pass(turns, best.first, Within::below)) best = rounding.least(turns, bound);
  }
  return {std::move(best.second), false};
}

bool takes_share(const std::vector<WorkShare>& shares, const std::vector<std::uint64_t>& entries,
                 std::size_t processor) {
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (shares[k].processor == processor && entries[k] > 0) return true;
  }
  return false;
}

// A run of equal entries.
void append(std::vector<std::size_t>& sequence, std::uint64_t count, std::size_t entry) {
  sequence.insert(sequence.end(), static_cast<std::size_t>(count), entry);
}

// The sequence of a segment with the given entries, as indices of shares. `leads` and `trails`: whether the first
// share's processor takes a share of the segment before as well, and the last one's of that behind.
std::vector<std::size_t> sequence_of(std::vector<std::uint64_t> weights, bool leads, bool trails) {
  constexpr std::ptrdiff_t kHarmless = 1;  // processors between these two that nothing can hold up
  std::vector<std::size_t> sequence;
  const auto present = std::ranges::count_if(weights, [](std::uint64_t weight) { return weight > 0; });
  if (present - (leads ? 1 : 0) - (trails ? 1 : 0) <= kHarmless) return plan::weighted_round_robin(weights);
  const std::uint64_t first = leads ? std::exchange(weights.front(), 0) : 0;
  const std::uint64_t last = trails ? std::exchange(weights.back(), 0) : 0;
  append(sequence, last, weights.size() - 1);
  const auto between = plan::weighted_round_robin(weights);
  sequence.insert(sequence.end(), between.begin(), between.end());
  append(sequence, first, 0);
  return sequence;
}

tpn::Mapping mapping_of(const tpn::Platform& platform, const DividedPipeline& pipeline, const Division& division,
                        const Entries& entries) {
  const bool has_source = platform.source.has_value();
  const bool has_sink = platform.sink.has_value();
  tpn::Mapping mapping;
  for (std::size_t i = 0; i < division.size(); ++i) {
    const Segment& segment = pipeline.segments[i];
    const std::uint64_t common =
        std::accumulate(entries[i].begin(), entries[i].end(), std::uint64_t{0}, std::gcd<std::uint64_t, std::uint64_t>);
    std::vector<std::uint64_t> weights;
    std::vector<std::size_t> processors;
    for (std::size_t k = 0; k < entries[i].size(); ++k) {
      if (entries[i][k] == 0) continue;
      weights.push_back(entries[i][k] / common);
      processors.push_back(division[i][k].processor);
    }
    const bool receives = i > 0 || has_source;
    const bool sends = i + 1 < division.size() || has_sink;
    const bool leads = sends && i > 0 && takes_share(division[i - 1], entries[i - 1], processors.front());
    const bool trails =
        receives && i + 1 < division.size() && takes_share(division[i + 1], entries[i + 1], processors.back());
    std::vector<std::size_t> sequence = sequence_of(std::move(weights), leads, trails);
    for (std::size_t& entry : sequence) entry = processors[entry];
    if (!mapping.empty() && mapping.back().processors == sequence) {
      mapping.back().last_stage = segment.last_stage;
    } else {
      mapping.push_back({segment.first_stage, segment.last_stage, std::move(sequence)});
    }
  }
  return mapping;
}

// By processor, in the order of the chain: its load, and the shares that make it.
LogTable division_table(const tpn::Document& problem, const DividedPipeline& pipeline, const Division& division,
                        const Entries& entries) {
  LogTable table{"The division", {"processor", "load / speed", "stages"}, {}};
  std::vector<std::size_t> order;
  std::vector<Rational> loads(pipeline.speeds.size());
  std::vector<std::string> words(pipeline.speeds.size());
  for (std::size_t i = 0; i < division.size(); ++i) {
    const std::uint64_t turns = std::accumulate(entries[i].begin(), entries[i].end(), std::uint64_t{0});
    for (std::size_t k = 0; k < entries[i].size(); ++k) {
      if (entries[i][k] == 0) continue;
      const std::size_t p = division[i][k].processor;
      if (words[p].empty()) order.push_back(p);
      const Rational fraction = Rational(entries[i][k]) / turns;
      loads[p] += fraction * pipeline.segments[i].work();
      if (!words[p].empty()) words[p] += ", ";
      if (fraction != 1) words[p] += fraction.to_string() + " of ";
      words[p] += stages_in_words(problem, pipeline.segments[i].first_stage, pipeline.segments[i].last_stage);
    }
  }
  for (const std::size_t p : order) {
    table.rows.push_back({problem.platform.processors[p].name,
                          time_in_words(problem, loads[p] / pipeline.speeds[p] * pipeline.unit), words[p]});
  }
  return table;
}

// What all sequences together leave to each.
std::uint64_t affordable_granularity(const Division& division) {
  const auto shared = std::ranges::count_if(division, [](const auto& shares) { return shares.size() > 1; });
  return kMostEntries / std::max<std::uint64_t>(static_cast<std::uint64_t>(shared), 1);
}

}  // namespace

Option granularity_option() {
  return {.name = "granularity",
          .help = "the mapping repeats after at most N data sets; fractions are rounded accordingly",
          .standard = Rational(kGranularity),
          .bound = tpn::json::Bound::positive_whole,
          .most = kMostGranularity};
}

Option epsilon_option() {
  return {.name = "epsilon",
          .help = "relative distance from the least period of a chain at which the search may stop",
          .standard = Rational::fraction(1, 100),
          .bound = tpn::json::Bound::positive};
}

Proposal map_division(const tpn::ProblemView& problem, const DividedPipeline& pipeline, const Division& division,
                      const Settings& settings, Log& log) {
  const std::uint64_t asked = settings.count("granularity");
  const std::uint64_t granularity = std::min(asked, affordable_granularity(division));
  bool cut_short = false;
  auto entries = exact_entries(division, granularity);
  const bool rounded = !entries;
  if (rounded)
    std::tie(entries.emplace(), cut_short) = rounded_entries(pipeline, division, granularity, settings.deadline);
  Proposal proposal{mapping_of(problem.document().platform, pipeline, division, *entries), {}, cut_short};
  proposal.predicted_period = computation_period(problem, proposal.mapping);
  log.tables.push_back(division_table(problem.document(), pipeline, division, *entries));
  const Rational period = period_of(pipeline, division);
  if (proposal.predicted_period > period) {
    const Rational percent = (proposal.predicted_period / period - 1) * 100;
    log.notes.push_back(fmt::format(
        "Fractions rounded to sequences that repeat within {} data sets raise the period from {} to {}, by {} percent; "
        "{}.",
        granularity, time_in_words(problem.document(), period),
        time_in_words(problem.document(), proposal.predicted_period), decimal(percent),
        granularity < asked ? "longer ones would be too long together" : "a larger --granularity lowers that"));
  }
  return proposal;
}

Rational computation_period(const tpn::ProblemView& problem, std::span<const tpn::Part> mapping) {
  std::vector<Rational> times(problem.document().platform.processors.size());
  std::vector<std::uint64_t> turns(times.size());
  for (const tpn::Part& part : mapping) {
    for (const std::size_t p : part.processors) ++turns[p];
    for (const std::size_t p : part.processors) {
      if (turns[p] == 0) continue;
      times[p] += problem.timing().computation(part.first_stage, part.last_stage, p) * Rational(turns[p]) /
                  part.processors.size();
      turns[p] = 0;
    }
  }
  return *std::ranges::max_element(times);
}

}  // namespace takt::heuristics
