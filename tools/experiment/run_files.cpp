// takt experiment list, show, status, merge and draw.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "tools/experiment/builtin.hpp"
#include "tools/experiment/commands.hpp"
#include "tools/experiment/report_writer.hpp"
#include "tools/experiment/run_directory.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/suggestion.hpp"
#include "tools/words/table.hpp"
#include "tpn/visible.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using experiments::Description;
using experiments::ExperimentCell;

namespace {

std::uint64_t draws_of(const Description& description) {
  std::uint64_t draws = 0;
  for (const ExperimentCell& cell : description.cells) draws += cell.draws;
  return draws;
}

int list_experiments(bool json, Streams& streams) {
  JsonResults results(JsonResults::Form::array, streams.out);
  Table table{{{"experiment"}, {"source"}, {"cells", Align::right}, {"draws", Align::right}, {"what it shows"}}, {}};
  for (const BuiltinDescription& builtin : builtin_descriptions()) {
    const Description description = experiments::read_description(builtin.text, std::string(builtin.name));
    if (json) {
      auto& writer = results.next();
      writer.begin_object();
      writer.member("name", description.name);
      writer.member("title", description.title);
      writer.member("source", description.source);
      writer.member("study", description.study->name);
      writer.member("cell_count", description.cells.size());
      writer.member("draws", draws_of(description));
      writer.end();
    } else {
      table.rows.push_back({description.name, description.source, std::to_string(description.cells.size()),
                            std::to_string(draws_of(description)), description.title});
    }
  }
  if (json) {
    results.finish();
  } else {
    table.write(streams.out);
    streams.out << "\ntakt experiment run NAME -o DIR runs one, takt experiment show NAME prints its description.\n";
  }
  return kAnswered;
}

struct StatusOptions {
  std::string directory;
  bool json = false;
};

struct RunStatus {
  ChunkIndex done;
  // In hand or broken off, for all that is known.
  std::vector<std::pair<std::size_t, RunDirectory::Attempts>> started;
};

RunStatus status_of(const RunDirectory& directory) {
  ChunkIndex done = directory.index();
  auto started = directory.started(done);
  return {std::move(done), std::move(started)};
}

std::string series_text(const experiments::SeriesKeys& keys) {
  std::vector<std::string> words;
  for (const auto& [key, value] : keys) words.push_back(value);
  return fmt::format("{}", fmt::join(words, ", "));
}

void write_json(const std::string& file, const RunDirectory& directory, const RunStatus& status,
                const experiments::Summary& summary, std::ostream& out) {
  const Description& description = directory.description();
  JsonResults results(JsonResults::Form::object, out);
  auto& json = results.next();
  json.begin_object();
  json.member("file", file);
  json.member("experiment", description.name);
  json.member("seed", description.seed);
  json.member("chunks", directory.chunks().size());
  json.member("chunks_done", status.done.count());
  json.member("draws", draws_of(description));
  json.member("draws_done", status.done.draws());
  write_objects(json, "started", status.started, [&](const auto& started) {
    json.member("chunk", name_of_chunk(directory.chunks()[started.first]));
    json.member("starts", started.second.starts);
    json.member("draw", started.second.draw);
  });
  write_failures(json, description, summary.failed(), summary.failures());
  json.end();
  results.finish();
}

void write_text(const RunDirectory& directory, const RunStatus& status, const experiments::Summary& summary,
                std::ostream& out) {
  const Description& description = directory.description();
  fmt::print(out, "{}, seed {}: {} of {} chunks done, {} of {} draws\n", tpn::visible(description.name),
             description.seed, status.done.count(), directory.chunks().size(), status.done.draws(),
             draws_of(description));
  for (const auto& [chunk, attempts] : status.started) {
    fmt::print(out, "  in hand or broken off at draw {}, after {} start{}: {}\n", attempts.draw, attempts.starts,
               attempts.starts == 1 ? "" : "s", tpn::visible(chunk_words(description, directory.chunks()[chunk])));
  }
  if (summary.failed() == 0) return;
  fmt::print(out, "{} results are missing:\n", summary.failed());
  const auto failures = summary.failures();
  for (const experiments::FailedDraw& failure : failures) {
    fmt::print(out, "  draw {} of \"{}\", {}: {}\n", failure.draw, tpn::visible(description.cells[failure.cell].name),
               tpn::visible(series_text(failure.series)), tpn::visible(failure.reason));
  }
  if (failures.size() < summary.failed()) out << "  and more: the first 20 of each cell are named\n";
}

int answer_status(const StatusOptions& options, Streams& streams) {
  const RunDirectory directory = RunDirectory::open(options.directory);
  RunStatus status = status_of(directory);
  const experiments::Summary summary = directory.summary(status.done);
  if (options.json) {
    write_json(options.directory, directory, status, summary, streams.out);
  } else {
    write_text(directory, status, summary, streams.out);
  }
  return summary.failed() > 0 || status.done.count() < directory.chunks().size() ? kLimit : kAnswered;
}

struct MergeOptions {
  std::string directory;
  std::vector<std::string> from;
};

// A run of the same description, seed and draws.
void require_same_run(const RunDirectory& to, const RunDirectory& from) {
  const auto difference = experiments::first_difference(to.description().tree->root, from.description().tree->root);
  if (difference) {
    throw UsageError(fmt::format("{}: holds a run of another description than {}: at {} it has {}, that one {}",
                                 from.path(), to.path(), difference->pointer, difference->right, difference->left));
  }
  if (to.description().seed != from.description().seed) {
    throw UsageError(fmt::format("{}: holds a run of seed {}, {} one of seed {}", from.path(), from.description().seed,
                                 to.path(), to.description().seed));
  }
  for (std::size_t c = 0; c < to.description().cells.size(); ++c) {
    const ExperimentCell& ours = to.description().cells[c];
    const ExperimentCell& theirs = from.description().cells[c];
    if (ours.draws_per_chunk != theirs.draws_per_chunk) {
      throw UsageError(
          fmt::format("{}: holds a run in other chunks than {}: of {} draws of \"{}\", that one of {}; start runs to "
                      "be merged with the same --chunk N, or with copies of one directory that --prepare made",
                      from.path(), to.path(), theirs.draws_per_chunk, ours.name, ours.draws_per_chunk));
    }
  }
}

int merge_runs(const MergeOptions& options, Streams& streams) {
  const RunDirectory to = RunDirectory::open(options.directory);
  const ChunkIndex before = to.index();
  std::vector<ChunkIndex> runs;
  for (const std::string& path : options.from) {
    const RunDirectory run = RunDirectory::open(path);
    require_same_run(to, run);
    runs.push_back(run.index());
  }
  std::size_t taken = 0;
  {
    FreshFile file(to.path());
    for (std::size_t i = 0; i < to.chunks().size(); ++i) {
      if (before.has(i)) continue;
      std::optional<std::string> text;
      for (ChunkIndex& run : runs) {
        // A run of other numbers of draws has fewer chunks, or a last one that is another.
        if (!text) text = run.text_of(to.chunks()[i]);
      }
      if (!text) continue;
      file.append(*text);
      ++taken;
    }
  }
  const ChunkIndex done = to.tidied();
  fmt::print(streams.out, "{}: {} chunks taken over, {} of {} done\n", display_name(to.path()), taken, done.count(),
             to.chunks().size());
  return done.count() == to.chunks().size() ? kAnswered : kLimit;
}

struct DrawOptions {
  std::string directory;
  std::string cell;
  std::uint64_t draw = 0;
  std::optional<std::string> output;
};

// By name or by number.
const ExperimentCell& cell_of(const Description& description, const std::string& text) {
  const auto found = std::ranges::find(description.cells, text, &ExperimentCell::name);
  if (found != description.cells.end()) return *found;
  const bool is_number = !text.empty() && text.size() < 10 && std::ranges::all_of(text, maxplus::is_digit);
  if (is_number && std::stoul(text) < description.cells.size()) return description.cells[std::stoul(text)];
  std::vector<std::string> names;
  for (const ExperimentCell& cell : description.cells) names.push_back(cell.name);
  throw UsageError(fmt::format("--cell: found \"{}\"{}, expected a cell's name, or its number from 0 to {}", text,
                               suggestion(text, names), description.cells.size() - 1));
}

int draw_document(const DrawOptions& options, Streams& streams) {
  const RunDirectory directory = RunDirectory::open(options.directory);
  const Description& description = directory.description();
  const ExperimentCell& cell = cell_of(description, options.cell);
  const std::uint64_t draw = description.same_problem ? 0 : options.draw;
  const tpn::Document document = experiments::draw_document(cell.arguments, description.seed, draw, description.paired);
  if (options.output) {
    write_file(*options.output, tpn::write_document(document));
  } else {
    streams.out << tpn::write_document(document);
  }
  return kAnswered;
}

}  // namespace

Action define_experiment_list(CommandLine& line) {
  const auto json = std::make_shared<bool>(false);
  line.flag("--json", *json, "print JSON: an array of objects");
  return [json](Streams& streams) { return list_experiments(*json, streams); };
}

Action define_experiment_show(CommandLine& line) {
  const auto name = std::make_shared<std::string>();
  line.positional("NAME", *name, "a built-in experiment").offers({builtin_names()});
  line.footer(
      "Example:\n"
      "  takt experiment show replicated-table-2 > mine.json");
  return [name](Streams& streams) {
    streams.out << description_text(*name, streams).text;
    return kAnswered;
  };
}

Action define_experiment_status(CommandLine& line) {
  const auto options = std::make_shared<StatusOptions>();
  line.positional("DIR", options->directory, "the directory of a run");
  line.flag("--json", options->json, "print JSON: an object");
  line.footer("Exit status: 0 finished, 3 bad input, 4 not finished, or draws have no result.");
  return [options](Streams& streams) { return answer_status(*options, streams); };
}

Action define_experiment_merge(CommandLine& line) {
  const auto options = std::make_shared<MergeOptions>();
  line.positional("DIR", options->directory, "the directory of a run, which takes over the results that it lacks");
  line.positional("FROM", options->from, "directories of runs of the same description and seed");
  line.footer(
      "Exit status: 0 finished now, 2 another experiment, 3 bad input, 4 not finished.\n"
      "\n"
      "Example:\n"
      "  takt experiment merge part1 part2 part3");
  return [options](Streams& streams) { return merge_runs(*options, streams); };
}

Action define_experiment_draw(CommandLine& line) {
  const auto options = std::make_shared<DrawOptions>();
  line.positional("DIR", options->directory, "the directory of a run");
  line.option("--cell", options->cell, "name or number of the cell").required().type_name("CELL");
  line.option("--draw", options->draw, "number of the draw, from 0").required().type_name("I");
  line.option("-o,--output", options->output, "write the document to this file").offers_files().type_name("FILE");
  line.footer(
      "Example:\n"
      "  takt experiment draw table-2 --cell \"10x20, 5 to 15\" --draw 17 -o draw.json\n"
      "  takt evaluate draw.json");
  return [options](Streams& streams) { return draw_document(*options, streams); };
}

}  // namespace takt::tools
