// The JSON parser: nlohmann's SAX parser judges the text, a scanner beside it knows where each token stands.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tpn/json.hpp"
#include "tpn/visible.hpp"

namespace takt::tpn::json {

namespace {

using maxplus::kMaxDecimalExponent;
using maxplus::kMaxDigits;
using maxplus::NumberExpectation;

constexpr std::size_t kShownOfText = 60;

// The parser refuses a number that its floating-point type cannot hold: with a long double that is none
// within the limits of parse_decimal. The value itself is never used.
using ParserJson =
    nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, long double>;
static_assert(std::numeric_limits<long double>::max_exponent10 > static_cast<int>(kMaxDigits) + kMaxDecimalExponent);

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_punctuation(char c) { return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':'; }

std::size_t count_digits(std::string_view text) { return std::min(text.find_first_not_of("0123456789"), text.size()); }

// The length of the JSON number that `text` begins with, a minus or a digit.
std::size_t number_length(std::string_view text) {
  const std::size_t sign = text.front() == '-' ? 1 : 0;
  std::size_t length = sign + (text.substr(sign).starts_with('0') ? 1 : count_digits(text.substr(sign)));
  if (text.substr(length).starts_with('.')) length += 1 + count_digits(text.substr(length + 1));
  if (text.substr(length).starts_with('e') || text.substr(length).starts_with('E')) {
    ++length;
    if (text.substr(length).starts_with('+') || text.substr(length).starts_with('-')) ++length;
    length += count_digits(text.substr(length));
  }
  return length;
}

// The length of the text in double quotes that `text` begins with; as far as the line goes where it is open.
std::size_t string_length(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return std::min(end < text.size() && text[end] == '"' ? end + 1 : end, text.size());
}

// The length of the token that `text` begins with, where the parser has found one.
std::size_t token_length(std::string_view text) {
  switch (text.empty() ? '\0' : text.front()) {
    case '\0':
      return 0;
    case '"':
      return string_length(text);
    case 't':
    case 'n':
      return 4;
    case 'f':
      return 5;
    default:
      return is_punctuation(text.front()) ? 1 : number_length(text);
  }
}

// The length of what a person would take for a token, where the parser has found none.
std::size_t word_length(std::string_view text) {
  if (text.empty() || is_punctuation(text.front())) return std::min<std::size_t>(text.size(), 1);
  if (text.front() == '"') return string_length(text);
  const auto end =
      std::find_if(text.begin() + 1, text.end(), [](char c) { return is_space(c) || is_punctuation(c) || c == '"'; });
  return static_cast<std::size_t>(end - text.begin());
}

struct JsonToken {
  Position position;
  std::string_view text;
};

// Walks the text token by token, in step with the parser's events.
class Scanner {
 public:
  Scanner(std::string_view text, std::size_t first_line) : text_(text), position_{first_line, 1} {}

  // The next token other than a comma or colon; empty at the end of the text.
  JsonToken next() {
    skip([](char c) { return is_space(c) || c == ',' || c == ':'; });
    return take(token_length(text_.substr(offset_)));
  }

  // The token at which the parser, having read `consumed` bytes, gave up: only separators lie before it.
  JsonToken culprit(std::size_t consumed) {
    skip(is_space);
    while (offset_ + 1 < consumed && offset_ < text_.size() && (text_[offset_] == ',' || text_[offset_] == ':')) {
      advance(1);
      skip(is_space);
    }
    return take(word_length(text_.substr(offset_)));
  }

 private:
  template <typename Predicate>
  void skip(Predicate passes) {
    while (offset_ < text_.size() && passes(text_[offset_])) advance(1);
  }

  JsonToken take(std::size_t length) {
    const JsonToken token{position_, text_.substr(offset_, length)};
    advance(token.text.size());
    return token;
  }

  void advance(std::size_t count) {
    for (const std::size_t end = offset_ + count; offset_ < end; ++offset_) {
      if (text_[offset_] == '\n') {
        ++position_.line;
        position_.column = 1;
      } else {
        ++position_.column;
      }
    }
  }

  std::string_view text_;
  std::size_t offset_ = 0;
  Position position_;
};

std::string found_expected(const std::string& found, const std::string& expected) {
  return "found " + found + ", expected " + expected;
}

// What the parser would rather have seen, from the words of its message; tests/tpn/json_test.cpp pins every one.
std::string expectation(std::string_view message) {
  const auto says = [message](std::string_view words) { return message.find(words) != std::string_view::npos; };
  if (says("invalid string: missing closing quote")) return "text that ends with a double quote";
  if (says("invalid string: control character")) return "text without line breaks and other control characters";
  if (says("invalid string: ill-formed UTF-8") || says("invalid BOM")) return "UTF-8 text";
  if (says("invalid string: forbidden character after backslash")) return "one of \"\\/bfnrtu after a backslash";
  if (says("invalid string")) return "\\u followed by the four hex digits of a character";
  if (says("invalid number; expected digit")) {
    const std::size_t begin = message.find("digit");
    return "a " + std::string(message.substr(begin, message.find("; last read") - begin));
  }
  if (says("; expected string literal")) return "a key in double quotes";
  if (says("; expected ':'")) return "':' between key and value";
  if (says("; expected ']'")) return "',' or ']'";
  if (says("; expected '}'")) return "',' or '}'";
  if (says("; expected end of input")) return "nothing behind the document";
  return "a JSON value";
}

std::string byte_text(char byte) { return fmt::format("the byte {:#x}", static_cast<unsigned char>(byte)); }

class TreeBuilder : public nlohmann::json_sax<ParserJson> {
 public:
  TreeBuilder(std::string_view text, Tree& tree, const ValueForm* form, std::optional<std::size_t> line)
      : text_(text),
        file_(tree.file),
        scanner_(text, line.value_or(1)),
        root_(tree.root),
        form_(form),
        remarks_(tree.remarks),
        whole_(line ? "line" : "file") {}

  bool null() override {
    add(Kind::null);
    return true;
  }
  bool boolean(bool value) override {
    if (Value* kept = add(Kind::boolean)) kept->boolean = value;
    return true;
  }
  bool number_integer(std::int64_t) override { return add_number(); }
  bool number_unsigned(std::uint64_t) override { return add_number(); }
  bool number_float(long double, const std::string&) override { return add_number(); }
  bool string(std::string& value) override {
    if (Value* kept = add(Kind::string)) kept->text = std::move(value);
    return true;
  }
  bool binary(ParserJson::binary_t&) override { return false; }  // not in JSON text
  bool start_object(std::size_t) override { return open(Kind::object); }
  bool start_array(std::size_t) override { return open(Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    const Position position = scanner_.next().position;
    const auto [first, is_new] = key_sets_.back().emplace(name, position);
    if (!is_new) {
      fail_at(position, "the key " + quote(name) + " a second time",
              "it once, as on line " + std::to_string(first->second.line));
    }
    OpenContainer& object = open_.back();
    if (object.value == nullptr) return true;
    expect_member(object, name);
    object.value->keys.push_back({std::move(name), position});
    return true;
  }

  bool parse_error(std::size_t consumed, const std::string&, const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const nlohmann::detail::out_of_range*>(&error) != nullptr) {
      const JsonToken number = scanner_.next();
      const auto parsed = maxplus::parse_decimal(number.text);
      const auto* limit = std::get_if<NumberExpectation>(&parsed);
      fail_at(number.position, "the number " + shortened(number.text),
              limit != nullptr ? limit->expected : "a smaller number");
    }
    const JsonToken culprit = scanner_.culprit(consumed);
    if (culprit.text.empty() && blank()) fail_at(culprit.position, "an empty " + whole_, "a JSON document");
    refuse_broken_utf8(culprit);
    const std::string found = culprit.text.empty() ? "the end of the " + whole_ : in_quotes(culprit.text);
    if (culprit.text.starts_with("//") || culprit.text.starts_with("/*"))
      fail_at(culprit.position, found, no_comment());
    fail_at(culprit.position, found, expectation(error.what()));
  }

 private:
  [[noreturn]] void fail_at(Position position, const std::string& found, const std::string& expected) const {
    throw ParseError(file_, position.line, position.column, found_expected(found, expected));
  }

  // At the first byte of the token that is not UTF-8.
  void refuse_broken_utf8(const JsonToken& token) const {
    Utf8Start start;
    std::size_t at = 0;
    for (; at < token.text.size(); at += start.length) {
      start = first_character(token.text.substr(at));
      if (!start.code) break;
    }
    if (at >= token.text.size()) return;
    fail_at({token.position.line, token.position.column + at}, byte_text(token.text[at]), "UTF-8 text");
  }

  static std::string shortened(std::string_view text) {
    return text.size() <= kShownOfText ? std::string(text) : std::string(text.substr(0, kShownOfText)) + "...";
  }

  // Between single quotes, as JSON has its own in double ones; escaped where a terminal might stumble.
  static std::string in_quotes(std::string_view text) {
    const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return ' ' <= c && c <= '~'; });
    return printable ? "'" + shortened(text) + "'" : quote(text);
  }

  std::string no_comment() const {
    const bool has_remarks = std::ranges::find(remarks_, "//") != remarks_.end();
    return std::string("no comment, which JSON does not have") +
           (has_remarks ? ": any object may have a text behind the key \"//\"" : "");
  }

  bool blank() const { return std::all_of(text_.begin(), text_.end(), is_space); }

  // An array or object whose end is still to come.
  struct OpenContainer {
    Value* value = nullptr;           // nothing if no more of it is kept
    const ValueForm* form = nullptr;  // nothing if anything goes
    const ValueForm* next = nullptr;  // of the value to come, likewise
    bool ends = false;                // the value to come is the last that is kept, and kept without its contents
  };

  static bool has_form(Kind kind, const ValueForm& form) {
    switch (form.content) {
      case ValueForm::Content::text:
        return kind == Kind::string;
      case ValueForm::Content::scalar:
        return kind != Kind::array && kind != Kind::object;
      case ValueForm::Content::array:
        return kind == Kind::array;
      case ValueForm::Content::object:
        return kind == Kind::object;
      case ValueForm::Content::text_or_object:
        return kind == Kind::string || kind == Kind::object;
      case ValueForm::Content::scalar_or_object:
        return kind != Kind::array;
    }
    return true;
  }

  // What the object's form says of the value behind a key.
  void expect_member(OpenContainer& object, std::string_view key) const {
    static constexpr ValueForm kScalar;
    if (object.form == nullptr) return;
    const auto& keys = object.form->keys;
    const auto& members = object.form->members;
    object.ends = !keys.empty() && std::ranges::find(keys, key) == keys.end() &&
                  std::ranges::find(remarks_, key) == remarks_.end();
    const auto member = std::ranges::find(members, key, &ValueForm::Member::key);
    const ValueForm* const others = object.form->others != nullptr ? object.form->others : &kScalar;
    object.next = member != members.end() ? member->form : others;
  }

  // The slot for the next value, or nothing if it is not kept: only the innermost open container grows, so pointers
  // to the open ones stay. Where the value is a container, `added_` is to be opened.
  Value* add(Kind kind) {
    const JsonToken token = scanner_.next();
    position_ = token.position;
    added_ = {};
    OpenContainer* around = open_.empty() ? nullptr : &open_.back();
    if (around != nullptr && around->value == nullptr) return nullptr;
    Value& value = around == nullptr ? root_ : around->value->items.emplace_back();
    value.kind = kind;
    value.position = token.position;
    if (kind == Kind::number) value.text = token.text;
    const ValueForm* form = around == nullptr ? form_ : around->next;
    const bool fits = form == nullptr || has_form(kind, *form);
    const bool ends = around != nullptr && (around->ends || (!fits && around->value->kind == Kind::array));
    if (fits && !ends) added_ = {&value, form, form == nullptr ? nullptr : form->items};
    if (ends) around->value = nullptr;
    return &value;
  }

  bool add_number() {
    add(Kind::number);
    return true;
  }

  bool open(Kind kind) {
    add(kind);
    if (open_.size() == kMaxDepth) {
      const std::string found = kind == Kind::array ? "an array" : "an object";
      fail_at(position_, found + " nested more than " + std::to_string(kMaxDepth) + " levels deep",
              "at most " + std::to_string(kMaxDepth) + " levels");
    }
    open_.push_back(added_);
    key_sets_.emplace_back();
    return true;
  }

  bool close() {
    scanner_.next();
    open_.pop_back();
    key_sets_.pop_back();
    hand_over();
    return true;
  }

  // The item that was closed just now, where someone takes the items of its array.
  void hand_over() {
    if (open_.empty()) return;
    const OpenContainer& around = open_.back();
    if (around.value == nullptr || around.form == nullptr || around.form->take_item == nullptr) return;
    (*around.form->take_item)(around.value->items.back());
    around.value->items.clear();
  }

  std::string_view text_;
  const std::string& file_;
  Scanner scanner_;
  Value& root_;
  const ValueForm* form_;
  std::span<const std::string_view> remarks_;
  std::string whole_;  // what the text is
  Position position_;  // of the last value
  OpenContainer added_;
  std::vector<OpenContainer> open_;
  std::vector<std::map<std::string, Position>> key_sets_;  // of the open containers
};

}  // namespace

Tree parse(std::string_view text, std::string file, const ValueForm* form, std::span<const std::string_view> remarks,
           std::optional<std::size_t> line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Tree tree{.file = std::move(file), .root = {}, .remarks = remarks};
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw ParseError(tree.file, line.value_or(1), 1, found_expected(byte_text(text.front()), "UTF-8 text, not UTF-16"));
  }
  // The parser would take a NUL for the end of the text and never look behind it.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    const auto line_start = text.rfind('\n', nul) + 1;  // npos + 1 is 0
    const auto before = static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(nul), '\n'));
    throw ParseError(tree.file, line.value_or(1) + before, nul - line_start + 1, found_expected("a NUL byte", "text"));
  }
  TreeBuilder builder(text, tree, form, line);
  const bool complete = ParserJson::sax_parse(text, &builder);
  maxplus::expects(complete, "the parser reports what stops it");
  return tree;
}

}  // namespace takt::tpn::json
