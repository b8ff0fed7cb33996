// A shared object that holds takt, as a binding for another language would: one function with the interface of C.
#include <cstring>
#include <string>

#include "evaluators/evaluate.hpp"
#include "tpn/reader.hpp"

// Writes the period of an instance under STRICT into `answer`, which has room for `size` bytes; false if it does not
// fit or there is none.
extern "C" bool takt_period(const char* instance, char* answer, std::size_t size) {
  using namespace takt;
  try {
    const auto folded = tpn::fold(tpn::read_document(instance, "instance"), tpn::Model::kStrict);
    const std::string period = evaluators::evaluate(std::get<tpn::FoldedNet>(folded)).upper.to_string();
    if (period.size() >= size) return false;
    std::memcpy(answer, period.c_str(), period.size() + 1);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}
