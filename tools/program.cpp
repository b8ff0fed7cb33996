// The table of commands; from a command's exceptions to one message and an exit status.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <new>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "tools/command.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tpn/errors.hpp"
#include "tpn/visible.hpp"

// The commands in the order of --help: a row for each, of its group, its name and its summary. A file in commands/
// defines what the command takes and does, as `Action define_NAME(CommandLine& line)`; users type "-" for "_".
#define TAKT_COMMANDS(ROW)                                                                                 \
  ROW("Ask", evaluate, "the exact period of a mapping, its bottleneck and its critical circuit")           \
  ROW("Ask", sensitivity, "what every speed, bandwidth, time, work and size means for the period")         \
  ROW("Ask", simulate, "when the operations of the first data sets start and end: data for a Gantt chart") \
  ROW("Ask", vary, "throughput, and latencies at a rate, where times vary around their means")             \
  ROW("Ask", rooms, "how many files the processors of a mapping must have room for")                       \
  ROW("Ask", cycle_ratio, "the largest cycle ratio of any graph with weights and tokens")                  \
  ROW("Show", report, "a page that shows the period, why it is what it is, and what would help")           \
  ROW("Show", gantt, "who does what when: a drawing, a table or a trace; one lap of the critical circuit") \
  ROW("Show", dot, "draw the timed Petri net of a mapping, critical circuit marked")                       \
  ROW("Show", export, "the net of a mapping in a file for other tools: PNML, TINA, SDF3, a graph")         \
  ROW("Choose", map, "map a problem by a heuristic, or by all; the predicted period beside the exact one") \
  ROW("Choose", plan, "how many of which machines for a wanted rate, at least cost, proved")               \
  ROW("Choose", heuristics, "list the mapping heuristics")                                                 \
  ROW("Choose", import, "a problem from tables of measured times: stages on processors, links")            \
  ROW("Prove", check, "does a certificate prove the period of an instance?")                               \
  ROW("Prove", verify, "does the predicted period of a mapping hold?")                                     \
  ROW("Run", run, "run a mapping as an MPI program; its measured period beside the exact one")             \
  ROW("Run", probe, "time stages on processors and messages between them; a problem with these times")     \
  ROW("Run", measure, "what the trace of a run shows, beside the prediction")                              \
  ROW("Run", journal, "is the journal of a run whole, and what results are in it?")                        \
  ROW("Study", compare, "heuristics of your own beside those of takt, over a set of problems")             \
  ROW("Study", experiment, "experiments over thousands of draws: run, go on, report, plot")                \
  ROW("Study", generate, "draw random instances or problems, the same for the same seed")                  \
  ROW("Study", generators, "list the generators of random instances and problems")                         \
  ROW("Set up", completion, "a script by which bash, zsh or fish completes the command lines of takt")

namespace takt::tools {

#define TAKT_DECLARE_COMMAND(group, name, summary) Action define_##name(CommandLine& line);
TAKT_COMMANDS(TAKT_DECLARE_COMMAND)
#undef TAKT_DECLARE_COMMAND

namespace {

// A name as users type it.
template <std::size_t kSize>
struct CommandName {
  consteval CommandName(const char (&name)[kSize]) {  // NOLINT(google-explicit-constructor): a text in place of a name
    std::replace_copy(name, name + kSize, text, '_', '-');
  }
  char text[kSize] = {};
};
template <CommandName kName>
constexpr const char* kTyped = kName.text;

#define TAKT_COMMAND_ROW(group, name, summary) Command{kTyped<#name>, summary, define_##name, group},
constexpr auto kCommands = std::to_array<Command>({TAKT_COMMANDS(TAKT_COMMAND_ROW)});
#undef TAKT_COMMAND_ROW

constexpr int kInternalError = 70;  // EX_SOFTWARE of sysexits.h

// Messages name files, arguments and names of documents: none of them acts on a terminal, or makes a second line.
int answer_failure(Streams& streams, int status, const char* message) {
  streams.out.flush();
  streams.err << "takt: " << tpn::visible(message) << '\n';
  return status;
}

int answer_misuse(Streams& streams, const CommandMisuse& misuse) {
  streams.out.flush();
  fmt::print(streams.err, "{}: {}\nRun \"{} --help\" for more information.\n", misuse.name,
             tpn::visible(misuse.message), misuse.name);
  return kUsage;
}

int carry_out(const ChosenCommand& command, Streams& streams) {
  try {
    return command.action(streams);
  } catch (const tpn::InvalidInstance& error) {
    throw placed(error, streams.document);
  }
}

int act(const ChosenCommand& command, Streams& streams) {
  try {
    const int status = carry_out(command, streams);
    streams.out.flush();
    if (!streams.out) return answer_failure(streams, kBadInput, "standard output cannot be written");
    return status;
  } catch (const UsageError& error) {
    return answer_misuse(streams, {command.name, error.what()});
  } catch (const tpn::ParseError& error) {
    return answer_failure(streams, kBadInput, error.what());
  } catch (const tpn::InvalidInstance& error) {
    return answer_failure(streams, kBadInput, error.what());
  } catch (const FileError& error) {
    return answer_failure(streams, kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    return answer_failure(streams, kLimit, "out of memory: this instance is too large for this machine");
  } catch (const std::exception& error) {
    return answer_failure(streams, kInternalError,
                          (std::string("internal error, please report it: ") + error.what()).c_str());
  }
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

int run(const std::vector<std::string>& arguments, Streams streams) {
  if (arguments.empty()) {
    streams.err << first_words();
    return kUsage;
  }
  return run_program("takt", kCommands, arguments, streams);
}

int run_or_throw(const std::vector<std::string>& arguments, Streams streams) {
  const auto asked = parse_command_line("takt", arguments, kCommands);
  if (const auto* misuse = std::get_if<CommandMisuse>(&asked)) throw UsageError(misuse->message);
  if (const auto* command = std::get_if<ChosenCommand>(&asked)) return carry_out(*command, streams);
  streams.out << std::get<HelpText>(asked).text;
  return kAnswered;
}

int run_program(const std::string& program, std::span<const Command> commands,
                const std::vector<std::string>& arguments, Streams streams) {
  const auto asked = parse_command_line(program, arguments, commands);
  if (const auto* misuse = std::get_if<CommandMisuse>(&asked)) return answer_misuse(streams, *misuse);
  if (const auto* command = std::get_if<ChosenCommand>(&asked)) return act(*command, streams);
  const auto print = [&asked](Streams& to) {
    to.out << std::get<HelpText>(asked).text;
    return kAnswered;
  };
  return act({program, print}, streams);
}

}  // namespace takt::tools
