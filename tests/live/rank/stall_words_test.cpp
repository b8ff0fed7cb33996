// Sentences of runs that stand still.
#include "live/rank/stall_words.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <string>

#include "tpn/visible.hpp"

using namespace takt::live;

namespace {

constexpr Ticks kStallSecond = 1'000'000'000;

RunPlan plan() {
  RunPlan plan;
  for (const char* const name : {"read", "filter", "write"}) {
    plan.instance.application.stages.emplace_back().name = name;
  }
  return plan;
}

const RankNames kNames{{"p", "q", "r", "s\n"}, {11, 12, 13, 14}, false};

Standstill stall() {
  Standstill stall;
  stall.lasted = 32 * kStallSecond;
  stall.now = 40 * kStallSecond;
  stall.next = 4;
  return stall;
}

}  // namespace

TEST_CASE("a standstill names who does not answer, then who has held what for longest") {
  Standstill found = stall();
  found.silent = {2};
  found.held[0] = {{6, 0, 0, 1, 9 * kStallSecond}};
  found.held[1] = {{4, 1, 2, std::nullopt, 8 * kStallSecond}};
  CHECK(stall_words(found, plan(), kNames) ==
        "nothing has been delivered for 32 s, data set 4 is next: r (process 13) does not answer; "
        "q has had data set 4 in stages filter to write for 32 s; p has waited 31 s for q to take data set 6");
}

TEST_CASE("numbers of data sets are those of the input, also where failed ones run again") {
  RunPlan again = plan();
  again.again = {10, 20, 30, 40, 50};
  Standstill found = stall();
  found.held[0] = {{1, 0, 0, std::nullopt, 0}};
  CHECK(stall_words(found, again, kNames) ==
        "nothing has been delivered for 32 s, data set 50 is next: p has had data set 20 in stage read for 40 s");
}

TEST_CASE("a standstill at the end says so, and names are written visibly") {
  Standstill found = stall();
  found.lasted = 300 * kStallSecond;
  found.is_ending = true;
  CHECK(stall_words(found, plan(), kNames) ==
        "all data sets are delivered, and for 5 min the run has not ended: no processor holds a data set");
  found.silent = {3};
  CHECK(stall_words(found, plan(), kNames).ends_with(takt::tpn::visible("s\n") + " (process 14) does not answer"));
}

TEST_CASE("at most eight are named, and the others counted") {
  Standstill found = stall();
  for (std::size_t k = 0; k < 20; ++k) found.silent.push_back(k % 3);
  const std::string words = stall_words(found, plan(), kNames);
  CHECK(words.ends_with("; and 12 more"));
  CHECK(std::ranges::count(words, ';') == 8);
}

TEST_CASE("a process of this machine that is stopped is said to be") {
  const pid_t process = fork();
  if (process == 0) {
    for (;;) pause();
  }
  kill(process, SIGSTOP);
  int status = 0;
  REQUIRE(waitpid(process, &status, WUNTRACED) == process);
  RankNames names = kNames;
  names.processes[0] = process;
  Standstill found = stall();
  found.silent = {0};
  CHECK(stall_words(found, plan(), names).ends_with("does not answer"));
  names.are_here = true;
  CHECK(stall_words(found, plan(), names).ends_with("is stopped"));
  kill(process, SIGKILL);
  waitpid(process, &status, 0);
}
