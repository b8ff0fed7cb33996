// Programs that answer, crash, flood, hang and say nothing.
#include "live/process/filter_kernel.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>

#include "live/process/worker.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/process_events.hpp"
#include "tests/support/temporary_folder.hpp"

namespace takt::live {

namespace {

using namespace std::chrono_literals;
using Catch::Contains;
using support::Fifo;
using testing::TemporaryFolder;
using testing::text_of;

const ProgramOptions kLines = {.format = RecordFormat::lines, .patience = 1h};
const ProgramOptions kPatient = {.patience = 1h};     // with programs that end
const ProgramOptions kImpatient = {.patience = 0ms};  // with programs that do not

// A kernel with a keeper of its own, whose programs have been started.
class KeptKernel : public Kernel {
 public:
  KeptKernel(const std::vector<StageCommand>& commands, const ProgramOptions& options)
      : kernel_(keeper_, commands, options) {
    for (const StageCommand& command : commands) kernel_.start(command.stage);
  }

  void run(const StageCall& call, Packet& packet) override { kernel_.run(call, packet); }

 private:
  Keeper keeper_;
  FilterKernel kernel_;
};

std::string answer_of(KeptKernel& kernel, std::uint64_t data_set, std::string bytes) {
  Packet packet{data_set, std::move(bytes)};
  kernel.run({3, {}}, packet);
  return packet.bytes;
}

std::string failure_of(KeptKernel& kernel, std::uint64_t data_set, const std::string& bytes) {
  try {
    answer_of(kernel, data_set, bytes);
  } catch (const StageFailed& failure) {
    return failure.what();
  }
  return "none";
}

// What becomes of data set 17 at a command.
std::string failure_of(const std::string& command, const ProgramOptions& options = kPatient,
                       const std::string& bytes = "abc") {
  KeptKernel kernel({{3, "encode", command}}, options);
  const std::string failure = failure_of(kernel, 17, bytes);
  REQUIRE(failure_of(kernel, 18, bytes) != "none");  // another of its kind does no better
  const std::string_view start = "stage encode, data set 17: ";
  REQUIRE(failure.starts_with(start));
  return failure.substr(start.size());
}

// A length as the shell's printf has it.
std::string length(unsigned number) {
  std::string text;
  for (int k = 0; k < 8; ++k, number /= 256) {
    text += '\\';
    for (const unsigned digit : {number / 64 % 4, number / 8 % 8, number % 8}) text += static_cast<char>('0' + digit);
  }
  return text;
}

pid_t process_in(const std::string& file) { return static_cast<pid_t>(std::stol(text_of(file))); }

}  // namespace

TEST_CASE("a program gets records and answers them, of every length") {
  KeptKernel kernel({{3, "encode", "cat"}}, {});
  std::string bytes;
  for (const std::size_t size :
       {0U, 1U, 7U, 8U, 9U, 4096U, 65535U, 65536U, 65537U, 200'000U, 0U, 3U, 1U << 20U, 5'000'000U}) {
    bytes.assign(size, 'a');
    for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<char>(k * k / 5);
    REQUIRE(answer_of(kernel, size, bytes) == bytes);
  }
}

TEST_CASE("a program may work on lines, and be another for each stage") {
  KeptKernel kernel({{3, "shout", "stdbuf -oL tr a-z A-Z"}, {4, "count", "while read -r line; do echo ${#line}; done"}},
                    kLines);
  for (int k = 0; k < 100; ++k) {
    Packet packet{static_cast<std::uint64_t>(k), std::string(static_cast<std::size_t>(k), 'x')};
    kernel.run({4, {}}, packet);
    REQUIRE(packet.bytes == std::to_string(k));
    REQUIRE(answer_of(kernel, 1, "line " + packet.bytes) == "LINE " + packet.bytes);
  }
}

TEST_CASE("the first stage of a run without input gets the numbers of data sets") {
  ProgramOptions options = kLines;
  options.first_stage_counts = true;
  KeptKernel kernel({{0, "first", "sed -u s/^/image/"}}, options);
  Packet packet{41, {}};
  kernel.run({0, {}}, packet);
  CHECK(packet.bytes == "image41");
}

TEST_CASE("a program that ends is told with its status and its last words") {
  CHECK_THAT(failure_of("exit 3"), Catch::EndsWith(", and ended: exit status 3"));
  CHECK_THAT(failure_of("cat > /dev/null & exec >&-; exit 0"), Contains("exit status 0"));
  CHECK_THAT(failure_of("head -c 11 > /dev/null; echo one >&2; echo two >&2; printf '\\033three\\n\\n' >&2; exit 5"),
             Contains("its program closed its output, and ended: exit status 5; "
                      "on standard error: one / two / \\u001bthree"));
  CHECK_THAT(failure_of("head -c 11 > /dev/null; yes complaint | head -c 3000000 >&2; exit 6"),
             Catch::EndsWith("exit status 6; on standard error: complaint / complaint / complaint"));
  CHECK_THAT(failure_of("head -c 11 > /dev/null; kill -SEGV $$"), Contains("ended by signal 11 (Segmentation fault)"));
  CHECK_THAT(failure_of("/no/such/program"), Contains("exit status 127; on standard error: "));
  CHECK_THAT(failure_of("head -c 11 > /dev/null; printf '" + length(40) + "abcde'"),
             Contains("its program closed its output, having written 5 of 40 bytes of its result, and ended: exit "
                      "status 0"));
}

TEST_CASE("a program that closes its output and lives on is killed") {
  CHECK_THAT(failure_of("exec >&-; sleep 1000", kImpatient), Catch::StartsWith("its program closed its output"));
}

TEST_CASE("a program that stops reading is an error, not the end of this process") {
  CHECK_THAT(failure_of("head -c 100 > /dev/null; exit 4", kPatient, std::string(1 << 20, 'x')),
             Contains("and ended: exit status 4"));
  CHECK_THAT(failure_of("head -c 100 > /dev/null; exec <&-; sleep 1000", kImpatient, std::string(1 << 20, 'x')),
             Catch::StartsWith("its program read no more of its input"));
}

TEST_CASE("a program that says too much is told") {
  CHECK_THAT(failure_of("head -c 11 > /dev/null; printf '" + length(2) + "abX'; sleep 1000"),
             Catch::StartsWith("its program wrote 1 byte after its result"));
  CHECK_THAT(failure_of("read -r line; cat /dev/zero", {.format = RecordFormat::lines, .most_bytes = 1 << 20}),
             Catch::StartsWith("its program wrote a line of more than 1048576 bytes"));
  CHECK_THAT(failure_of("yes", kLines), Contains("wrote"));
  CHECK_THAT(failure_of("head -c 11 > /dev/null; printf '" + length(101) + "'; sleep 1000", {.most_bytes = 100}),
             Catch::StartsWith("its program wrote the length 101, expected at most 100"));
  // Lines where lengths are expected.
  CHECK_THAT(failure_of("head -c 11 > /dev/null; echo the answer is 42; sleep 1000"),
             Catch::StartsWith("its program wrote the length 8607344676269549684, expected at most 1073741824"));
}

TEST_CASE("a record that came unasked is no answer to the next data set") {
  const TemporaryFolder folder;
  const Fifo written(folder.path("written"));
  KeptKernel kernel({{3, "encode", "read -r line; echo a; read -r line; echo never"}}, kLines);
  KeptKernel early({{3, "encode", "echo early; : > " + written.path() + "; cat > /dev/null"}}, kLines);
  CHECK(answer_of(kernel, 0, "x") == "a");
  written.heard();
  CHECK_THAT(failure_of(early, 0, "x"), Contains("its program wrote more than one result for a data set"));
}

TEST_CASE("a program that says nothing meets the time limit, whatever it does meanwhile") {
  const support::CountedClock clock(100ms);
  const ProgramOptions options{.time_limit = 60ms, .start_limit = 1000h};
  const std::string late = "its program did not answer within 60 ms; an answer counts once it is flushed";
  CHECK(failure_of("cat > /dev/null; sleep 1000", options) == late);
  CHECK(failure_of("head -c 1 > /dev/null; trap '' TERM INT HUP; while :; do sleep 1000; done", options) == late);
}

TEST_CASE("the start of a program does not count against the time limit, and has one of its own") {
  ProgramOptions options{.format = RecordFormat::lines, .time_limit = 1ms, .start_limit = 1000h, .patience = 1h};
  {
    const TemporaryFolder folder;
    const Fifo gate(folder.path("gate"));
    // It begins to read after many hours, and no time passes from then until it answers.
    const support::PlayedClock clock([&](std::uint64_t question) {
      if (question == 50 || question == 80) gate.open();
      return std::chrono::hours(10 * std::min<std::uint64_t>(question, 50));
    });
    const std::string stands = "read -r x < " + gate.path() + "; ";
    KeptKernel kernel({{3, "encode", stands + "read -r line; " + stands + "echo $line"}}, options);
    CHECK(answer_of(kernel, 0, "x") == "x");
  }
  const support::CountedClock clock(1h);
  options.start_limit = 60ms;
  CHECK(failure_of("sleep 1000", options) == "its program did not read its input within 60 ms of its start");
}

TEST_CASE("a program that failed is started again for the next data set") {
  const TemporaryFolder folder;
  const std::string flag = folder.path("flag");
  KeptKernel kernel({{3, "encode", "if [ -e " + flag + " ]; then cat; else : > " + flag + "; exit 7; fi"}}, {});
  CHECK_THAT(failure_of(kernel, 0, "x"), Catch::EndsWith("ended: exit status 7"));
  CHECK(answer_of(kernel, 1, "y") == "y");
}

TEST_CASE("a program that never answers is told of once, with what to write instead") {
  std::vector<std::string> said;
  ProgramOptions options = kLines;
  options.say = [&](std::size_t stage, const std::string& words) {
    CHECK(stage == 3);
    said.push_back(words);
  };
  options.time_limit = 1min;
  const TemporaryFolder folder;
  const Fifo has_read(folder.path("read"));
  // An hour passes while it reads, and again with each question from then on.
  const support::PlayedClock clock([&](std::uint64_t question) {
    if (question == 2) has_read.heard();
    return std::chrono::hours(question == 1 ? 0 : question);
  });
  const std::string command = "read -r line; : > " + has_read.path() + "; exec sleep 1000";
  KeptKernel kernel({{3, "compress it", command}}, options);
  CHECK(failure_of(kernel, 0, "x") != "none");
  REQUIRE(said.size() == 1);
  CHECK(said.front() ==
        "stage compress it: its program has read data set 0 and has not answered for 5 s. One that answers only at the "
        "end of its input is started for each data set by --each 'compress it'='" +
            command + "'; any other must flush its answer");
}

TEST_CASE("a program that writes a megabyte before it reads, or reads in small bites, holds nobody up") {
  const std::string large(1 << 20, 'y');
  KeptKernel writer(
      {{3, "encode", "printf '" + length(1 << 20) + "'; yes | tr -d '\\n' | head -c 1048576; cat > /dev/null"}}, {});
  // It may have begun before it was asked, which is an error, unless the data set is there first.
  const std::string outcome = failure_of(writer, 0, large);
  CHECK((outcome == "none" || outcome.find("wrote more than one result for a data set") != std::string::npos));
  KeptKernel asked({{3, "encode",
                     "head -c 1 > /dev/null; printf '" + length(1 << 20) +
                         "'; yes | tr -d '\\n' | head -c 1048576; cat > /dev/null"}},
                   {});
  CHECK(answer_of(asked, 0, large) == large);
  KeptKernel slow({{3, "encode", "dd bs=1000 status=none"}}, {});
  CHECK(answer_of(slow, 0, large) == large);
}

TEST_CASE("a program that is killed from outside is told") {
  const TemporaryFolder folder;
  const std::string id_file = folder.path("id");
  KeptKernel kernel({{3, "encode", "echo $$ > " + id_file + "; while read -r line; do echo $line; done"}}, kLines);
  CHECK(answer_of(kernel, 0, "hello") == "hello");
  REQUIRE(kill(process_in(id_file), SIGKILL) == 0);
  CHECK_THAT(failure_of(kernel, 1, "hello"), Contains("ended: ended by signal 9 (Killed)"));
}

TEST_CASE("programs end with their kernel, and so does what they have started") {
  const TemporaryFolder folder;
  const std::string ids = folder.path("ids");
  const std::string done = folder.path("done");
  {
    KeptKernel kernel({{3, "polite", "cat; echo > " + done}}, kLines);
    CHECK(answer_of(kernel, 0, "x") == "x");
  }
  CHECK(std::filesystem::exists(done));
  {
    const ProgramOptions options{.format = RecordFormat::lines, .patience = 0ms};
    KeptKernel kernel({{3, "stubborn", "trap '' TERM; sleep 1000 & echo $! > " + ids + "; cat; sleep 1000"}}, options);
    CHECK(answer_of(kernel, 0, "x") == "x");
  }
  CHECK(!support::is_running(process_in(ids)));
}

TEST_CASE("programs do not survive a process that is killed") {
  const TemporaryFolder folder;
  const std::string ids = folder.path("ids");
  const pid_t process = fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    KeptKernel kernel({{3, "encode", "echo $$ > " + ids + "; read -r line; echo $line; exec sleep 1000"}}, kLines);
    answer_of(kernel, 0, "x");
    raise(SIGKILL);
  }
  REQUIRE(waitpid(process, nullptr, 0) == process);
  support::wait_for_end(process_in(ids));
}

TEST_CASE("what is no record is refused before the program sees it") {
  KeptKernel kernel({{3, "encode", "cat"}}, kLines);
  CHECK(failure_of(kernel, 4, "two\nlines") ==
        "stage encode, data set 4: its bytes contain a line feed, but records are lines");
  CHECK(answer_of(kernel, 5, "a line") == "a line");
  Packet packet{6, {}};
  CHECK_THROWS_WITH(kernel.run({1, {}}, packet), "stage 1, data set 6: it has no program here");
}

TEST_CASE("a worker runs programs") {
  KeptKernel kernel({{0, "a", "cat"}, {1, "b", "stdbuf -o0 tr a-z b-za"}}, kLines);
  std::atomic<bool> is_done = false;
  Worker worker(kernel, [&] {
    is_done = true;
    is_done.notify_one();
  });
  worker.start({{0, {}}, {1, {}}, {1, {}}}, {0, "hal"});
  is_done.wait(false);
  CHECK(worker.take().packet.bytes == "jcn");
}

}  // namespace takt::live
