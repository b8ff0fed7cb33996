// Classes of operations to times of stages and links.
#include "live/measurement/measured_document.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "maxplus/contract.hpp"
#include "tpn/ends.hpp"
#include "tpn/hosts.hpp"
#include "tpn/timing.hpp"

namespace takt::live {

using maxplus::Integer;
using tpn::ColumnKind;
using tpn::Document;
using tpn::FoldedNet;
using tpn::PartRole;

namespace {

// Digits behind the point of a share, so that the times of stages are not much longer than that of their part.
constexpr unsigned long kShareScale = 1'000'000;

Rational rounded_share(const Rational& share) {
  const Rational scaled = share * Rational(kShareScale);
  return Rational::fraction(scaled.floor(), kShareScale);
}

class MeasuredTimes {
 public:
  MeasuredTimes(const Document& document, const FoldedNet& net, const RunMeasurement& run, MeasuredValue value)
      : nominal_(document),
        timing_(document),
        hosts_(document.platform),
        ends_(document.platform),
        net_(net),
        result_(document) {
    std::map<ClassKey, std::vector<const OperationClass*>> by_size;
    for (const OperationClass& seen : run.classes) by_size[{seen.column, seen.sender, seen.receiver}].push_back(&seen);
    for (const auto& [key, classes] : by_size) times_[key] = time_of(classes, value);
  }

  Document document() {
    result_.predicted_period.reset();
    result_.heuristic.reset();
    result_.model = net_.model;
    for (const tpn::NetPart& part : net_.pipeline.parts) set_computations(part.computation);
    for (const auto& [key, time] : times_) {
      if (net_.pipeline.columns[key.column].kind == ColumnKind::transfer) add_transfer(key, time);
    }
    set_links();
    return std::move(result_);
  }

 private:
  struct ClassKey {
    std::size_t column;
    std::size_t sender;
    std::size_t receiver;
    auto operator<=>(const ClassKey&) const = default;
  };
  struct MeasuredTime {
    Rational time;
    std::span<const Rational> durations{};  // none if only their median counts
    std::uint64_t size = 1;                 // of the batch that takes this time
  };
  using ProcessorPair = std::pair<std::size_t, std::size_t>;
  struct TimeSum {
    Rational sum;
    std::size_t count = 0;
    std::vector<Rational> durations{};
    Rational mean() const { return sum / Rational(count); }
  };

  // Of the size with the most data sets: what the instance says of it, times what all batches took relative to that.
  MeasuredTime time_of(const std::vector<const OperationClass*>& classes, MeasuredValue value) const {
    const auto seen = [&](const OperationClass& of) {
      return std::max(value == MeasuredValue::mean ? of.mean : of.median, Rational());
    };
    const OperationClass& most =
        **std::ranges::max_element(classes, {}, [](const OperationClass* of) { return of->operations * of->size; });
    MeasuredTime result{.time = seen(most), .size = most.size};
    if (value == MeasuredValue::mean) result.durations = most.durations;
    if (classes.size() == 1) return result;
    const tpn::NetPart& part = net_.pipeline.parts[net_.pipeline.columns[tpn::ColumnIndex(most.column)].part];
    const auto nominal = [&](const OperationClass& of) {
      return timing_.computation(part.first_stage, part.last_stage, of.sender, of.size);
    };
    Rational taken;
    Rational expected;
    for (const OperationClass* const of : classes) {
      taken += seen(*of) * Rational(of->operations);
      expected += nominal(*of) * Rational(of->operations);
    }
    if (expected.sign() > 0) result.time = nominal(most) * taken / expected;
    return result;
  }

  void set_computations(tpn::ColumnIndex column) {
    const tpn::NetPart& part = net_.pipeline.parts[net_.pipeline.columns[column].part];
    if (part.role != PartRole::mapped) return;
    std::map<std::size_t, std::uint64_t> turns;  // of each processor one
    for (std::size_t j = 0; j < part.sequence.size(); ++j) turns.emplace(part.sequence[j], j);
    for (const auto& [processor, j] : turns) {
      const auto seen = times_.find({column, processor, processor});
      set_computation(part, processor,
                      seen != times_.end()
                          ? seen->second
                          : MeasuredTime{.time = timing_.computation(part.first_stage, part.last_stage, processor)});
    }
  }

  // How durations vary, each less what does not; none if they are all alike, or too many.
  static tpn::SharedLaw law_of(std::span<const Rational> durations, const Rational& constant = {}) {
    if (durations.size() < 2 || durations.size() > tpn::kMostSamples) return {};
    std::vector<Rational> samples;
    for (const Rational& duration : durations) samples.push_back(std::max(duration - constant, Rational()));
    if (std::ranges::all_of(samples, [&](const Rational& sample) { return sample == samples.front(); })) return {};
    return tpn::SharedLaw(tpn::law_of_samples(samples).law);
  }

  void set_computation(const tpn::NetPart& part, std::size_t processor, const MeasuredTime& measured) {
    const Rational& time = measured.time;
    tpn::Processor& computing = result_.platform.processors[processor];
    // A type's fixed time would come back when the document is read.
    if (computing.type && result_.platform.types[*computing.type].time) computing.type.reset();
    computing.time.reset();
    computing.inherited.computation = computing.inherited.computation && computing.speed;
    const std::vector<Rational> shares = shares_of(part, processor, measured.size);
    const auto varying = static_cast<std::size_t>(std::ranges::max_element(shares) - shares.begin());
    Rational rest = time;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const std::size_t stage = part.first_stage + k;
      const Rational own = k + 1 == shares.size() ? rest : time * shares[k];
      rest -= own;
      std::vector<tpn::StageTime>& times = result_.application.stages[stage].times;
      std::erase_if(times, [&](const tpn::StageTime& old) { return old.processor == processor; });
      const Rational fixed = own * fixed_share(stage, processor, measured.size);
      times.push_back({.processor = processor,
                       .time = (own - fixed) / Rational(measured.size) / timing_.gain(stage),
                       .fixed = fixed / timing_.gain(stage)});
      if (k == varying) times.back().law = law_of(measured.durations, time - own);
    }
  }

  // Of a stage's time for a batch, what the instance says to be once for all.
  Rational fixed_share(std::size_t stage, std::size_t processor, std::uint64_t size) const {
    const tpn::StageTime* const own = timing_.own_time(stage, processor);
    if (own == nullptr || own->fixed.sign() == 0) return 0;
    return own->fixed / own->of_batch(size);
  }

  bool has_fixed(const tpn::NetPart& part, std::size_t processor) const {
    for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) {
      const tpn::StageTime* const own = timing_.own_time(stage, processor);
      if (own != nullptr && own->fixed.sign() != 0) return true;
    }
    return false;
  }

  // Of the part's stages, by what they take; the last has the rest.
  std::vector<Rational> shares_of(const tpn::NetPart& part, std::size_t processor, std::uint64_t size) const {
    const std::size_t count = part.last_stage - part.first_stage + 1;
    std::vector<Rational> amounts(count, 1);
    Rational sum(count);
    if (count > 1 && !nominal_.platform.processors[processor].time) {
      sum = 0;
      for (std::size_t k = 0; k < count; ++k) {
        amounts[k] = timing_.stage_time(part.first_stage + k, processor, size).value_or(0);
        sum += amounts[k];
      }
      if (sum.sign() == 0) {
        std::ranges::fill(amounts, Rational(1));
        sum = Rational(count);
      }
    }
    // Rounded, stages with other fixed times would have others for batches of other sizes.
    const bool is_exact = size > 1 || has_fixed(part, processor);
    for (Rational& amount : amounts) amount = is_exact ? amount / sum : rounded_share(amount / sum);
    return amounts;
  }

  void add_transfer(const ClassKey& key, const MeasuredTime& measured) {
    // A link is the hosts'.
    const std::size_t sender = ends_.is_processor(key.sender) ? hosts_.first_of(key.sender) : key.sender;
    const std::size_t receiver = ends_.is_processor(key.receiver) ? hosts_.first_of(key.receiver) : key.receiver;
    if (sender == receiver) return;  // a memory bandwidth says more than one time
    TimeSum& sum = links_[{sender, receiver}];
    sum.sum += measured.time;
    sum.durations.insert(sum.durations.end(), measured.durations.begin(), measured.durations.end());
    ++sum.count;
  }

  void set_links() {
    std::vector<tpn::Link>& links = result_.platform.links;
    std::map<ProcessorPair, std::size_t> directed;
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (links[i].directed) directed.emplace(ProcessorPair{links[i].from, links[i].to}, i);
    }
    for (const auto& [pair, time] : links_) {
      const tpn::LinkTiming timing{
          .bandwidth = {}, .latency = {}, .time = time.mean(), .fixed_law = law_of(time.durations)};
      if (!ends_.is_processor(pair.first)) {
        set_end(tpn::in_turn(*result_.platform.source)[ends_.which(pair.first)], pair.second, timing);
      } else if (!ends_.is_processor(pair.second)) {
        set_end(tpn::in_turn(*result_.platform.sink)[ends_.which(pair.second)], pair.first, timing);
      } else if (const auto same = directed.find(pair); same != directed.end()) {
        links[same->second].timing = timing;
      } else {
        links.push_back({pair.first, pair.second, timing, true});
      }
    }
  }

  static void set_end(tpn::Endpoint& end, std::size_t processor, const tpn::LinkTiming& timing) {
    const auto same = std::ranges::find(end.links, processor, &tpn::EndpointLink::processor);
    if (same != end.links.end()) {
      same->timing = timing;
    } else {
      end.links.push_back({processor, timing});
    }
  }

  const Document& nominal_;
  tpn::Timing timing_;
  tpn::HostIndex hosts_;
  tpn::EndNumbers ends_;
  const FoldedNet& net_;
  Document result_;
  std::map<ClassKey, MeasuredTime> times_;
  std::map<ProcessorPair, TimeSum> links_;
};

}  // namespace

Document measured_document(const Document& document, const FoldedNet& net, const RunMeasurement& run,
                           MeasuredValue value) {
  return MeasuredTimes(document, net, run, value).document();
}

}  // namespace takt::live
