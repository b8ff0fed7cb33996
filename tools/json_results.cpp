// An array opens with its first object.
#include "tools/json_results.hpp"

#include <ostream>

namespace takt::tools {

tpn::JsonWriter& JsonResults::next() {
  if (form_ == Form::array && !has_begun_) json_.begin_array();
  has_begun_ = true;
  return json_;
}

void JsonResults::flush(std::ostream& out) {
  out << text_;
  out.flush();
  text_.clear();
}

void JsonResults::print(std::ostream& out) {
  if (!has_begun_) return;
  if (form_ == Form::array) json_.end();
  out << text_ << '\n';
}

}  // namespace takt::tools
