// Layout, escapes, numbers.
#include "tpn/json_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

#include "maxplus/contract.hpp"
#include "maxplus/rational.hpp"
#include "tpn/visible.hpp"

namespace takt::tpn {

namespace {

bool breaks_lines(JsonLayout layout) { return layout == JsonLayout::block || layout == JsonLayout::hanging; }

void append_escaped(std::string& json, char32_t code) {
  constexpr std::u32string_view kEscaped = U"\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  const std::size_t at = kEscaped.find(code);
  json += at != std::u32string_view::npos ? fmt::format("\\{}", kLetters[at])
                                          : fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
}

// The characters that JSON has to escape, and those that would act on a terminal.
bool needs_escape(char32_t code) { return code == U'"' || code == U'\\' || is_unseen(code); }

// The shortest decimal that reads back as the same double, with a point or an exponent, so that it is read as one.
std::string double_text(double number) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific);
  const std::string_view scientific(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  constexpr int kLeastPlain = -4;
  constexpr int kMostPlain = 14;
  const std::size_t e = scientific.find('e');
  int exponent = 0;
  std::from_chars(scientific.data() + e + 2, scientific.data() + scientific.size(), exponent);
  if (scientific[e + 1] == '-') exponent = -exponent;
  if (number != 0 && (exponent < kLeastPlain || exponent > kMostPlain)) return std::string(scientific);

  std::string digits;
  std::ranges::copy_if(scientific.substr(0, e), std::back_inserter(digits), maxplus::is_digit);
  if (exponent < 0) digits.insert(0, static_cast<std::size_t>(-exponent), '0');
  const auto before_point = static_cast<std::size_t>(std::max(exponent, 0)) + 1;
  if (digits.size() < before_point + 1) digits.append(before_point + 1 - digits.size(), '0');
  digits.insert(before_point, ".");
  return (std::signbit(number) ? "-" : "") + digits;
}

}  // namespace

std::optional<std::string> json_string(std::string_view text, IllFormed ill_formed) {
  std::string json = "\"";
  const auto is_plain = [](char c) { return ' ' <= c && c <= '~' && c != '"' && c != '\\'; };
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    json += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Utf8Start start = first_character(text);
    if (!start.code) {
      if (ill_formed == IllFormed::refused) return std::nullopt;
      if (ill_formed == IllFormed::replaced) json += "\xEF\xBF\xBD";
    } else if (needs_escape(*start.code)) {
      append_escaped(json, *start.code);
    } else {
      json += text.substr(0, start.length);
    }
    text.remove_prefix(start.length);
  }
  return json + '"';
}

void JsonWriter::end() {
  maxplus::expects(!open_.empty() && !has_key_, "what is closed was opened, and its last key has a value");
  const Container container = open_.back();
  open_.pop_back();
  if (container.layout == JsonLayout::block && !container.is_empty) break_line();
  text_ += container.closing;
}

void JsonWriter::key(std::string_view name) {
  maxplus::expects(!open_.empty() && open_.back().closing == '}' && !has_key_, "keys stand in objects, before values");
  separate();
  const auto quoted = json_string(name, ill_formed_);
  maxplus::expects(quoted.has_value(), "a key is UTF-8");
  text_ += *quoted;
  text_ += open_.back().layout == JsonLayout::compact ? ":" : ": ";
  has_key_ = true;
}

std::string json_number(double number) { return std::isfinite(number) ? double_text(number) : "null"; }

void JsonWriter::value(double number) { raw(json_number(number)); }

void JsonWriter::value(std::string_view text) {
  const auto quoted = json_string(text, ill_formed_);
  maxplus::expects(quoted.has_value(), "a text is UTF-8");
  raw(*quoted);
}

void JsonWriter::raw(std::string_view json) {
  if (!has_key_) {
    maxplus::expects(open_.empty() || open_.back().closing == ']', "an object's value follows its key");
    separate();
  }
  has_key_ = false;
  text_ += json;
  if (drain_ && text_.size() >= kDrained) drain_(text_);
}

void JsonWriter::begin(char opening, std::optional<JsonLayout> layout) {
  raw({&opening, 1});
  const JsonLayout around = open_.empty() ? JsonLayout::block : open_.back().layout;
  open_.push_back({layout.value_or(around), opening == '{' ? '}' : ']'});
}

void JsonWriter::separate() {
  if (open_.empty()) return;
  Container& container = open_.back();
  if (!container.is_empty) text_ += ',';
  if (breaks_lines(container.layout) && !stays_) {
    break_line();
  } else if (!container.is_empty && container.layout != JsonLayout::compact) {
    text_ += ' ';
  }
  container.is_empty = false;
  stays_ = false;
}

void JsonWriter::break_line() {
  const auto levels = std::ranges::count_if(open_, breaks_lines, &Container::layout);
  text_ += '\n';
  text_.append(2 * static_cast<std::size_t>(levels), ' ');
}

}  // namespace takt::tpn
