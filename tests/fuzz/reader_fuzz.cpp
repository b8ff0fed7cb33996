// Fuzzing the reader: whatever it accepts must survive being written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tpn/errors.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::tpn;
  Document document;
  try {
    document = read_document(std::string_view(reinterpret_cast<const char*>(data), size), "input");
  } catch (const ParseError&) {
    return 0;
  } catch (const InvalidInstance&) {
    return 0;
  }
  // Outside the try: what was accepted once may not be refused now.
  const std::string text = write_document(document);
  if (read_document(text, "written") != document) std::abort();
  return 0;
}
