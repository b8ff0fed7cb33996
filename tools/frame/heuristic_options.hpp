// The options of heuristics as options of a command line, generated from their table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "tools/frame/command_line.hpp"

namespace takt::tools {

/// What was said of options of heuristics, by name, as written.
using OptionTexts = std::map<std::string, std::string>;

/// Adds an option to the command for every name among the heuristics' options; their values land in `texts`.
void add_heuristic_options(CommandLine& line, OptionTexts& texts);

/// The settings of those options that this heuristic has. Throws UsageError, naming the option, where a value is not
/// what the heuristic takes.
std::vector<heuristics::OptionSetting> settings_for(const heuristics::Heuristic& heuristic, const OptionTexts& texts);

/// Throws UsageError if an option belongs to none of these heuristics.
void require_known(const OptionTexts& texts, const std::vector<const heuristics::Heuristic*>& heuristics);

/// The heuristics' names in the order of their table, behind other words.
std::vector<std::string> heuristic_names(std::vector<std::string> before = {});

/// A value as a user writes it.
std::string value_text(const tpn::OptionValue& value);

}  // namespace takt::tools
