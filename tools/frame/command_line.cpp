// The only source that sees the option parser, CLI11.
#include "tools/frame/command_line.hpp"

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

#include "tools/frame/wrong_words.hpp"
#include "tools/words/suggestion.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

constexpr const char* kHelp = "help";
constexpr const char* kCommandOfFiles = "evaluate";
constexpr const char* kAnyFile = "/";  // which is no name of a value

// What an option's value should be, in the words of its check.
std::string expected_by(const CLI::App& command, const std::string& option) {
  std::string expected = "a value";
  const CLI::Option* const found = command.get_option_no_throw(option);
  if (found == nullptr) return expected;
  try {
    // The parser lends its check to those only who may change the option.
    const std::string refusal = (*const_cast<CLI::Option*>(found)->get_validator(0))(std::string());  // NOLINT
    constexpr std::string_view kExpected = ", expected ";
    const std::size_t words = refusal.find(kExpected);
    if (words != std::string::npos) expected = refusal.substr(words + kExpected.size());
  } catch (const CLI::OptionNotFound&) {  // so the parser says that there is no check
  }
  return expected;
}

// The option parser's words for a wrong number of values, in ours.
std::string in_words(const CLI::App& command, const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return text;
  if (const auto end = text.find(" was given a disallowed flag override"); end != std::string::npos) {
    return fmt::format("--{}: found a value, expected none", text.substr(0, end));
  }
  const std::string option = text.substr(0, text.find(": "));
  const bool lacks = text.ends_with(" missing");
  return lacks ? fmt::format("{}: found no value, expected {}", option, expected_by(command, option))
               : option + ": found more than once, expected once";
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

bool is_command(const std::string& argument, const std::vector<std::string>& names) {
  return std::ranges::find(names, argument) != names.end();
}

bool asks_for_program(const std::string& argument) {
  constexpr std::array<std::string_view, 4> kOptions = {"-h", "--help", "-V", "--version"};
  return std::ranges::find(kOptions, argument) != kOptions.end();
}

// What is meant by arguments that begin with no command: "FILE ..." by "evaluate FILE ...", with options before it as
// well; "help X" and "--help X" by "X --help".
std::vector<std::string> spelled_out(std::vector<std::string> arguments, const std::vector<std::string>& names) {
  if (arguments.empty() || is_command(arguments.front(), names)) return arguments;
  const std::string first = arguments.front();
  if (first == kHelp || first == "-h" || first == "--help") {
    arguments.erase(arguments.begin());
    if (!arguments.empty() && arguments.front() == kHelp) arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  } else if (!asks_for_program(first) && is_command(kCommandOfFiles, names)) {
    const bool has_command =
        std::ranges::any_of(arguments, [&](const std::string& argument) { return is_command(argument, names); });
    const bool has_file = std::ranges::any_of(
        arguments, [](const std::string& argument) { return !is_option(argument) && is_path(argument); });
    const bool is_meant = is_option(first) ? has_file && !has_command : is_path(first);
    if (is_meant) arguments.insert(arguments.begin(), kCommandOfFiles);
  }
  return arguments;
}

// What is wrong where a command should stand; the option parser would only miss one.
std::string misuse(const std::vector<std::string>& arguments, const std::vector<std::string>& names) {
  if (arguments.empty()) return "expected a command: " + tpn::json::alternatives(names);
  const std::string& first = arguments.front();
  if (asks_for_program(first) || is_command(first, names)) return "";
  const auto command =
      std::ranges::find_if(arguments, [&](const std::string& argument) { return is_command(argument, names); });
  if (is_option(first) && command != arguments.end()) {
    return fmt::format("found \"{}\" before the command, expected it after: takt {} {} ...", first, *command, first);
  }
  return unknown_command(first, names);
}

constexpr const char* kAbout = "takt computes the exact throughput of replicated pipelines on unequal processors.";
constexpr const char* kFirstSteps =
    "To start with:\n"
    "  takt FILE                       the period of the instance in FILE (JSON), and its bottleneck\n"
    "  takt map FILE -o MAPPED         find a mapping, if the file has none\n"
    "  takt plan FILE --rate 200/s     the cheapest machines for a rate\n";
constexpr const char* kFooter =
    "takt help COMMAND lists the options of a command, with examples.\n"
    "Exit status: 0 answered, 1 the answer is no, 2 usage, 3 bad input, 4 a limit was reached.";

void set_up(CLI::App& app, const std::vector<std::string>& commands) {
  app.formatter(std::make_shared<WrappingFormatter>());
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("-V,--version", "takt " TAKT_VERSION, "print the version and exit");
  app.require_subcommand(1);
  app.footer((is_command(kCommandOfFiles, commands) ? kFirstSteps + std::string("\n") : "") + kFooter);
}

// "takt experiment run".
std::string name_of(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? command.get_name() : name_of(*parent) + " " + command.get_name();
}

// The command that was chosen within a command, or that one.
CLI::App& innermost(CLI::App& command) {
  const auto chosen = command.get_subcommands();
  return chosen.empty() ? command : innermost(*chosen.front());
}

// What is wrong where a command within a command should stand; nothing if one was chosen or none is wanted.
std::string misuse_within(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* within : command.get_subcommands(nullptr)) names.push_back(within->get_name());
  if (names.empty()) return "";
  const std::vector<std::string> surplus = command.remaining();
  std::string expected = "expected a command: " + tpn::json::alternatives(names);
  if (surplus.empty()) return expected;
  return fmt::format("found the unknown command \"{}\"{}, {}", surplus.front(), suggestion(surplus.front(), names),
                     expected);
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
    CLI::App* const subcommand = app.add_subcommand(command.name, command.summary)->group(command.group);
    if (only && *only != command.name) continue;
    CommandLine line(*subcommand);
    actions.emplace_back(subcommand, command.define(line));
  }
  return actions;
}

// A command line, and the names of the program's commands.
struct GivenWords {
  const std::vector<std::string>& arguments;
  const std::vector<std::string>& commands;

  std::string behind(const std::string& word) const {
    const auto found = std::ranges::find(arguments, word);
    return found == arguments.end() || found + 1 == arguments.end() ? "" : *(found + 1);
  }
};

// What a command has no place for.
std::string surplus(CLI::App& command, const GivenWords& given) {
  std::vector<std::string> rest = command.remaining();
  std::erase(rest, "--");
  if (rest.empty()) return "found arguments, expected none";
  const auto option = std::ranges::find_if(rest, is_option);
  if (option != rest.end()) return unknown_option(*option, given.behind(*option), shape_of(command), given.commands);
  return surplus_word(rest.front(), shape_of(command));
}

// One line for a command line that the parser refused.
CommandMisuse misuse_of(CLI::App& command, const CLI::ParseError& error, const GivenWords& given) {
  CLI::App& inner = innermost(command);
  if (std::string message = misuse_within(inner); !message.empty()) return {name_of(inner), std::move(message)};
  // A misspelt option is surplus, whatever else is missing then.
  const bool is_surplus = !inner.remaining().empty();
  return {name_of(inner), is_surplus ? surplus(inner, given) : in_words(inner, error)};
}

// What is wrong with a word that was taken for a file; "" if nothing is.
std::string misplaced_among_files(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (!option->get_positional() || !offers_of(*option).has_files) continue;
    for (const std::string& word : option->results()) {
      std::error_code unknown;
      if (std::filesystem::exists(word, unknown)) continue;
      if (std::string message = misplaced_word(word, shape_of(command)); !message.empty()) return message;
    }
  }
  return "";
}

}  // namespace

CommandOption& CommandOption::required() {
  option_->required();
  return *this;
}

CommandOption& CommandOption::check(ValueCheck check) {
  const std::string offers = text_of(check.offers());
  const auto refusal = [check = std::move(check)](std::string& text) { return value_refusal(text, check); };
  option_->check(CLI::Validator(refusal, "", offers));
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

std::string first_words() { return fmt::format("{}\n\n{}\ntakt --help lists all commands.\n", kAbout, kFirstSteps); }

std::variant<ChosenCommand, HelpText, CommandMisuse> parse_command_line(const std::string& program,
                                                                        const std::vector<std::string>& given,
                                                                        std::span<const Command> commands) {
  const std::vector<std::string> names = names_of(commands);
  const std::vector<std::string> arguments = spelled_out(given, names);
  if (const std::string message = misuse(arguments, names); !message.empty()) return CommandMisuse{program, message};
  CLI::App app(kAbout, program);
  set_up(app, names);
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
    return misuse_of(*command->first, error, {arguments, names});
  }
  CLI::App& inner = innermost(*chosen()->first);
  if (std::string message = misplaced_among_files(inner); !message.empty())
    return CommandMisuse{name_of(inner), message};
  return ChosenCommand{name_of(inner), std::move(chosen()->second)};
}

CommandShape shape_of(const std::string& program, std::span<const Command> commands) {
  CLI::App app(kAbout, program);
  set_up(app, names_of(commands));
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
    throw UsageError(misuse_of(app, error, {arguments, {}}).message);
  }
}

}  // namespace takt::tools
