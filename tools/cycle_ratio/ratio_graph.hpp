// A graph of arcs with weights and tokens as a file holds it, with the names of its vertices.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "maxplus/arc_columns.hpp"
#include "tools/cycle_ratio/name_table.hpp"

namespace takt::tools {

struct RatioGraph {
  std::string file;
  std::string name;                           // its own, or empty
  std::string time_unit;                      // of its weights, or empty
  std::optional<maxplus::Integer> data_sets;  // that one turn of its cycles stands for; > 0
  NameTable vertices;                         // UTF-8, in the order of the file
  maxplus::ArcColumns arcs;                   // in the order of the file; the time of the vertex it leaves is in a
                                              // weight
};

/// The graph of a text in one of the forms below, which its beginning tells, blanks aside: `<` is SDF3's XML, `{` or
/// `[` JSON, `@` LEMON's, `%%MatrixMarket` that; "p sp VERTICES ARCS" before all but comments DIMACS's, a first line
/// with the columns from and to CSV. All else is a list of arcs. `path` is that of the file, or "-". Nothing if
/// `is_over`, asked now and then, says to stop. Throws tpn::ParseError. Cost: linear in the text, but for a hash table
/// of the names.
std::optional<RatioGraph> read_ratio_graph(std::string_view text, const std::string& path,
                                           const std::function<bool()>& is_over = {});

/// One arc per line, `FROM TO WEIGHT [TOKENS]` between blanks; `#` at the beginning of a word begins a comment.
RatioGraph read_arc_list(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

/// Whether the first line that is no comment ("c ...") is "p sp VERTICES ARCS".
bool is_dimacs_graph(std::string_view text);

/// DIMACS's form of shortest paths: that line, then "a FROM TO WEIGHT" for each arc, vertices numbered from 1; each arc
/// has one token.
RatioGraph read_dimacs_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

/// Matrix Market: a square sparse matrix, of whole or decimal weights, an arc with a token for each entry.
bool is_matrix_market(std::string_view text);
RatioGraph read_matrix_market(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

/// LEMON's graph format: of @arcs the map weight, cost or length, and tokens if there are some.
bool is_lgf_graph(std::string_view text);
RatioGraph read_lgf_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

/// A table with the columns from (or source), to (or target), weight and perhaps tokens.
bool is_csv_graph(std::string_view text);
RatioGraph read_csv_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

/// NetworkX's node-link JSON: nodes, and links or edges with weight and perhaps tokens; other keys count for nothing.
bool is_node_link_graph(std::string_view text);
RatioGraph read_node_link_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

/// An object with "arcs", each with "from", "to", "weight" and "tokens", and perhaps "vertices" with "name" and "time".
RatioGraph read_json_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

/// XML of SDF3 and Kiter, of synchronous and cyclo-static dataflow: with all rates 1 an arc per channel, which weighs
/// what its source's default processor takes; else a vertex for each firing of an iteration, of at most 5,000,000.
RatioGraph read_sdf3_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

}  // namespace takt::tools
