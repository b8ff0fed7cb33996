// Characters that act on a terminal, made visible; UTF-8 well formed and not.
#include "tpn/visible.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "tpn/errors.hpp"

namespace takt::tpn {
namespace {

TEST_CASE("characters that act are escaped, all others stay") {
  CHECK(visible("") == "");
  CHECK(visible("a \"\\~ é 東 😀") == "a \"\\~ é 東 😀");
  CHECK(visible(std::string_view("\0\t\n\r\x1b\x1f\x7f", 7)) == "\\u0000\\u0009\\u000a\\u000d\\u001b\\u001f\\u007f");
  CHECK(visible("\u0080\u0085\u009f\u00a0") == "\\u0080\\u0085\\u009f\u00a0");
  CHECK(visible("\u061c\u200d\u200e\u200f") == "\\u061c\u200d\\u200e\\u200f");
  CHECK(visible("\u2027\u2028\u2029\u202a\u202e\u202f") == "\u2027\\u2028\\u2029\\u202a\\u202e\u202f");
  CHECK(visible("\u2065\u2066\u2069\u206a") == "\u2065\\u2066\\u2069\u206a");
}

TEST_CASE("bytes that are not UTF-8 are shown as such") {
  CHECK(visible("a\xff\x9b") == "a\\xff\\x9b");
  CHECK(visible("\xc3") == "\\xc3");
  CHECK(visible("\xe2\x80z") == "\\xe2\\x80z");
  CHECK(visible("\xc0\xaf\xed\xa0\x80") == "\\xc0\\xaf\\xed\\xa0\\x80");
  CHECK(visible("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
}

TEST_CASE("what is visible already stays as it is") {
  const std::string once = visible("\x1b\xff\u202e\\");
  CHECK(visible(once) == once);
}

TEST_CASE("a long text is cut after a number of characters") {
  CHECK(visible("äöü", 3) == "äöü");
  CHECK(visible("äöüß", 3) == "äöü...");
  CHECK(visible("\n\n\n", 2) == "\\u000a\\u000a...");
  CHECK(visible("abc", 0) == "...");
}

TEST_CASE("characters are decoded") {
  CHECK(first_character("a").code == U'a');
  CHECK(first_character("\u00e9x").code == U'\u00e9');
  CHECK(first_character("\u202ex").code == U'\u202e');
  CHECK(first_character("\U0001F600").code == U'\U0001F600');
  CHECK(first_character("\U0001F600").length == 4);
  CHECK_FALSE(first_character("\xe2\x80").code.has_value());
  CHECK(first_character("\xe2\x80").length == 2);
}

TEST_CASE("errors are one line that is safe to print, and keep their pointer") {
  CHECK(std::string(ParseError("a\n", 1, 2, "found \u009b").what()) == "a\\u000a:1:2: found \\u009b");
  const InvalidInstance error = InvalidInstance("/x\x1b", "an \x1b", "none").at("f\n:1:2");
  CHECK(error.pointer == "/x\x1b");
  CHECK(std::string(error.what()) == "f\\u000a:1:2: /x\\u001b: found an \\u001b, expected none");
}

}  // namespace
}  // namespace takt::tpn
