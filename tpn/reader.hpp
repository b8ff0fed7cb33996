// Reads a document from JSON text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tpn/document.hpp"
#include "tpn/json.hpp"

namespace takt::tpn {

/// Whether a document may have types of processors without processors.
enum class Catalogues { refused, accepted };

/// The document that a JSON text holds; `file_name` is for messages only. Throws ParseError if the text
/// is not of the form that docs/instance.schema.json describes, and InvalidInstance ("FILE:LINE:COLUMN:
/// POINTER: ...") where names do not fit together or `validate` finds a broken rule. Given a line, from 1, the text is
/// that line of the file.
Document read_document(std::string_view text, const std::string& file_name,
                       std::optional<std::size_t> line = std::nullopt, Catalogues catalogues = Catalogues::refused);

/// The communication model that the keys "model" and "rooms" of an object choose; nothing if there are none. Throws
/// ParseError where they choose no model, InvalidInstance at "/rooms" where that is beyond kMostRooms.
std::optional<Model> read_model(const json::Tree& tree, const json::Value& object);

/// The keys that one kind of object may have, under its name in docs/instance.schema.json.
struct KeyTable {
  std::string_view object;
  std::span<const std::string_view> keys;
};

/// A table for every kind of object with keys of its own.
std::span<const KeyTable> key_tables();

}  // namespace takt::tpn
