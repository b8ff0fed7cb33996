// Options of takt plan: what is asked of a plan, and what is told of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/catalogue.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/plan/planning.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// As written; the checks of add_plan_options have passed.
struct PlanOptions {
  std::string file;
  std::optional<std::string> rate;
  std::optional<std::string> period;
  std::optional<std::string> budget;
  std::optional<std::string> machines;
  std::optional<std::string> have;
  std::string from;  // a mapped document that runs
  std::optional<std::string> setup_price;
  std::string schedule;
  std::optional<std::string> on_demand;
  std::vector<std::string> beside;  // other pipelines, each a file and a rate
  ModelChoice model;
  std::string latency;
  std::string within;  // of a percentile, if times vary
  std::string law;     // in place of the file's laws
  std::string headroom;
  std::uint64_t survive = 0;
  bool apart = false;
  std::optional<std::string> among;  // nothing: typed; of machines with names, any
  bool frontier = false;
  bool only_frontier = false;  // no rate, budget or machines are asked for
  std::optional<std::string> up_to;
  std::string plot;
  bool losses = false;
  bool upgrade = false;
  bool price_ranges = false;
  bool json = false;
  std::string output;
  std::string certificate;
  std::optional<double> time_limit;
};

/// All options behind the file.
void add_plan_options(CommandLine& line, PlanOptions& options);

/// A frontier up to a rate asks for that rate, where nothing else is asked for, and one without a rate for no plan.
/// Throws UsageError if options do not
/// go together, FileError where an output cannot be written.
void settle(PlanOptions& options);

/// Throws UsageError if something is asked that plans without closed forms do not answer, such as those of wider
/// classes; `of` names them.
void require_wider_question(const PlanOptions& options, const std::string& of);
/// Likewise, where only the cheapest plan for a rate can be asked for.
void require_plain_question(const PlanOptions& options, const std::string& of);

/// What the options ask of a document. Throws UsageError if they do not fit it.
PlanWish wish_of(const PlanOptions& options, const tpn::Document& document);

/// "small=20,large=4" of an option as counts of all types: of others there is none. Throws UsageError.
std::vector<std::uint64_t> counts_of(const char* option, const std::string& text, const plan::Catalogue& catalogue);
/// The same of --machines, as the catalogue's counts.
void set_counts(const std::string& text, plan::Catalogue& catalogue);

}  // namespace takt::tools
