// Results for programs: JSON on standard output.
#pragma once

#include <iosfwd>
#include <string>

#include "tpn/json_writer.hpp"

namespace takt::tools {

/// One JSON object, or an array of objects, printed when all are there, or when it is said. File names need not be
/// UTF-8, JSON must: other bytes are replaced.
class JsonResults {
 public:
  enum class Form { object, array };
  explicit JsonResults(Form form) : form_(form), json_(text_, tpn::IllFormed::replaced) {}
  JsonResults(const JsonResults&) = delete;
  JsonResults& operator=(const JsonResults&) = delete;

  /// Where the next object goes.
  tpn::JsonWriter& next();

  /// Prints what is there so far.
  void flush(std::ostream& out);

  /// Prints the rest. Nothing where there was no object.
  void print(std::ostream& out);

 private:
  Form form_;
  bool has_begun_ = false;
  std::string text_;
  tpn::JsonWriter json_;
};

}  // namespace takt::tools
