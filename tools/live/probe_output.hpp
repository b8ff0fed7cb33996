// What a probe has measured, for people and for programs.
#pragma once

#include <iosfwd>
#include <string>

#include "live/probing/probed_document.hpp"
#include "tools/live/probe_setup.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// Tables of times and links, and how far the fits are off.
void write_probe(std::ostream& out, const PreparedProbe& asked, const live::ProbedDocument& probed);

/// An object; `file` and `output` are where the problem was and where the document is.
void write_probe_json(tpn::JsonWriter& json, const PreparedProbe& asked, const live::ProbedDocument& probed,
                      const std::string& file, const std::string& output);

}  // namespace takt::tools
