// What XML forbids is replaced, what it reserves pugixml escapes.
#include "tools/interchange/xml.hpp"

#include <utility>

#include "tools/pictures/svg.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

// Appends to a text, which may become hundreds of megabytes.
struct TextWriter final : pugi::xml_writer {
  std::string text;

  void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
};

}  // namespace

std::string xml_text(std::string_view text) {
  const std::string shown = tpn::visible(text);
  std::string legal;
  for (std::string_view rest = shown; !rest.empty();) {
    const tpn::Utf8Start start = tpn::first_character(rest);
    const bool is_legal = start.code && is_xml_character(*start.code);
    legal += is_legal ? rest.substr(0, start.length) : std::string_view("\xEF\xBF\xBD");
    rest.remove_prefix(start.length);
  }
  return legal;
}

std::string text_of(const pugi::xml_document& document) {
  TextWriter writer;
  writer.text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  document.save(writer, "  ", pugi::format_indent | pugi::format_no_declaration, pugi::encoding_utf8);
  return std::move(writer.text);
}

pugi::xml_node append_text(pugi::xml_node parent, const char* name, const std::string& text) {
  pugi::xml_node node = parent.append_child(name);
  node.text().set(text.c_str());
  return node;
}

}  // namespace takt::tools
