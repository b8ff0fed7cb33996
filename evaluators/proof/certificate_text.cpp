// Numbers of certificates, the long ones with a look at the clock.
#include "evaluators/proof/certificate_text.hpp"

namespace takt::evaluators {

namespace json = tpn::json;

maxplus::Rational number_of(const CertificateText& tree, const json::Value& value, json::Bound bound) {
  // Shorter ones are read faster than a clock.
  constexpr std::size_t kLongText = 1000;
  if (value.text.size() > kLongText && tree.is_out_of_time && tree.is_out_of_time()) throw ReadingStopped();
  return json::as_number(tree, value, bound);
}

std::uint64_t whole_of(const CertificateText& tree, const json::Value& object, std::string_view what,
                       std::string_view key, const char* expected) {
  const json::Value& value = json::required(tree, object, what, key);
  const maxplus::Rational number = number_of(tree, value, json::Bound::whole);
  if (!number.numerator().fits_ulong_p()) json::fail(tree, value, json::describe(value), expected);
  return number.numerator().get_ui();
}

}  // namespace takt::evaluators
