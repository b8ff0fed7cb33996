// From a command line to a command, and from its exceptions to one message and an exit status.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/command.hpp"
#include "tools/options.hpp"
#include "tpn/errors.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

constexpr std::array kCommands = {
    Command{"evaluate", "the exact period of a mapping, its bottleneck and its critical circuit", define_evaluate},
    Command{"check", "does a certificate prove the period of an instance?", define_check},
    Command{"dot", "draw the timed Petri net of a mapping, critical circuit marked", define_dot},
    Command{"simulate", "when the operations of the first data sets start and end: data for a Gantt chart",
            define_simulate},
    Command{"map", "map a problem by a heuristic, or by all; the predicted period beside the exact one", define_map},
    Command{"verify", "does the predicted period of a mapping hold?", define_verify},
    Command{"heuristics", "list the mapping heuristics", define_heuristics},
};

constexpr int kInternalError = 70;  // EX_SOFTWARE of sysexits.h

int report(Streams& streams, int status, const char* message) {
  streams.out.flush();
  streams.err << "takt: " << message << '\n';
  return status;
}

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

int answer_usage(Streams& streams, const std::string& command, const std::string& message) {
  streams.out.flush();
  fmt::print(streams.err, "{}: {}\nRun \"{} --help\" for more information.\n", command, message, command);
  return kUsage;
}

// Descriptions of options in lines of what a terminal of 100 columns has beside the names.
class WrappingFormatter : public CLI::Formatter {
 public:
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

int act(const std::string& command, const Action& action, Streams& streams) {
  try {
    const int status = action(streams);
    streams.out.flush();
    if (!streams.out) return report(streams, kBadInput, "standard output cannot be written");
    return status;
  } catch (const UsageError& error) {
    return answer_usage(streams, command, error.what());
  } catch (const tpn::ParseError& error) {
    return report(streams, kBadInput, error.what());
  } catch (const tpn::InvalidInstance& error) {
    return report(streams, kBadInput, error.what());
  } catch (const FileError& error) {
    return report(streams, kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    return report(streams, kLimit, "out of memory: this instance is too large for this machine");
  } catch (const std::exception& error) {
    return report(streams, kInternalError, (std::string("internal error, please report it: ") + error.what()).c_str());
  }
}

// What is wrong where a command should stand; the option parser would only miss one.
std::string misuse(const std::vector<std::string>& arguments) {
  std::vector<std::string> names(kCommands.size());
  std::ranges::transform(kCommands, names.begin(), &Command::name);
  std::string expected = "expected a command: " + tpn::json::alternatives(names);
  if (arguments.empty()) return expected;
  const std::string& first = arguments.front();
  constexpr std::array<std::string_view, 3> kOptions = {"-h", "--help", "--version"};
  if (std::ranges::find(kOptions, first) != kOptions.end() || std::ranges::find(names, first) != names.end()) return "";
  const bool is_option = first.size() > 1 && first.front() == '-';
  return fmt::format("found the unknown {} \"{}\", {}", is_option ? "option" : "command", first, expected);
}

// What a command has no place for.
std::string surplus(const CLI::App& command) {
  std::vector<std::string> arguments = command.remaining();
  std::erase(arguments, "--");
  if (arguments.empty()) return "found arguments, expected none";
  const std::string& first = arguments.front();
  if (first.size() > 1 && first.front() == '-') return fmt::format("found the unknown option \"{}\"", first);
  return fmt::format("found \"{}\", expected no further argument", first);
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

int run(const std::vector<std::string>& arguments, Streams streams) {
  if (const std::string message = misuse(arguments); !message.empty()) return answer_usage(streams, "takt", message);
  CLI::App app("takt computes the exact throughput of replicated pipelines on unequal processors.", "takt");
  app.formatter(std::make_shared<WrappingFormatter>());
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", "takt " TAKT_VERSION, "print the version and exit");
  app.require_subcommand(1);
  app.footer(
      "takt COMMAND --help tells more of each, with an example.\n"
      "Exit status: 0 answered, 1 the answer is no, 2 usage, 3 bad input, 4 a limit was met.");
  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command& command : kCommands) {
    CLI::App* subcommand = app.add_subcommand(command.name, command.summary)->group("Commands");
    actions.emplace_back(subcommand, command.define(*subcommand));
  }
  const auto chosen = [&] {
    return std::ranges::find_if(actions, [](const auto& entry) { return entry.first->parsed(); });
  };
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help or --version
      return act(
          "takt", [&](Streams& to) { return app.exit(error, to.out, to.err); }, streams);
    }
    const auto command = chosen();
    if (command == actions.end()) return answer_usage(streams, "takt", error.what());
    // A misspelt option is surplus, whatever else is missing then.
    const bool is_surplus = !command->first->remaining().empty();
    return answer_usage(streams, "takt " + command->first->get_name(),
                        is_surplus ? surplus(*command->first) : in_words(error));
  }
  return act("takt " + chosen()->first->get_name(), chosen()->second, streams);
}

}  // namespace takt::tools
