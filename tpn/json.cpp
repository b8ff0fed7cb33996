// The JSON tree: nlohmann's SAX parser judges the text, a scanner beside it knows where each token stands.
#include "tpn/json.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace takt::tpn::json {

namespace {

using maxplus::Integer;
using maxplus::kMaxDecimalExponent;
using maxplus::kMaxDigits;
using maxplus::NumberExpectation;
using maxplus::Rational;

// The parser refuses a number that its floating-point type cannot hold: with a long double that is none
// within the limits of parse_decimal. The value itself is never used.
using ParserJson =
    nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, long double>;
static_assert(std::numeric_limits<long double>::max_exponent10 > static_cast<int>(kMaxDigits) + kMaxDecimalExponent);

constexpr std::size_t kShownCharacters = 60;

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

struct Token {
  Position position;
  std::string_view text;
};

// Walks the text token by token, in step with the parser's events.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // The next token other than a comma or colon; empty at the end of the text.
  Token next() {
    skip([](char c) { return is_space(c) || c == ',' || c == ':'; });
    return take(token_length(text_.substr(offset_)));
  }

  // The token at which the parser, having read `consumed` bytes, gave up: only separators lie before it.
  Token culprit(std::size_t consumed) {
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

  Token take(std::size_t length) {
    const Token token{position_, text_.substr(offset_, length)};
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

// What the parser would rather have seen, from the words of its message.
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

class TreeBuilder : public nlohmann::json_sax<ParserJson> {
 public:
  TreeBuilder(std::string_view text, const std::string& file, Value& root)
      : text_(text), file_(file), scanner_(text), root_(root) {}

  bool null() override {
    add(Kind::null);
    return true;
  }
  bool boolean(bool value) override {
    add(Kind::boolean).boolean = value;
    return true;
  }
  bool number_integer(std::int64_t) override { return add_number(); }
  bool number_unsigned(std::uint64_t) override { return add_number(); }
  bool number_float(long double, const std::string&) override { return add_number(); }
  bool string(std::string& value) override {
    add(Kind::string).text = std::move(value);
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
    open_.back()->keys.push_back({std::move(name), position});
    return true;
  }

  bool parse_error(std::size_t consumed, const std::string&, const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const nlohmann::detail::out_of_range*>(&error) != nullptr) {
      const Token number = scanner_.next();
      const auto parsed = maxplus::parse_decimal(number.text);
      const auto* limit = std::get_if<NumberExpectation>(&parsed);
      fail_at(number.position, "the number " + shortened(number.text),
              limit != nullptr ? limit->expected : "a smaller number");
    }
    const Token culprit = scanner_.culprit(consumed);
    if (culprit.text.empty() && blank()) fail_at(culprit.position, "an empty file", "a JSON document");
    const std::string found = culprit.text.empty() ? "the end of the file" : in_quotes(culprit.text);
    fail_at(culprit.position, found, expectation(error.what()));
  }

 private:
  [[noreturn]] void fail_at(Position position, const std::string& found, const std::string& expected) const {
    throw ParseError(file_, position.line, position.column, found_expected(found, expected));
  }

  static std::string shortened(std::string_view text) {
    return text.size() <= kShownCharacters ? std::string(text) : std::string(text.substr(0, kShownCharacters)) + "...";
  }

  // Between single quotes, as JSON has its own in double ones; escaped where a terminal might stumble.
  static std::string in_quotes(std::string_view text) {
    const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return ' ' <= c && c <= '~'; });
    return printable ? "'" + shortened(text) + "'" : quote(text);
  }

  bool blank() const { return std::all_of(text_.begin(), text_.end(), is_space); }

  // The slot for the next value: only the innermost open container grows, so pointers to the open ones stay.
  Value& add(Kind kind) {
    const Token token = scanner_.next();
    Value& value = open_.empty() ? root_ : open_.back()->items.emplace_back();
    value.kind = kind;
    value.position = token.position;
    if (kind == Kind::number) value.text = token.text;
    return value;
  }

  bool add_number() {
    add(Kind::number);
    return true;
  }

  bool open(Kind kind) {
    Value& value = add(kind);
    if (open_.size() == kMaxDepth) {
      fail_at(value.position, describe(value) + " nested more than " + std::to_string(kMaxDepth) + " levels deep",
              "at most " + std::to_string(kMaxDepth) + " levels");
    }
    open_.push_back(&value);
    key_sets_.emplace_back();
    return true;
  }

  bool close() {
    scanner_.next();
    open_.pop_back();
    key_sets_.pop_back();
    return true;
  }

  std::string_view text_;
  const std::string& file_;
  Scanner scanner_;
  Value& root_;
  std::vector<Value*> open_;
  std::vector<std::map<std::string, Position>> key_sets_;  // of the open containers
};

// The steps from the root to a value, or nothing where it is not below `here`.
bool find_steps(const Value& here, const Value& wanted, std::string& pointer) {
  if (&here == &wanted) return true;
  for (std::size_t i = 0; i < here.items.size(); ++i) {
    const std::size_t length = pointer.size();
    pointer += pointer_step(here.kind == Kind::object ? here.keys[i].name : std::to_string(i));
    if (find_steps(here.items[i], wanted, pointer)) return true;
    pointer.resize(length);
  }
  return false;
}

[[noreturn]] void fail_at(const Tree& tree, Position position, const std::string& pointer, const std::string& found,
                          const std::string& expected) {
  throw ParseError(tree.file, position.line, position.column,
                   (pointer.empty() ? "" : pointer + ": ") + found_expected(found, expected));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

// " (did you mean ...?)" where one of the names is a slip of the pen away.
std::string suggestion(std::string_view key, std::span<const std::string_view> names) {
  if (key.size() > 20) return "";
  for (const std::string_view name : names) {
    if (edit_distance(key, name) <= (key.size() < 4 ? 1u : 2u)) return " (did you mean " + quote(name) + "?)";
  }
  return "";
}

// A number as mantissa * 10^exponent, the mantissa's digits without zeros at the end.
struct Decimal {
  bool negative = false;
  std::string digits;
  long exponent = 0;
};

std::optional<Decimal> as_decimal(const Rational& number) {
  Integer rest = number.denominator();
  Integer mantissa = abs(number.numerator());
  const unsigned long twos = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), Integer(2).get_mpz_t());
  const unsigned long fives = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), Integer(5).get_mpz_t());
  if (rest != 1) return std::nullopt;
  const unsigned long places = std::max(twos, fives);
  Integer factor;
  mpz_ui_pow_ui(factor.get_mpz_t(), twos > fives ? 5 : 2, places - std::min(twos, fives));
  mantissa *= factor;
  Decimal decimal{number.sign() < 0, mantissa.get_str(), -static_cast<long>(places)};
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
  return decimal;
}

// Digits with a decimal point as far as the exponent's range demands or, for small numbers, as people write.
std::string decimal_text(const Decimal& decimal) {
  constexpr long kLeadingZeros = 4;
  std::string digits = decimal.digits;
  const bool plain = decimal.exponent <= 0 && -decimal.exponent <= static_cast<long>(digits.size()) + kLeadingZeros;
  const long exponent = plain ? 0 : std::clamp<long>(decimal.exponent, -kMaxDecimalExponent, kMaxDecimalExponent);
  const long shift = decimal.exponent - exponent;
  if (shift > 0) digits.append(static_cast<std::size_t>(shift), '0');
  if (shift < 0) {
    const auto places = static_cast<std::size_t>(-shift);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, ".");
  }
  return (decimal.negative ? "-" : "") + digits + (exponent == 0 ? "" : "e" + std::to_string(exponent));
}

// False only where the number has more than 2 * (kMaxDigits + kMaxDecimalExponent) digits above or below.
bool has_modest_size(const Rational& number) {
  constexpr std::size_t kDigits = 2 * (kMaxDigits + kMaxDecimalExponent);
  return mpz_sizeinbase(number.numerator().get_mpz_t(), 10) <= kDigits &&
         mpz_sizeinbase(number.denominator().get_mpz_t(), 10) <= kDigits;
}

}  // namespace

Tree parse(std::string_view text, std::string file) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Tree tree{std::move(file), {}};
  // The parser would take a NUL for the end of the text and never look behind it.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    const auto line_start = text.rfind('\n', nul) + 1;  // npos + 1 is 0
    const auto line = static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(nul), '\n'));
    throw ParseError(tree.file, line + 1, nul - line_start + 1, found_expected("a NUL byte", "text"));
  }
  TreeBuilder builder(text, tree.file, tree.root);
  const bool complete = ParserJson::sax_parse(text, &builder);
  maxplus::expects(complete, "the parser reports what stops it");
  return tree;
}

void fail(const Tree& tree, const Value& at, const std::string& found, const std::string& expected) {
  fail_at(tree, at.position, pointer_of(tree, at), found, expected);
}

std::string quote(std::string_view text) {
  const std::string_view shown = text.substr(0, kShownCharacters);
  std::string quoted = nlohmann::json(std::string(shown)).dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore);
  if (shown.size() < text.size()) quoted.insert(quoted.size() - 1, "...");
  return quoted;
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return value.boolean ? "true" : "false";
    case Kind::number:
      return "the number " +
             (value.text.size() <= kShownCharacters ? value.text : value.text.substr(0, kShownCharacters) + "...");
    case Kind::string:
      return "the text " + quote(value.text);
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "";
}

std::string one_of(std::span<const std::string_view> names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 < names.size() ? ", " : " or ";
    list += quote(names[i]);
  }
  return list;
}

const Value* find(const Value& object, std::string_view key) {
  const auto found =
      std::find_if(object.keys.begin(), object.keys.end(), [key](const Key& k) { return k.name == key; });
  return found == object.keys.end() ? nullptr : &object.items[static_cast<std::size_t>(found - object.keys.begin())];
}

const Value& as_object(const Tree& tree, const Value& value, std::string_view what) {
  if (value.kind != Kind::object) fail(tree, value, describe(value), "an object: " + std::string(what));
  return value;
}

const Value& as_object(const Tree& tree, const Value& value, std::string_view what,
                       std::span<const std::string_view> allowed) {
  as_object(tree, value, what);
  for (const Key& key : value.keys) {
    if (std::find(allowed.begin(), allowed.end(), key.name) != allowed.end()) continue;
    fail_at(tree, key.position, pointer_of(tree, value) + pointer_step(key.name),
            "the unknown key " + quote(key.name) + suggestion(key.name, allowed),
            one_of(allowed) + " in " + std::string(what));
  }
  return value;
}

const Value& required(const Tree& tree, const Value& object, std::string_view what, std::string_view key) {
  const Value* value = find(object, key);
  if (value == nullptr) fail(tree, object, std::string(what) + " without " + quote(key), "the key " + quote(key));
  return *value;
}

const std::vector<Value>& as_array(const Tree& tree, const Value& value, std::string_view what) {
  if (value.kind != Kind::array) fail(tree, value, describe(value), "an array: " + std::string(what));
  return value.items;
}

const std::string& as_string(const Tree& tree, const Value& value, std::string_view what) {
  if (value.kind != Kind::string) fail(tree, value, describe(value), "a text: " + std::string(what));
  return value.text;
}

bool as_boolean(const Tree& tree, const Value& value) {
  if (value.kind != Kind::boolean) fail(tree, value, describe(value), "true or false");
  return value.boolean;
}

std::optional<std::string> violation(const Rational& number, Bound bound) {
  const bool whole = number.is_integer();
  switch (bound) {
    case Bound::any:
      return std::nullopt;
    case Bound::non_negative:
      return number.sign() >= 0 ? std::nullopt : std::optional("a number of at least 0");
    case Bound::positive:
      return number.sign() > 0 ? std::nullopt : std::optional("a number greater than 0");
    case Bound::whole:
      return whole && number.sign() >= 0 ? std::nullopt : std::optional("a whole number of at least 0");
    case Bound::positive_whole:
      return whole && number.sign() > 0 ? std::nullopt : std::optional("a whole number greater than 0");
  }
  return std::nullopt;
}

Rational as_number(const Tree& tree, const Value& value, Bound bound) {
  if (value.kind != Kind::number && value.kind != Kind::string) {
    fail(tree, value, describe(value), "a number such as 12, 0.5 or \"7/2\"");
  }
  auto parsed = value.kind == Kind::number ? maxplus::parse_decimal(value.text) : maxplus::parse_fraction(value.text);
  if (const auto* refused = std::get_if<NumberExpectation>(&parsed)) {
    fail(tree, value, describe(value), refused->expected);
  }
  Rational number = std::get<Rational>(std::move(parsed));
  if (const auto expected = violation(number, bound)) fail(tree, value, describe(value), *expected);
  return number;
}

std::string pointer_of(const Tree& tree, const Value& value) {
  std::string pointer;
  const bool is_in_tree = find_steps(tree.root, value, pointer);
  maxplus::expects(is_in_tree, "a value belongs to its tree");
  return pointer;
}

Position position_of(const Tree& tree, std::string_view pointer) {
  const Value* here = &tree.root;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view step = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(step.size());
    const Value* next = nullptr;
    for (std::size_t i = 0; i < here->items.size() && next == nullptr; ++i) {
      const std::string name = pointer_step(here->kind == Kind::object ? here->keys[i].name : std::to_string(i));
      if (std::string_view(name).substr(1) == step) next = &here->items[i];
    }
    if (next == nullptr) break;
    here = next;
  }
  return here->position;
}

std::string pointer_step(std::string_view key) {
  std::string step = "/";
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

std::string place(const Tree& tree, Position position) {
  return tree.file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

std::optional<std::string> number_text(const Rational& number) {
  constexpr std::size_t kSignificantDigits = 15;
  constexpr std::int64_t kLargestInteger = std::int64_t{1} << 53;
  if (number.is_integer() && abs(number.numerator()) <= kLargestInteger) return number.to_string();
  if (!has_modest_size(number)) return std::nullopt;

  const std::optional<Decimal> decimal = as_decimal(number);
  const auto reads_back = [&number](const std::string& text) {
    const auto parsed = maxplus::parse_decimal(text);
    const auto* read = std::get_if<Rational>(&parsed);
    return read != nullptr && *read == number;
  };
  if (decimal && decimal->digits.size() <= kSignificantDigits) {
    if (std::string text = decimal_text(*decimal); reads_back(text)) return text;
  }
  if (const auto parsed = maxplus::parse_fraction(number.to_string()); std::holds_alternative<Rational>(parsed)) {
    return '"' + number.to_string() + '"';
  }
  if (decimal) {
    if (std::string text = decimal_text(*decimal); reads_back(text)) return text;
  }
  return std::nullopt;
}

std::optional<std::string> string_text(std::string_view text) {
  try {
    return nlohmann::json(std::string(text)).dump();
  } catch (const nlohmann::json::type_error&) {  // its word for ill-formed UTF-8
    return std::nullopt;
  }
}

}  // namespace takt::tpn::json
