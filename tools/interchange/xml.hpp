// Texts of users in XML files, and such files as text.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace takt::tools {

/// The text as an attribute or an element of XML 1.0 can hold it: one line, what XML forbids as visible escapes or
/// U+FFFD. pugixml escapes what has a meaning in XML.
std::string xml_text(std::string_view text);

/// With the declaration of XML 1.0 in UTF-8, indented.
std::string text_of(const pugi::xml_document& document);

/// A new last child with that text.
pugi::xml_node append_text(pugi::xml_node parent, const char* name, const std::string& text);

}  // namespace takt::tools
