// What proves the page, and the files that it was made from.
#include <fmt/format.h>

#include "tools/files/files.hpp"
#include "tools/report/sections.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

std::string witnesses(const ReportFindings& findings) {
  if (findings.proof.text.empty()) return "";
  if (!findings.exact()) {
    return "The certificate holds two witnesses: a circuit, which no schedule beats, for the lower bound, and a "
           "schedule for the upper one.";
  }
  return "The certificate holds two witnesses: the circuit above shows that no schedule is faster, and a schedule "
         "shows "
         "that this period is reached.";
}

}  // namespace

PageSources sources_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  PageSources section;
  section.witnesses = witnesses(findings);
  const std::string instance = findings.file == "-" ? "instance.json" : tpn::visible(findings.file);
  const std::string certificate = "certificate.json";
  std::size_t room = limits.downloads;
  const auto carry = [&](const std::string& name, const std::string& text) {
    const std::size_t size = (text.size() + 2) / 3 * 4;
    if (text.size() > limits.download || size > room) return false;
    room -= size;
    section.downloads.push_back({name, base64_of(text)});
    return true;
  };
  if (!findings.proof.text.empty()) {
    section.command = fmt::format("takt check {} {}", shell_word(instance), certificate);
    if (!carry(certificate, findings.proof.text)) {
      section.left_out.push_back(fmt::format(
          "The certificate has {} bytes, too many for this page; takt evaluate {} {} --certificate {} writes it.",
          grouped(findings.proof.text.size()), shell_word(instance), words.model_options(), certificate));
    }
  }
  if (!carry(instance, findings.text)) {
    section.left_out.push_back(
        fmt::format("The instance has {} bytes, too many for this page.", grouped(findings.text.size())));
  }
  return section;
}

}  // namespace takt::tools
