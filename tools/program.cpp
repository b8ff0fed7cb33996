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
#define TAKT_COMMANDS(ROW)                                                                          \
  ROW("Ask", evaluate, "the exact period of a mapping, its bottleneck and its critical circuit")    \
  ROW("Ask", sensitivity, "how the period depends on every speed, bandwidth, time, work and size")  \
  ROW("Ask", simulate, "start and end of each operation on the first data sets")                    \
  ROW("Ask", vary, "throughput and latencies when times vary at random around their means")         \
  ROW("Ask", rooms, "how much room for waiting files the processors of a mapping need")             \
  ROW("Ask", cycle_ratio, "the largest cycle ratio of any graph with weights and tokens")           \
  ROW("Show", report, "an HTML page: the period, what limits it, and what would help")              \
  ROW("Show", gantt, "a Gantt chart: one lap of the critical circuit as a drawing, table or trace") \
  ROW("Show", dot, "draw the timed Petri net of a mapping, with its critical circuit")              \
  ROW("Show", export, "write the net of a mapping for other tools: PNML, TINA, SDF3 or a graph")    \
  ROW("Choose", map, "map a problem by one heuristic or by all; predicted and exact period")        \
  ROW("Choose", plan, "the cheapest machines for a wanted rate, with a proof")                      \
  ROW("Choose", heuristics, "list the mapping heuristics")                                          \
  ROW("Choose", import, "make a problem from tables of measured times of stages and links")         \
  ROW("Prove", check, "does a certificate prove the answer that it comes with?")                    \
  ROW("Prove", verify, "does the predicted period of a mapping hold?")                              \
  ROW("Run", run, "run a mapping as an MPI program; measured and exact period")                     \
  ROW("Run", probe, "measure stages and messages on real machines; make a problem of the times")    \
  ROW("Run", measure, "compare the trace of a run with the prediction")                             \
  ROW("Run", journal, "check the journal of a run, and extract its results")                        \
  ROW("Study", compare, "compare your own heuristics with those of takt on a set of problems")      \
  ROW("Study", experiment, "experiments over thousands of random draws: run, resume, report, plot") \
  ROW("Study", generate, "draw random instances or problems; the same seed gives the same ones")    \
  ROW("Study", generators, "list the generators of random instances and problems")                  \
  ROW("Set up", completion, "print the script for command completion in bash, zsh or fish")

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
