// The keeper of programs is forked before the job is joined: a fork behind MPI_Init is undefined with some transports.
#include "live/rank/rank.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "live/adaptation/adaptation.hpp"
#include "live/adaptation/coordinator.hpp"
#include "live/engine/participant.hpp"
#include "live/files/run_result.hpp"
#include "live/process/filter_kernel.hpp"
#include "live/process/input_spool.hpp"
#include "live/process/journal_file.hpp"
#include "live/process/keeper.hpp"
#include "live/process/retrying_kernel.hpp"
#include "live/process/spin_kernel.hpp"
#include "live/rank/computers.hpp"
#include "live/rank/function_kernel.hpp"
#include "live/rank/look_interval.hpp"
#include "live/rank/probe_rank.hpp"
#include "live/rank/rank_files.hpp"
#include "live/rank/scheduling.hpp"
#include "tpn/reader.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

constexpr std::int64_t kSpun = 50'000;         // nanoseconds before a moment that are not slept: so late sleepers wake
constexpr std::chrono::seconds kPatience{10};  // for the writer of a run that was ended

// What stages are made of: functions of this program, and what starts others.
struct StageMeans {
  const std::vector<NamedStage>& functions;
  Keeper* keeper = nullptr;         // where stages are programs
  StageWordQueue* words = nullptr;  // for what a user should know
};

std::unique_ptr<FilterKernel> make_filter_kernel(const RunPlan& plan, const StageMeans& means) {
  std::vector<StageCommand> commands;
  const std::vector<tpn::Stage>& stages = plan.instance.application.stages;
  for (const auto& [name, command] : plan.programs) {
    const auto stage = std::ranges::find(stages, name, &tpn::Stage::name);
    const bool is_each = std::ranges::find(plan.each, name) != plan.each.end();
    commands.push_back({static_cast<std::size_t>(stage - stages.begin()), name, command, is_each});
  }
  ProgramOptions options;
  options.format = plan.records == RecordForm::lines ? RecordFormat::lines : RecordFormat::lengths;
  options.first_stage_counts = plan.input.empty() && plan.spool.empty();
  options.first_stage_has_lines = !options.first_stage_counts;
  if (plan.stage_limit_ms > 0) options.time_limit = std::chrono::milliseconds(plan.stage_limit_ms);
  if (means.words != nullptr) {
    options.say = [words = means.words](std::size_t stage, const std::string& text) { words->say({stage, text}); };
  }
  return std::make_unique<FilterKernel>(*means.keeper, commands, std::move(options));
}

// Null where stages are emulated.
std::unique_ptr<Kernel> make_kernel(const RunPlan& plan, const StageMeans& means) {
  switch (plan.kernel) {
    case KernelKind::emulate:
      return nullptr;
    case KernelKind::spin:
      return std::make_unique<SpinKernel>(plan.bytes);
    case KernelKind::library:
      return make_function_kernel(plan, means.functions);
    case KernelKind::program:
      return make_filter_kernel(plan, means);
  }
  return nullptr;
}

// A kernel whose failures are those of data sets, where the run goes on without them.
std::unique_ptr<Kernel> with_retries(std::unique_ptr<Kernel> kernel, const RunPlan& plan, const StageMeans& means) {
  if (plan.on_failure.stops || !kernel) return kernel;
  RetryTerms terms;
  for (const tpn::Stage& stage : plan.instance.application.stages) terms.stages.push_back(stage.name);
  terms.retries = plan.on_failure.retries;
  for (const KnownFailure& known : plan.on_failure.known) {
    const auto stage = std::ranges::find(terms.stages, known.stage) - terms.stages.begin();
    terms.known[{known.data_set, static_cast<std::size_t>(stage)}] = known.words;
  }
  terms.say = [words = means.words](std::size_t stage, const std::string& text) { words->say({stage, text}); };
  return std::make_unique<RetryingKernel>(std::move(kernel), std::move(terms));
}

// Programs that the mapping gives to a processor are there before its first data set is; others start when they are
// wanted.
void start_programs(FilterKernel& kernel, const tpn::Mapping& mapping, std::size_t processor) {
  for (const tpn::Part& part : mapping) {
    if (std::ranges::find(part.processors, processor) == part.processors.end()) continue;
    for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) kernel.start(stage);
  }
}

// How much later this machine's clock is than that of rank 0, in nanoseconds: by the fastest of many exchanges.
std::int64_t clock_offset(Job& job) {
  constexpr int kExchanges = 100;
  std::int64_t offset = 0;
  for (int other = 1; other < job.size(); ++other) {
    if (job.rank() != 0 && job.rank() != other) continue;
    std::int64_t fastest = INT64_MAX;
    for (int k = 0; k < kExchanges; ++k) {
      std::int64_t theirs = monotonic_now();
      if (job.rank() == 0) {
        job.receive(other, bytes_of(theirs));
        theirs = monotonic_now();
        job.send(other, bytes_of(theirs));
        continue;
      }
      const std::int64_t sent = theirs;
      job.send(0, bytes_of(theirs));
      job.receive(0, bytes_of(theirs));
      const std::int64_t back = monotonic_now();
      if (back - sent >= fastest) continue;
      fastest = back - sent;
      offset = sent + fastest / 2 - theirs;
    }
  }
  return offset;
}

// The moment of this machine's clock at which the run begins.
std::int64_t common_begin(Job& job, bool has_one_clock) {
  const std::int64_t offset = has_one_clock ? 0 : clock_offset(job);
  job.meet();
  std::int64_t begin = monotonic_now();
  job.broadcast(0, bytes_of(begin));
  return begin + offset;
}

// What a run is, for each of its ranks.
class RankRun {
 public:
  RankRun(const RunPlan& plan, Job& job)
      : plan_(plan),
        job_(job),
        problem_(plan.instance),
        pipeline_(pipeline_of(plan)),
        terms_(terms_of(plan, pipeline_)) {
    if (job.size() != static_cast<int>(plan.processors.size()) + 1) {
      throw std::runtime_error(fmt::format("found {} processes, expected {}: a coordinator, and one for each processor",
                                           job.size(), plan.processors.size() + 1));
    }
    if (plan.wait != WaitKind::poll) bells_ = job.make_bells();
    if (plan.wait == WaitKind::bell && !bells_) throw std::runtime_error("processes do not share memory for bells");
    std::vector<int> ranks(terms_.coordinator + 1, -1);
    for (std::size_t k = 0; k < plan.processors.size(); ++k) ranks[plan.processors[k]] = static_cast<int>(k) + 1;
    ranks.back() = 0;
    begin_ = common_begin(job, bells_ != nullptr);
    name_ranks();
    const bool is_watched = plan.engine.links == LinkUse::real || plan.engine.anchor == Anchor::observed;
    transport_ = job.make_transport({std::move(ranks), begin_, bells_.get(), is_watched});
  }

  /// The name of this rank in messages.
  std::string name() const {
    return job_.rank() == 0 ? "the coordinator" : "processor " + pipeline_.processors[processor()];
  }

  void run(StageMeans means) {
    want_prompt_timers();
    if (job_.rank() == 0) {
      write_text(fmt::format("{}/{}", plan_.output, kBegunFile), "");
      coordinate();
    } else {
      means.words = &words_;
      participate(means);
    }
  }

 private:
  static tpn::Pipeline pipeline_of(const RunPlan& plan) {
    auto made = tpn::make_pipeline(plan.instance);
    if (auto* pipeline = std::get_if<tpn::Pipeline>(&made)) return std::move(*pipeline);
    throw std::runtime_error("the mapping is too large");
  }

  static RunTerms terms_of(const RunPlan& plan, const tpn::Pipeline& pipeline) {
    return {.model = plan.model,
            .engine = plan.engine,
            .ticks_per_unit = plan.unit_seconds * Rational(1'000'000'000),
            .processors = plan.processors,
            .coordinator = pipeline.processors.size(),
            .source = source_of(pipeline),
            .keeps_records = plan.spool.empty(),
            .tells_times = plan.adaptation.has_value()};
  }

  void name_ranks() {
    std::vector<std::int64_t> processes(static_cast<std::size_t>(job_.size()));
    processes[static_cast<std::size_t>(job_.rank())] = getpid();
    job_.reduce(processes, Reduction::sum);
    names_.processors = pipeline_.processors;
    names_.processes.resize(pipeline_.processors.size());
    for (std::size_t k = 0; k < plan_.processors.size(); ++k) names_.processes[plan_.processors[k]] = processes[k + 1];
    names_.are_here = bells_ != nullptr;
  }

  std::size_t processor() const { return plan_.processors[static_cast<std::size_t>(job_.rank()) - 1]; }

  std::unique_ptr<Computer> make_computer(const StageMeans& means) {
    std::unique_ptr<Kernel> kernel = make_kernel(plan_, means);
    if (auto* const programs = dynamic_cast<FilterKernel*>(kernel.get())) {
      start_programs(*programs, *plan_.instance.mapping, processor());
    }
    if (!kernel) return std::make_unique<EmulatedComputer>(plan_.bytes, plan_.loads, processor());
    const auto notify = [this] {
      if (bells_) bells_->ring(job_.rank());
    };
    return std::make_unique<WorkingComputer>(with_retries(std::move(kernel), plan_, means), input_of(plan_),
                                             plan_.loads, processor(), notify, plan_.again);
  }

  // Steps until it is over, and sleeps where there is nothing to do.
  template <typename Role>
  void serve(Role& role) {
    Ticks moved = transport_->now();  // when something happened last
    std::uint32_t heard = 0;
    while (!role.is_over()) {
      if (job_.rank() == 0) give_sign();
      const std::uint32_t count = bells_ ? bells_->count() : 0;
      // What is due does not wait for messages to be fetched.
      bool has_moved = role.step().has_moved;
      StepResult result;
      if (!has_moved) {
        transport_->fetch();
        result = role.step();
        has_moved = result.has_moved;
      }
      if (has_moved || std::exchange(heard, count) != count || transport_->is_receiving()) moved = transport_->now();
      if (!has_moved && !role.is_over()) pause(result.next, count, moved);
    }
    constexpr std::chrono::microseconds kLook{50};
    while (!transport_->has_sent_all()) std::this_thread::sleep_for(kLook);
  }

  // Who looks after the run sees that its coordinator is not stopped.
  void give_sign() {
    constexpr std::int64_t kNowAndThen = 1'000'000'000;
    if (monotonic_now() < next_sign_) return;
    next_sign_ = monotonic_now() + kNowAndThen;
    write_text(fmt::format("{}/{}", plan_.output, kCoordinatorFile), std::to_string(getpid()));
  }

  void pause(const std::optional<Ticks>& next, std::uint32_t count, Ticks moved) {
    const Ticks now = transport_->now();
    Ticks until = now + look_interval(now - moved, bells_ != nullptr);
    if (next && *next - kSpun < until) until = *next - kSpun;
    if (until > now) {
      if (bells_) {
        bells_->wait(count, begin_ + until);
      } else {
        std::this_thread::sleep_for(std::chrono::nanoseconds(until - now));
      }
      return;
    }
    while (transport_->now() < *next) {
    }
  }

  void participate(const StageMeans& means) {
    const auto computer = make_computer(means);
    Participant participant(processor(), problem_, terms_, *transport_, *computer, &words_);
    bool has_priority = false;
    {
      const RealTimePriority priority(priority_of(plan_));
      serve(participant);
      has_priority = priority.is_on();
    }
    end(has_priority);
  }

  void coordinate() {
    std::unique_ptr<JournalFile> journal;
    CoordinatorTerms coordination = plan_.coordination;
    if (!plan_.journal.empty()) {
      JournalOwner owner{fingerprint_of(plan_)};
      if (!plan_.input.empty()) owner.chain = chain_of_lines(plan_.input);
      journal = std::make_unique<JournalFile>(plan_.journal, std::move(owner),
                                              JournalOptions{plan_.sync, kPatience, plan_.segment});
      if (plan_.again.empty()) coordination.first_data_set = journal->next();
    }
    std::optional<SpoolReader> spool;
    if (!plan_.spool.empty()) spool.emplace(plan_.spool, coordination.first_data_set, plan_.keeps_spool);
    if (coordination.first_data_set >= coordination.data_sets) throw std::runtime_error("the journal is complete");
    EventFile events(plan_);
    CheckedResults results(plan_, names_, journal.get(), events, begin_, spool ? &*spool : nullptr);
    FileLog log(plan_, events);
    std::optional<Adaptation> adaptation;
    if (plan_.adaptation) {
      adaptation.emplace(plan_.instance, terms_.ticks_per_unit, adaptation_terms(plan_, coordination), log);
    }
    Coordinator coordinator(terms_, coordination, *plan_.instance.mapping, *transport_, results,
                            adaptation ? &*adaptation : nullptr, spool ? &*spool : nullptr);
    RunResult result;
    result.first_data_set = coordination.first_data_set;
    {
      const RealTimePriority priority(priority_of(plan_));
      serve(coordinator);
      result.has_real_time = priority.is_on();
    }
    result.delivered = results.delivered();
    result.failed = results.failed();
    result.wrong = results.wrong();
    result.has_bells = bells_ != nullptr;
    result.begin = coordinator.begin_time();
    result.end = coordinator.deliveries().empty() ? result.begin : coordinator.deliveries().back();
    result.mappings = coordinator.mappings();
    result.work = coordinator.work();
    if (result.has_bells) result.cores = std::thread::hardware_concurrency();
    const auto [has_priority, time] = end(result.has_real_time);
    result.has_real_time = has_priority;
    result.cpu_nanoseconds = time;
    std::string records;
    for (const std::vector<Record>& some : coordinator.records()) records += encode_records(some);
    write_text(fmt::format("{}/{}", plan_.output, kRecordsFile), records);
    write_text(fmt::format("{}/{}", plan_.output, kResultFile), write_run_result(result));
  }

  // Whether all ranks had real-time priority, and the processor time of all; known to rank 0.
  std::pair<bool, std::uint64_t> end(bool has_priority) {
    std::int64_t have_priority = has_priority ? 1 : 0;
    job_.reduce({&have_priority, 1}, Reduction::least);
    auto time = static_cast<std::int64_t>(process_time());
    job_.reduce({&time, 1}, Reduction::sum);
    return {have_priority != 0, static_cast<std::uint64_t>(time)};
  }

  const RunPlan& plan_;
  Job& job_;
  tpn::ProblemView problem_;
  tpn::Pipeline pipeline_;
  RunTerms terms_;
  std::unique_ptr<Bells> bells_;
  std::int64_t begin_ = 0;
  std::unique_ptr<JobTransport> transport_;
  StageWordQueue words_;
  RankNames names_;  // of rank 0
  std::int64_t next_sign_ = 0;
};

// The first that fails says why; where it fails there may be more who then do.
void note_failure(const RunPlan& plan, const std::string& who, const std::string& what) {
  const std::string text = fmt::format("{}: {}\n", tpn::visible(who), tpn::visible(what));
  std::cerr << "takt-live: " << text << std::flush;
  const std::string path = fmt::format("{}/{}", plan.output, kFailureFile);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return;
  [[maybe_unused]] const auto written = write(file, text.data(), text.size());
  close(file);
}

int run_plan(const RunPlan& plan, const StageMeans& means, Job& job) {
  std::string who = fmt::format("process {}", job.rank());
  // Memory that processes share is freed by all of them together: whoever fails must not wait for that.
  std::optional<RankRun> run;
  try {
    if (plan.probe) {
      who = prober_name(plan, job.rank());
      const auto result = probe(plan, job, make_kernel(plan, means), lines_of(plan.input));
      if (result) write_text(fmt::format("{}/{}", plan.output, kResultFile), write_probe_result(*result));
      return kRunEnded;
    }
    run.emplace(plan, job);
    who = run->name();
    run->run(means);
    return kRunEnded;
  } catch (const std::exception& error) {
    note_failure(plan, who, error.what());
    // A rank that fails alone must not leave the others waiting.
    job.abort(kRunFailed);
  }
  return kRunFailed;
}

}  // namespace

int run_rank(int argc, char** argv, const std::vector<NamedStage>& stages, const JobStarter& start) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " PLAN\ntakt run makes the plan and starts this program, one process for each "
              << "processor\n";
    return kRunMisused;
  }
  end_with_parent();
  lead_own_group();
  // A file that must not become larger is an error of write, which says so.
  std::signal(SIGXFSZ, SIG_IGN);
  std::optional<RunPlan> plan;
  try {
    plan = read_run_plan(text_of(argv[1]), argv[1]);
    std::optional<Keeper> keeper;
    if (plan->kernel == KernelKind::program || plan->kernel == KernelKind::library) keeper.emplace();
    const std::unique_ptr<Job> job = start(&argc, &argv);
    return run_plan(*plan, {stages, keeper ? &*keeper : nullptr}, *job);
  } catch (const std::exception& error) {
    if (plan) {
      note_failure(*plan, argv[0], error.what());
    } else {
      std::cerr << argv[0] << ": " << error.what() << '\n';
    }
    return kRunUnreadable;
  }
}

}  // namespace takt::live
