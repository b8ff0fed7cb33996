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

using experiments::Chunk;
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

// A chunk that was started, and by now neither done nor in anybody's hand for all that is known.
struct StartedChunk {
  Chunk chunk;
  RunDirectory::Attempts attempts;
};

struct RunStatus {
  std::size_t done = 0;
  std::uint64_t draws_done = 0;
  std::vector<StartedChunk> started;
};

RunStatus status_of(const RunDirectory& directory) {
  RunStatus status;
  for (const Chunk& chunk : directory.chunks()) {
    if (directory.done(chunk)) {
      ++status.done;
      status.draws_done += chunk.draws;
    } else if (const auto attempts = directory.attempts(chunk)) {
      status.started.push_back({chunk, *attempts});
    }
  }
  return status;
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
  json.member("chunks_done", status.done);
  json.member("draws", draws_of(description));
  json.member("draws_done", status.draws_done);
  write_objects(json, "started", status.started, [&](const StartedChunk& started) {
    json.member("chunk", RunDirectory::name_of(started.chunk));
    json.member("starts", started.attempts.starts);
    json.member("draw", started.attempts.draw);
  });
  write_failures(json, description, summary.failed(), summary.failures());
  json.end();
  results.finish();
}

void write_text(const RunDirectory& directory, const RunStatus& status, const experiments::Summary& summary,
                std::ostream& out) {
  const Description& description = directory.description();
  fmt::print(out, "{}, seed {}: {} of {} chunks done, {} of {} draws\n", tpn::visible(description.name),
             description.seed, status.done, directory.chunks().size(), status.draws_done, draws_of(description));
  for (const StartedChunk& started : status.started) {
    fmt::print(out, "  in hand or broken off at draw {}, after {} start{}: {}\n", started.attempts.draw,
               started.attempts.starts, started.attempts.starts == 1 ? "" : "s",
               tpn::visible(chunk_words(description, started.chunk)));
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
  const RunStatus status = status_of(directory);
  const experiments::Summary summary = directory.summary();
  if (options.json) {
    write_json(options.directory, directory, status, summary, streams.out);
  } else {
    write_text(directory, status, summary, streams.out);
  }
  return summary.failed() > 0 || status.done < directory.chunks().size() ? kLimit : kAnswered;
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
}

int merge_runs(const MergeOptions& options, Streams& streams) {
  const RunDirectory to = RunDirectory::open(options.directory);
  std::vector<RunDirectory> runs;
  for (const std::string& path : options.from) {
    runs.push_back(RunDirectory::open(path));
    require_same_run(to, runs.back());
  }
  std::size_t taken = 0;
  std::size_t left = 0;
  for (const Chunk& chunk : to.chunks()) {
    if (to.done(chunk)) continue;
    std::optional<std::string> text;
    for (const RunDirectory& run : runs) {
      if (!text) text = run.done(chunk);
    }
    if (text) {
      to.store(chunk, *text);
      ++taken;
    } else {
      ++left;
    }
  }
  fmt::print(streams.out, "{}: {} chunks taken over, {} of {} done\n", display_name(to.path()), taken,
             to.chunks().size() - left, to.chunks().size());
  return left == 0 ? kAnswered : kLimit;
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
  line.footer("Exit status: 0 all done, 3 bad input, 4 some of it is not done, or some draws have no result.");
  return [options](Streams& streams) { return answer_status(*options, streams); };
}

Action define_experiment_merge(CommandLine& line) {
  const auto options = std::make_shared<MergeOptions>();
  line.positional("DIR", options->directory, "the directory of a run, which takes over what it has not done");
  line.positional("FROM", options->from, "directories of runs of the same description and seed");
  line.footer(
      "Exit status: 0 all done now, 2 another experiment, 3 bad input, 4 some of it is not done.\n"
      "\n"
      "Example:\n"
      "  takt experiment merge part1 part2 part3");
  return [options](Streams& streams) { return merge_runs(*options, streams); };
}

Action define_experiment_draw(CommandLine& line) {
  const auto options = std::make_shared<DrawOptions>();
  line.positional("DIR", options->directory, "the directory of a run");
  line.option("--cell", options->cell, "the cell's name, or its number").required().type_name("CELL");
  line.option("--draw", options->draw, "the number of the draw, from 0").required().type_name("I");
  line.option("-o,--output", options->output, "write the document there").offers_files().type_name("FILE");
  line.footer(
      "Example:\n"
      "  takt experiment draw table-2 --cell \"10x20, 5 to 15\" --draw 17 -o draw.json\n"
      "  takt evaluate draw.json");
  return [options](Streams& streams) { return draw_document(*options, streams); };
}

}  // namespace takt::tools
