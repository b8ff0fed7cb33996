// Names to vertices, texts to numbers, offsets to places.
#include "tools/cycle_ratio/graph_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "tools/cycle_ratio/graph_lines.hpp"
#include "tools/files/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

GraphBuilder::GraphBuilder(const std::string& path, const std::function<bool()>& is_over, std::size_t bytes,
                           std::size_t arcs)
    : is_over_(is_over) {
  constexpr std::size_t kBytesPerNumeral = 8;
  constexpr std::size_t kLeastNumerals = 1 << 16;
  graph_.file = path;
  graph_.vertices = NameTable(std::max(kLeastNumerals, bytes / kBytesPerNumeral));
  graph_.arcs.reserve(arcs);
}

void GraphBuilder::add(const maxplus::RationalArc& arc) {
  graph_.arcs.add(arc);
  ask();
}

void GraphBuilder::add(std::size_t from, std::size_t to, std::int64_t numerator, std::int64_t denominator,
                       std::uint64_t tokens) {
  graph_.arcs.add(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), numerator, denominator, tokens);
  ask();
}

std::optional<std::string> GraphBuilder::add(std::size_t from, std::size_t to, std::string_view weight,
                                             std::uint64_t tokens) {
  if (const auto brief = short_weight(weight)) {
    add(from, to, brief->numerator, brief->denominator, tokens);
    return std::nullopt;
  }
  auto number = maxplus::parse_number(weight);
  if (const auto* refused = std::get_if<maxplus::NumberExpectation>(&number)) return refused->expected;
  add({from, to, std::get<maxplus::Rational>(std::move(number)), tokens});
  return std::nullopt;
}

void GraphBuilder::ask() {
  constexpr std::size_t kArcsBetweenQuestions = 4096;
  if (graph_.arcs.size() % kArcsBetweenQuestions == 0 && is_over_ && is_over_()) throw GraphReadingStopped{};
}

std::optional<std::size_t> GraphBuilder::find_vertex(std::string_view name) const {
  const auto at = graph_.vertices.find(name);
  return at ? std::optional<std::size_t>(*at) : std::nullopt;
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

namespace {

// Past words of eight characters that are ASCII and no NUL.
std::size_t skip_plain(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  std::uint64_t word = 0;
  for (; at + sizeof(word) <= text.size(); at += sizeof(word)) {
    std::memcpy(&word, text.data() + at, sizeof(word));
    if (((word | (word - kOnes)) & kHigh) != 0) break;
  }
  return at;
}

}  // namespace

void require_text(std::string_view text, const std::string& path) {
  const auto is_plain = [](char c) { return c > 0; };
  for (std::size_t at = 0; at < text.size();) {
    at = skip_plain(text, at);
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
