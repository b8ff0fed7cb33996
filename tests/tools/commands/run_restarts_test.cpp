// What takt run does where jobs fail, with a launcher that starts nothing and says what Open MPI would.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "live/files/run_plan.hpp"
#include "live/process/journal_file.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/process_events.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/tools/program.hpp"

namespace takt::testing {

namespace {

using Catch::Contains;

// Each job in turn fails as a line of shell says; its plan is kept.
class FailingJobs {
 public:
  explicit FailingJobs(const std::vector<std::string>& jobs) {
    std::string script = "echo \"$2\" >> " + path("starts") + "\njob=$(wc -l < " + path("starts") + ")\ncp \"$4\" " +
                         path("plan") + "-$job\ncase $job in\n";
    for (std::size_t k = 0; k < jobs.size(); ++k) script += std::to_string(k + 1) + ") " + jobs[k] + ";;\n";
    folder_.write("launcher", script + "esac\nexit 137\n");
  }

  Outcome run(const std::string& file, const std::vector<std::string>& more) const {
    return takt(appended({"run", file, "--launcher", "sh " + path("launcher"), "--journal", path("journal")}, more));
  }

  std::string path(const std::string& name) const { return folder_.path(name); }
  std::vector<std::string> process_counts() const { return lines_of(text_of(path("starts"))); }
  live::RunPlan plan(int job) const {
    const std::string file = path("plan-" + std::to_string(job));
    return live::read_run_plan(text_of(file), file);
  }

 private:
  TemporaryFolder folder_;
};

std::string died(int rank) {
  return "echo mpirun noticed that process rank " + std::to_string(rank) +
         " with PID 7 on node here exited on signal 9 '(Killed)'.";
}

const std::string kEightStages = source("examples/adaptive.json");

std::set<std::size_t> processors_in(const live::RunPlan& plan) {
  std::set<std::size_t> processors;
  for (const tpn::Part& part : *plan.instance.mapping)
    processors.insert(part.processors.begin(), part.processors.end());
  return processors;
}

void append_results(const std::string& path, const live::RunPlan& plan, std::uint64_t count) {
  live::JournalFile journal(path, {live::fingerprint_of(plan)});
  for (std::uint64_t j = 0; j < count; ++j) journal.append(journal.next(), "result");
}

}  // namespace

TEST_CASE("a processor that died has no part in the jobs that follow") {
  const FailingJobs jobs({died(3), died(1)});
  const Outcome outcome = jobs.run(kEightStages, {"--model", "strict", "--retries", "2"});
  REQUIRE(outcome.status == 70);
  // Rank 1 has p0 in the second job, too.
  CHECK_THAT(outcome.err,
             Contains("takt: p2 died; ") && Contains("holds 0 of 400 data sets; start 2 of 3, mapped anew, "
                                                     "predicted 17.7778 ms per data set"));
  CHECK_THAT(outcome.err, Contains("takt: p0 died; ") && Contains("start 3 of 3, mapped anew, predicted 20 ms"));
  CHECK_THAT(outcome.err, Contains("the same command continues with the next"));
  REQUIRE(jobs.process_counts().size() == 3);
  CHECK(processors_in(jobs.plan(1)).contains(2));
  CHECK(processors_in(jobs.plan(2)) == std::set<std::size_t>{0, 1, 3, 4, 5, 6, 7, 8, 9});
  CHECK(processors_in(jobs.plan(3)) == std::set<std::size_t>{1, 3, 4, 5, 6, 7, 8, 9});
  for (const int job : {1, 2, 3}) {
    const live::RunPlan plan = jobs.plan(job);
    CHECK(std::set<std::size_t>(plan.processors.begin(), plan.processors.end()) == processors_in(plan));
    CHECK(jobs.process_counts()[static_cast<std::size_t>(job) - 1] == std::to_string(plan.processors.size() + 1));
  }
}

TEST_CASE("whoever died is known by the words of Open MPI 5 and of Slurm, too") {
  const std::string prterun =
      "echo prterun noticed that process rank 3 with PID 7 on node here exited on signal 9 '(Killed)'.";
  const std::string task = "echo srun: error: node-2: task 1: Killed";
  const FailingJobs jobs(
      {prterun, "echo slurmstepd: error: something; " + task + "; echo srun: error: node-1: tasks 2-4: Killed"});
  const Outcome outcome = jobs.run(kEightStages, {"--model", "strict", "--retries", "2"});
  REQUIRE(outcome.status == 70);
  CHECK_THAT(outcome.err, Contains("takt: p2 died; ") && Contains("takt: p0 died; "));
  REQUIRE(jobs.process_counts().size() == 3);
  CHECK(processors_in(jobs.plan(3)) == std::set<std::size_t>{1, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("of tasks that Slurm names together nobody knows which died first, and a task that ended well did not") {
  const FailingJobs jobs(
      {"echo srun: error: node-1: tasks 2-4: Killed", "echo srun: error: node-1: task 2: Exited with exit code 0"});
  const Outcome outcome = jobs.run(kEightStages, {"--model", "strict", "--retries", "2", "--unit", "1ms"});
  REQUIRE(jobs.process_counts().size() == 3);
  CHECK(jobs.plan(3).instance == jobs.plan(1).instance);
}

TEST_CASE("what a process of another machine says of its failure ends the run, and is told") {
  for (const std::string tag : {"", "[1,3]<stderr>:"}) {
    const FailingJobs jobs({"echo '" + tag + "takt-live: processor p4: stage s4, data set 7: it threw'"});
    const Outcome outcome = jobs.run(kEightStages, {"--model", "strict", "--retries", "2", "--unit", "1ms"});
    CHECK(outcome.status == 70);
    CHECK_THAT(outcome.err, Contains("processor p4: stage s4, data set 7: it threw"));
    CHECK(jobs.process_counts().size() == 1);
  }
}

TEST_CASE("where nobody says who died, or it is the coordinator or the world, the mapping stays") {
  // Source and sink of several-parts have the last ranks.
  const FailingJobs jobs({"kill -9 $$", "echo nothing of note", died(5)});
  const Outcome outcome =
      jobs.run(source("examples/several-parts.json"), {"--model", "overlap", "--retries", "3", "--unit", "1ms"});
  REQUIRE(outcome.status == 70);
  REQUIRE(jobs.process_counts().size() == 4);
  REQUIRE(jobs.plan(1).processors.size() == 5);
  for (const int job : {2, 3, 4}) {
    CHECK(jobs.plan(job).instance == jobs.plan(1).instance);
    CHECK(jobs.plan(job).processors == jobs.plan(1).processors);
  }
  // Jobs that come no further make the next wait.
  CHECK_THAT(outcome.err, Contains("start 2 of 4, the same mapping"));
  CHECK_THAT(outcome.err, Contains("start 3 of 4 in 1 s, the same mapping"));
  CHECK_THAT(outcome.err, Contains("start 4 of 4 in 2 s, the same mapping"));
}

TEST_CASE("a coordinator that dies takes no processor with it") {
  const FailingJobs jobs({died(0)});
  const Outcome outcome =
      jobs.run(source("examples/several-parts.json"), {"--model", "overlap", "--retries", "1", "--unit", "1ms"});
  REQUIRE(jobs.process_counts().size() == 2);
  CHECK(jobs.plan(2).instance == jobs.plan(1).instance);
  CHECK_THAT(outcome.err, Contains("the coordinator died; ") && Contains("start 2 of 2, the same mapping"));
}

TEST_CASE("where no mapping is left the run ends and says why") {
  const FailingJobs jobs({died(1), died(1), died(1), died(1), died(1), died(1), died(1), died(1), died(1), died(1)});
  const Outcome outcome = jobs.run(kEightStages, {"--model", "overlap", "--retries", "20", "--remap", "bsl"});
  CHECK(outcome.status == 70);
  CHECK_THAT(outcome.err, Contains(" died, and there is no mapping without it: bsl: no processor is left"));
}

TEST_CASE("where the heuristic finds nothing, the old mapping goes on without the processor for as long as it can") {
  const FailingJobs jobs({died(3), died(2)});
  const Outcome outcome = jobs.run(source("examples/weighted-round-robin.json"),
                                   {"--model", "strict", "--retries", "2", "--remap", "homogeneous-dp"});
  CHECK(outcome.status == 70);
  CHECK_THAT(outcome.err, Contains("takt: encoder-old died; "));
  REQUIRE(jobs.process_counts().size() == 2);
  const tpn::Mapping mapping = *jobs.plan(2).instance.mapping;
  REQUIRE(mapping.size() == 3);
  CHECK(mapping[1].processors == std::vector<std::size_t>{1, 1});
  CHECK_THAT(outcome.err, Contains("encoder-new died, and there is no mapping without it: homogeneous-dp: "));
}

TEST_CASE("a job that fails when all is in the journal has done its work") {
  const FailingJobs first({});
  REQUIRE(first.run(kEightStages, {"--model", "strict"}).status == 70);
  append_results(first.path("whole"), first.plan(1), 400);
  const FailingJobs jobs({"cp " + first.path("whole") + " $(dirname $0)/journal"});
  const Outcome outcome = jobs.run(kEightStages, {"--model", "strict", "--retries", "3", "--json"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out, Contains("/journal\",\n    \"data_sets\": 400,\n    \"failed\": 0\n"));
  CHECK(jobs.process_counts().size() == 1);
}

TEST_CASE("a journal that goes on, is complete or another's is told") {
  const FailingJobs jobs({});
  REQUIRE(jobs.run(kEightStages, {"--model", "strict", "--data-sets", "5"}).status == 70);
  append_results(jobs.path("journal"), jobs.plan(1), 3);
  const Outcome going = jobs.run(kEightStages, {"--model", "strict", "--data-sets", "5"});
  CHECK_THAT(going.err, Contains("holds 3 data sets in order: the run goes on with data set 3"));
  append_results(jobs.path("journal"), jobs.plan(1), 2);
  const Outcome complete = jobs.run(kEightStages, {"--model", "strict", "--data-sets", "5"});
  CHECK(complete.status == 0);
  CHECK_THAT(complete.out, Contains("holds 5 of 5 data sets, in order, each once.\nNothing is left to run.\n"));
  // What was not measured is within no tolerance.
  CHECK(jobs.run(kEightStages, {"--model", "strict", "--data-sets", "5", "--tolerance", "1/2"}).status == 1);
  const Outcome foreign = jobs.run(source("examples/several-parts.json"), {"--model", "strict"});
  CHECK(foreign.status == 3);
  CHECK_THAT(foreign.err, Contains("a journal of another pipeline"));
  CHECK(jobs.process_counts().size() == 2);
}

TEST_CASE("a journal of an application with a long name is gone on with") {
  const FailingJobs jobs({});
  nlohmann::json document = nlohmann::json::parse(text_of(kEightStages));
  document["application"]["name"] = std::string(1U << 20U, 'n');
  std::ofstream(jobs.path("long.json")) << document;
  REQUIRE(jobs.run(jobs.path("long.json"), {"--model", "strict", "--data-sets", "5"}).status == 70);
  append_results(jobs.path("journal"), jobs.plan(1), 5);
  CHECK_THAT(jobs.run(jobs.path("long.json"), {"--model", "strict", "--data-sets", "5"}).out,
             Contains("Nothing is left to run."));
}

TEST_CASE("a job whose processes do not meet in time is ended") {
  const std::string begun = ": > $(dirname $0)/begun; exec sleep 1000";
  const FailingJobs jobs({begun, begun});
  // The limit passes when a job has begun, and again when the next one has.
  const support::Fifo fifo(jobs.path("begun"));
  std::atomic<int> count = 0;
  std::jthread listener([&] {
    for (int k = 1; k <= 2; ++k) {
      fifo.heard();
      count = k;
    }
  });
  const support::PlayedClock clock([&](std::uint64_t) { return std::chrono::seconds(count); });
  const Outcome outcome = jobs.run(kEightStages, {"--model", "strict", "--retries", "1", "--start-limit", "100ms"});
  CHECK(outcome.status == 70);
  CHECK_THAT(outcome.err, Contains("its processes had not all begun after 0.1 s; "));
  CHECK(jobs.process_counts().size() == 2);
}

TEST_CASE("retries want a journal, and comparisons none") {
  CHECK_THAT(takt({"run", kEightStages, "--model", "strict", "--retries", "1"}).err, Contains("--retries goes with"));
  const Outcome all = takt({"run", kEightStages, "--model", "strict", "--adapt", "all", "--journal", "results"});
  CHECK(all.status == 2);
  CHECK_THAT(all.err, Contains("--adapt all compares runs"));
  const Outcome same = takt({"run", kEightStages, "--model", "strict", "--same-journal"});
  CHECK(same.status == 2);
  CHECK_THAT(same.err, Contains("--same-journal goes with --journal"));
}

}  // namespace takt::testing
