// Tables that people have measured, as a problem: times of stages on processors, links, sizes of files.
//
// Method. Each table has a header that names its columns, in any order; every further row says one thing. Rows that say
// nothing usable are listed, all of them, and then there is no problem.
// - Times: stage, processor, time. Stages and processors are there in the order in which they first appear. Beside them
//   cores, type and host, of the processor: a value in one of its rows holds for the processor. A host is another
//   processor, or a name that several processors have there.
// - Links: from, to, and bandwidth (with latency, if any) or time; one direction each. Two directions that say the same
//   are one undirected link. A processor with cores is named as such, its cores are not; all processors of a host are
//   one. A link from `source` or to `sink` is one with the world, unless a processor has that name; if there are
//   several by name, from one of these. "*" is what holds for all others: at both ends, behind a source, before a sink.
// - Edges: from, to, and perhaps size: which stage takes whose file, and how large that is, once for each stage or
//   everywhere the same. Stages are put in an order in which each stands behind those whose files it takes, by first
//   appearance if there are several. Without this table each takes the file of the one before it.
// - Sizes: stage, output; a stage named `source` stands for the application's input, unless there is a stage of that
//   name.
// Several rows with a time of one stage on one processor, or of one link, are several measurements: samples, whose mean
// is the time.
// Numbers may have units, all times and bandwidths of all tables or none. Without links, transfers take no time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tools {

/// A table as it was read: its name in messages, and what it says.
struct TableText {
  std::string name;
  std::string text;
};

/// Which stage takes whose file; where that was read, a line, is none of graphs.
struct StageEdge {
  std::string from;
  std::string to;
  std::string size;  // a number with or without a unit, or nothing
  std::optional<std::size_t> line;
};
struct StageEdges {
  std::string name;  // of the file
  std::vector<StageEdge> edges;
};

struct MeasuredTables {
  TableText times;
  std::optional<TableText> links;
  std::optional<TableText> sizes;
  std::vector<std::string> sources{};  // names of several, in the order of their turns
  std::vector<std::string> sinks{};
  std::optional<std::variant<TableText, StageEdges>> edges{};
};

struct ImportedProblem {
  std::optional<tpn::Document> problem;  // valid; nothing if there are faults
  std::vector<std::string> faults;       // "FILE:LINE: found F, expected E"
  std::vector<std::string> notes;        // whole sentences on what the tables leave open
};

ImportedProblem import_tables(const MeasuredTables& tables);

}  // namespace takt::tools
