// Texts of documents and command lines in the sight of people: characters, and escapes of those that would act on a
// terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace takt::tpn {

/// How a text begins. [The Unicode Standard, table 3-7]
struct Utf8Start {
  std::size_t length;            // of the character in bytes; of what is ill-formed, as many as could begin one
  std::optional<char32_t> code;  // nothing if it is ill-formed
};

/// The first character of a text that is not empty.
Utf8Start first_character(std::string_view text);

/// True for characters that act instead of being seen: control characters (C0, delete, C1), marks that turn the
/// direction of writing, separators of lines and paragraphs.
bool is_unseen(char32_t code);

/// The text on one line, as a terminal may show it: unseen characters as \u001b, bytes that are not UTF-8 as \xff. A
/// text without any is itself; so is a visible one. Of more than `most` characters the rest is "...".
std::string visible(std::string_view text, std::size_t most = std::string_view::npos);

/// A word of a command line that stands for the text: quoted where a shell would read it otherwise.
std::string shell_word(std::string_view text);

}  // namespace takt::tpn
