// A graph of arcs with weights and tokens as a file holds it, with the names of its vertices.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maxplus/rational_arcs.hpp"

namespace takt::tools {

struct RatioGraph {
  std::string file;
  std::string name;                           // its own, or empty
  std::string time_unit;                      // of its weights, or empty
  std::optional<maxplus::Integer> data_sets;  // that one turn of its cycles stands for; > 0
  std::vector<std::string> vertices;          // UTF-8, each once, in the order of the file
  std::vector<maxplus::RationalArc> arcs;     // in the order of the file; the time of the vertex it leaves is in a
                                              // weight
};

/// The graph of a text in one of four forms, which its first character tells, blanks aside: `<` begins SDF3's XML, `{`
/// or `[` JSON. Of the others, one whose first line but for comments is "p sp VERTICES ARCS" is DIMACS's, else it is a
/// list of arcs. `path` is that of the file, or "-". Nothing where `is_over`, asked now and then, says to stop. Throws
/// tpn::ParseError.
/// Cost: linear in the text, but for a hash table of the names.
std::optional<RatioGraph> read_ratio_graph(std::string_view text, const std::string& path,
                                           const std::function<bool()>& is_over = {});

/// One arc per line, `FROM TO WEIGHT [TOKENS]` between blanks; `#` at the beginning of a word begins a comment.
RatioGraph read_arc_list(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

/// Whether the first line that is no comment ("c ...") is "p sp VERTICES ARCS".
bool is_dimacs_graph(std::string_view text);

/// DIMACS's form of shortest paths: that line, then "a FROM TO WEIGHT" for each arc, vertices numbered from 1; each arc
/// has one token.
RatioGraph read_dimacs_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

/// An object with "arcs", each with "from", "to", "weight" and "tokens", and perhaps "vertices" with "name" and "time".
RatioGraph read_json_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

/// XML of SDF3, type sdf, all rates 1: an arc per channel, which weighs what its source's default processor takes.
RatioGraph read_sdf3_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

}  // namespace takt::tools
