// Checks of options' values, whose messages say what was found and what was expected.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <vector>

namespace takt::tools {

/// One of these names.
CLI::Validator one_of(const std::vector<std::string>& names);

/// A whole number from 1 to 2^64 - 1. The option parser alone would wrap -1 and clip what is larger.
CLI::Validator positive_integer();

/// A positive finite number of seconds.
CLI::Validator seconds();

/// The names of the communication models.
std::vector<std::string> model_names();

/// The names with commas and a last "or".
std::string alternatives(const std::vector<std::string>& names);

}  // namespace takt::tools
