// The only source that sees the option parser, CLI11.
#include "tools/command_line.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/suggestion.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

constexpr const char* kHelp = "help";
constexpr const char* kAnyFile = "/";  // which is no name of a value

// The option parser's words for a wrong number of values, in ours.
std::string in_words(const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return text;
  if (const auto end = text.find(" was given a disallowed flag override"); end != std::string::npos) {
    return fmt::format("--{}: found a value, expected none", text.substr(0, end));
  }
  const std::string option = text.substr(0, text.find(": "));
  const bool lacks = text.ends_with(" missing");
  return option + (lacks ? ": found no value, expected one" : ": found more than once, expected once");
}

// Descriptions of options in lines of what a terminal of 100 columns has beside the names.
class WrappingFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    // The parser lists them in the order of their addresses.
    std::vector<std::string> excluded;
    for (const CLI::Option* other : option->get_excludes()) excluded.push_back(other->get_name());
    std::ranges::sort(excluded);
    std::string text = CLI::Formatter::make_option_opts(option);
    if (!excluded.empty())
      text = fmt::format("{} (not with {})", text.substr(0, text.find(" Excludes:")), fmt::join(excluded, ", "));
    return text;
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr std::size_t kColumns = 100;
    const std::size_t width = kColumns - column_width_;
    std::string wrapped;
    std::size_t column = 0;
    for (const std::string& word : CLI::detail::split(CLI::Formatter::make_option_desc(option), ' ')) {
      if (column > 0 && column + 1 + word.size() > width) {
        wrapped += '\n';
        column = 0;
      }
      if (column > 0) wrapped += ' ';
      wrapped += word;
      column += (column > 0 ? 1 : 0) + word.size();
    }
    return wrapped;
  }
};

std::vector<std::string> names_of(std::span<const Command> commands) {
  std::vector<std::string> names(commands.size());
  std::ranges::transform(commands, names.begin(), &Command::name);
  return names;
}

bool is_option(const std::string& argument) { return argument.size() > 1 && argument.front() == '-'; }

// An instance, where a command should stand.
bool is_instance(const std::string& argument) {
  std::error_code unknown;
  return argument.ends_with(".json") ||
         (std::filesystem::exists(argument, unknown) && !std::filesystem::is_directory(argument, unknown));
}

// What is meant by arguments that begin with no command: "FILE ..." by "evaluate FILE ...", "help X" by "X --help".
std::vector<std::string> spelled_out(std::vector<std::string> arguments, const std::vector<std::string>& names) {
  if (arguments.empty() || std::ranges::find(names, arguments.front()) != names.end()) return arguments;
  if (arguments.front() == kHelp) {
    arguments.erase(arguments.begin());
    if (!arguments.empty() && arguments.front() == kHelp) arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  } else if (!is_option(arguments.front()) && is_instance(arguments.front())) {
    arguments.insert(arguments.begin(), "evaluate");
  }
  return arguments;
}

// What is wrong where a command should stand; the option parser would only miss one.
std::string misuse(const std::vector<std::string>& arguments, std::vector<std::string> names) {
  std::string expected = "expected a command: " + tpn::json::alternatives(names);
  if (arguments.empty()) return expected;
  const std::string& first = arguments.front();
  constexpr std::array<std::string_view, 4> kOptions = {"-h", "--help", "-V", "--version"};
  if (std::ranges::find(kOptions, first) != kOptions.end() || std::ranges::find(names, first) != names.end()) return "";
  if (is_option(first)) {
    names.assign(kOptions.begin(), kOptions.end());
  } else {
    names.emplace_back(kHelp);
  }
  std::string hint = suggestion(first, names);
  if (hint.empty() && is_option(first) && arguments.size() > 1) hint = "; its options stand behind it";
  return fmt::format("found the unknown {} \"{}\", {}{}", is_option(first) ? "option" : "command", first, expected,
                     hint);
}

// The options of a command as users write them.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What a command has no place for.
std::string surplus(const CLI::App& command) {
  std::vector<std::string> arguments = command.remaining();
  std::erase(arguments, "--");
  if (arguments.empty()) return "found arguments, expected none";
  const std::string& first = arguments.front();
  if (is_option(first)) {
    return fmt::format("found the unknown option \"{}\"{}", first,
                       suggestion(first.substr(0, first.find('=')), option_names(command)));
  }
  return fmt::format("found \"{}\", expected no further argument", first);
}

constexpr const char* kAbout = "takt computes the exact throughput of replicated pipelines on unequal processors.";

void set_up(CLI::App& app) {
  app.formatter(std::make_shared<WrappingFormatter>());
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("-V,--version", "takt " TAKT_VERSION, "print the version and exit");
  app.require_subcommand(1);
  app.footer(
      "takt help COMMAND tells more of each, with an example. takt FILE is short for takt evaluate FILE.\n"
      "Exit status: 0 answered, 1 the answer is no, 2 usage, 3 bad input, 4 a limit was met.");
}

// "takt experiment run".
std::string name_of(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? command.get_name() : name_of(*parent) + " " + command.get_name();
}

// The command that was chosen within a command, or that one.
const CLI::App& innermost(const CLI::App& command) {
  const auto chosen = command.get_subcommands();
  return chosen.empty() ? command : innermost(*chosen.front());
}

// What is wrong where a command within a command should stand; nothing where one was chosen or none is wanted.
std::string misuse_within(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* within : command.get_subcommands(nullptr)) names.push_back(within->get_name());
  if (names.empty()) return "";
  const std::vector<std::string> surplus = command.remaining();
  std::string expected = "expected a command: " + tpn::json::alternatives(names);
  if (surplus.empty()) return expected;
  return fmt::format("found the unknown command \"{}\", {}{}", surplus.front(), expected,
                     suggestion(surplus.front(), names));
}

// What the parser keeps beside a check: a line for each name that completions offer.
std::string text_of(const ValueOffers& offers) {
  return fmt::format("{}\n{}", offers.has_files ? kAnyFile : "", fmt::join(offers.names, "\n"));
}

ValueOffers offers_of(CLI::Option& option) {
  ValueOffers offers;
  try {
    std::istringstream text(option.get_validator(0)->get_name());
    for (std::string line; std::getline(text, line);) {
      if (line == kAnyFile) {
        offers.has_files = true;
      } else if (!line.empty()) {
        offers.names.push_back(line);
      }
    }
  } catch (const CLI::OptionNotFound&) {  // so the parser says that there is no check
    offers.has_files = option.get_positional();
  }
  return offers;
}

OptionShape shape_of(CLI::Option& option) {
  OptionShape shape{.names = {}, .value = "", .help = option.get_description(), .offers = offers_of(option)};
  for (const std::string& name : option.get_snames()) shape.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) shape.names.push_back("--" + name);
  const bool has_value = option.get_items_expected_max() > 0;
  const std::string& text = option.get_option_text();
  if (has_value) shape.value = text.empty() ? option.get_type_name() : text;
  shape.is_repeatable = option.get_items_expected_max() > 1;
  return shape;
}

// NOLINTNEXTLINE(misc-no-recursion): commands within commands, two deep
CommandShape shape_of(CLI::App& app) {
  CommandShape shape;
  shape.name = app.get_name();
  shape.summary = app.get_description();
  for (CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      const bool is_repeatable = option->get_items_expected_max() > 1;
      shape.arguments.push_back({option->get_name(true), offers_of(*option), is_repeatable});
    } else {
      shape.options.push_back(shape_of(*option));
    }
  }
  for (CLI::App* command : app.get_subcommands(nullptr)) shape.commands.push_back(shape_of(*command));
  return shape;
}

using CommandActions = std::vector<std::pair<CLI::App*, Action>>;

// With the options of all commands, or of the one of that name: of the others the parser needs no more than the name.
CommandActions add_commands(CLI::App& app, std::span<const Command> commands,
                            const std::optional<std::string>& only = std::nullopt) {
  CommandActions actions;
  for (const Command& command : commands) {
    CLI::App* const subcommand = app.add_subcommand(command.name, command.summary)->group("Commands");
    if (only && *only != command.name) continue;
    CommandLine line(*subcommand);
    actions.emplace_back(subcommand, command.define(line));
  }
  return actions;
}

// One line for a command line that the parser refused.
CommandMisuse misuse_of(const CLI::App& command, const CLI::ParseError& error) {
  const CLI::App& inner = innermost(command);
  if (std::string message = misuse_within(inner); !message.empty()) return {name_of(inner), std::move(message)};
  // A misspelt option is surplus, whatever else is missing then.
  const bool is_surplus = !inner.remaining().empty();
  return {name_of(inner), is_surplus ? surplus(inner) : in_words(error)};
}

}  // namespace

CommandOption& CommandOption::required() {
  option_->required();
  return *this;
}

CommandOption& CommandOption::check(ValueCheck check) {
  const std::string offers = text_of(check.offers());
  option_->check(CLI::Validator([check = std::move(check)](std::string& text) { return check(text); }, "", offers));
  return *this;
}

CommandOption& CommandOption::offers_files() { return offers({.names = {}, .has_files = true}); }

CommandOption& CommandOption::offers(ValueOffers offers) {
  return check({[](const std::string&) { return std::string(); }, std::move(offers)});
}

CommandOption& CommandOption::type_name(const std::string& name) {
  option_->type_name(name);
  // An option for several values has its text in place of a type.
  if (!option_->get_option_text().empty()) option_->option_text(name);
  return *this;
}

CommandOption& CommandOption::shows_default() {
  option_->capture_default_str();
  return *this;
}

CommandOption& CommandOption::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

CommandOption& CommandOption::takes_several() {
  option_->allow_extra_args(true)->option_text("");
  return *this;
}

CommandOption& CommandOption::excludes(const CommandOption& other) {
  option_->excludes(other.option_);
  return *this;
}

CommandOption CommandLine::positional(const std::string& name, std::string& value, const std::string& help) {
  return CommandOption(app_.add_option(name, value, help)->required()->option_text(" "));
}

CommandOption CommandLine::positional(const std::string& name, std::vector<std::string>& values,
                                      const std::string& help) {
  return CommandOption(app_.add_option(name, values, help)->required()->option_text("..."));
}

CommandOption CommandLine::optional_positional(const std::string& name, std::vector<std::string>& values,
                                               const std::string& help) {
  return CommandOption(app_.add_option(name, values, help)->option_text("..."));
}

CommandOption CommandLine::option(const std::string& name, std::string& value, const std::string& help) {
  return CommandOption(app_.add_option(name, value, help));
}

CommandOption CommandLine::option(const std::string& name, std::optional<std::string>& value, const std::string& help) {
  return CommandOption(app_.add_option(name, value, help));
}

CommandOption CommandLine::option(const std::string& name, std::uint64_t& value, const std::string& help) {
  return CommandOption(app_.add_option(name, value, help));
}

CommandOption CommandLine::option(const std::string& name, std::optional<std::uint64_t>& value,
                                  const std::string& help) {
  return CommandOption(app_.add_option(name, value, help));
}

CommandOption CommandLine::option(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  return CommandOption(app_.add_option(name, values, help)->allow_extra_args(false));
}

CommandOption CommandLine::option(const std::string& name, const std::function<void(const std::string&)>& take,
                                  const std::string& help) {
  return CommandOption(app_.add_option_function<std::string>(name, take, help));
}

CommandOption CommandLine::flag(const std::string& name, bool& value, const std::string& help) {
  return CommandOption(app_.add_flag(name, value, help)->disable_flag_override());
}

Action CommandLine::commands(std::span<const Command> commands) {
  app_.require_subcommand(1);
  CommandActions actions = add_commands(app_, commands);
  // The parser outlives the choice, but not what is done then.
  const auto chosen = std::make_shared<std::size_t>(0);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    app_.get_subcommand(static_cast<int>(i))->callback([chosen, i] { *chosen = i; });
  }
  return [chosen, actions = std::move(actions)](Streams& streams) { return actions[*chosen].second(streams); };
}

void CommandLine::footer(const std::string& text) { app_.footer(text); }

void CommandLine::footer(std::function<std::string()> text) {
  app_.footer("");  // which would stand behind the other
  app_.footer(std::move(text));
}

std::variant<ChosenCommand, HelpText, CommandMisuse> parse_command_line(const std::string& program,
                                                                        const std::vector<std::string>& given,
                                                                        std::span<const Command> commands) {
  const std::vector<std::string> names = names_of(commands);
  const std::vector<std::string> arguments = spelled_out(given, names);
  if (const std::string message = misuse(arguments, names); !message.empty()) return CommandMisuse{program, message};
  CLI::App app(kAbout, program);
  set_up(app);
  CommandActions actions = add_commands(app, commands, arguments.front());
  const auto chosen = [&] {
    return std::ranges::find_if(actions, [](const auto& entry) { return entry.first->parsed(); });
  };
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help or --version
      std::ostringstream text;
      app.exit(error, text, text);
      return HelpText{std::move(text).str()};
    }
    const auto command = chosen();
    if (command == actions.end()) return CommandMisuse{program, error.what()};
    return misuse_of(*command->first, error);
  }
  return ChosenCommand{name_of(innermost(*chosen()->first)), std::move(chosen()->second)};
}

CommandShape shape_of(const std::string& program, std::span<const Command> commands) {
  CLI::App app(kAbout, program);
  set_up(app);
  const CommandActions actions = add_commands(app, commands);  // they hold the variables of the options
  return shape_of(app);
}

void read_arguments(const std::function<void(CommandLine& line)>& define, const std::vector<std::string>& arguments) {
  CLI::App app;
  CommandLine line(app);
  define(line);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    throw UsageError(misuse_of(app, error).message);
  }
}

}  // namespace takt::tools
