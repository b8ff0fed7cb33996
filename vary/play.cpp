// Rings of ends by column; draws by blocks of four data sets.
#include "vary/play.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "evaluators/play/play.hpp"
#include "evaluators/play/round_waits.hpp"
#include "maxplus/contract.hpp"
#include "vary/draws.hpp"

namespace takt::vary {

namespace {

std::uint64_t longest_shift_of(const tpn::Pipeline& pipeline) {
  std::uint64_t longest = 0;
  for (const tpn::Column& column : pipeline.columns) longest = std::max(longest, column.shift);
  return longest;
}

}  // namespace

PlayedNet::PlayedNet(const tpn::FoldedNet& net, NetTimes times)
    : net_(net),
      times_(std::move(times)),
      longest_shift_(longest_shift_of(net.pipeline)),
      plan_(evaluators::make_firing_plan(net, longest_shift_)),
      samplers_(times_.laws.begin(), times_.laws.end()),
      is_entry_(net.pipeline.columns.size(), false),
      is_exit_(net.pipeline.columns.size(), false) {
  const tpn::Pipeline& pipeline = net.pipeline;
  for (const tpn::PartIndex part : pipeline.entries()) is_entry_[pipeline.parts[part].computation] = true;
  for (const tpn::PartIndex part : pipeline.exits()) is_exit_[pipeline.parts[part].computation] = true;
}

namespace {

// Random bits of one stream, four data sets at a time.
class BitStream {
 public:
  BitStream(std::uint64_t seed, DrawStream stream, std::uint64_t first_copy)
      : seed_(seed), stream_(stream), first_copy_(first_copy) {}

  std::span<const std::uint64_t> of(std::uint64_t data_set) {
    if (data_set / kDrawsAtOnce != block_) {
      block_ = data_set / kDrawsAtOnce;
      draw_block(seed_, stream_, first_copy_, block_, bits_);
    }
    return std::span(bits_).subspan(data_set % kDrawsAtOnce * kLanes, kLanes);
  }

 private:
  std::uint64_t seed_;
  DrawStream stream_;
  std::uint64_t first_copy_;
  std::uint64_t block_ = std::numeric_limits<std::uint64_t>::max();
  std::array<std::uint64_t, kDrawsAtOnce * kLanes> bits_{};
};

// The factors of recent data sets.
class DataSetFactors {
 public:
  // `reach`: how many data sets behind the latest asked for others may be.
  DataSetFactors(const PlayedNet& net, std::uint64_t seed, std::uint64_t first_copy, std::uint64_t reach)
      : bits_(seed, DrawStream::of_data_sets(), first_copy), ring_(std::bit_ceil(reach + 1)) {
    if (net.times().data_set_law) sampler_ = &net.samplers()[*net.times().data_set_law];
  }

  bool vary() const { return sampler_ != nullptr; }

  const LaneRow& of(std::uint64_t data_set) {
    for (; next_ <= data_set; ++next_) sampler_->draw(bits_.of(next_), ring_[next_ % ring_.size()].numbers);
    return ring_[data_set % ring_.size()];
  }

 private:
  const LawSampler* sampler_ = nullptr;  // null if data sets are alike
  BitStream bits_;
  std::vector<LaneRow> ring_;
  std::uint64_t next_ = 0;
};

// The durations of a column, data set after data set.
class ColumnDurations {
 public:
  ColumnDurations(const PlayedNet& net, std::size_t column, std::uint64_t seed, std::uint64_t first_copy,
                  DataSetFactors& data_sets)
      : column_(net.net().pipeline.columns[tpn::ColumnIndex(column)]),
        part_(net.net().pipeline.parts[column_.part]),
        times_(net.times().columns[column]),
        samplers_(net.samplers()),
        data_sets_(data_sets) {
    for (const DrawStream stream : times_.streams) streams_.emplace_back(seed, stream, first_copy);
  }

  // Of the round that it stands at.
  const LaneRow& next(std::uint64_t round) {
    const std::size_t entry = column_.sender_offset[sender_] + column_.receiver_offset[receiver_];
    if (++sender_ == column_.sender_offset.size()) sender_ = 0;
    if (++receiver_ == column_.receiver_offset.size()) receiver_ = 0;
    // Before its first round a column has data sets of large numbers, which are as good.
    const std::uint64_t data_set = round - column_.shift;
    const bool grows = data_sets_.vary() && round >= column_.shift;
    LaneRow once;
    lanes_ = {};
    for (std::size_t t = times_.first_term[entry]; t < times_.first_term[entry + 1]; ++t) {
      const TimeTerm& term = times_.terms[t];
      LaneRow& sum = grows && !term.grows_with_data_set ? once : lanes_;
      const LawSampler& sampler = samplers_[term.law];
      if (sampler.is_constant()) {
        for (double& lane : sum.numbers) lane += term.mean;
        continue;
      }
      sampler.draw(streams_[term.stream].of(data_set), factors_);
      for (std::size_t k = 0; k < kLanes; ++k) sum[k] += term.mean * factors_[k];
    }
    if (grows) grow(data_set, once);
    return lanes_;
  }

 private:
  // By the mean factor of all data sets that are computed at once.
  void grow(std::uint64_t data_set, const LaneRow& once) {
    const std::uint64_t size = column_.kind == tpn::ColumnKind::compute ? part_.computed_at(data_set) : 1;
    LaneRow factors;
    for (std::uint64_t k = 0; k < size; ++k) {
      const LaneRow& of_one = data_sets_.of(data_set - k);
      for (std::size_t i = 0; i < kLanes; ++i) factors[i] += of_one[i];
    }
    const double share = size == 0 ? 0 : 1 / static_cast<double>(size);
    for (std::size_t i = 0; i < kLanes; ++i) lanes_[i] = lanes_[i] * factors[i] * share + once[i];
  }

  const tpn::Column& column_;
  const tpn::NetPart& part_;
  const ColumnTimes& times_;
  const std::vector<LawSampler>& samplers_;
  DataSetFactors& data_sets_;
  std::vector<BitStream> streams_;
  std::array<double, kLanes> factors_{};
  std::size_t sender_ = 0;
  std::size_t receiver_ = 0;
  LaneRow lanes_;
};

// Arrivals of recent data sets, at a mean gap of 1.
class RecentArrivals {
 public:
  RecentArrivals(const PlaySettings& settings, std::uint64_t first_copy, std::uint64_t longest_shift)
      : arrivals_(settings.arrivals),
        exponential_({.kind = LawKind::exponential}),
        gaps_(settings.seed, DrawStream::of_arrivals(), first_copy),
        ring_(std::bit_ceil(longest_shift + 2)) {}

  // Data sets must be asked for up to `data_set` one after the other; the ring holds those of late.
  const LaneRow& of(std::uint64_t data_set) {
    for (; next_ <= data_set; ++next_) add();
    return ring_[data_set % ring_.size()];
  }

 private:
  void add() {
    LaneRow& lanes = ring_[next_ % ring_.size()];
    if (arrivals_.kind == ArrivalKind::poisson) {
      exponential_.draw(gaps_.of(next_), lanes.numbers);
      for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += last_[k];
    } else {
      lanes.numbers.fill(arrivals_.kind == ArrivalKind::table ? time_in_table() : static_cast<double>(next_));
    }
    last_ = lanes;
  }

  double time_in_table() const {
    const std::uint64_t place = next_ % arrivals_.times->size();
    const std::uint64_t lap_begin = next_ - place;
    return (*arrivals_.times)[place] + static_cast<double>(lap_begin);
  }

  Arrivals arrivals_;
  LawSampler exponential_;
  BitStream gaps_;
  std::vector<LaneRow> ring_;
  LaneRow last_;
  std::uint64_t next_ = 0;
};

// How many data sets exist.
std::uint64_t data_sets_of(const PlayedNet& net, const PlaySettings& settings) {
  if (settings.arrivals.kind == ArrivalKind::table) return evaluators::played_data_sets(net.net(), settings.data_sets);
  // A data set is delivered with its batch, and may wait for those behind it.
  std::uint64_t behind = 0;
  for (const tpn::PartIndex part : net.net().pipeline.exits())
    behind = std::max(behind, net.net().pipeline.parts[part].largest_batch() - 1);
  return settings.data_sets + behind + net.longest_shift();
}

std::uint64_t largest_batch(const PlayedNet& net) {
  std::uint64_t largest = 1;
  for (const tpn::NetPart& part : net.net().pipeline.parts) largest = std::max(largest, part.largest_batch());
  return largest;
}

// Of a table, in whose first and last rounds operations are missing.
std::optional<evaluators::RoundWaits> ending_waits(const PlayedNet& net, const PlaySettings& settings,
                                                   std::uint64_t existing) {
  if (settings.arrivals.kind != ArrivalKind::table || net.longest_shift() == 0) return std::nullopt;
  return std::optional<evaluators::RoundWaits>(std::in_place, net.net(), existing);
}

class CopiesPlay {
 public:
  CopiesPlay(const PlayedNet& net, std::span<const Scenario> scenarios, const PlaySettings& settings,
             std::uint64_t first_copy)
      : net_(net),
        scenarios_(scenarios),
        settings_(settings),
        order_(net.plan()),
        ends_(net.plan().slots * scenarios.size()),
        data_sets_(net, settings.seed, first_copy, net.longest_shift() + largest_batch(net)),
        arrivals_(settings, first_copy, net.longest_shift() + largest_batch(net)),
        existing_(data_sets_of(net, settings)),
        waits_(ending_waits(net, settings, existing_)),
        latest_(scenarios.size()),
        latest_skipped_(scenarios.size()),
        delivered_(std::bit_ceil(net.longest_shift() + largest_batch(net) + 2)),
        fire_(fire_lanes(settings.instructions)) {
    for (std::size_t c = 0; c < net.plan().columns(); ++c) {
      durations_.emplace_back(net, c, settings.seed, first_copy, data_sets_);
      exits_ += net.is_exit(c) ? 1 : 0;
    }
    for (auto& waiting : delivered_) waiting.ends.resize(scenarios.size());
    result_.resize(scenarios.size());
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
      if (!scenarios[s].gap) continue;
      result_[s].latencies.assign(kLanes, std::vector<double>(settings.data_sets - settings.skipped));
    }
  }

  std::optional<std::vector<PlayedScenario>> run(const maxplus::Deadline& deadline) {
    const std::uint64_t rounds = existing_ + (waits_ ? net_.longest_shift() : 0);
    maxplus::DeadlineWatch watch(deadline);
    const double steps = static_cast<double>(net_.plan().columns() * scenarios_.size() * kLanes);
    for (std::uint64_t round = 0; round < rounds; ++round) {
      if (watch.has_passed(steps)) return std::nullopt;
      play_round(round);
    }
    finish();
    return std::move(result_);
  }

 private:
  // A data set of which some exits have delivered.
  struct Delivery {
    std::vector<LaneRow> ends;
    std::size_t count = 0;
  };

  void play_round(std::uint64_t round) {
    for (std::size_t c = 0; c < durations_.size(); ++c) {
      const std::uint64_t shift = net_.net().pipeline.columns[tpn::ColumnIndex(c)].shift;
      const bool is_there = round >= shift && round - shift < existing_;
      const LaneRow& durations = durations_[c].next(round);
      if (waits_ && !is_there) {
        waits_->pass_on({round, tpn::ColumnIndex(c)});
        continue;
      }
      find_predecessors(round, c);
      LaneRow* const end = rows_of(order_.slot(c));
      fire_({.end = end,
             .predecessors = predecessors_,
             .durations = &durations,
             .arrivals = is_there && net_.is_entry(c) ? arrivals_of(round - shift) : nullptr,
             .scenarios = scenarios_.size()});
      if (is_there && net_.is_exit(c)) deliver_batch(c, round - shift, end);
    }
    order_.advance();
  }

  void find_predecessors(std::uint64_t round, std::size_t column) {
    predecessors_.clear();
    // Between the first rounds and the last no operation is missed.
    if (!waits_ || (round >= waits_->longest() && round < existing_)) {
      order_.for_each_predecessor(column, [&](std::size_t slot) { predecessors_.push_back(rows_of(slot)); });
      return;
    }
    waits_->for_each({round, tpn::ColumnIndex(column)}, [&](const tpn::Operation& from) {
      predecessors_.push_back(rows_of(order_.slot_before(from.column, round - from.data_set)));
    });
  }

  LaneRow* rows_of(std::size_t slot) { return ends_.data() + slot * scenarios_.size(); }

  const LaneRow* arrivals_of(std::uint64_t data_set) {
    const LaneRow& units = arrivals_.of(data_set);
    scaled_.resize(scenarios_.size());
    for (std::size_t s = 0; s < scenarios_.size(); ++s) {
      const double gap = scenarios_[s].gap.value_or(0);
      for (std::size_t k = 0; k < kLanes; ++k) scaled_[s][k] = gap * units[k];
    }
    return scaled_.data();
  }

  void deliver_batch(std::size_t column, std::uint64_t last, const LaneRow* end) {
    const tpn::Pipeline& pipeline = net_.net().pipeline;
    const tpn::NetPart& part = pipeline.parts[pipeline.columns[tpn::ColumnIndex(column)].part];
    part.for_each_computed_at(last, [&](std::uint64_t data_set) { deliver(data_set, end); });
  }

  void deliver(std::uint64_t data_set, const LaneRow* end) {
    if (data_set >= settings_.data_sets) return;
    Delivery& delivery = delivered_[data_set % delivered_.size()];
    for (std::size_t s = 0; s < scenarios_.size(); ++s) {
      for (std::size_t k = 0; k < kLanes; ++k) {
        delivery.ends[s][k] = delivery.count == 0 ? end[s][k] : std::max(delivery.ends[s][k], end[s][k]);
      }
    }
    if (++delivery.count < exits_) return;
    delivery.count = 0;
    for (std::size_t s = 0; s < scenarios_.size(); ++s) {
      for (std::size_t k = 0; k < kLanes; ++k) latest_[s][k] = std::max(latest_[s][k], delivery.ends[s][k]);
    }
    if (data_set + 1 == settings_.skipped) latest_skipped_ = latest_;
    if (data_set < settings_.skipped) return;
    const LaneRow& units = arrivals_.of(data_set);
    const std::size_t place = data_set - settings_.skipped;
    for (std::size_t s = 0; s < scenarios_.size(); ++s) {
      if (!scenarios_[s].gap) continue;
      std::vector<double>* const lanes = result_[s].latencies.data();
      for (std::size_t k = 0; k < kLanes; ++k) {
        lanes[k][place] = delivery.ends[s][k] - *scenarios_[s].gap * units[k];
      }
    }
  }

  void finish() {
    const auto measured = static_cast<double>(settings_.data_sets - settings_.skipped);
    for (std::size_t s = 0; s < scenarios_.size(); ++s) {
      for (std::size_t k = 0; k < kLanes; ++k) {
        result_[s].periods.push_back((latest_[s][k] - latest_skipped_[s][k]) / measured);
      }
    }
  }

  const PlayedNet& net_;
  std::span<const Scenario> scenarios_;
  const PlaySettings& settings_;
  evaluators::FiringOrder order_;
  std::vector<LaneRow> ends_;  // by slot, then scenario
  std::vector<ColumnDurations> durations_;
  DataSetFactors data_sets_;
  RecentArrivals arrivals_;
  std::uint64_t existing_;                       // data sets
  std::optional<evaluators::RoundWaits> waits_;  // of what does not go on behind these
  std::vector<LaneRow> scaled_;
  std::vector<LaneRow> latest_;  // delivery by now, by scenario
  std::vector<LaneRow> latest_skipped_;
  std::vector<Delivery> delivered_;  // a ring
  std::size_t exits_ = 0;
  std::vector<const LaneRow*> predecessors_;
  FireLanes fire_;
  std::vector<PlayedScenario> result_;
};

}  // namespace

std::optional<std::vector<PlayedScenario>> play_copies(const PlayedNet& net, std::span<const Scenario> scenarios,
                                                       const PlaySettings& settings, std::uint64_t first_copy,
                                                       const maxplus::Deadline& deadline) {
  maxplus::expects(settings.skipped < settings.data_sets, "a play measures a data set at least");
  return CopiesPlay(net, scenarios, settings, first_copy).run(deadline);
}

}  // namespace takt::vary
