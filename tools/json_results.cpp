// An array opens with its first object.
#include "tools/json_results.hpp"

#include <ostream>

namespace takt::tools {

JsonResults::JsonResults(Form form, std::ostream& out)
    : form_(form), out_(out), json_(text_, tpn::IllFormed::replaced, [&out](std::string& text) {
        out << text;
        text.clear();
      }) {}

tpn::JsonWriter& JsonResults::next() {
  if (form_ == Form::array && is_empty_) json_.begin_array();
  is_empty_ = false;
  return json_;
}

void JsonResults::flush() {
  out_ << text_ << std::flush;
  text_.clear();
}

void JsonResults::finish() {
  if (is_empty_) return;
  if (form_ == Form::array) json_.end();
  out_ << text_ << '\n';
}

}  // namespace takt::tools
