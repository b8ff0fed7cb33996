// The parameters of generators as options of a command line, generated from their table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/draws/generator.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/words/table.hpp"

namespace takt::tools {

/// The values that the user gave for parameters of generators: parameter name to text, as written.
using ParameterTexts = std::map<std::string, std::string>;

/// The names of all generators.
std::vector<std::string> generator_names();

/// The generator of that name. Throws UsageError, with what it may be, if there is none.
const experiments::Generator& generator_named(const std::string& name);

/// Adds an option to the command for every parameter name of the generators; their values land in `texts`. --help does
/// not list them.
void add_generator_options(CommandLine& line, ParameterTexts& texts);

/// The generator's arguments with what was said. Throws UsageError, naming the option, where one is none of its
/// parameters, a value is none of it, or values do not go together.
experiments::Arguments arguments_for(const experiments::Generator& generator, const ParameterTexts& texts);

/// Throws UsageError if one of these, said behind `option`, is no parameter of the generator.
void require_parameters(const experiments::Generator& generator, const std::string& option,
                        const std::vector<std::string>& names);

/// The parameters of a generator: defaults, what a value can be, what it is for.
Table parameter_table(const experiments::Generator& generator);

}  // namespace takt::tools
