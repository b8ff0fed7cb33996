// takt check: does a certificate prove the period of an instance?
#include "evaluators/proof/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "tools/command_line.hpp"
#include "tools/evaluation_output.hpp"
#include "tools/files.hpp"
#include "tools/limit_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

struct CheckOptions {
  std::string file;
  std::string certificate;
};

std::string claim(const evaluators::Certificate& certificate) {
  const std::string title = tpn::title_of(certificate.model);
  if (certificate.lower == certificate.upper) {
    return fmt::format("the period is {} under {}", certificate.upper.to_string(), title);
  }
  return fmt::format("the period lies between {} and {} under {}", certificate.lower.to_string(),
                     certificate.upper.to_string(), title);
}

int check_certificate(const CheckOptions& options, Streams& streams) {
  if (options.file == "-" && options.certificate == "-") {
    throw UsageError("only one of the instance and the certificate can be standard input");
  }
  const tpn::Document document = read_instance(options.file, streams);
  const evaluators::Certificate certificate =
      evaluators::read_certificate(read_text(options.certificate, streams), display_name(options.certificate));
  const auto verdict = evaluators::check(document, certificate);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&verdict)) {
    streams.err << "takt: the certificate cannot be checked: " << too_large_text(*too_large) << '\n';
    return kLimit;
  }
  if (const auto* refused = std::get_if<evaluators::Refused>(&verdict)) {
    streams.out << fmt::format("Refused: the certificate does not prove that {}: {}.\n", claim(certificate),
                               refused->reason);
    return kNo;
  }
  streams.out << fmt::format("Proved: {}.\n", claim(certificate));
  return kAnswered;
}

}  // namespace

Action define_check(CommandLine& line) {
  auto options = std::make_shared<CheckOptions>();
  line.positional("FILE", options->file, "the instance (JSON); - is standard input");
  line.positional("CERTIFICATE", options->certificate, "what takt evaluate --certificate wrote; - is standard input");
  line.footer(
      "Example:\n"
      "  takt evaluate examples/example-a.json --model strict --certificate a.certificate.json\n"
      "  takt check examples/example-a.json a.certificate.json");
  return [options](Streams& streams) { return check_certificate(*options, streams); };
}

}  // namespace takt::tools
