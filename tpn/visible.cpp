// UTF-8 by hand: ill-formed texts must be told apart byte by byte.
#include "tpn/visible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace takt::tpn {

namespace {

// How a sequence of UTF-8 goes on after its first byte.
struct Utf8Sequence {
  std::size_t length;  // 0: no sequence begins so
  unsigned char least = 0x80;
  unsigned char most = 0xBF;  // of the second byte; all others are within 80 to BF
};

// The Unicode Standard, table 3-7.
Utf8Sequence sequence_from(unsigned char first) {
  if (first < 0x80) return {1};
  if (first < 0xC2) return {0};
  if (first < 0xE0) return {2};
  if (first == 0xE0) return {3, 0xA0};
  if (first == 0xED) return {3, 0x80, 0x9F};
  if (first < 0xF0) return {3};
  if (first == 0xF0) return {4, 0x90};
  if (first < 0xF4) return {4};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  return {0};
}

struct CodeRange {
  char32_t first;
  char32_t last;
};

constexpr std::array kUnseen = {
    CodeRange{0x00, 0x1F},     CodeRange{0x7F, 0x9F},     CodeRange{0x061C, 0x061C},
    CodeRange{0x200E, 0x200F}, CodeRange{0x2028, 0x202E}, CodeRange{0x2066, 0x2069},
};

bool is_plain(char c) { return ' ' <= c && c <= '~'; }

}  // namespace

Utf8Start first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {1, first};
  const Utf8Sequence sequence = sequence_from(first);
  constexpr std::array<unsigned, 5> kFirstBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = first & kFirstBits[sequence.length];
  std::size_t length = 1;
  for (; length < std::min(sequence.length, text.size()); ++length) {
    const auto byte = static_cast<unsigned char>(text[length]);
    if (byte < (length == 1 ? sequence.least : 0x80) || byte > (length == 1 ? sequence.most : 0xBF)) break;
    code = (code << 6U) | (byte & 0x3FU);
  }
  if (length != sequence.length) return {length, std::nullopt};
  return {length, code};
}

bool is_unseen(char32_t code) {
  return std::ranges::any_of(kUnseen,
                             [code](const CodeRange& range) { return range.first <= code && code <= range.last; });
}

std::string visible(std::string_view text, std::size_t most) {
  if (text.size() <= most && std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string shown;
  for (std::size_t characters = 0; !text.empty(); ++characters) {
    if (characters == most) return shown + "...";
    const Utf8Start start = first_character(text);
    const std::string_view bytes = text.substr(0, start.length);
    if (!start.code) {
      for (const char byte : bytes) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    } else if (is_unseen(*start.code)) {
      shown += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(*start.code));
    } else {
      shown += bytes;
    }
    text.remove_prefix(start.length);
  }
  return shown;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@%/";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace takt::tpn
