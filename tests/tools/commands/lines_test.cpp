// takt evaluate --lines and takt verify --lines: what a lone file is answered, line by line.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process_events.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tests/tools/process.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

std::string on_one_line(const tpn::Document& document) {
  return ordered_json::parse(tpn::write_document(document)).dump();
}

// Instances of every kind, some with a model or a prediction of their own.
std::vector<std::string> some_documents(std::uint64_t seeds) {
  std::vector<std::string> documents;
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      tpn::Document document = support::random_document(kind, seed);
      if (seed % 3 == 1) document.model = tpn::Model::kStrict;
      document.predicted_period = maxplus::Rational::fraction(100 + static_cast<long>(seed), 7);
      if (seed % 2 == 1) document.heuristic = {.name = "by hand, or \"so\"", .seed = {}, .options = {}};
      documents.push_back(on_one_line(document));
    }
  }
  return documents;
}

std::vector<ordered_json> objects_of(const std::string& text) {
  std::vector<ordered_json> objects;
  for (const std::string& line : lines_of(text)) objects.push_back(ordered_json::parse(line));
  return objects;
}

// The results of lone documents, as an array whatever their number.
ordered_json alone(const std::string& command, const std::string& document, const std::vector<std::string>& options) {
  const ordered_json json = ordered_json::parse(takt(appended({command, "-", "--json"}, options), document).out);
  return json.is_array() ? json : ordered_json::array({json});
}

void require_same_results(const std::string& command, const std::vector<std::string>& options,
                          const std::vector<std::string>& documents) {
  const std::vector<std::string> arguments = appended({command, "-", "--lines"}, options);
  const std::vector<ordered_json> terse = objects_of(takt(arguments, joined(documents)).out);
  const std::vector<ordered_json> full = objects_of(takt(appended(arguments, {"--json"}), joined(documents)).out);
  REQUIRE(terse.size() == full.size());
  std::size_t next = 0;
  for (std::size_t k = 0; k < documents.size(); ++k) {
    for (ordered_json expected : alone(command, documents[k], options)) {
      INFO(command << " line " << k + 1 << ": " << documents[k]);
      REQUIRE(next < full.size());
      REQUIRE(terse[next].begin().key() == "file");
      REQUIRE(full[next].begin().key() == "file");
      REQUIRE(terse[next]["line"] == k + 1);
      for (const auto& [key, value] : terse[next].items()) {
        if (key != "line") REQUIRE(expected[key] == value);
      }
      for (const char* key : {"model", "period", "exact", "max_cycle_time", "relation", "holds"}) {
        REQUIRE(expected.contains(key) == terse[next].contains(key));
      }
      expected["line"] = k + 1;
      expected.erase("ahead");  // advice is not for thousands
      REQUIRE(full[next].size() == expected.size());
      for (const auto& [key, value] : full[next].items()) REQUIRE(expected[key] == value);
      ++next;
    }
  }
  REQUIRE(next == full.size());
}

TEST_CASE("a line has the results that its document has alone") {
  const std::vector<std::string> documents = some_documents(4);
  for (const std::string command : {"evaluate", "verify"}) {
    require_same_results(command, {}, documents);
    require_same_results(command, {"--model", "bounded", "--rooms", "2"}, documents);
  }
  require_same_results("evaluate", {"--window", "3", "--model", "overlap"}, documents);
  require_same_results("evaluate", {"--method", "unfold", "--solver", "karp"}, documents);
  require_same_results("evaluate", {"--max-rows", "1"}, documents);
  require_same_results("verify", {"--tolerance", "1/2"}, documents);
}

// Any limit that is never met asks for the general way.
TEST_CASE("plain instances have the same lines, quickly or as documents") {
  std::vector<std::string> documents = some_documents(support::draws(400));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    documents.push_back(on_one_line(support::dealt_document(5, 12, 5, 15, seed)));
    documents.push_back(on_one_line(support::dealt_document(4, 9, 0, 2, seed)));
  }
  const std::string text = joined(documents);
  for (const std::string model : {"", "overlap", "strict", "bounded"}) {
    std::vector<std::string> arguments = {"evaluate", "-", "--lines"};
    if (!model.empty()) arguments.insert(arguments.end(), {"--model", model});
    const Outcome quick = takt(arguments, text);
    arguments.insert(arguments.end(), {"--max-memory", "1000000"});
    const Outcome general = takt(arguments, text);
    REQUIRE(lines_of(quick.out) == lines_of(general.out));
    REQUIRE(quick.status == general.status);
  }
}

TEST_CASE("with --json a line may have all that an object has") {
  const std::string document = on_one_line(support::random_document(support::Kind::plain, 3));
  const std::vector<std::string> options = {"--latency-curve", "--circuit", "full"};
  const ordered_json expected = alone("evaluate", document, options);
  const Outcome outcome =
      takt({"evaluate", "-", "--lines", "--json", "--latency-curve", "--circuit", "full"}, document);
  const std::vector<ordered_json> found = objects_of(outcome.out);
  REQUIRE(found.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    REQUIRE(found[k]["latencies"] == expected[k]["latencies"]);
    REQUIRE(found[k]["critical_circuit"] == expected[k]["critical_circuit"]);
  }
}

TEST_CASE("the output is the same for any number of jobs") {
  std::vector<std::string> documents = some_documents(30);
  documents[40] = "{\"application\": 1}";
  documents[90] = "";
  documents[200] = "[";
  const TemporaryFolder folder;
  const std::string file = folder.write("many.jsonl", joined(documents));
  for (const std::string command : {"evaluate", "verify"}) {
    const Outcome one = takt({command, file, "--lines"});
    REQUIRE(one.status == tools::kBadInput);
    for (const std::string jobs : {"2", "3", "7"}) {
      const Outcome several = takt({command, file, "--lines", "--jobs", jobs});
      REQUIRE(several.out == one.out);
      REQUIRE(several.err == one.err);
      REQUIRE(several.status == one.status);
    }
  }
}

TEST_CASE("a bad line is told with its place, and the rest goes on") {
  const std::vector<std::string> good = some_documents(1);
  const std::string problem = R"({"application": {"stages": [{"name": "a", "work": 1}]},)"
                              R"( "platform": {"processors": [{"name": "P", "speed": 1}]}})";
  const TemporaryFolder folder;
  const std::string file =
      folder.write("mixed.jsonl", good[0] + "\n\n{\"application\": 3}\n" + problem + "\n{\n\xff\n \t\r\n" + good[1]);
  const Outcome outcome = takt({"evaluate", file, "--lines", "--model", "strict"});
  REQUIRE(outcome.status == tools::kBadInput);
  const std::vector<ordered_json> found = objects_of(outcome.out);
  REQUIRE(found.size() == 6);
  REQUIRE(found[0]["line"] == 1);
  REQUIRE(found[0]["exact"] == true);
  REQUIRE(lines_of(outcome.out)[1] ==
          R"({"file":")" + file + R"(","line":3,"error":")" + file +
              R"(:3:17: /application: found the number 3, expected an object: the application"})");
  REQUIRE(found[2]["error"] ==
          file + ":4: /mapping: found no mapping, expected an instance, which maps every stage to processors");
  REQUIRE(found[3]["error"] == file + ":5:2: found the end of the line, expected a key in double quotes");
  REQUIRE(found[4]["line"] == 6);
  REQUIRE(found[5]["line"] == 8);
  REQUIRE(found[5]["exact"] == true);
  REQUIRE(outcome.err == "takt: " + file + ": 4 of 6 documents without an answer, the first: " +
                             found[1]["error"].get<std::string>() + "\n");

  const Outcome unclaimed = takt({"verify", "-", "--lines"}, on_one_line(support::random_document({}, 1)));
  REQUIRE(objects_of(unclaimed.out)[0]["error"] ==
          "standard input:1: /predicted_period: found none, expected the period that a heuristic or a person predicts");
}

TEST_CASE("a file with one document over several lines is told to go without --lines") {
  const Outcome outcome = takt({"evaluate", source("examples/example-a.json"), "--lines"});
  CHECK(outcome.status == tools::kBadInput);
  CHECK_THAT(outcome.err, Catch::EndsWith("; a file with one document goes without --lines\n"));
}

TEST_CASE("a line that the options do not fit, or a limit, is told under its model; the statuses are of the worst") {
  const std::vector<std::string> documents = {on_one_line(support::random_document(support::Kind::plain, 3))};
  const Outcome unfit = takt({"evaluate", "-", "--lines", "--method", "pattern"}, documents[0]);
  REQUIRE(unfit.status == tools::kBadInput);
  const std::vector<ordered_json> found = objects_of(unfit.out);
  REQUIRE(found.size() == 2);
  REQUIRE(found[0]["exact"] == true);
  REQUIRE(found[1]["model"] == "strict");
  REQUIRE_THAT(found[1]["error"].get<std::string>(), Contains("standard input:1: --method pattern does not fit"));

  const Outcome limit = takt({"evaluate", "-", "--lines", "--method", "unfold", "--max-rows", "1"}, documents[0]);
  REQUIRE(limit.status == tools::kLimit);
  REQUIRE(objects_of(limit.out)[0]["exact"] == false);
  REQUIRE(limit.err.empty());

  const std::string low = R"("predicted_period":"1/1000",)" + documents[0].substr(1);
  REQUIRE(takt({"verify", "-", "--lines"}, "{" + low).status == tools::kNo);
  REQUIRE(takt({"verify", "-", "--lines"}, "{" + low + "\n{").status == tools::kBadInput);
}

TEST_CASE("options that make no sense for lines are refused") {
  const std::string a = source("examples/example-a.json");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"evaluate", a, a, "--lines"}, "--lines: found 2 files, expected one, or - for standard input"},
      {{"verify", a, a, "--lines"}, "--lines: found 2 files, expected one, or - for standard input"},
      {{"evaluate", a, "--jobs", "2"}, "--jobs goes with --lines"},
      {{"verify", a, "--jobs", "2"}, "--jobs goes with --lines"},
      {{"evaluate", a, "--lines", "--jobs", "2000"}, "--jobs: found 2000, expected at most 1024"},
      {{"evaluate", a, "--lines", "--certificate", "c"}, "--certificate goes with one file"},
      {{"evaluate", a, "--lines", "--verbose"}, "--verbose does not go with --lines"},
      {{"evaluate", a, "--lines", "--circuit", "full"}, "--circuit with --lines needs --json"},
      {{"evaluate", a, "--lines", "--latency"}, "with --lines need --json"},
  };
  for (const auto& [arguments, message] : cases) {
    const Outcome outcome = takt(arguments);
    REQUIRE(outcome.status == tools::kUsage);
    REQUIRE_THAT(outcome.err, Contains(message));
  }
  REQUIRE(takt({"evaluate", "/nowhere.jsonl", "--lines"}).status == tools::kBadInput);
  REQUIRE(takt({"evaluate", TAKT_SOURCE_DIR, "--lines"}).status == tools::kBadInput);
  REQUIRE(takt({"evaluate", "-", "--lines"}, "\n").status == tools::kAnswered);
}

TEST_CASE("a line through a pipe is answered before the next one comes") {
  const TemporaryFolder folder;
  const std::string output = folder.write("out.jsonl", "");
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  RunningProgram program({"evaluate", "-", "--lines", "--model", "strict"}, [&] {
    dup2(ends[0], STDIN_FILENO);
    close(ends[1]);
    dup2(open(output.c_str(), O_WRONLY), STDOUT_FILENO);
  });
  close(ends[0]);
  const auto answered = [&] { return lines_of(text_of(output)).size(); };
  const std::string document = on_one_line(support::random_document(support::Kind::plain, 3)) + "\n";
  for (std::size_t k = 1; k <= 3; ++k) {
    REQUIRE(write(ends[1], document.data(), document.size()) == static_cast<ssize_t>(document.size()));
    support::wait_in(folder.path(""), [&] { return answered() == k; });
  }
  close(ends[1]);
  REQUIRE(program.wait().status == tools::kAnswered);
}

TEST_CASE("memory stays that of a block, however long the file") {
  const TemporaryFolder folder;
  const std::string document = on_one_line(support::random_document(support::Kind::plain, 3));
  const auto peak = [&](int count) {
    // In pieces: the memory of this process would count as the other's.
    const std::string file = folder.path("many.jsonl");
    std::ofstream out(file);
    for (int k = 0; k < count; ++k) out << document << '\n';
    out.close();
    RunningProgram program({"evaluate", file, "--lines", "--jobs", "2", "--model", "overlap"});
    const Ending ending = program.wait();
    REQUIRE(ending.status == tools::kAnswered);
    return ending.peak;
  };
  const long short_peak = peak(2'000);
  const long long_peak = peak(20'000);
  if (kPeakCounts) REQUIRE(long_peak < short_peak + 6'000);
}

TEST_CASE("an output that takes no more ends the run; so does Ctrl-C, once the line in hand is done") {
  const TemporaryFolder folder;
  const std::string document = on_one_line(support::random_document(support::Kind::plain, 3));
  // Lines without end.
  const auto on = [&](const std::string& output) {
    return [&document, output] {
      int ends[2];
      if (pipe(ends) != 0) _exit(1);
      if (fork() == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execlp("yes", "yes", document.c_str(), nullptr);
        _exit(1);
      }
      dup2(ends[0], STDIN_FILENO);
      for (const int end : ends) close(end);
      dup2(open(output.c_str(), O_WRONLY), STDOUT_FILENO);
    };
  };
  RunningProgram full({"evaluate", "-", "--lines"}, on("/dev/full"));
  REQUIRE(full.wait().status == tools::kBadInput);

  const std::string output = folder.write("out.jsonl", "");
  RunningProgram interrupted({"evaluate", "-", "--lines", "--jobs", "2", "--model", "strict"}, on(output));
  support::wait_in(folder.path(""), [&] { return !text_of(output).empty(); });
  interrupted.send(SIGINT);
  const Ending ending = interrupted.wait();
  // Between two blocks it is the default action.
  REQUIRE((ending.status == tools::kLimit || ending.signal == SIGINT));
  const std::vector<ordered_json> found = objects_of(text_of(output));
  REQUIRE_FALSE(found.empty());
  for (std::size_t k = 0; k < found.size(); ++k) {
    REQUIRE(found[k]["line"] == k + 1);
    REQUIRE(found[k]["exact"] == true);
  }
}

}  // namespace
}  // namespace takt::testing
