// Results for programs: JSON on standard output.
#pragma once

#include <iosfwd>
#include <string>

#include "tpn/json_writer.hpp"

namespace takt::tools {

/// One JSON object, or an array of objects, printed as they come: what is long is no text in memory. File names need
/// not be UTF-8, JSON must: other bytes are replaced.
class JsonResults {
 public:
  enum class Form { object, array };
  /// The stream must outlive the results.
  JsonResults(Form form, std::ostream& out);
  JsonResults(const JsonResults&) = delete;
  JsonResults& operator=(const JsonResults&) = delete;

  /// Where the next object goes.
  tpn::JsonWriter& next();

  /// Prints what is there so far.
  void flush();

  /// Prints what is left; nothing where there was no object.
  void finish();

 private:
  Form form_;
  std::ostream& out_;
  bool is_empty_ = true;
  std::string text_;
  tpn::JsonWriter json_;
};

}  // namespace takt::tools
