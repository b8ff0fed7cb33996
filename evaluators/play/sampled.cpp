// Plays of random blocks of data sets with one clock per processor, their means, and Student's intervals.
#include "evaluators/play/sampled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "evaluators/play/firing.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

std::vector<std::uint64_t> part_lengths(const FoldedNet& net) {
  std::vector<std::uint64_t> lengths;
  lengths.reserve(net.pipeline.parts.size());
  for (const tpn::NetPart& part : net.pipeline.parts) lengths.push_back(part.sequence.size());
  return lengths;
}

// That of theorem 3.
Integer gap_of(const FoldedNet& net) {
  const std::vector<std::uint64_t> lengths = part_lengths(net);
  Integer processors = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  if (lengths.front() == 1) return processors;
  return 2 * processors + Integer(std::ranges::min(lengths)) * Integer(std::ranges::max(lengths));
}

// When half of the data sets of a block are through, and when all are, in ticks.
struct BlockEnds {
  std::int64_t half = 0;
  std::int64_t all = 0;
};

// The net in an empty state, one clock for each processor: a computation follows the reception at once, and the next
// reception the sending.
class BlockPlay {
 public:
  explicit BlockPlay(const FoldedNet& net) {
    const auto& columns = net.pipeline.columns;
    for (const tpn::NetPart& of_net : net.pipeline.parts) {
      PlayedPart part;
      const std::size_t length = of_net.sequence.size();
      part.clocks.resize(length);
      for (std::size_t entry = 0; entry < length; ++entry) {
        part.computations.push_back(columns[of_net.computation].duration(entry).get_si());
      }
      if (!of_net.receptions.empty()) part.reception = &columns[of_net.receptions.front()];
      parts_.push_back(std::move(part));
    }
  }

  // From that data set on. Nothing if the deadline passes.
  std::optional<BlockEnds> play(const Integer& first, std::uint64_t data_sets, maxplus::DeadlineWatch& watch) {
    for (PlayedPart& part : parts_) {
      std::ranges::fill(part.clocks, 0);
      part.entry = mpz_fdiv_ui(first.get_mpz_t(), part.clocks.size());
    }
    BlockEnds ends;
    if (!play_half(data_sets / 2, watch)) return std::nullopt;
    ends.half = latest();
    if (!play_half(data_sets / 2, watch)) return std::nullopt;
    ends.all = latest();
    return ends;
  }

 private:
  struct PlayedPart {
    std::vector<std::int64_t> clocks;        // by entry: when the processor is free
    std::vector<std::int64_t> computations;  // by entry
    const tpn::Column* reception = nullptr;
    std::size_t entry = 0;  // of the next data set
  };

  bool play_half(std::uint64_t data_sets, maxplus::DeadlineWatch& watch) {
    const auto operations = static_cast<double>(2 * parts_.size() - 1);
    for (std::uint64_t j = 0; j < data_sets; ++j) {
      if (watch.has_passed(operations)) return false;
      play_data_set();
    }
    return true;
  }

  void play_data_set() {
    PlayedPart* sender = &parts_.front();
    std::int64_t time = sender->clocks[sender->entry] + sender->computations[sender->entry];
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      PlayedPart& receiver = parts_[i];
      const tpn::Column& transfer = *receiver.reception;
      const std::span<const std::int64_t> durations = *transfer.table.narrow();
      time = std::max(time, receiver.clocks[receiver.entry]) +
             durations[transfer.sender_offset[sender->entry] + transfer.receiver_offset[receiver.entry]];
      free_at(*sender, time);
      time += receiver.computations[receiver.entry];
      sender = &receiver;
    }
    free_at(*sender, time);
  }

  static void free_at(PlayedPart& part, std::int64_t time) {
    part.clocks[part.entry] = time;
    if (++part.entry == part.clocks.size()) part.entry = 0;
  }

  std::int64_t latest() const {
    std::int64_t time = 0;
    for (const PlayedPart& part : parts_) time = std::max(time, std::ranges::max(part.clocks));
    return time;
  }

  std::vector<PlayedPart> parts_;
};

// Uniform from 0 to below - 1.
Integer draw_below(const Integer& below, boost::random::mt19937_64& random) {
  const std::size_t bits = mpz_sizeinbase(below.get_mpz_t(), 2);
  for (;;) {
    Integer drawn = 0;
    for (std::size_t known = 0; known < bits; known += 64) drawn = (drawn << 64) + Integer(random());
    drawn >>= (bits + 63) / 64 * 64 - bits;
    if (drawn < below) return drawn;
  }
}

// Of times in ticks over `data_sets` each.
SampledMean mean_of(const std::vector<std::int64_t>& times, std::uint64_t data_sets, const Integer& scale,
                    double confidence) {
  const auto draws = static_cast<double>(times.size());
  Integer total = 0;
  for (const std::int64_t time : times) total += static_cast<long>(time);
  SampledMean result;
  result.mean = Rational::fraction(total, scale * Integer(data_sets) * Integer(times.size()));
  // In ticks from the first, which keeps their digits.
  double sum = 0;
  for (const std::int64_t time : times) sum += static_cast<double>(time - times.front());
  double squares = 0;
  for (const std::int64_t time : times) {
    const double off = static_cast<double>(time - times.front()) - sum / draws;
    squares += off * off;
  }
  const boost::math::students_t_distribution<double> student(draws - 1);
  const double error = std::sqrt(squares / (draws - 1) / draws);
  const double ticks = boost::math::quantile(student, (1 + confidence) / 2) * error;
  const double half_width = ticks / Integer(scale * Integer(data_sets)).get_d();
  const double mean = result.mean.to_double().value_or(0);
  result.low = mean - half_width;
  result.high = mean + half_width;
  return result;
}

}  // namespace

// What the theorem is proved for.
constexpr tpn::Capabilities kSampleTakes{.repeated_processors = false};

std::optional<std::string> unfit_for_sample(const FoldedNet& net) {
  if (auto reason = tpn::why_refused(kSampleTakes, net)) return reason;
  if (!tpn::shares_processors(net.model))
    return "its processors do several things at a time; the estimate needs STRICT";
  if (!net.capacity.is_unlimited()) return "its rooms or its window are limited";
  std::uint64_t divisor = 0;
  for (const std::uint64_t length : part_lengths(net)) divisor = std::gcd(divisor, length);
  if (divisor > 1) {
    return fmt::format("the numbers of its parts' processors have the common divisor {}: it falls into {} nets",
                       divisor, divisor);
  }
  const auto is_narrow = [](const tpn::Column& column) { return column.table.narrow().has_value(); };
  if (!std::ranges::all_of(net.pipeline.columns, is_narrow) || !ends_fit_64_bits(net, Integer(kSampledDataSets))) {
    return "its times over their common denominator are too long for 64 bits";
  }
  return std::nullopt;
}

SampleSettings usual_sample(const FoldedNet& net, std::uint64_t seed) {
  constexpr double kVisits = 3e8;  // of a data set to a part
  constexpr std::uint64_t kDraws = 64;
  constexpr std::uint64_t kGaps = 100;
  constexpr std::uint64_t kLeast = 2000;  // data sets
  const double affordable = kVisits / static_cast<double>(kDraws * net.pipeline.parts.size());
  const double long_enough = static_cast<double>(kGaps) * gap_of(net).get_d();
  const double data_sets = std::min({affordable, long_enough, static_cast<double>(kSampledDataSets)});
  SampleSettings settings;
  settings.data_sets = std::max(kLeast, static_cast<std::uint64_t>(data_sets) / 2 * 2);
  settings.draws = kDraws;
  settings.seed = seed;
  return settings;
}

std::optional<SampledPeriod> sample_period(const FoldedNet& net, const SampleSettings& settings,
                                           const Deadline& deadline) {
  maxplus::expects(!unfit_for_sample(net), "the theorem holds for the net");
  maxplus::expects(settings.data_sets >= 2 && settings.data_sets % 2 == 0 && settings.data_sets <= kSampledDataSets &&
                       settings.draws >= 2 && settings.confidence > 0 && settings.confidence < 1,
                   "a sample has data sets, draws and a confidence");
  maxplus::DeadlineWatch watch(deadline);
  maxplus::SearchListener* const listener = deadline.listener();
  boost::random::mt19937_64 random(settings.seed);
  BlockPlay block(net);
  std::vector<std::int64_t> growths;
  std::vector<std::int64_t> times;
  for (std::uint64_t draw = 0; draw < settings.draws; ++draw) {
    if (listener != nullptr) listener->on_share(static_cast<double>(draw) / static_cast<double>(settings.draws));
    const auto ends = block.play(draw_below(net.pipeline.rows, random), settings.data_sets, watch);
    if (!ends || has_passed(deadline)) return std::nullopt;
    growths.push_back(ends->all - ends->half);
    times.push_back(ends->all);
  }
  SampledPeriod result;
  result.settings = settings;
  result.gap = gap_of(net);
  const Integer& scale = net.pipeline.scale;
  result.growth = mean_of(growths, settings.data_sets / 2, scale, settings.confidence);
  result.from_empty = mean_of(times, settings.data_sets, scale, settings.confidence);
  result.low = result.from_empty.low / (1 + result.gap.get_d() / static_cast<double>(settings.data_sets));
  result.high = result.from_empty.high;
  return result;
}

}  // namespace takt::evaluators
