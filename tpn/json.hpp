// JSON text as a tree that knows where every value stands and keeps every number exactly as written.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/errors.hpp"

namespace takt::tpn::json {

/// Arrays and objects may be nested this deep.
inline constexpr std::size_t kMaxDepth = 64;

enum class Kind { null, boolean, number, string, array, object };

/// A place in the text, both from 1; the column counts bytes. A byte order mark is not counted.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;

  friend bool operator==(const Position&, const Position&) = default;
};

struct Key {
  std::string name;
  Position position;
};

struct Value {
  Kind kind = Kind::null;
  bool boolean = false;
  Position position;
  std::string text;          // a string's characters; a number exactly as written
  std::vector<Key> keys;     // of an object, in the order of the text, each once; keys[i] leads to items[i]
  std::vector<Value> items;  // of an array or an object
};

/// A JSON text. The functions below that take a tree and a value take a value of that very tree.
struct Tree {
  std::string file;  // named in errors
  Value root;
  std::size_t max_digits = maxplus::kMaxDigits;    // of a number that as_number reads
  std::span<const std::string_view> remarks = {};  // keys that any object may have beside its own, for texts
};

/// What a reader makes of a value, as far as `parse` need know to leave out what the reader never comes to.
struct ValueForm {
  // A string; anything but an array or object; ...; a string, or anything but an array, where an object is one of the
  // form's keys and members.
  enum class Content { text, scalar, array, object, text_or_object, scalar_or_object };
  struct Member {
    std::string_view key;
    const ValueForm* form;
  };

  Content content = Content::scalar;
  const ValueForm* items = nullptr;             // of an array: the form of each
  std::span<const std::string_view> keys = {};  // of an object: those that it may have; any where this is empty
  std::span<const Member> members = {};         // of those that lead to anything but scalars
  const ValueForm* others = nullptr;            // of an object: the form of all other members; default: scalars
  /// Of an array: takes each item that is an array or an object once it is whole, and it is not kept then.
  const std::function<void(const Value&)>* take_item = nullptr;
};

/// Reads UTF-8 text, with or without a byte order mark. Throws ParseError if it is not one JSON value,
/// repeats a key within an object, or is nested deeper than kMaxDepth.
/// Given a form, the tree ends where a reader that goes through arrays and objects in order, and first looks at an
/// object's keys, refuses it: without the contents of what is of another form, what stands behind that in its array,
/// and what stands behind an unknown key in its object.
/// `remarks`, which must stay, are keys that any object may have beside those of its form.
/// Given a line, from 1, the text is that line of the file.
/// Cost: linear in the text, but for a logarithm in an object's keys.
Tree parse(std::string_view text, std::string file, const ValueForm* form = nullptr,
           std::span<const std::string_view> remarks = {}, std::optional<std::size_t> line = std::nullopt);

/// Throws ParseError at the value: "FILE:LINE:COLUMN: POINTER: found F, expected E".
[[noreturn]] void fail(const Tree& tree, const Value& at, const std::string& found, const std::string& expected);

/// A value for the "found" of a message: "an object", "the number -3", "the text \"P0\"", "true", ...
/// Long texts are cut short.
std::string describe(const Value& value);

/// A text in double quotes for a message: what JSON escapes and what `is_unseen` escaped, long texts cut short.
std::string quote(std::string_view text);

/// a, b or c.
std::string alternatives(std::span<const std::string> names);
/// "a", "b" or "c".
std::string one_of(std::span<const std::string_view> names);

/// " (did you mean ...?)" where one of the names is a slip of the pen away, or only capital letters; else nothing.
std::string suggestion(std::string_view name, std::span<const std::string_view> names);

/// The value behind a key, or null if the object has none.
const Value* find(const Value& object, std::string_view key);

// Each of these throws ParseError if the value is of another kind.

/// An object; `what` names it in messages, such as "a stage".
const Value& as_object(const Tree& tree, const Value& value, std::string_view what);
/// An object all of whose keys are among `allowed` or the remarks of the tree.
const Value& as_object(const Tree& tree, const Value& value, std::string_view what,
                       std::span<const std::string_view> allowed);
/// The value behind a key that an object (`what`) must have.
const Value& required(const Tree& tree, const Value& object, std::string_view what, std::string_view key);
const std::vector<Value>& as_array(const Tree& tree, const Value& value, std::string_view what);
const std::string& as_string(const Tree& tree, const Value& value, std::string_view what);
bool as_boolean(const Tree& tree, const Value& value);

/// What a number must be beyond being one.
enum class Bound { any, non_negative, positive, whole, positive_whole };

/// A phrase for "expected" where a number is out of bounds; nothing if it is within.
std::optional<std::string> violation(const maxplus::Rational& number, Bound bound);

/// A JSON number, or a string that maxplus::parse_number reads, exactly.
maxplus::Rational as_number(const Tree& tree, const Value& value, Bound bound);

/// The JSON pointer of a value.
std::string pointer_of(const Tree& tree, const Value& value);
/// Where a JSON pointer leads, or the nearest ancestor that exists.
Position position_of(const Tree& tree, std::string_view pointer);
/// A key or index as a step of a JSON pointer: "/" and "~" escaped, "/" put before.
std::string pointer_step(std::string_view key);

/// "FILE:LINE:COLUMN".
std::string place(const Tree& tree, Position position);

/// A number as JSON text that as_number reads back as the same number: an integer up to 2^53 or a decimal
/// of at most 15 significant digits as a JSON number, else the string "p/q" or, beyond kMaxDigits digits,
/// a JSON number with an exponent. Nothing if no text within the limits of parse_decimal and
/// parse_fraction says it.
std::optional<std::string> number_text(const maxplus::Rational& number);

/// A string as JSON text, or nothing if it is not UTF-8.
std::optional<std::string> string_text(std::string_view text);

}  // namespace takt::tpn::json
