// Inside the readers of graphs: vertices by name, arcs by vertices, and numbers from texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tools/cycle_ratio/ratio_graph.hpp"

namespace takt::tools {

/// Tokens of an arc that has none said: a ratio is a mean then.
inline constexpr std::uint64_t kUnsaidTokens = 1;
inline constexpr const char* kExpectedTokens = "a whole number of tokens below 2^64";

/// Thrown by GraphBuilder::add: the reader was asked to end.
struct GraphReadingStopped {};

/// A graph that grows by names.
class GraphBuilder {
 public:
  /// Every few thousand arcs `is_over` is called, if it is given. `bytes`: length of the text; `arcs`: upper bound on
  /// its arcs.
  GraphBuilder(const std::string& path, const std::function<bool()>& is_over, std::size_t bytes = 0,
               std::size_t arcs = 0);

  /// Another arc. Throws GraphReadingStopped once `is_over` says so.
  void add(const maxplus::RationalArc& arc);
  void add(std::size_t from, std::size_t to, std::int64_t numerator, std::int64_t denominator, std::uint64_t tokens);

  /// The same with the number in a text as its weight; else what is expected in its place.
  std::optional<std::string> add(std::size_t from, std::size_t to, std::string_view weight, std::uint64_t tokens);

  /// The vertex of that name, a new one if there is none.
  std::size_t vertex(std::string_view name) { return graph_.vertices.add(name); }
  /// The vertex of that name, if there is one.
  std::optional<std::size_t> find_vertex(std::string_view name) const;
  RatioGraph& graph() { return graph_; }
  const RatioGraph& graph() const { return graph_; }

 private:
  void ask();

  RatioGraph graph_;
  const std::function<bool()>& is_over_;
};

/// The number of tokens that a text of digits says; nothing if it is none, or 2^64 or more.
std::optional<std::uint64_t> read_tokens(std::string_view text);

/// A line and a column in a text, both from 1; the column counts bytes.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};
TextPlace place_of(std::string_view text, std::size_t offset);

/// Throws tpn::ParseError if a byte is not of UTF-8, or a NUL.
void require_text(std::string_view text, const std::string& path);

/// Throws tpn::ParseError "FILE:LINE:COLUMN: found F, expected E".
[[noreturn]] void fail_at(const std::string& path, TextPlace place, const std::string& found,
                          const std::string& expected);

}  // namespace takt::tools
