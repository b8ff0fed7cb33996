// Writes a document as JSON text.
#pragma once

#include <string>

#include "tpn/document.hpp"

namespace takt::tpn {

/// A document that `validate` accepts, as JSON text for people and `read_document`, which gives back the very
/// same document: exact numbers, defaults left out, names in place of indices. Ends with a line break.
std::string write_document(const Document& document);

}  // namespace takt::tpn
