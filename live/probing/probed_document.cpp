// Durations and sizes of documents are per firing, those of a run per data set: the gain of a stage is between them.
#include "live/probing/probed_document.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "maxplus/contract.hpp"
#include "tpn/ends.hpp"
#include "tpn/hosts.hpp"
#include "tpn/law.hpp"
#include "tpn/timing.hpp"

namespace takt::live {

namespace {

// Sizes are whole numbers of bytes, as a rule; per firing they need not be.
constexpr int kSizeDigits = 15;

// Of a processor that runs no stage, which must have one.
const Rational kNoStage = 1;

// The kind of links between processors; a processor's number is none of a source or sink.
constexpr std::size_t kInner = 0;

Rational seconds_of(std::int64_t nanoseconds, std::int64_t parts = 1) {
  return Rational::fraction(std::max<std::int64_t>(nanoseconds, 1), parts * 1'000'000'000);
}

class DocumentOfProbe {
 public:
  DocumentOfProbe(const tpn::Document& asked, const ProbeTerms& terms, const ProbeResult& result, const ProbeFit& fit)
      : timing_(asked), terms_(terms), result_(result), fit_(fit) {
    const std::size_t stages = asked.application.stages.size();
    maxplus::expects(result.times.size() == stages && result.sizes.size() == stages + 1,
                     "the result is of this document");
    made_.document = asked;
  }

  ProbedDocument make() {
    clear();
    set_times();
    set_sizes();
    set_links();
    return std::move(made_);
  }

 private:
  // What was said of times, and what follows from it.
  void clear() {
    tpn::Document& document = made_.document;
    document.time_unit = tpn::TimeUnit::second;
    document.predicted_period.reset();
    document.heuristic.reset();
    document.application.input_law = {};
    document.application.data_set_law = {};
    for (tpn::Stage& stage : document.application.stages) {
      stage.work.reset();
      stage.work_law = {};
      stage.output_law = {};
      stage.times.clear();
      stage.type_times.clear();
      stage.runs_on.clear();
    }
    clear(document.platform);
    std::erase_if(document.remarks, [](const auto& remark) {
      return remark.first.find("/links/") != std::string::npos || remark.first.starts_with("/platform/types/") ||
             remark.first == "/heuristic";
    });
  }

  static void clear(tpn::Platform& platform) {
    for (tpn::Processor& processor : platform.processors) {
      processor.speed.reset();
      processor.time.reset();
      processor.time_law = {};
      // What was measured of a link is not to be lessened by a port.
      processor.type.reset();
      processor.bandwidth.reset();
      processor.inherited = {};
    }
    platform.types.clear();
    platform.type_links.clear();
    platform.defaults = {};
    platform.links.clear();
    for (auto* ends : {&platform.source, &platform.sink}) {
      if (!*ends) continue;
      for (tpn::Endpoint& end : tpn::in_turn(**ends)) {
        end.timing = {};
        end.links.clear();
      }
    }
    for (tpn::NetworkSegment& segment : platform.segments) segment.bandwidth.reset();
  }

  void set_times() {
    std::vector<std::vector<std::optional<Rational>>> per_firing;
    for (std::size_t k = 0; k < result_.times.size(); ++k) {
      auto& row = made_.times.emplace_back();
      auto& fired = per_firing.emplace_back();
      for (const std::vector<std::int64_t>& repeats : result_.times[k]) {
        row.push_back(repeats.empty() ? std::optional<Rational>() : seconds_of(median_of(repeats)));
        fired.push_back(row.back() ? std::optional(*row.back() / timing_.gain(k)) : std::nullopt);
      }
    }
    if (!fit_.is_alike && !terms_.one_stage) {
      made_.processors = likeness_of_times(result_.times, fit_.most_misfit.to_double().value_or(0));
    }
    made_.has_alike_processors = fit_.is_alike.value_or(made_.processors && made_.processors->is_alike);
    if (made_.has_alike_processors) {
      made_.fit = alike_fit(per_firing);
    } else {
      auto fit = fit_speeds(per_firing);
      made_.has_fit = fit.has_value();
      if (fit) made_.fit = std::move(*fit);
    }
    maxplus::expects(made_.has_fit || !terms_.one_stage, "all processors have a measured time in common");
    const bool is_off = !made_.has_fit || made_.fit.worst_misfit > fit_.most_misfit;
    made_.has_own_times = !made_.has_alike_processors && !terms_.one_stage && is_off;
    made_.has_own_times ? set_own_times(per_firing) : set_works();
  }

  SpeedFit alike_fit(const std::vector<std::vector<std::optional<Rational>>>& times) const {
    SpeedFit fit;
    for (std::size_t k = 0; k < result_.times.size(); ++k) {
      std::vector<std::int64_t> all;
      for (const auto& repeats : result_.times[k]) all.insert(all.end(), repeats.begin(), repeats.end());
      fit.works.emplace_back(significant(seconds_of(median_of(std::move(all))) / timing_.gain(k)));
    }
    fit.speeds.assign(made_.document.platform.processors.size(), Rational(1));
    return with_misfit(std::move(fit), times);
  }

  // What the document says of a time: that number, or where repeats on a processor differ a sample for each, and their
  // mean.
  struct SampledTime {
    Rational time;
    tpn::SharedLaw law;
  };
  template <typename Scale>
  static SampledTime sampled(const Rational& time, const std::vector<std::vector<std::int64_t>>& lists,
                             const Scale& scale) {
    std::vector<Rational> samples;
    bool varies = false;
    for (const std::vector<std::int64_t>& repeats : lists) {
      if (samples.size() + repeats.size() > tpn::kMostSamples) return {time, {}};
      for (const std::int64_t repeat : repeats) {
        samples.push_back(significant(scale(repeat, repeats)));
        varies = varies || seconds_of(repeat) != seconds_of(repeats.front());
      }
    }
    if (!varies) return {time, {}};
    tpn::SampledLaw law = tpn::law_of_samples(samples);
    return {std::move(law.mean), tpn::SharedLaw(std::move(law.law))};
  }

  // As measured, per firing; of a work that processors of several speeds share, as multiples of each one's median.
  SampledTime sampled_work(std::size_t stage, const Rational& work) const {
    const bool is_alike = made_.has_alike_processors;
    return sampled(work, result_.times[stage], [&](std::int64_t repeat, const std::vector<std::int64_t>& repeats) {
      if (is_alike) return seconds_of(repeat) / timing_.gain(stage);
      return work * seconds_of(repeat) / seconds_of(median_of(repeats));
    });
  }

  void set_works() {
    std::vector<tpn::Stage>& stages = made_.document.application.stages;
    std::vector<tpn::Processor>& processors = made_.document.platform.processors;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      stages[k].work = made_.fit.works[k];
      if (stages[k].work) {
        SampledTime sampled = sampled_work(k, *stages[k].work);
        stages[k].work = std::move(sampled.time);
        stages[k].work_law = std::move(sampled.law);
      }
      if (!terms_.one_stage) stages[k].runs_on = runners(k);
    }
    for (std::size_t p = 0; p < processors.size(); ++p) processors[p].speed = made_.fit.speeds[p].value_or(kNoStage);
  }

  void set_own_times(const std::vector<std::vector<std::optional<Rational>>>& times) {
    std::vector<tpn::Stage>& stages = made_.document.application.stages;
    std::vector<tpn::Processor>& processors = made_.document.platform.processors;
    std::vector<bool> runs_some(processors.size(), false);
    for (std::size_t k = 0; k < stages.size(); ++k) {
      for (std::size_t p = 0; p < times[k].size(); ++p) {
        if (!times[k][p]) continue;
        SampledTime own = sampled(significant(*times[k][p]), {result_.times[k][p]},
                                  [&](std::int64_t repeat, const std::vector<std::int64_t>&) {
                                    return Rational(seconds_of(repeat) / timing_.gain(k));
                                  });
        tpn::StageTime time{p, std::move(own.time)};
        time.law = std::move(own.law);
        stages[k].times.push_back(std::move(time));
        runs_some[p] = true;
      }
    }
    for (std::size_t p = 0; p < processors.size(); ++p)
      if (!runs_some[p]) processors[p].speed = kNoStage;
  }

  // The names of those on which the stage was measured, of all cores of a machine the machine's; none if these are
  // all.
  std::vector<std::string> runners(std::size_t stage) const {
    const auto& times = result_.times[stage];
    const auto is_measured = [&](std::size_t p) { return !times[p].empty(); };
    std::vector<std::string> names;
    bool are_all = true;
    for (const tpn::ProcessorGroup& group : tpn::processor_groups(made_.document.platform)) {
      const std::vector<std::size_t> members = tpn::members_of(group);
      const auto count = static_cast<std::size_t>(std::ranges::count_if(members, is_measured));
      are_all = are_all && count == members.size();
      if (count == members.size()) {
        names.emplace_back(group.name);
        continue;
      }
      for (const std::size_t p : members)
        if (is_measured(p)) names.push_back(made_.document.platform.processors[p].name);
    }
    return are_all ? std::vector<std::string>() : names;
  }

  void set_sizes() {
    tpn::Application& application = made_.document.application;
    application.input = Rational(result_.sizes[0]);
    for (std::size_t k = 0; k < application.stages.size(); ++k) {
      const Rational size = Rational(result_.sizes[k + 1]) / timing_.gain(k);
      application.stages[k].output = size.is_integer() ? size : significant(size, kSizeDigits);
    }
  }

  void set_links() {
    const std::vector<ProbedPair> pairs = probed_pairs(made_.document.platform);
    maxplus::expects(pairs.size() == result_.round_trips.size(), "the result is of this platform");
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      MeasuredLink& link = made_.links.emplace_back(MeasuredLink{pairs[i], samples_of(i), {}});
      link.fit = fit_link(link.samples);
    }
    if (!fit_.is_alike) made_.links_by_size = likeness_of_links();
    made_.has_alike_links = fit_.is_alike.value_or(made_.links_by_size && made_.links_by_size->is_alike);
    made_.has_alike_links ? set_alike_links() : set_each_link();
  }

  // Links between processors are of one kind, those with a source or sink of another each: its number, 0 for none.
  std::size_t kind_of(const ProbedPair& pair) const {
    const tpn::EndNumbers ends(made_.document.platform);
    const std::size_t last = std::max(pair.from, pair.to);
    return ends.is_processor(last) ? kInner : last;
  }
  std::vector<std::size_t> kinds() const {
    std::vector<std::size_t> all{kInner};
    const tpn::Platform& platform = made_.document.platform;
    for (std::size_t end = platform.processors.size(); end < tpn::EndNumbers(platform).end(); ++end) all.push_back(end);
    return all;
  }
  tpn::Endpoint& end_of(std::size_t kind) {
    tpn::Platform& platform = made_.document.platform;
    const tpn::EndNumbers ends(platform);
    return tpn::in_turn(ends.is_source(kind) ? *platform.source : *platform.sink)[ends.which(kind)];
  }

  // Kinds of several links by size. Nothing if there are none, or too few round trips tell how they spread.
  std::optional<Likeness> likeness_of_links() const {
    if (result_.round_trip_spreads.size() != made_.links.size() || terms_.exchanges < kFewestRepeats)
      return std::nullopt;
    std::vector<MeasuredRow> rows;
    for (const std::size_t kind : kinds()) {
      for (std::size_t s = 0; s < terms_.sizes.size(); ++s) {
        MeasuredRow row;
        for (std::size_t i = 0; i < made_.links.size(); ++i) {
          if (kind_of(made_.links[i].pair) != kind) continue;
          const auto median = static_cast<double>(std::max<std::int64_t>(result_.round_trips[i][s], 1));
          row.medians.push_back(median);
          row.distances.push_back(static_cast<double>(result_.round_trip_spreads[i][s]) / median);
        }
        if (row.medians.size() < 2) continue;
        const auto [least, most] = std::ranges::minmax(row.medians);
        row.apart = most / least - 1;
        rows.push_back(std::move(row));
      }
    }
    if (rows.empty()) return std::nullopt;
    // What a latency and a bandwidth do not say of one link does not count between them either.
    Rational tolerated = fit_.most_misfit;
    for (const MeasuredLink& link : made_.links) tolerated = std::max(tolerated, link.fit.worst_misfit);
    return likeness_of(rows, terms_.exchanges, tolerated.to_double().value_or(0));
  }

  void set_each_link() {
    tpn::Platform& platform = made_.document.platform;
    for (const auto& [pair, samples, fit] : made_.links) {
      const std::size_t kind = kind_of(pair);
      if (kind == kInner) {
        platform.links.push_back({pair.from, pair.to, timing_of(fit)});
      } else {
        end_of(kind).links.push_back({std::min(pair.from, pair.to), timing_of(fit)});
      }
    }
  }

  // What the document says of all links of a kind is fitted to the medians over them.
  void set_alike_links() {
    for (const std::size_t kind : kinds()) {
      std::vector<std::vector<std::int64_t>> by_size(terms_.sizes.size());
      for (std::size_t i = 0; i < made_.links.size(); ++i) {
        if (kind_of(made_.links[i].pair) != kind) continue;
        for (std::size_t s = 0; s < by_size.size(); ++s) by_size[s].push_back(result_.round_trips[i][s]);
      }
      if (by_size[0].empty()) continue;
      const LinkFit fit = fit_link(medians_of(std::move(by_size)));
      for (MeasuredLink& link : made_.links) {
        if (kind_of(link.pair) == kind) link.fit = with_misfit(fit, link.samples);
      }
      (kind == kInner ? made_.document.platform.defaults : end_of(kind).timing) = timing_of(fit);
    }
  }

  std::vector<LinkSample> medians_of(std::vector<std::vector<std::int64_t>> by_size) const {
    std::vector<LinkSample> samples;
    for (std::size_t s = 0; s < by_size.size(); ++s) {
      samples.push_back({Rational(terms_.sizes[s]), seconds_of(median_of(std::move(by_size[s])), 2)});
    }
    return samples;
  }

  std::vector<LinkSample> samples_of(std::size_t pair) const {
    const std::vector<std::int64_t>& round_trips = result_.round_trips[pair];
    maxplus::expects(round_trips.size() == terms_.sizes.size(), "each size has a time");
    std::vector<LinkSample> samples;
    for (std::size_t s = 0; s < round_trips.size(); ++s) {
      samples.push_back({Rational(terms_.sizes[s]), seconds_of(round_trips[s], 2)});
    }
    return samples;
  }

  // Without a bandwidth sizes do not count: that is a fixed time.
  static tpn::LinkTiming timing_of(const LinkFit& fit) {
    tpn::LinkTiming timing;
    if (!fit.bandwidth) {
      timing.time = fit.latency;
      return timing;
    }
    timing.bandwidth = fit.bandwidth;
    if (fit.latency.sign() > 0) timing.latency = fit.latency;
    return timing;
  }

  tpn::Timing timing_;
  const ProbeTerms& terms_;
  const ProbeResult& result_;
  const ProbeFit& fit_;
  ProbedDocument made_;
};

}  // namespace

ProbedDocument probed_document(const tpn::Document& asked, const ProbeTerms& terms, const ProbeResult& result,
                               const ProbeFit& fit) {
  return DocumentOfProbe(asked, terms, result, fit).make();
}

}  // namespace takt::live
