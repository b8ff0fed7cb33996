// The two ways an input can be bad. Both carry everything a person needs to mend the file, on one line that is safe to
// print: what a text holds that would act on a terminal is escaped (tpn/visible.hpp).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "tpn/visible.hpp"

namespace takt::tpn {

/// Characters of a JSON pointer that messages show.
inline constexpr std::size_t kShownPointer = 200;

/// Text that is not the JSON document it should be: a syntax error, an unknown or duplicate key, a
/// value of the wrong type. `what()` reads "FILE:LINE:COLUMN: ...".
class ParseError : public std::runtime_error {
 public:
  ParseError(std::string file_name, std::size_t line_number, std::size_t column_number, std::string message,
             std::string json_pointer = "")
      : std::runtime_error(visible(file_name) + ":" + std::to_string(line_number) + ":" +
                           std::to_string(column_number) + ": " + prefix_of(json_pointer) + visible(message)),
        file(std::move(file_name)),
        line(line_number),
        column(column_number),
        pointer(std::move(json_pointer)),
        detail(std::move(message)) {}

  std::string file;
  std::size_t line;     // from 1
  std::size_t column;   // from 1, in bytes
  std::string pointer;  // the value's, as InvalidInstance's; empty of a syntax error and of the whole document
  std::string detail;   // `what()` without place and pointer

 private:
  static std::string prefix_of(const std::string& pointer) {
    return pointer.empty() ? "" : visible(pointer, kShownPointer) + ": ";
  }
};

/// A document whose parts do not fit together, at a JSON pointer such as "/mapping/1/processors/0".
/// `what()` is "POINTER: found F, expected E" until a reader adds the file and position before it.
class InvalidInstance : public std::runtime_error {
 public:
  InvalidInstance(std::string json_pointer, const std::string& found, const std::string& expected)
      : InvalidInstance(Placed{}, "", std::move(json_pointer), "found " + found + ", expected " + expected) {}

  /// The same error with `place` ("FILE:LINE:COLUMN") put before it.
  InvalidInstance at(const std::string& where) const { return {Placed{}, where, pointer, detail}; }

  std::string pointer;  // the whole of it; `what()` cuts it after kShownPointer characters
  std::string detail;
  std::string place;  // "FILE:LINE:COLUMN", or empty

 private:
  struct Placed {};  // keeps the two constructors apart
  InvalidInstance(Placed, std::string where, std::string json_pointer, std::string text)
      : std::runtime_error((where.empty() ? "" : visible(where) + ": ") + visible(json_pointer, kShownPointer) + ": " +
                           visible(text)),
        pointer(std::move(json_pointer)),
        detail(std::move(text)),
        place(std::move(where)) {}
};

}  // namespace takt::tpn
