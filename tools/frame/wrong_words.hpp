// Words of a command line that stand if they have no place, and what each may mean.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/frame/command_shape.hpp"

namespace takt::tools {

/// The message for a word where a command or an instance's file should stand.
std::string unknown_command(const std::string& word, const std::vector<std::string>& commands);

/// The message for an option that `command` lacks; `next` is the word behind it, or "". `commands` are those of the
/// program: "--gantt" may mean "takt gantt".
std::string unknown_option(const std::string& word, const std::string& next, const CommandShape& command,
                           const std::vector<std::string>& commands);

/// The message for a word behind the last that `command` takes.
std::string surplus_word(const std::string& word, const CommandShape& command);

/// The message for a word that stands for a file that is not there, and is more likely an option or a value; "" where
/// it may well be a file's name.
std::string misplaced_word(const std::string& word, const CommandShape& command);

/// What is wrong with an option's value, as `wrong` says; with what it may mean behind what was found, where a small
/// change makes a value that `wrong` accepts: "0.5/s" for "0,5/s", "10000" for "10,000", "5 s" for "5 sec".
std::string value_refusal(const std::string& text, const std::function<std::string(const std::string&)>& wrong);

/// Whether a word looks like the path of a file: "-", one with a dot or a slash in it, or one that exists.
bool is_path(const std::string& word);

}  // namespace takt::tools
