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
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "live/adaptation/adaptation.hpp"
#include "live/adaptation/coordinator.hpp"
#include "live/adaptation/first_free.hpp"
#include "live/engine/drawn_times.hpp"
#include "live/engine/participant.hpp"
#include "live/files/run_result.hpp"
#include "live/process/filter_kernel.hpp"
#include "live/process/input_spool.hpp"
#include "live/process/journal_file.hpp"
#include "live/process/keeper.hpp"
#include "live/process/retrying_kernel.hpp"
#include "live/process/spin_kernel.hpp"
#include "live/rank/clock_comparison.hpp"
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

constexpr std::int64_t kSpun = 50'000;  // nanoseconds before a moment that are not slept: so late sleepers wake
constexpr Ticks kLookWhileSending = 500'000;
constexpr std::chrono::seconds kPatience{10};  // for the writer of a run that was ended

// What stages are made of: functions of this program, and what starts others.
struct StageMeans {
  const std::vector<NamedStage>& functions;
  Keeper* keeper = nullptr;         // where stages are programs
  StageWordQueue* words = nullptr;  // for what a user should know
};

TextForm text_form(const RunPlan& plan) {
  return plan.records == RecordForm::lines ? TextForm::lines : TextForm::sized;
}

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
  options.flow = StageFlow(plan.instance.application);
  if (plan.stage_limit_ms > 0) options.time_limit = std::chrono::milliseconds(plan.stage_limit_ms);
  if (means.words != nullptr) {
    options.say = [words = means.words](std::size_t stage, const std::string& text) { words->say({stage, text}); };
  }
  return std::make_unique<FilterKernel>(*means.keeper, commands, std::move(options));
}

// Null if stages are emulated.
std::unique_ptr<Kernel> make_kernel(const RunPlan& plan, const StageMeans& means) {
  switch (plan.kernel) {
    case KernelKind::emulate:
      return nullptr;
    case KernelKind::spin:
      return std::make_unique<SpinKernel>(plan.bytes, StageFlow(plan.instance.application));
    case KernelKind::library:
      return make_function_kernel(plan, means.functions);
    case KernelKind::program:
      return make_filter_kernel(plan, means);
  }
  return nullptr;
}

// A kernel of users whose failures are those of data sets: the run goes on without them, or ends when all before the
// first is delivered.
std::unique_ptr<Kernel> with_retries(std::unique_ptr<Kernel> kernel, const RunPlan& plan, const StageMeans& means,
                                     const std::string& who) {
  if (is_made_up(plan.kernel)) return kernel;
  RetryTerms terms;
  for (const tpn::Stage& stage : plan.instance.application.stages) terms.stages.push_back(stage.name);
  terms.retries = plan.on_failure.retries;
  terms.inputs = text_form(plan);
  for (const KnownFailure& known : plan.on_failure.known) {
    const auto stage = std::ranges::find(terms.stages, known.stage) - terms.stages.begin();
    terms.known[{known.data_set, static_cast<std::size_t>(stage)}] = known.words;
  }
  if (plan.on_failure.stops) {
    terms.stops_as = who;
  } else {
    terms.say = [words = means.words](std::size_t stage, const std::string& text) { words->say({stage, text}); };
  }
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

// The moment of rank 0's clock at which the run begins.
std::int64_t common_begin(Job& job) {
  job.meet();
  std::int64_t begin = monotonic_now();
  job.broadcast(0, bytes_of(begin));
  return begin;
}

// Of the time, for shadows where processors share cores: there they slow the pipeline.
constexpr double kShadowShare = 0.03;

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
    machines_ = job.machines();
    is_one_machine_ = std::ranges::all_of(machines_, [](int first) { return first == 0; });
    if (plan.wait == WaitKind::bell && !is_one_machine_) {
      throw std::runtime_error("processes do not share memory for bells: they are on several machines");
    }
    if (plan.wait != WaitKind::poll) bells_ = job.make_bells();
    is_rung_ = bells_ != nullptr && is_one_machine_;
    std::vector<int> ranks(terms_.coordinator + 1, -1);
    for (std::size_t k = 0; k < plan.processors.size(); ++k) ranks[plan.processors[k]] = static_cast<int>(k) + 1;
    ranks.back() = 0;
    const ClockBounds clock = compare_clocks(job, machines_);
    const std::int64_t begin = common_begin(job);
    name_ranks();
    const bool is_watched = plan.engine.links == LinkUse::real || plan.engine.anchor == Anchor::observed;
    transport_ = job.make_transport({std::move(ranks), begin, bells_.get(), is_watched});
    const bool asks = machines_[static_cast<std::size_t>(job.rank())] != 0;
    clocks_.emplace(*transport_, terms_.coordinator, asks, clock, monotonic_now());
    coordinators_begin_ = begin;
    set_begin();
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
      keeper_ = means.keeper;
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
    const Rational ticks_per_unit = plan.unit_seconds * Rational(1'000'000'000);
    StageFlow flow(plan.instance.application);
    const tpn::ProblemView problem(plan.instance);
    const auto route = Route::make(pipeline, ticks_per_unit, flow, {}, &problem.timing());
    if (!route) throw std::runtime_error("a duration is too long");
    RunEnds ends = run_ends(*route);
    return {.model = plan.model,
            .engine = plan.engine,
            .ticks_per_unit = ticks_per_unit,
            .processors = plan.processors,
            .coordinator = pipeline.processors.size(),
            .sources = std::move(ends.sources),
            .entry_parts = std::move(ends.entry_parts),
            .deliverers = ends.deliverers,
            .is_ahead = route->largest_shift() > 0,
            .durations = plan.jitter
                             ? drawn_durations(plan.instance, pipeline, jitter_terms(*plan.jitter), ticks_per_unit)
                             : nullptr,
            .flow = std::move(flow),
            .results = text_form(plan),
            .keeps_records = plan.spool.empty(),
            .tells_times = plan.adaptation.has_value(),
            .lends_inputs = plan.adaptation && plan.adaptation->rule == AdaptationRule::safe,
            .tells_last_state = plan.coordination.looks_every.has_value(),
            .data_sets = plan.coordination.data_sets};
  }

  void set_begin() {
    begin_ = coordinators_begin_ + clocks_->offset_at(monotonic_now());
    transport_->set_begin(begin_);
  }

  // Rank 0's clock is that of the run.
  void look_at_clocks() {
    if (is_one_machine_) return;
    job_.rank() == 0 ? clocks_->answer() : static_cast<void>(clocks_->ask());
    set_begin();
  }

  // Whether some machine has more processors than this one has cores: other machines' cores are not known here.
  bool shares_cores() const {
    if (plan_.kernel == KernelKind::emulate) return false;
    std::map<int, std::size_t> processors;
    for (std::size_t rank = 1; rank < machines_.size(); ++rank) ++processors[machines_[rank]];
    return std::ranges::any_of(processors, [](const std::pair<const int, std::size_t>& of_machine) {
      return of_machine.second > std::thread::hardware_concurrency();
    });
  }

  void name_ranks() {
    std::vector<std::int64_t> processes(static_cast<std::size_t>(job_.size()));
    processes[static_cast<std::size_t>(job_.rank())] = getpid();
    job_.reduce(processes, Reduction::sum);
    names_.processors = pipeline_.processors;
    names_.processes.resize(pipeline_.processors.size());
    for (std::size_t k = 0; k < plan_.processors.size(); ++k) names_.processes[plan_.processors[k]] = processes[k + 1];
    names_.are_here = is_one_machine_;
  }

  std::size_t processor() const { return plan_.processors[static_cast<std::size_t>(job_.rank()) - 1]; }

  std::unique_ptr<Computer> make_computer(const StageMeans& means) {
    std::unique_ptr<Kernel> kernel = make_kernel(plan_, means);
    if (auto* const programs = dynamic_cast<FilterKernel*>(kernel.get())) {
      start_programs(*programs, *plan_.instance.mapping, processor());
    }
    if (!kernel) return std::make_unique<EmulatedComputer>(plan_.bytes, terms_.flow, plan_.loads, processor());
    const auto notify = [this] {
      if (bells_) bells_->ring(job_.rank());
    };
    // Another machine need not have the file: inputs come from the coordinator then.
    PacketSource input = is_fed() ? nullptr : input_of(plan_);
    return std::make_unique<WorkingComputer>(with_retries(std::move(kernel), plan_, means, name()), std::move(input),
                                             terms_.flow, plan_.loads, processor(), notify, plan_.again);
  }

  bool is_fed() const { return !is_one_machine_ && !plan_.input.empty(); }

  // Steps until it is over, and sleeps if there is nothing to do.
  template <typename Role>
  void serve(Role& role) {
    Ticks moved = transport_->now();  // when something happened last
    std::uint32_t heard = 0;
    while (!role.is_over()) {
      if (job_.rank() == 0) give_sign();
      forgive_stop(role);
      look_at_clocks();
      const std::uint32_t count = bells_ ? bells_->count() : 0;
      // What is due does not wait for messages to be fetched, where that is not why the rank looks.
      bool has_moved = is_rung_ && role.step().has_moved;
      StepResult result;
      if (!has_moved) {
        transport_->fetch();
        result = role.step();
        has_moved = result.has_moved;
      }
      if (has_moved || std::exchange(heard, count) != count || transport_->is_receiving()) moved = transport_->now();
      if (has_moved || role.is_over()) continue;
      // Programs can go while none of them is asked for anything.
      if (keeper_ != nullptr && keeper_->has_ended()) keeper_->fail_without_keeper();
      pause(result.next, count, moved);
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

  // A coordinator looks some times a second. While it does not, it was stopped, with all as a rule.
  template <typename Role>
  void forgive_stop(Role& role) {
    constexpr std::int64_t kStopped = 2'000'000'000;
    const std::int64_t here = monotonic_now();
    const std::int64_t before = std::exchange(looked_, here);
    if constexpr (std::is_same_v<Role, Coordinator>) {
      if (before > 0 && here - before > kStopped) role.forgive(here - before);
    }
  }

  void pause(const std::optional<Ticks>& next, std::uint32_t count, Ticks moved) {
    const Ticks now = transport_->now();
    Ticks until = now + look_interval(now - moved, is_rung_);
    // Networks take what is large piece by piece.
    if (!is_rung_ && transport_->is_sending()) until = std::min(until, now + kLookWhileSending);
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

  std::unique_ptr<JournalFile> open_journal() const {
    if (plan_.journal.empty()) return nullptr;
    JournalOwner owner{fingerprint_of(plan_)};
    if (!plan_.input.empty()) owner.chain = chain_of_lines(plan_.input);
    return std::make_unique<JournalFile>(plan_.journal, std::move(owner),
                                         JournalOptions{plan_.sync, kPatience, plan_.segment});
  }

  std::unique_ptr<Adaptation> adaptation_with(const CoordinatorTerms& coordination, FileLog& log) const {
    if (!plan_.adaptation) return nullptr;
    AdaptationTerms adapting = adaptation_terms(plan_, coordination);
    if (shares_cores()) adapting.safe.shadow_share = kShadowShare;
    return make_adaptation(plan_.instance, terms_.ticks_per_unit, std::move(adapting), log);
  }

  void coordinate() {
    const std::unique_ptr<JournalFile> journal = open_journal();
    CoordinatorTerms coordination = plan_.coordination;
    if (plan_.arrivals) coordination.arrives = drawn_arrivals(*plan_.arrivals, terms_.ticks_per_unit);
    if (journal && plan_.again.empty()) coordination.first_data_set = journal->next();
    std::optional<SpoolReader> spool;
    if (!plan_.spool.empty()) spool.emplace(plan_.spool, coordination.first_data_set, plan_.keeps_spool);
    if (coordination.first_data_set >= coordination.data_sets) throw std::runtime_error("the journal is complete");
    std::optional<LineFeed> lines;
    if (is_fed()) lines.emplace(plan_, coordination.first_data_set);
    InputFeed* feed = spool ? static_cast<InputFeed*>(&*spool) : lines ? &*lines : nullptr;
    EventFile events(plan_);
    CheckedResults results(plan_, names_, journal.get(), events, begin_, spool ? &*spool : nullptr);
    FileLog log(plan_, events);
    const std::unique_ptr<Adaptation> adaptation = adaptation_with(coordination, log);
    std::optional<FirstFree> first_free;
    if (terms_.engine.turns == TurnOrder::first_free) first_free.emplace(problem_, pipeline_, terms_.ticks_per_unit);
    Coordinator coordinator(terms_, coordination, *plan_.instance.mapping, *transport_, results, adaptation.get(), feed,
                            first_free ? &*first_free : nullptr);
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
    if (first_free && terms_.keeps_records) result.computed = first_free->shares(coordinator.records());
    leave(std::move(result), coordinator);
  }

  // What the coordinator leaves for whoever started the run.
  void leave(RunResult result, const Coordinator& coordinator) {
    result.has_bells = is_rung_;
    result.machines = std::set<int>(machines_.begin(), machines_.end()).size();
    result.begin = coordinator.begin_time();
    result.end = coordinator.deliveries().empty() ? result.begin : coordinator.deliveries().back();
    result.mappings = coordinator.mappings();
    result.work = coordinator.work();
    if (is_one_machine_) result.cores = std::thread::hardware_concurrency();
    const Ending all = end(result.has_real_time);
    result.has_real_time = all.have_priority;
    result.cpu_nanoseconds = all.time;
    result.clock_error = all.clock_error;
    std::string records;
    for (const std::vector<Record>& some : coordinator.records()) records += encode_records(some);
    write_text(fmt::format("{}/{}", plan_.output, kRecordsFile), records);
    write_text(fmt::format("{}/{}", plan_.output, kResultFile), write_run_result(result));
  }

  // Of all ranks, known to rank 0.
  struct Ending {
    bool have_priority = false;
    std::uint64_t time = 0;         // of processors, in nanoseconds
    std::uint64_t clock_error = 0;  // the greatest, likewise
  };
  Ending end(bool has_priority) {
    std::int64_t have_priority = has_priority ? 1 : 0;
    job_.reduce({&have_priority, 1}, Reduction::least);
    auto time = static_cast<std::int64_t>(process_time());
    job_.reduce({&time, 1}, Reduction::sum);
    std::int64_t error = clocks_->error();
    job_.reduce({&error, 1}, Reduction::greatest);
    return {have_priority != 0, static_cast<std::uint64_t>(time), static_cast<std::uint64_t>(error)};
  }

  const RunPlan& plan_;
  Job& job_;
  tpn::ProblemView problem_;
  tpn::Pipeline pipeline_;
  RunTerms terms_;
  std::vector<int> machines_;  // by rank, the first one there
  bool is_one_machine_ = true;
  std::unique_ptr<Bells> bells_;
  bool is_rung_ = false;                 // whoever sends to this rank rings
  std::int64_t coordinators_begin_ = 0;  // by the clock of rank 0's machine
  std::int64_t begin_ = 0;               // by this machine's
  std::unique_ptr<JobTransport> transport_;
  std::optional<ClockComparison> clocks_;
  StageWordQueue words_;
  RankNames names_;           // of rank 0
  Keeper* keeper_ = nullptr;  // of this rank's programs
  std::int64_t next_sign_ = 0;
  std::int64_t looked_ = 0;  // when the role's step came last
};

// The first that fails says why; where it fails there may be more who then do.
void note_failure(const RunPlan& plan, const std::string& words) {
  const std::string text = tpn::visible(words) + '\n';
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
    const bool says_whose = dynamic_cast<const StageStopsRun*>(&error) != nullptr;
    note_failure(plan, says_whose ? error.what() : who + ": " + error.what());
    // A rank that fails alone must not leave the others waiting.
    job.abort(kRunFailed);
  }
  return kRunFailed;
}

// Rank 0 reads the plan, for others may be on machines that do not have the file. Nothing if it cannot be read: all
// ranks end then.
std::optional<RunPlan> shared_plan(Job& job, const std::string& path) {
  std::string text;
  if (job.rank() == 0) {
    try {
      text = text_of(path);
      read_run_plan(text, path);
    } catch (const std::exception& error) {
      std::cerr << fmt::format("takt-live: rank 0, which must be on the machine of takt: {}\n", error.what())
                << std::flush;
      job.abort(kRunUnreadable);
      return std::nullopt;
    }
  }
  auto size = static_cast<std::int64_t>(text.size());
  job.broadcast(0, bytes_of(size));
  text.resize(static_cast<std::size_t>(size));
  job.broadcast(0, text);
  return read_run_plan(text, path);
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
    // Nobody but rank 0 knows the plan by now.
    std::optional<Keeper> keeper(std::in_place);
    const std::unique_ptr<Job> job = start(&argc, &argv);
    plan = shared_plan(*job, argv[1]);
    if (!plan) return kRunUnreadable;
    if (is_made_up(plan->kernel)) keeper.reset();
    return run_plan(*plan, {stages, keeper ? &*keeper : nullptr}, *job);
  } catch (const std::exception& error) {
    if (plan) {
      note_failure(*plan, std::string(argv[0]) + ": " + error.what());
    } else {
      std::cerr << argv[0] << ": " << error.what() << '\n';
    }
    return kRunUnreadable;
  }
}

}  // namespace takt::live
