// Names to vertices, texts to numbers, offsets to places.
#include "tools/cycle_ratio/graph_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "tools/files/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

GraphBuilder::GraphBuilder(const std::string& path, const std::function<bool()>& is_over) : is_over_(is_over) {
  graph_.file = path;
}

void GraphBuilder::add(maxplus::RationalArc arc) {
  constexpr std::size_t kArcsBetweenQuestions = 4096;
  graph_.arcs.push_back(std::move(arc));
  if (graph_.arcs.size() % kArcsBetweenQuestions == 0 && is_over_ && is_over_()) throw GraphReadingStopped{};
}

std::size_t GraphBuilder::vertex(std::string_view name) {
  const auto [at, is_new] = index_.try_emplace(std::string(name), graph_.vertices.size());
  if (is_new) graph_.vertices.emplace_back(name);
  return at->second;
}

std::optional<std::size_t> GraphBuilder::find_vertex(const std::string& name) const {
  const auto at = index_.find(name);
  return at == index_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<std::uint64_t> read_tokens(std::string_view text) {
  std::uint64_t tokens = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), tokens);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(tokens) : std::nullopt;
}

TextPlace place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1, before.size() - line_start + 1};
}

void require_text(std::string_view text, const std::string& path) {
  const auto is_plain = [](char c) { return c > 0; };
  for (std::size_t at = 0; at < text.size();) {
    at = static_cast<std::size_t>(std::ranges::find_if_not(text.substr(at), is_plain) - text.begin());
    if (at == text.size()) return;
    if (text[at] == '\0') fail_at(path, place_of(text, at), "a NUL byte", "text");
    const tpn::Utf8Start start = tpn::first_character(text.substr(at));
    if (!start.code) {
      fail_at(path, place_of(text, at), fmt::format("the byte {:#x}", static_cast<unsigned char>(text[at])),
              "UTF-8 text");
    }
    at += start.length;
  }
}

void fail_at(const std::string& path, TextPlace place, const std::string& found, const std::string& expected) {
  throw tpn::ParseError(display_name(path), place.line, place.column, "found " + found + ", expected " + expected);
}

}  // namespace takt::tools
