// An array opens with its first object.
#include "tools/json_results.hpp"

#include <ostream>

namespace takt::tools {

tpn::JsonWriter& JsonResults::next() {
  if (form_ == Form::array && text_.empty()) json_.begin_array();
  return json_;
}

void JsonResults::print(std::ostream& out) {
  if (text_.empty()) return;
  if (form_ == Form::array) json_.end();
  out << text_ << '\n';
}

}  // namespace takt::tools
