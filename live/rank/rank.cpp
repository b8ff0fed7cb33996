// Programs are started before MPI is, for a fork behind MPI_Init is undefined with some transports.
#include "live/rank/rank.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "heuristics/registry.hpp"
#include "live/adaptation/adaptation.hpp"
#include "live/adaptation/coordinator.hpp"
#include "live/engine/participant.hpp"
#include "live/files/run_result.hpp"
#include "live/mpi/bells.hpp"
#include "live/rank/computers.hpp"
#include "live/mpi/mpi_transport.hpp"
#include "live/rank/probe_rank.hpp"
#include "live/rank/scheduling.hpp"
#include "live/process/filter_kernel.hpp"
#include "live/process/journal_file.hpp"
#include "live/process/spin_kernel.hpp"
#include "tpn/reader.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

constexpr std::int64_t kSpun = 50'000;         // nanoseconds before a moment that are not slept: so late sleepers wake
constexpr std::int64_t kNet = 1'000'000;       // large messages need both sides to look after them
constexpr std::int64_t kPolled = 50'000;       // between two looks without bells
constexpr std::chrono::seconds kPatience{10};  // for the writer of a run that was ended

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.flush();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be written", path));
}

// MPI, from here to the end of the process.
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv) {
    int provided = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  ~MpiSession() { MPI_Finalize(); }

  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  int rank_ = 0;
  int size_ = 1;
};

// What all stages of an instance are made of, but for functions.
std::unique_ptr<Kernel> make_kernel(const RunPlan& plan, const KernelMaker& make_functions) {
  switch (plan.kernel) {
    case KernelKind::emulate:
      return nullptr;
    case KernelKind::spin:
      return std::make_unique<SpinKernel>(plan.bytes);
    case KernelKind::library:
      return make_functions(plan);
    case KernelKind::program:
      break;
  }
  std::vector<FilterCommand> commands;
  const std::vector<tpn::Stage>& stages = plan.instance.application.stages;
  for (const auto& [name, command] : plan.programs) {
    const auto stage = std::ranges::find(stages, name, &tpn::Stage::name);
    commands.push_back({static_cast<std::size_t>(stage - stages.begin()), name, command});
  }
  FilterOptions options;
  options.format = plan.records == RecordForm::lines ? RecordFormat::lines : RecordFormat::lengths;
  options.first_stage_counts = plan.input.empty();
  if (plan.stage_limit_ms > 0) options.time_limit = std::chrono::milliseconds(plan.stage_limit_ms);
  return std::make_unique<FilterKernel>(commands, options);
}

// The lines of a file.
PacketSource lines_of(const std::string& path) {
  if (path.empty()) return nullptr;
  std::vector<std::string> lines;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path));
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  return [lines = std::move(lines), path](std::uint64_t data_set) {
    if (data_set >= lines.size()) {
      throw std::runtime_error(
          fmt::format("{}: found {} lines, and none for data set {}", path, lines.size(), data_set));
    }
    return lines[data_set];
  };
}

// How much later this machine's clock is than that of rank 0, in nanoseconds: by the fastest of many exchanges.
std::int64_t clock_offset(const MpiSession& mpi) {
  constexpr int kExchanges = 100;
  std::int64_t offset = 0;
  for (int other = 1; other < mpi.size(); ++other) {
    if (mpi.rank() != 0 && mpi.rank() != other) continue;
    std::int64_t fastest = INT64_MAX;
    for (int k = 0; k < kExchanges; ++k) {
      std::int64_t theirs = monotonic_now();
      if (mpi.rank() == 0) {
        MPI_Recv(&theirs, 1, MPI_INT64_T, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        theirs = monotonic_now();
        MPI_Send(&theirs, 1, MPI_INT64_T, other, 0, MPI_COMM_WORLD);
        continue;
      }
      const std::int64_t sent = theirs;
      MPI_Send(&theirs, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
      MPI_Recv(&theirs, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const std::int64_t back = monotonic_now();
      if (back - sent >= fastest) continue;
      fastest = back - sent;
      offset = sent + fastest / 2 - theirs;
    }
  }
  return offset;
}

// The moment of this machine's clock at which the run begins.
std::int64_t common_begin(const MpiSession& mpi, bool has_one_clock) {
  const std::int64_t offset = has_one_clock ? 0 : clock_offset(mpi);
  MPI_Barrier(MPI_COMM_WORLD);
  std::int64_t begin = monotonic_now();
  MPI_Bcast(&begin, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  return begin + offset;
}

// Appends to the journal, if there is one, and counts results that are not what they must be.
class CheckedResults : public ResultSink {
 public:
  CheckedResults(const RunPlan& plan, JournalFile* journal) : plan_(plan), journal_(journal) {}

  void append(std::uint64_t data_set, const std::string& bytes) override {
    const bool is_known = plan_.kernel == KernelKind::emulate || plan_.kernel == KernelKind::spin;
    if (is_known && bytes != expected_result(data_set, plan_.instance.application.stages.size(), plan_.bytes)) ++wrong_;
    ++delivered_;
    if (journal_ != nullptr) journal_->append(data_set, bytes);
    if (monotonic_now() >= next_word_) tell(data_set + 1);
  }

  std::uint64_t wrong() const { return wrong_; }
  std::uint64_t delivered() const { return delivered_; }

 private:
  // Progress, now and then.
  void tell(std::uint64_t data_sets) {
    constexpr std::int64_t kNowAndThen = 500'000'000;
    next_word_ = monotonic_now() + kNowAndThen;
    write_text(fmt::format("{}/{}", plan_.output, kBegunFile), std::to_string(data_sets));
  }

  const RunPlan& plan_;
  JournalFile* journal_;
  std::uint64_t wrong_ = 0;
  std::uint64_t delivered_ = 0;
  std::int64_t next_word_ = 0;
};

// The log of a run as a file, a line for each entry.
class FileLog : public RunLog {
 public:
  explicit FileLog(const RunPlan& plan) : plan_(plan), file_(fmt::format("{}/{}", plan.output, kLogFile)) {}

  void write(const RunLogEntry& entry) override {
    file_ << fmt::format("{:10.3f} ms  {}", static_cast<double>(entry.time) / 1e6,
                         text_of(entry, plan_.instance, {Rational(1'000'000), "ms"}))
          << std::endl;
  }

 private:
  const RunPlan& plan_;
  std::ofstream file_;
};

AdaptationTerms adaptation_terms(const RunPlan& plan, const CoordinatorTerms& coordination) {
  AdaptationTerms terms;
  terms.remapping.heuristic = heuristics::find_heuristic(plan.adaptation->heuristic);
  if (terms.remapping.heuristic == nullptr) {
    throw std::runtime_error(fmt::format("found the heuristic {}, which takt has not", plan.adaptation->heuristic));
  }
  terms.remapping.model = plan.model;
  terms.remapping.window = coordination.window;
  terms.remapping.time_limit = std::chrono::milliseconds(plan.adaptation->limit_ms);
  terms.monitor.threshold = plan.adaptation->threshold;
  terms.monitor.counts_under_way = plan.engine.anchor != Anchor::logical;
  terms.kind = plan.adaptation->kind;
  terms.logs_all_times = plan.adaptation->logs_all_times;
  return terms;
}

// What a run is, for each of its ranks.
class RankRun {
 public:
  RankRun(const RunPlan& plan, const MpiSession& mpi)
      : plan_(plan),
        mpi_(mpi),
        problem_(plan.instance),
        pipeline_(pipeline_of(plan)),
        terms_(terms_of(plan, pipeline_)) {
    if (mpi.size() != static_cast<int>(plan.processors.size()) + 1) {
      throw std::runtime_error(fmt::format("found {} processes, expected {}: a coordinator, and one for each processor",
                                           mpi.size(), plan.processors.size() + 1));
    }
    if (plan.wait != WaitKind::poll) bells_ = Bells::make();
    if (plan.wait == WaitKind::bell && !bells_) throw std::runtime_error("processes do not share memory for bells");
    std::vector<int> ranks(terms_.coordinator + 1, -1);
    for (std::size_t k = 0; k < plan.processors.size(); ++k) ranks[plan.processors[k]] = static_cast<int>(k) + 1;
    ranks.back() = 0;
    begin_ = common_begin(mpi, bells_ != nullptr);
    const bool is_watched = plan.engine.links == LinkUse::real || plan.engine.anchor == Anchor::observed;
    transport_ = std::make_unique<MpiTransport>(std::move(ranks), begin_, bells_.get(), is_watched);
  }

  /// The name of this rank in messages.
  std::string name() const {
    return mpi_.rank() == 0 ? "the coordinator" : "processor " + pipeline_.processors[processor()];
  }

  void run(std::unique_ptr<Kernel> kernel) {
    want_prompt_timers();
    if (mpi_.rank() == 0) {
      write_text(fmt::format("{}/{}", plan_.output, kBegunFile), "");
      coordinate();
    } else {
      participate(std::move(kernel));
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
            .tells_times = plan.adaptation.has_value()};
  }

  std::size_t processor() const { return plan_.processors[static_cast<std::size_t>(mpi_.rank()) - 1]; }

  std::unique_ptr<Computer> make_computer(std::unique_ptr<Kernel> kernel) {
    if (!kernel) return std::make_unique<EmulatedComputer>(plan_.bytes, plan_.loads, processor());
    const auto notify = [this] {
      if (bells_) bells_->ring(mpi_.rank());
    };
    return std::make_unique<WorkingComputer>(std::move(kernel), lines_of(plan_.input), plan_.loads, processor(),
                                             notify);
  }

  // Steps until it is over, and sleeps where there is nothing to do.
  template <typename Role>
  void serve(Role& role) {
    while (!role.is_over()) {
      const std::uint32_t count = bells_ ? bells_->count() : 0;
      // What is due does not wait for messages to be fetched.
      if (role.step().has_moved) continue;
      transport_->fetch();
      const StepResult result = role.step();
      if (!result.has_moved && !role.is_over()) pause(result.next, count);
    }
    while (!transport_->has_sent_all()) std::this_thread::sleep_for(std::chrono::nanoseconds(kPolled));
  }

  void pause(const std::optional<Ticks>& next, std::uint32_t count) {
    const Ticks now = transport_->now();
    Ticks until = now + (bells_ ? kNet : kPolled);
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

  void participate(std::unique_ptr<Kernel> kernel) {
    const auto computer = make_computer(std::move(kernel));
    Participant participant(processor(), problem_, terms_, *transport_, *computer);
    bool has_priority = false;
    {
      const RealTimePriority priority(plan_.real_time);
      serve(participant);
      has_priority = priority.is_on();
    }
    end(has_priority);
  }

  void coordinate() {
    std::unique_ptr<JournalFile> journal;
    CoordinatorTerms coordination = plan_.coordination;
    if (!plan_.journal.empty()) {
      journal =
          std::make_unique<JournalFile>(plan_.journal, fingerprint_of(plan_), JournalOptions{plan_.sync, kPatience});
      coordination.first_data_set = journal->next();
    }
    if (coordination.first_data_set >= coordination.data_sets) throw std::runtime_error("the journal is complete");
    CheckedResults results(plan_, journal.get());
    FileLog log(plan_);
    std::optional<Adaptation> adaptation;
    if (plan_.adaptation) {
      adaptation.emplace(plan_.instance, terms_.ticks_per_unit, adaptation_terms(plan_, coordination), log);
    }
    Coordinator coordinator(terms_, coordination, *plan_.instance.mapping, *transport_, results,
                            adaptation ? &*adaptation : nullptr);
    RunResult result;
    result.first_data_set = coordination.first_data_set;
    {
      const RealTimePriority priority(plan_.real_time);
      serve(coordinator);
      result.has_real_time = priority.is_on();
    }
    result.delivered = results.delivered();
    result.wrong = results.wrong();
    result.has_bells = bells_ != nullptr;
    result.begin = coordinator.begin_time();
    result.end = coordinator.deliveries().back();
    result.mappings = coordinator.mappings();
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
    int mine = has_priority ? 1 : 0;
    int everyones = 0;
    MPI_Reduce(&mine, &everyones, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    std::uint64_t time = process_time();
    std::uint64_t sum = 0;
    MPI_Reduce(&time, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    return {everyones != 0, sum};
  }

  const RunPlan& plan_;
  const MpiSession& mpi_;
  tpn::ProblemView problem_;
  tpn::Pipeline pipeline_;
  RunTerms terms_;
  std::unique_ptr<Bells> bells_;
  std::int64_t begin_ = 0;
  std::unique_ptr<MpiTransport> transport_;
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

int run_plan(const RunPlan& plan, std::unique_ptr<Kernel> kernel, int argc, char** argv) {
  const MpiSession mpi(&argc, &argv);
  std::string who = fmt::format("process {}", mpi.rank());
  // Memory that processes share is freed by all of them together: whoever fails must not wait for that.
  std::optional<RankRun> run;
  try {
    if (plan.probe) {
      who = prober_name(plan, mpi.rank());
      const auto result = probe(plan, std::move(kernel), lines_of(plan.input));
      if (result) write_text(fmt::format("{}/{}", plan.output, kResultFile), write_probe_result(*result));
      return kRunEnded;
    }
    run.emplace(plan, mpi);
    who = run->name();
    run->run(std::move(kernel));
    return kRunEnded;
  } catch (const std::exception& error) {
    note_failure(plan, who, error.what());
    // A rank that fails alone must not leave the others waiting.
    MPI_Abort(MPI_COMM_WORLD, kRunFailed);
  }
  return kRunFailed;
}

}  // namespace

int run_rank(int argc, char** argv, const KernelMaker& make_functions) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " PLAN\ntakt run makes the plan and starts this program, one process for each "
              << "processor\n";
    return kRunMisused;
  }
  end_with_parent();
  // A file that must not become larger is an error of write, which says so.
  std::signal(SIGXFSZ, SIG_IGN);
  std::optional<RunPlan> plan;
  try {
    plan = read_run_plan(text_of(argv[1]), argv[1]);
    return run_plan(*plan, make_kernel(*plan, make_functions), argc, argv);
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
