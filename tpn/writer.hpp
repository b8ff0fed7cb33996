// Writes a document as JSON text.
#pragma once

#include <string>

#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tpn {

/// A document that `validate` accepts, as JSON text for people and `read_document`, which gives back the very
/// same document: exact numbers, defaults left out, names in place of indices. Ends with a line break.
std::string write_document(const Document& document);

/// The same on one line, as short as it can be: a line of JSON Lines.
std::string write_document_line(const Document& document);

/// The members "from", "to" and, unless it is 0, "ahead".
void write_members(JsonWriter& json, const PartTransfer& transfer);

/// The members "model" and, where it has some, "rooms".
void write_model(JsonWriter& json, const Model& model);

}  // namespace takt::tpn
