// takt experiment run.
#include "tools/experiment/run_command.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <memory>
#include <ostream>
#include <set>

#include "tools/experiment/builtin.hpp"
#include "tools/experiment/commands.hpp"
#include "tools/experiment/own_programs.hpp"
#include "tools/files/files.hpp"
#include "tools/files/progress.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"

namespace takt::tools {

using experiments::Chunk;

namespace {

constexpr std::uint64_t kMostJobs = 1000;

struct LocalRunOptions {
  RunOptions run;
  std::uint64_t jobs = 1;
  bool is_dry = false;
  std::optional<double> time_limit;
};

std::string about(double seconds) {
  if (seconds < 90) return fmt::format("about {:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("about {:.0f} min", seconds / 60);
  return fmt::format("about {:.1f} h", seconds / 3600);
}

std::string again(const LocalRunOptions& options) {
  const RunOptions& run = options.run;
  std::string text = fmt::format("takt experiment run {} -o {}", shell_word(run.experiment), shell_word(run.directory));
  if (run.seed) text += fmt::format(" --seed {}", *run.seed);
  if (run.draws) text += fmt::format(" --draws {}", *run.draws);
  if (run.shard) text += " --shard " + *run.shard;
  if (options.jobs != 1) text += fmt::format(" --jobs {}", options.jobs);
  return text;
}

// How long the first draws of a cell take, as many as fit the time.
struct DrawTime {
  double seconds = 0;
  std::uint64_t draws = 0;
};
DrawTime time_draws(experiments::Study& study, const experiments::Description& description,
                    const experiments::ExperimentCell& cell, double most_seconds) {
  experiments::DrawResult result(study.series().size());
  for (auto& one : result) one.values.resize(description.measures.size());
  const auto begin = std::chrono::steady_clock::now();
  DrawTime time;
  while (time.draws < cell.draws && time.seconds < most_seconds) {
    study.run(experiments::key_of(description, cell, time.draws), deadline_in(description.seconds_per_draw), result);
    ++time.draws;
    time.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return time;
}

// What a run would take, from some draws of each cell; nothing is written.
int say_what_would_be(const LocalRunOptions& options, Streams& streams) {
  constexpr double kSecondsInAll = 2;
  const DescriptionText text = description_text(options.run.experiment, streams);
  const auto description =
      experiments::read_description(text.text, text.file, {.seed = options.run.seed, .draws = options.run.draws});
  std::uint64_t draws = 0;
  std::uint64_t rows = 0;
  std::uint64_t timed = 0;
  double seconds = 0;
  const auto own = own_programs_of(description);
  for (const auto& cell : description.cells) {
    const auto study = description.study->prepare(description, cell);
    if (own) study->use(*own);
    draws += cell.draws;
    rows += cell.draws * study->series().size();
    const DrawTime time =
        time_draws(*study, description, cell, kSecondsInAll / static_cast<double>(description.cells.size()));
    timed += time.draws;
    if (time.draws > 0) seconds += time.seconds / static_cast<double>(time.draws) * static_cast<double>(cell.draws);
  }
  using experiments::Keep;
  const std::size_t files = chunks_of(description).size();
  fmt::print(streams.out, "{}: {} draws of {} cells, in {} files of {} draws or fewer\n", description.name, draws,
             description.cells.size(), files, description.draws_per_chunk);
  fmt::print(streams.out, "{}\n",
             description.keep == Keep::all    ? fmt::format("{} rows", rows)
             : description.keep == Keep::some ? fmt::format("at most {} rows, and tallies", rows)
                                              : "no rows, tallies alone");
  seconds /= static_cast<double>(options.jobs);
  fmt::print(streams.out, "{} in all with {} process{}, as {} draws took; nothing was written\n",
             seconds < 1 ? "less than a second" : about(seconds), options.jobs, options.jobs == 1 ? "" : "es", timed);
  return kAnswered;
}

// The smallest cells first would end with the largest alone; so the largest first, as far as numbers of draws tell.
void sort_for_balance(std::vector<Chunk>& chunks) {
  std::ranges::stable_sort(chunks, [](const Chunk& a, const Chunk& b) { return a.draws > b.draws; });
}

int run_experiment(const LocalRunOptions& options, Streams& streams) {
  if (options.jobs == 0 || options.jobs > kMostJobs) {
    throw UsageError(fmt::format("--jobs: found {}, expected 1 to {}", options.jobs, kMostJobs));
  }
  if (options.is_dry) return say_what_would_be(options, streams);
  if (options.run.directory.empty()) throw UsageError("--output: found no directory, expected one, or --dry-run");
  const OpenedRun run = open_run(options.run, streams);
  JobOptions jobs;
  jobs.jobs = std::max<std::uint64_t>(1, std::min<std::uint64_t>(options.jobs, run.left.size()));
  if (options.time_limit) jobs.deadline = deadline_in(*options.time_limit);
  JobsEnd end;
  {
    Progress line(streams);
    jobs.on_progress = [&](const RunProgress& progress) {
      line.show(progress_text(run.directory, run.left, progress));
    };
    if (!run.left.empty()) end = run_jobs(run.directory, run.left, jobs, computing(run.directory));
  }
  return end_of_run(run.directory, run.left, end, again(options), streams);
}

}  // namespace

void add_run_options(CommandLine& line, RunOptions& options, bool needs_directory) {
  line.positional("EXPERIMENT", options.experiment, "a built-in experiment's name, or a description (JSON)")
      .offers({.names = builtin_names(), .has_files = true});
  CommandOption output =
      line.option("-o,--output", options.directory, "the directory of the run; one that holds it already goes on")
          .offers_files()
          .type_name("DIR");
  if (needs_directory) output.required();
  line.option("--draws", options.draws, "draws of each cell, in place of the description's").type_name("N");
  line.option("--seed", options.seed, "in place of the description's").type_name("S");
}

OpenedRun open_run(const RunOptions& options, Streams& streams) {
  Shard shard;
  if (options.shard) {
    const auto read = read_shard(*options.shard);
    if (!read) {
      throw UsageError(
          fmt::format("--shard: found \"{}\", expected K/N, such as 2/8: the second of eight parts", *options.shard));
    }
    shard = *read;
  }
  const DescriptionText description = description_text(options.experiment, streams);
  auto directory = RunDirectory::open_for(options.directory, description.text, description.file,
                                          {.seed = options.seed, .draws = options.draws});
  std::vector<Chunk> left = chunks_left(directory, shard);
  sort_for_balance(left);
  return {std::move(directory), std::move(left)};
}

std::vector<std::uint64_t> chunk_numbers(const RunDirectory& directory, const std::vector<Chunk>& chunks) {
  std::map<std::string, std::uint64_t> numbers;
  for (const Chunk& chunk : directory.chunks()) numbers.emplace(RunDirectory::name_of(chunk), numbers.size());
  std::vector<std::uint64_t> result(chunks.size());
  std::ranges::transform(chunks, result.begin(),
                         [&](const Chunk& chunk) { return numbers.at(RunDirectory::name_of(chunk)); });
  return result;
}

std::optional<Shard> read_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  if (number.ec != std::errc() || number.ptr == end || *number.ptr != '/') return std::nullopt;
  const auto of = std::from_chars(number.ptr + 1, end, shard.of);
  if (of.ec != std::errc() || of.ptr != end || shard.number < 1 || shard.number > shard.of) return std::nullopt;
  return shard;
}

std::vector<Chunk> chunks_left(const RunDirectory& directory, const Shard& shard) {
  std::vector<Chunk> left;
  for (std::size_t c = 0; c < directory.chunks().size(); ++c) {
    if (c % shard.of == shard.number - 1 && !directory.done(directory.chunks()[c])) {
      left.push_back(directory.chunks()[c]);
    }
  }
  return left;
}

std::string progress_text(const RunDirectory& directory, const std::vector<Chunk>& chunks,
                          const RunProgress& progress) {
  std::string text = fmt::format("{} of {} chunks", progress.done, progress.left);
  if (progress.done > 0 && progress.seconds > 0) {
    const double share = static_cast<double>(progress.done) / static_cast<double>(progress.left);
    text += fmt::format(", {:.0f} draws/s, {} left", static_cast<double>(progress.draws) / progress.seconds,
                        about(progress.seconds * (1 - share) / share));
  }
  if (progress.oldest) text += ", at " + chunk_words(directory.description(), chunks[*progress.oldest]);
  return text;
}

int end_of_run(const RunDirectory& directory, const std::vector<Chunk>& chunks, const JobsEnd& end,
               const std::string& again, Streams& streams) {
  std::set<std::string> names_left;
  for (const Chunk& chunk : chunks_left(directory, {})) names_left.insert(RunDirectory::name_of(chunk));
  const auto done = static_cast<std::size_t>(std::ranges::count_if(
      chunks, [&](const Chunk& chunk) { return !names_left.contains(RunDirectory::name_of(chunk)); }));
  const std::size_t all = directory.chunks().size();
  const std::size_t left = names_left.size();
  fmt::print(streams.out, "{}: {} of {} chunks done, {} of them now\n", display_name(directory.path()), all - left, all,
             done);
  for (const std::size_t i : end.given_up) {
    fmt::print(streams.err,
               "takt: {}: its process died {} times for no reason of its own, perhaps for want of memory; given up\n",
               chunk_words(directory.description(), chunks[i]), 3);
  }
  if (!end.error.empty()) throw FileError(end.error);
  const std::uint64_t failed = left == 0 ? directory.summary().failed() : 0;
  if (failed > 0) {
    fmt::print(streams.out, "{} results are missing: takt experiment status {} names the draws\n", failed,
               shell_word(directory.path()));
  }
  if (done < chunks.size()) fmt::print(streams.out, "to go on: {}\n", again);
  return done < chunks.size() || failed > 0 ? kLimit : kAnswered;
}

Action define_experiment_run(CommandLine& line) {
  const auto options = std::make_shared<LocalRunOptions>();
  add_run_options(line, options->run, /*needs_directory=*/false);
  line.option("--jobs", options->jobs, "processes at a time").type_name("N").shows_default();
  line.option("--shard", options->run.shard, "part K of N only, for several machines; takt experiment merge joins them")
      .type_name("K/N");
  line.flag("--dry-run", options->is_dry, "say how many files and rows, and how long, from a few draws of each cell");
  add_time_limit(line, options->time_limit, "after which it ends; the same command goes on");
  line.footer(
      "A run may be ended at any moment: what is done stays, and the same command goes on. The files of its chunks\n"
      "have the same bytes for any number of processes.\n"
      "Exit status: 0 all done, 2 usage, 3 bad input, 4 ended early, or some draws have no result.\n"
      "\n"
      "Example:\n"
      "  takt experiment run replicated-table-2 -o table-2 --jobs 2");
  return [options](Streams& streams) { return run_experiment(*options, streams); };
}

}  // namespace takt::tools
