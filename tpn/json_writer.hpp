// Writing JSON: values one after the other, appended to a text, each array and object in a layout of its own.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::tpn {

/// Where the items of an array or object go.
enum class JsonLayout {
  block,    // each on a line of its own, two columns further in
  hanging,  // likewise, but the bracket that closes them follows the last
  line,     // all on one line: {"a": 1, "b": [2, 3]}
  compact,  // likewise, without spaces: {"a":1,"b":[2,3]}
};

/// What becomes of bytes that are not UTF-8, which JSON must be.
enum class IllFormed {
  refused,   // a contract violation
  replaced,  // each ill-formed sequence by U+FFFD
  dropped,
};

/// Appends JSON values to a text. A number that is not finite is null. The caller closes what it opens and gives each
/// member of an object its key; anything else is a contract violation.
class JsonWriter {
 public:
  /// Takes text away: it may empty what it is given.
  using Drain = std::function<void(std::string&)>;

  /// The text must outlive the writer; it may be emptied between values. So may `drain`, if there is one, which is
  /// called with it whenever it has grown to kDrained bytes; the rest is the caller's.
  explicit JsonWriter(std::string& text, IllFormed ill_formed, Drain drain = nullptr)
      : text_(text), ill_formed_(ill_formed), drain_(std::move(drain)) {}
  static constexpr std::size_t kDrained = std::size_t{1} << 18;

  // In the layout of what they stand in, `block` at the outermost level, or one of their own.
  void begin_object(std::optional<JsonLayout> layout = std::nullopt) { begin('{', layout); }
  void begin_array(std::optional<JsonLayout> layout = std::nullopt) { begin('[', layout); }
  /// Closes the innermost open array or object.
  void end();

  void key(std::string_view name);
  /// What comes next in an array or object stands on the line of what came before, whatever the layout.
  void stay_on_line() { stays_ = true; }

  void value(std::nullptr_t) { raw("null"); }
  void value(bool flag) { raw(flag ? "true" : "false"); }
  void value(std::unsigned_integral auto number) { raw(std::to_string(number)); }
  void value(double number);
  void value(std::string_view text);
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(const char* text) { value(std::string_view(text)); }
  /// Null if there is none.
  template <typename T>
  void value(const std::optional<T>& maybe) {
    maybe ? value(*maybe) : value(nullptr);
  }
  /// An array.
  template <typename T>
  void value(const std::vector<T>& items) {
    begin_array();
    for (const T& item : items) value(item);
    end();
  }
  /// A value that is JSON text already.
  void raw(std::string_view json);

  template <typename T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

 private:
  struct Container {
    JsonLayout layout;
    char closing;
    bool is_empty = true;
  };

  void begin(char opening, std::optional<JsonLayout> layout);
  // What stands before an array's item or a member's key: a comma, and a space or a new line.
  void separate();
  void break_line();

  std::string& text_;
  IllFormed ill_formed_;
  Drain drain_;
  std::vector<Container> open_;
  bool has_key_ = false;  // the key of the next value is written
  bool stays_ = false;    // the next item goes on the same line
};

/// A text as JSON, quotes around it; nothing if it is ill-formed and that is refused. What `is_unseen` is escaped,
/// beyond what JSON asks for: JSON that is printed must not act on a terminal either.
std::optional<std::string> json_string(std::string_view text, IllFormed ill_formed);

/// A number as JSON that reads back as the same double, null if it is not finite.
std::string json_number(double number);

}  // namespace takt::tpn
