// Signals end the program as they end any, but leave no unfinished file; a search may be interrupted once.
#include "tools/files/signals.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/process_events.hpp"
#include "tests/tools/process.hpp"
#include "tests/tools/program.hpp"

namespace takt::testing {
namespace {

using tools::handle_ending_signals;
using tools::InterruptibleSearch;
using tools::interruption;
using tools::UnfinishedFile;

// Writes for much longer than any test waits.
std::vector<std::string> long_play(const std::string& output) {
  return {"simulate", source("examples/example-a.json"), "--model", "strict", "--data-sets", "10000000", "-o", output};
}

bool has_text(const std::string& path) {
  std::error_code error;
  return std::filesystem::file_size(path, error) > 0 && !error;
}

TEST_CASE("a signal that ends the program leaves no unfinished file") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const TemporaryFolder folder;
    const std::string output = folder.write("out.csv", "what it was");
    RunningProgram program(long_play(output));
    support::wait_in(folder.path(""), [&] { return has_text(output + ".part"); });
    program.send(signal);
    REQUIRE(program.wait().signal == signal);
    REQUIRE(folder.names() == std::vector<std::string>{"out.csv"});
    REQUIRE(text_of(output) == "what it was");
  }
}

TEST_CASE("a signal that was ignored when the program began stays ignored") {
  const TemporaryFolder folder;
  const std::string output = folder.path("out.csv");
  RunningProgram program(long_play(output), [] {
    std::signal(SIGHUP, SIG_IGN);
    std::signal(SIGINT, SIG_IGN);
  });
  support::wait_in(folder.path(""), [&] { return has_text(output + ".part"); });
  program.send(SIGHUP);
  program.send(SIGINT);
  program.send(SIGTERM);
  REQUIRE(program.wait().signal == SIGTERM);
  REQUIRE(folder.names().empty());
}

TEST_CASE("the first SIGINT interrupts a search, the second ends the program") {
  const TemporaryFolder folder;
  const std::string path = folder.path("out.part");
  const auto interrupt_once = [&] {
    handle_ending_signals();
    const UnfinishedFile file(path);
    const InterruptibleSearch search;
    if (interruption() || !std::filesystem::exists(path)) _exit(1);
    std::raise(SIGINT);
    if (!interruption() || !std::filesystem::exists(path)) _exit(2);
  };
  REQUIRE(ending_of(interrupt_once).status == 0);
  REQUIRE(folder.names().empty());
  const Ending twice = ending_of([&] {
    handle_ending_signals();
    const UnfinishedFile file(path);
    const InterruptibleSearch search;
    std::raise(SIGINT);
    std::raise(SIGINT);
  });
  REQUIRE(twice.signal == SIGINT);
  REQUIRE(folder.names().empty());
}

TEST_CASE("signals that are taken in order interrupt, however often they come") {
  const Ending ending = ending_of([] {
    handle_ending_signals();
    {
      const InterruptibleSearch search(tools::SearchSignals::all_in_order);
      const InterruptibleSearch inner(tools::SearchSignals::interrupt_and_terminate);
      for (const int signal : {SIGHUP, SIGQUIT, SIGINT, SIGINT, SIGTERM, SIGINT}) std::raise(signal);
      if (!interruption()) _exit(1);
    }
    std::raise(SIGHUP);
  });
  REQUIRE(ending.signal == SIGHUP);
}

TEST_CASE("SIGINT ends the program before a search, and after one that was interrupted") {
  const Ending before = ending_of([] {
    handle_ending_signals();
    std::raise(SIGINT);
  });
  REQUIRE(before.signal == SIGINT);
  const Ending after = ending_of([] {
    handle_ending_signals();
    {
      const InterruptibleSearch search;
      std::raise(SIGINT);
    }
    if (!interruption()) _exit(1);
    std::raise(SIGINT);
  });
  REQUIRE(after.signal == SIGINT);
  const Ending terminated = ending_of([] {
    handle_ending_signals();
    const InterruptibleSearch search;
    std::raise(SIGTERM);
  });
  REQUIRE(terminated.signal == SIGTERM);
}

TEST_CASE("an unfinished file is one that did not exist, and is there in the end only where it was finished") {
  const TemporaryFolder folder;
  const std::string taken = folder.write("taken.part", "not ours");
  REQUIRE(UnfinishedFile(taken).error() == EEXIST);
  REQUIRE(text_of(taken) == "not ours");
  {
    UnfinishedFile file(folder.path("out.part"));
    REQUIRE(file.error() == 0);
    REQUIRE(file.finish_as(folder.path("absent/out")) == ENOENT);
    REQUIRE(file.finish_as(folder.path("out")) == 0);
  }
  { const UnfinishedFile dropped(folder.path("dropped.part")); }
  REQUIRE(folder.names() == std::vector<std::string>{"out", "taken.part"});
}

}  // namespace
}  // namespace takt::testing
