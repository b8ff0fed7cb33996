// From a command line to a command, and from its exceptions to one message and an exit status.
#include <algorithm>
#include <array>
#include <iostream>
#include <new>
#include <utility>

#include "maxplus/contract.hpp"
#include "tools/command.hpp"
#include "tpn/errors.hpp"

namespace takt::tools {

namespace {

constexpr std::array kCommands = {
    Command{"evaluate", "the exact period of a mapping, its bottleneck and its critical circuit", define_evaluate},
    Command{"check", "does a certificate prove the period of an instance?", define_check},
    Command{"dot", "draw the timed Petri net of a mapping, critical circuit marked", define_dot},
};

constexpr int kInternalError = 70;  // EX_SOFTWARE of sysexits.h

int report(Streams& streams, int status, const char* message) {
  streams.out.flush();
  streams.err << "takt: " << message << '\n';
  return status;
}

int act(const Action& action, Streams& streams) {
  try {
    const int status = action(streams);
    streams.out.flush();
    if (!streams.out) return report(streams, kBadInput, "standard output cannot be written");
    return status;
  } catch (const UsageError& error) {
    return report(streams, kUsage, error.what());
  } catch (const tpn::ParseError& error) {
    return report(streams, kBadInput, error.what());
  } catch (const tpn::InvalidInstance& error) {
    return report(streams, kBadInput, error.what());
  } catch (const FileError& error) {
    return report(streams, kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    return report(streams, kLimit, "out of memory; --max-rows sets a limit before anything is allocated");
  } catch (const maxplus::ContractViolation& error) {
    return report(streams, kInternalError, (std::string("internal error, please report it: ") + error.what()).c_str());
  }
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

int run(const std::vector<std::string>& arguments, Streams streams) {
  CLI::App app("takt computes the exact throughput of replicated pipelines on unequal processors.", "takt");
  app.set_version_flag("--version", "takt " TAKT_VERSION);
  app.require_subcommand(1);
  app.footer("takt COMMAND --help tells more of each, with an example.\n"
             "Exit status: 0 answered, 1 the answer is no, 2 usage, 3 bad input, 4 a limit was met.");
  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command& command : kCommands) {
    CLI::App* subcommand = app.add_subcommand(command.name, command.summary);
    actions.emplace_back(subcommand, command.define(*subcommand));
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    return app.exit(error, streams.out, streams.err) == 0 ? kAnswered : kUsage;
  }
  const auto chosen = std::ranges::find_if(actions, [](const auto& entry) { return entry.first->parsed(); });
  return act(chosen->second, streams);
}

}  // namespace takt::tools
