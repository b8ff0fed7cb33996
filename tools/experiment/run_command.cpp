// takt experiment run.
#include "tools/experiment/run_command.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <ostream>
#include <variant>

#include "tools/experiment/builtin.hpp"
#include "tools/experiment/chunk_times.hpp"
#include "tools/experiment/commands.hpp"
#include "tools/experiment/own_programs.hpp"
#include "tools/files/files.hpp"
#include "tools/files/progress.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"

namespace takt::tools {

using experiments::Chunk;
using experiments::Description;

namespace {

constexpr std::uint64_t kMostJobs = 1000;
constexpr std::size_t kMostFreshFiles = 100;

struct LocalRunOptions {
  RunOptions run;
  std::uint64_t jobs = 1;
  bool is_dry = false;
  bool is_prepared = false;
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
  if (run.chunk && run.chunk->draws > 0) text += fmt::format(" --chunk {}", run.chunk->draws);
  if (run.shard) text += " --shard " + *run.shard;
  if (options.jobs != 1) text += fmt::format(" --jobs {}", options.jobs);
  return text;
}

// Whether draws that are timed are to decide how many a chunk has. Parts of a run in directories of their own would
// each decide for themselves, so they need a number.
bool is_by_time(const Description& description, const RunOptions& options) {
  return description.chunk ? description.chunk->draws == 0 : !options.shard;
}

std::vector<std::uint64_t> chunks_by_time(const Description& description, const std::vector<DrawSample>& samples) {
  const double seconds = description.chunk ? description.chunk->seconds : usual_seconds(forecast(description, samples));
  return draws_per_chunk(description, samples, seconds);
}

std::vector<std::uint64_t> chosen_chunks(const Description& description, const RunOptions& options, Streams& streams) {
  if (!is_by_time(description, options)) return {};
  if (options.shard) {
    throw UsageError(
        "--shard: found chunks by time, which each part would choose differently; expected --chunk N, or a directory "
        "that --prepare made");
  }
  Progress line(streams);
  const double most = description.chunk ? description.chunk->seconds : kMostUsualSeconds;
  SampleLimits limits{.seconds_per_draw = most, .one_in = 10};
  limits.on_cell = [&](std::size_t cell) {
    line.show(fmt::format("timing draws of cell {} of {}", cell + 1, description.cells.size()));
  };
  return chunks_by_time(description, sample_draws(description, limits));
}

std::string about_bytes(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", std::ceil(bytes / 1e3));
  if (bytes < 1e9) return fmt::format("{:.0f} MB", bytes / 1e6);
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

// A number to two digits, as good as a forecast is.
std::string about_number(double number) {
  const double unit = number < 100 ? 1 : std::pow(10, std::floor(std::log10(number)) - 1);
  return fmt::format("{:.0f}", std::round(number / unit) * unit);
}

Description with_chunks(const LocalRunOptions& options, const DescriptionText& text, const SampleLimits& limits,
                        std::vector<DrawSample>& samples) {
  experiments::Overrides overrides{
      .seed = options.run.seed, .draws = options.run.draws, .chunk = options.run.chunk, .draws_per_chunk = {}};
  Description description = experiments::read_description(text.text, text.file, overrides);
  samples = sample_draws(description, limits);
  if (!is_by_time(description, options.run)) return description;
  overrides.draws_per_chunk = chunks_by_time(description, samples);
  return experiments::read_description(text.text, text.file, overrides);
}

// What a run would take, from some draws of each cell; nothing is written.
int say_what_would_be(const LocalRunOptions& options, Streams& streams) {
  const DescriptionText text = description_text(options.run.experiment, streams);
  std::vector<DrawSample> samples;
  const Description description = with_chunks(options, text, {.seconds = 2, .seconds_per_draw = 60}, samples);
  require_bearable(description);
  const RunForecast run = forecast(description, samples);
  fmt::print(streams.out, "{}: {} draws of {} cells, in {} chunks of {} or fewer\n", description.name, run.draws,
             description.cells.size(), count_chunks(description), chunk_size_words(description));
  using experiments::Keep;
  const std::string files =
      fmt::format("about {} in {} file{}", about_bytes(run.bytes), about_number(run.files), run.files == 1 ? "" : "s");
  fmt::print(streams.out, "{}, {}\n",
             description.keep == Keep::all    ? fmt::format("{:.0f} rows", run.rows)
             : description.keep == Keep::some ? fmt::format("about {} rows, and tallies", about_number(run.rows))
                                              : std::string("no rows, tallies alone"),
             files);
  const double seconds = run.seconds / static_cast<double>(options.jobs);
  fmt::print(streams.out, "{}{} in all with {} process{}, as {} draws took; nothing was written\n",
             run.is_cut ? "more than " : "", seconds < 1 ? "less than a second" : about(seconds), options.jobs,
             options.jobs == 1 ? "" : "es", run.timed);
  if (run.unknown_cells > 0) {
    fmt::print(streams.out, "without {} cell{}, whose draws ended their process or came too late to be timed\n",
               run.unknown_cells, run.unknown_cells == 1 ? "" : "s");
  }
  return kAnswered;
}

// The smallest cells first would end with the largest alone; so the largest first, as far as numbers of draws tell:
// whole chunks take about the same time.
void sort_for_balance(std::vector<Chunk>& chunks, const Description& description) {
  const auto share = [&](const Chunk& chunk) {
    return static_cast<double>(chunk.draws) / static_cast<double>(description.cells[chunk.cell].draws_per_chunk);
  };
  std::ranges::stable_sort(chunks, [&](const Chunk& a, const Chunk& b) { return share(a) > share(b); });
}

int run_experiment(const LocalRunOptions& options, Streams& streams) {
  if (options.jobs == 0 || options.jobs > kMostJobs) {
    throw UsageError(fmt::format("--jobs: found {}, expected 1 to {}", options.jobs, kMostJobs));
  }
  if (options.is_dry) return say_what_would_be(options, streams);
  if (options.run.directory.empty()) throw UsageError("--output: found no directory, expected one, or --dry-run");
  if (options.is_prepared && options.run.shard) {
    throw UsageError("--prepare: found --shard as well; a directory is made for all parts together");
  }
  OpenedRun run = open_run(options.run, streams);
  if (options.is_prepared) {
    fmt::print(streams.out, "{}: {} chunks of {} or fewer, {} of them done\n", display_name(run.directory.path()),
               run.directory.chunks().size(), chunk_size_words(run.directory.description()), run.done.count());
    return kAnswered;
  }
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
  // Who asks for the end wants it now; a later start packs what this one leaves.
  ChunkIndex done = end.is_interrupted ? run.directory.index() : run.directory.tidied();
  return end_of_run(run.directory, done, run.left, end, again(options), streams);
}

}  // namespace

void add_run_options(CommandLine& line, RunOptions& options, bool needs_directory) {
  line.positional("EXPERIMENT", options.experiment, "a built-in experiment's name, or a description (JSON)")
      .offers({.names = builtin_names(), .has_files = true});
  CommandOption output = line.option("-o,--output", options.directory,
                                     "directory of the run; if it holds the run already, the run resumes")
                             .offers_files()
                             .type_name("DIR");
  if (needs_directory) output.required();
  line.option("--draws", options.draws, "draws per cell; default: the description's").type_name("N");
  line.option("--seed", options.seed, "default: the description's").type_name("S");
  line.option(
          "--chunk",
          [&options](const std::string& text) {
            options.chunk = std::get<experiments::ChunkSize>(experiments::parse_chunk_size(text));
          },
          "draws per chunk, the unit of work, or the time that a chunk should take, such as 10s or 2min; default: the "
          "description's")
      .check([](const std::string& text) {
        const auto size = experiments::parse_chunk_size(text);
        const auto* const expected = std::get_if<std::string>(&size);
        return expected == nullptr ? std::string() : fmt::format("found \"{}\", expected {}", text, *expected);
      })
      .type_name("N|TIME");
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
  const auto choose = [&](const Description& wanted) { return chosen_chunks(wanted, options, streams); };
  auto directory = RunDirectory::open_for(
      options.directory, description.text, description.file,
      {.seed = options.seed, .draws = options.draws, .chunk = options.chunk, .draws_per_chunk = {}}, choose);
  ChunkIndex done = directory.index();
  // Of many processes that were killed.
  if (done.fresh_files() > kMostFreshFiles) done = directory.tidied();
  std::vector<Chunk> left = chunks_left(directory, done, shard);
  sort_for_balance(left, directory.description());
  return {std::move(directory), std::move(done), std::move(left)};
}

std::vector<std::uint64_t> chunk_numbers(const RunDirectory& directory, const std::vector<Chunk>& chunks) {
  std::vector<std::uint64_t> first_of_cell(directory.description().cells.size());
  for (std::size_t i = directory.chunks().size(); i-- > 0;) first_of_cell[directory.chunks()[i].cell] = i;
  std::vector<std::uint64_t> result(chunks.size());
  std::ranges::transform(chunks, result.begin(),
                         [&](const Chunk& chunk) { return first_of_cell[chunk.cell] + chunk.number; });
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

std::vector<Chunk> chunks_left(const RunDirectory& directory, const ChunkIndex& done, const Shard& shard) {
  std::vector<Chunk> left;
  for (std::size_t c = 0; c < directory.chunks().size(); ++c) {
    if (c % shard.of == shard.number - 1 && !done.has(c)) left.push_back(directory.chunks()[c]);
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

int end_of_run(const RunDirectory& directory, ChunkIndex& done_now, const std::vector<Chunk>& chunks,
               const JobsEnd& end, const std::string& again, Streams& streams) {
  const auto numbers = chunk_numbers(directory, chunks);
  const auto done = static_cast<std::size_t>(
      std::ranges::count_if(numbers, [&](std::uint64_t number) { return done_now.has(number); }));
  const std::size_t all = directory.chunks().size();
  const std::size_t left = all - done_now.count();
  fmt::print(streams.out, "{}: {} of {} chunks done, {} of them now\n", display_name(directory.path()), all - left, all,
             done);
  for (const std::size_t i : end.given_up) {
    fmt::print(streams.err, "takt: {}: its process was killed {} times, perhaps for lack of memory; given up\n",
               chunk_words(directory.description(), chunks[i]), 3);
  }
  if (!end.error.empty()) throw FileError(end.error);
  const std::uint64_t failed = left == 0 ? directory.summary(done_now).failed() : 0;
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
  line.option("--jobs", options->jobs, "number of processes").type_name("N").shows_default();
  line.option("--shard", options->run.shard,
              "compute part K of N only, for several machines; takt experiment merge joins the parts")
      .type_name("K/N");
  line.flag("--prepare", options->is_prepared,
            "make the directory and choose its chunks, but compute nothing: for parts that must have the same chunks");
  line.flag("--dry-run", options->is_dry,
            "estimate files, rows and time from a few draws of each cell, and write nothing");
  add_time_limit(line, options->time_limit, "", "the run ends, and the same command resumes it");
  line.footer(
      "You may end a run at any moment: finished chunks stay, and the same command resumes it. The finished files\n"
      "have the same bytes for any number of processes.\n"
      "Exit status: 0 finished, 2 usage, 3 bad input, 4 ended early, or draws have no result.\n"
      "\n"
      "Example:\n"
      "  takt experiment run replicated-table-2 -o table-2 --jobs 2");
  return [options](Streams& streams) { return run_experiment(*options, streams); };
}

}  // namespace takt::tools
