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

constexpr const char* kFooterOfImport =
    "The first row of a table names its columns, in any order.\n"
    "--times: a processor with cores is a machine whose cores share its links; a processor whose host is another\n"
    "  processor shares the links of that one.\n"
    "--links: a row is one direction. \"source\" and \"sink\" are the ends of the pipeline. A row from \"*\" to "
    "\"*\" is for\n"
    "  all pairs without a row, a row from \"source\" to \"*\" or from \"*\" to \"sink\" for the other links of that "
    "end.\n"
    "--edges: a stage may take several files, and several stages may take its file, which has one size. Rows from\n"
    "  \"source\" and to \"sink\" give the sizes of the input and the results.\n"
    "Details: docs/formats.md.\n"
    "\n"
    "Example:\n"
    "  takt import --times examples/measured-times.csv --links examples/measured-links.csv -o problem.json";

}  // namespace

Action define_import(CommandLine& line) {
  auto options = std::make_shared<ImportOptions>();
  line.option("--times", options->times,
              "CSV table stage,processor,time; optional columns of the processor: cores, type, host")
      .required()
      .offers_files()
      .type_name("FILE");
  line.option("--links", options->links,
              "CSV table from,to and either time, or bandwidth and optionally latency; default: transfers take no time")
      .offers_files()
      .type_name("FILE");
  line.option("--sizes", options->sizes,
              "CSV table stage,output: the sizes of files; the stage \"source\" is the input")
      .offers_files()
      .type_name("FILE");
  line.option("--edges", options->edges,
              "the graph of the stages: a CSV table from,to and optionally size, or DOT, a -> b [label=\"5 MB\"]; "
              "default: each stage takes the file of the stage before it")
      .offers_files()
      .type_name("FILE");
  line.option("--sources", options->sources, "several sources that take turns, as named in --links: cam1,cam2,...")
      .type_name("NAMES");
  line.option("--sinks", options->sinks, "several sinks that take turns, as named in --links").type_name("NAMES");
  line.option("-o", options->output, "write the problem to this file; default: standard output")
      .check(output_name())
      .type_name("OUT");
  line.footer(kFooterOfImport);
  return [options](Streams& streams) { return import_problem(*options, streams); };
}

}  // namespace takt::tools
