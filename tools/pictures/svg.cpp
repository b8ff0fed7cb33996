// Tags, attributes and escapes; what is empty closes itself.
#include "tools/pictures/svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "maxplus/contract.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

std::string_view entity_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

}  // namespace

bool is_xml_character(char32_t code) {
  if (code < U' ') return code == U'\t' || code == U'\n';
  return code != U'\xFFFE' && code != U'\xFFFF';
}

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const tpn::Utf8Start character = tpn::first_character(text);
    const std::string_view entity = entity_of(text.front());
    if (!character.code || !is_xml_character(*character.code)) {
      result += "\xEF\xBF\xBD";
    } else if (!entity.empty()) {
      result += entity;
    } else {
      result += text.substr(0, character.length);
    }
    text.remove_prefix(character.length);
  }
  return result;
}

std::string dark_rule(std::string_view selector, std::string_view property, std::string_view value) {
  return fmt::format("{}{{{}:{}}}", selector, property, value);
}

std::string dark_style(std::string_view rules) {
  return fmt::format("@media (prefers-color-scheme:dark){{{}}}", rules);
}

std::string coordinate(double value) {
  constexpr double kMost = 1e9;
  const std::string text = fmt::format("{:.1f}", std::clamp(value, -kMost, kMost));
  return text == "-0.0" ? "0.0" : text;
}

SvgWriter& SvgWriter::open(std::string_view element) {
  end_tag();
  text_ += '<';
  text_ += element;
  open_.emplace_back(element);
  in_tag_ = true;
  return *this;
}

SvgWriter& SvgWriter::attribute(std::string_view name, std::string_view value) {
  maxplus::expects(in_tag_, "attributes come before contents");
  text_ += fmt::format(" {}=\"{}\"", name, escaped(value));
  return *this;
}

SvgWriter& SvgWriter::attribute(std::string_view name, double value) { return attribute(name, coordinate(value)); }

SvgWriter& SvgWriter::text(std::string_view content) { return raw(escaped(content)); }

SvgWriter& SvgWriter::raw(std::string_view markup) {
  end_tag();
  text_ += markup;
  return *this;
}

SvgWriter& SvgWriter::close() {
  maxplus::expects(!open_.empty(), "an element is open");
  if (in_tag_) {
    text_ += "/>";
    in_tag_ = false;
  } else {
    text_ += "</" + open_.back() + '>';
  }
  open_.pop_back();
  return *this;
}

SvgWriter& SvgWriter::element(std::string_view name, std::string_view content) {
  return open(name).text(content).close();
}

void SvgWriter::end_tag() {
  if (in_tag_) text_ += '>';
  in_tag_ = false;
}

}  // namespace takt::tools
