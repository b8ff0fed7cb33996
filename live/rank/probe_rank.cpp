// Everything measured has its place in one list of numbers on every rank, -1 if it is not the rank's: the greatest
// are the result.
#include "live/rank/probe_rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "live/files/mix_kernel.hpp"
#include "live/rank/scheduling.hpp"
#include "tpn/ends.hpp"
#include "tpn/timing.hpp"

namespace takt::live {

namespace {

constexpr int kFirst = 1;  // the rank of the first processor

// Stages that take their time and no processor.
class SleepKernel : public MixKernel {
 public:
  using MixKernel::MixKernel;

  void run(const StageCall& call, Packet& packet) override {
    const auto end = std::chrono::steady_clock::now() + call.nominal;
    MixKernel::run(call, packet);
    std::this_thread::sleep_until(end);
  }
};

class ProbeRank {
 public:
  ProbeRank(const RunPlan& plan, Job& job, std::unique_ptr<Kernel> kernel, const PacketSource& source)
      : plan_(plan),
        job_(job),
        terms_(*plan.probe),
        timing_(plan.instance),
        source_(source),
        kernel_(kernel ? std::move(kernel) : std::make_unique<SleepKernel>(plan.bytes)),
        stages_(plan.instance.application.stages.size()),
        count_(plan.instance.platform.processors.size()),
        pairs_(probed_pairs(plan.instance.platform)),
        runs_(probed_stages(plan.instance)) {
    if (job.size() != static_cast<int>(plan.processors.size()) + 1) {
      throw std::runtime_error(
          fmt::format("found {} processes, expected {}: one that gathers, and one for each "
                      "processor",
                      job.size(), plan.processors.size() + 1));
    }
    times_.assign(stages_ * count_ * terms_.repeats, -1);
    sizes_.assign(stages_ + 1, -1);
    round_trips_.assign(pairs_.size() * terms_.sizes.size(), -1);
    spreads_ = round_trips_;
  }

  std::optional<ProbeResult> run() {
    want_prompt_timers();
    if (terms_.one_stage) {
      time_one_stage(*terms_.one_stage);
    } else if (std::ranges::all_of(runs_, [](const auto& row) { return std::ranges::find(row, false) == row.end(); })) {
      time_all_stages();
    } else {
      time_where_they_run();
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      exchange(i);
      job_.meet_at_rest();
    }
    return gathered();
  }

 private:
  // The processor of this rank: computing ones are below count_, rank 0 has none.
  std::size_t processor() const {
    return job_.rank() == 0 ? tpn::EndNumbers(plan_.instance.platform).end()
                            : plan_.processors[static_cast<std::size_t>(job_.rank()) - 1];
  }
  bool computes() const { return processor() < count_; }
  int rank_of(std::size_t processor) const {
    for (std::size_t k = 0; k < plan_.processors.size(); ++k) {
      if (plan_.processors[k] == processor) return static_cast<int>(k) + 1;
    }
    throw std::runtime_error("the plan lacks a processor");
  }

  // All ranks that compute at once, or one after the other: then round by round, so that what disturbs a moment is not
  // in all repeats of one processor.
  template <typename Repeat>
  void take_turns(const Repeat& repeat) const {
    if (!terms_.in_turn) {
      job_.meet_at_rest();
      if (computes()) warm_and_repeat(repeat);
    }
    for (std::uint64_t round = 0; terms_.in_turn && round <= terms_.repeats; ++round) {
      for (std::size_t p = 0; p < count_; ++p) {
        job_.meet_at_rest();
        if (p == processor()) repeat(round == 0 ? 0 : round - 1, round > 0);
      }
    }
    job_.meet_at_rest();
  }

  // The data set of a repeat; before the first comes one that does not count, of the same.
  Packet input_of(std::uint64_t repeat) const {
    Packet packet{terms_.inputs > 0 ? repeat % terms_.inputs : repeat, {}};
    if (source_) packet.bytes = source_(packet.data_set);
    return packet;
  }

  std::chrono::nanoseconds nominal(std::size_t stage) const {
    const auto time = timing_.stage_time(stage, processor());
    const Rational ticks = time.value_or(Rational(0)) * plan_.unit_seconds * Rational(1'000'000'000);
    return std::chrono::nanoseconds(ticks.floor().get_si());
  }

  // Nanoseconds.
  std::int64_t timed(std::size_t stage, Packet& packet) {
    const StageCall call{stage, nominal(stage)};
    const std::int64_t begin = monotonic_now();
    kernel_->run(call, packet);
    return monotonic_now() - begin;
  }

  void note(std::size_t stage, std::uint64_t repeat, std::int64_t time) {
    times_[(stage * count_ + processor()) * terms_.repeats + repeat] = time;
  }

  // Calls `repeat` so often, once before it counts.
  template <typename Repeat>
  void warm_and_repeat(const Repeat& repeat) const {
    repeat(0, false);
    for (std::uint64_t r = 0; r < terms_.repeats; ++r) repeat(r, true);
  }

  // What repeats of the chain leave: packets before stage `kept`, by repeat, and sizes of the input and behind stages.
  struct ChainFiles {
    std::size_t kept = 0;
    std::vector<Packet> inputs;
    std::vector<std::vector<std::int64_t>> sizes;
  };
  ChainFiles chain_files(std::size_t kept) const {
    return {kept, std::vector<Packet>(terms_.repeats), std::vector<std::vector<std::int64_t>>(stages_ + 1)};
  }

  // Each stage gets what the one before it has made.
  void time_chain(ChainFiles& files, std::uint64_t repeat, bool counts) {
    Packet packet = input_of(repeat);
    if (counts) files.sizes[0].push_back(static_cast<std::int64_t>(packet.bytes.size()));
    for (std::size_t k = 0; k < stages_; ++k) {
      if (k == files.kept) files.inputs[repeat] = packet;
      const std::int64_t time = timed(k, packet);
      if (!counts) continue;
      if (k != files.kept) note(k, repeat, time);
      files.sizes[k + 1].push_back(static_cast<std::int64_t>(packet.bytes.size()));
    }
  }

  void note_sizes(ChainFiles& files) {
    if (job_.rank() != kFirst) return;
    for (std::size_t k = 0; k <= stages_; ++k) sizes_[k] = median_of(std::move(files.sizes[k]));
  }

  void time_all_stages() {
    ChainFiles files = chain_files(stages_);
    take_turns([&](std::uint64_t r, bool counts) { time_chain(files, r, counts); });
    note_sizes(files);
  }

  // The first processor computes all stages; then all compute this one, of the same inputs.
  void time_one_stage(std::size_t stage) {
    ChainFiles files = chain_files(stage);
    std::vector<Packet>& inputs = files.inputs;
    if (job_.rank() == kFirst) warm_and_repeat([&](std::uint64_t r, bool counts) { time_chain(files, r, counts); });
    note_sizes(files);
    job_.meet_at_rest();
    for (std::uint64_t r = 0; r < terms_.repeats; ++r) share(inputs[r], input_of(r).data_set, kFirst);
    take_turns([&](std::uint64_t r, bool counts) {
      Packet packet = inputs[r];
      const std::int64_t time = timed(stage, packet);
      if (counts) note(stage, r, time);
    });
  }

  // Stage by stage: all that run it compute it, of the files that the first of those that run the stage before made.
  void time_where_they_run() {
    std::vector<Packet> inputs;
    inputs.reserve(terms_.repeats);
    for (std::uint64_t r = 0; r < terms_.repeats; ++r) inputs.push_back(input_of(r));
    const auto middle_size = [](const std::vector<Packet>& files) {
      std::vector<std::int64_t> sizes;
      sizes.reserve(files.size());
      for (const Packet& file : files) sizes.push_back(static_cast<std::int64_t>(file.bytes.size()));
      return median_of(std::move(sizes));
    };
    for (std::size_t k = 0; k < stages_; ++k) {
      const auto maker = static_cast<std::size_t>(std::ranges::find(runs_[k], true) - runs_[k].begin());
      std::vector<Packet> made(terms_.repeats);
      take_turns([&](std::uint64_t r, bool counts) {
        if (!runs_[k][processor()]) return;
        Packet packet = inputs[r];
        const std::int64_t time = timed(k, packet);
        if (!counts) return;
        note(k, r, time);
        if (processor() == maker) made[r] = std::move(packet);
      });
      if (processor() == maker) {
        if (k == 0) sizes_[0] = middle_size(inputs);
        sizes_[k + 1] = middle_size(made);
      }
      for (std::uint64_t r = 0; r < terms_.repeats; ++r) share(made[r], inputs[r].data_set, rank_of(maker));
      inputs = std::move(made);
    }
  }

  // From one rank to all.
  void share(Packet& packet, std::uint64_t data_set, int from) {
    packet.data_set = data_set;
    auto size = static_cast<std::int64_t>(packet.bytes.size());
    job_.broadcast(from, bytes_of(size));
    packet.bytes.resize(static_cast<std::size_t>(size));
    job_.broadcast(from, packet.bytes);
  }

  // Messages of each size to and fro, by sends that wait for the receiver, as transfers of the model do.
  void exchange(std::size_t pair) {
    const auto [from, to] = pairs_[pair];
    if (processor() != from && processor() != to) return;
    const bool begins = processor() == from;
    const int other = rank_of(begins ? to : from);
    std::vector<char> bytes(terms_.sizes.back());
    for (std::size_t s = 0; s < terms_.sizes.size(); ++s) {
      const std::span<char> message = std::span(bytes).first(terms_.sizes[s]);
      std::vector<std::int64_t> times;
      for (std::uint64_t e = 0; e <= terms_.exchanges; ++e) {
        const std::int64_t begin = monotonic_now();
        if (begins) job_.send_until_received(other, message);
        job_.receive(other, message);
        if (!begins) job_.send_until_received(other, message);
        if (e > 0) times.push_back(monotonic_now() - begin);
      }
      if (!begins) continue;
      spreads_[pair * terms_.sizes.size() + s] = middle_distance(times);
      round_trips_[pair * terms_.sizes.size() + s] = median_of(std::move(times));
    }
  }

  std::optional<ProbeResult> gathered() {
    for (auto* numbers : {&times_, &sizes_, &round_trips_, &spreads_}) job_.reduce(*numbers, Reduction::greatest);
    if (job_.rank() != 0) return std::nullopt;
    ProbeResult result;
    result.sizes = sizes_;
    std::span<const std::int64_t> rest(times_);
    result.times.resize(stages_);
    for (auto& row : result.times) {
      for (std::size_t p = 0; p < count_; ++p) {
        const auto some = rest.first(terms_.repeats);
        rest = rest.subspan(terms_.repeats);
        row.emplace_back();
        if (some[0] >= 0) row.back().assign(some.begin(), some.end());
      }
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const std::size_t begin = i * terms_.sizes.size();
      for (const auto& [from, to] :
           {std::pair(&round_trips_, &result.round_trips), std::pair(&spreads_, &result.round_trip_spreads)}) {
        const auto some = std::span(*from).subspan(begin, terms_.sizes.size());
        to->emplace_back(some.begin(), some.end());
      }
    }
    return result;
  }

  const RunPlan& plan_;
  Job& job_;
  const ProbeTerms& terms_;
  tpn::Timing timing_;
  const PacketSource& source_;
  std::unique_ptr<Kernel> kernel_;
  std::size_t stages_;
  std::size_t count_;
  std::vector<ProbedPair> pairs_;
  std::vector<std::vector<bool>> runs_;    // by stage, then processor
  std::vector<std::int64_t> times_;        // by stage, processor, repeat
  std::vector<std::int64_t> sizes_;        // of the input, then behind each stage; the first processor's
  std::vector<std::int64_t> round_trips_;  // by pair, then size
  std::vector<std::int64_t> spreads_;      // likewise
};

}  // namespace

std::optional<ProbeResult> probe(const RunPlan& plan, Job& job, std::unique_ptr<Kernel> kernel,
                                 const PacketSource& source) {
  return ProbeRank(plan, job, std::move(kernel), source).run();
}

std::string prober_name(const RunPlan& plan, int rank) {
  const std::vector<tpn::Processor>& processors = plan.instance.platform.processors;
  if (rank == 0 || static_cast<std::size_t>(rank) > plan.processors.size()) return fmt::format("process {}", rank);
  const std::size_t processor = plan.processors[static_cast<std::size_t>(rank) - 1];
  if (processor < processors.size()) return "processor " + processors[processor].name;
  const tpn::Platform& platform = plan.instance.platform;
  const std::string& name = tpn::end_at(platform, processor).name;
  const char* const end = tpn::EndNumbers(platform).is_source(processor) ? "source" : "sink";
  return name.empty() ? fmt::format("the {}", end) : fmt::format("{} {}", end, name);
}

}  // namespace takt::live
