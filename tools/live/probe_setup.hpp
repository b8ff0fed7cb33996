// From what a user asks of `takt probe` to a plan that processes are started with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "live/files/run_plan.hpp"
#include "live/probing/probed_document.hpp"
#include "tools/command.hpp"
#include "tools/live/run_setup.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// As on the command line.
struct ProbeChoices {
  RunChoices run;  // the file, what stands behind stages, and how processes are started
  std::uint64_t repeats = 5;
  bool in_turn = false;
  std::string one_stage;
  std::string sizes = "0,1KiB,16KiB,256KiB,4MiB";
  std::uint64_t exchanges = 21;
  std::optional<std::string> misfit;
  bool alike = false;
  bool apart = false;
  std::optional<std::string> output;
  std::optional<std::string> times_file;
};

/// A probe that can be started.
struct PreparedProbe {
  tpn::Document document;
  live::RunPlan plan;  // has terms of a probe
  live::ProbeFit fit;
};

/// Throws UsageError if choices do not go together, with each other or with the document; FileError, ParseError and
/// InvalidInstance where the document cannot be read.
PreparedProbe prepare_probe(const ProbeChoices& choices, Streams& streams);

}  // namespace takt::tools
