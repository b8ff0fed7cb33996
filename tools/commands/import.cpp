// takt import: a problem from tables of measured times, links and sizes.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tools/drawing/graphviz_edges.hpp"
#include "tools/files/files.hpp"
#include "tools/files/measured_tables.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/csv.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/visible.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

// Lines of a table that are told of.
constexpr std::size_t kToldFaults = 20;

struct ImportOptions {
  std::string times;
  std::optional<std::string> links;
  std::optional<std::string> sizes;
  std::optional<std::string> edges;
  std::optional<std::string> sources;
  std::optional<std::string> sinks;
  std::optional<std::string> output;
};

TableText table_of(const std::string& path, Streams& streams) { return {display_name(path), read_text(path, streams)}; }

// As a row of a table.
std::vector<std::string> names_of(const std::optional<std::string>& list) {
  if (!list) return {};
  const CsvTable table = read_csv(*list);
  return table.rows.size() == 1 ? table.rows.front().fields : std::vector<std::string>{""};
}

int tell_faults(const std::vector<std::string>& faults, Streams& streams) {
  for (std::size_t i = 0; i < faults.size() && i < kToldFaults; ++i)
    fmt::print(streams.err, "takt: {}\n", tpn::visible(faults[i]));
  if (faults.size() > kToldFaults) fmt::print(streams.err, "takt: and {} more\n", faults.size() - kToldFaults);
  return kBadInput;
}

std::string summary_of(const tpn::Document& problem) {
  std::size_t times = 0;
  for (const tpn::Stage& stage : problem.application.stages) times += stage.times.size();
  std::string summary =
      fmt::format("{} of {} on {}", plural(times, "time"), plural(problem.application.stages.size(), "stage"),
                  plural(problem.platform.processors.size(), "processor"));
  const tpn::Platform& platform = problem.platform;
  if (platform.source && !platform.source->named.empty())
    summary += fmt::format(", {}", plural(platform.source->named.size(), "source"));
  if (platform.sink && !platform.sink->named.empty())
    summary += fmt::format(", {}", plural(platform.sink->named.size(), "sink"));
  return summary;
}

// A graph in DOT by its first word, or a table.
std::variant<TableText, StageEdges> edges_of(const std::string& file, Streams& streams) {
  TableText table = table_of(file, streams);
  const std::size_t first = table.text.find_first_not_of(" \t\r\n");
  const auto begins = [&](std::string_view word) {
    return first != std::string::npos && std::string_view(table.text).substr(first).starts_with(word);
  };
  const bool is_graph = file.ends_with(".dot") || file.ends_with(".gv") || begins("digraph") || begins("graph") ||
                        begins("strict") || begins("//") || begins("/*");
  if (!is_graph) return table;
  StageEdges edges{table.name, {}};
  for (DotEdge& edge : edges_of_dot(table.text, table.name))
    edges.edges.push_back({std::move(edge.from), std::move(edge.to), std::move(edge.label), std::nullopt});
  return edges;
}

int import_problem(const ImportOptions& options, Streams& streams) {
  std::vector<std::string> inputs{options.times};
  for (const auto* table : {&options.links, &options.sizes, &options.edges})
    if (*table) inputs.push_back(**table);
  require_one_stdin(inputs);
  if (options.output) {
    require_apart(inputs, {*options.output});
    require_writable(*options.output);
  }
  MeasuredTables tables{table_of(options.times, streams), {}, {}, names_of(options.sources), names_of(options.sinks)};
  if (options.links) tables.links = table_of(*options.links, streams);
  if (options.sizes) tables.sizes = table_of(*options.sizes, streams);
  if (options.edges) tables.edges = edges_of(*options.edges, streams);
  const ImportedProblem imported = import_tables(tables);
  if (!imported.problem) return tell_faults(imported.faults, streams);
  for (const std::string& note : imported.notes) fmt::print(streams.err, "takt: {}\n", tpn::visible(note));
  const std::string text = tpn::write_document(*imported.problem);
  if (!options.output) {
    streams.out << text;
    return kAnswered;
  }
  write_file(*options.output, text);
  fmt::print(streams.out, "{}: {}\n", tpn::visible(*options.output), summary_of(*imported.problem));
  return kAnswered;
}

}  // namespace

Action define_import(CommandLine& line) {
  auto options = std::make_shared<ImportOptions>();
  line.option("--times", options->times,
              "a CSV table of stage,processor,time, and perhaps the processor's cores, type and host")
      .required()
      .offers_files()
      .type_name("FILE");
  line.option("--links", options->links, "a CSV table of from,to and bandwidth (and latency) or time")
      .offers_files()
      .type_name("FILE");
  line.option("--sizes", options->sizes, "a CSV table of stage,output: the sizes of files")
      .offers_files()
      .type_name("FILE");
  line.option("--edges", options->edges,
              "which stage takes whose file: a CSV table of from,to and perhaps size, or a graph in DOT, "
              "a -> b [label=\"5 MB\"]; default: each that of the stage before it")
      .offers_files()
      .type_name("FILE");
  line.option("--sources", options->sources,
              "several sources that take the data sets in turn, cam1,cam2,..., which --links names")
      .type_name("NAMES");
  line.option("--sinks", options->sinks, "several sinks, likewise").type_name("NAMES");
  line.option("-o", options->output, "write the problem there, not to standard output")
      .check(output_name())
      .type_name("OUT");
  line.footer(
      "Columns in any order, named by the first row. A processor with cores is several of one host, which share its\n"
      "links, as does who has another processor as its host; processors of a type have one name in common. Each row\n"
      "of links is one direction; \"source\" and \"sink\" are the world's ends, unless they have names, and \"*\" from "
      "and\n"
      "to is what holds for all others, beside a source or sink for all others of its links. In sizes, \"source\" is "
      "the\n"
      "input's. Without --links, transfers take no time. With --edges a stage may take the files of several, and its "
      "file\n"
      "may go to several: one size, wherever it goes; from \"source\" and to \"sink\" the world's files have theirs.\n"
      "\n"
      "Example:\n"
      "  takt import --times examples/measured-times.csv --links examples/measured-links.csv -o problem.json");
  return [options](Streams& streams) { return import_problem(*options, streams); };
}

}  // namespace takt::tools
