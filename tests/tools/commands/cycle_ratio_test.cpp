// takt cycle-ratio: graphs in three forms, what is found, and certificates through takt check.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tpn/errors.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

const std::string kRing = "examples/ring.graph";

Outcome cycle_ratio_of(const std::string& text, const std::vector<std::string>& more = {}) {
  return takt(appended({"cycle-ratio", "-"}, more), text);
}

std::string found_ratio(const std::string& text, const std::vector<std::string>& more = {}) {
  const Outcome outcome = cycle_ratio_of(text, appended(more, {"--json"}));
  INFO(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  return ordered_json::parse(outcome.out).at("ratio").get<std::string>();
}

std::string graph_error(const std::string& text) {
  try {
    tools::read_ratio_graph(text, "g");
  } catch (const tpn::ParseError& error) {
    const Outcome outcome = cycle_ratio_of(text);
    REQUIRE(outcome.status == tools::kBadInput);
    REQUIRE(outcome.out.empty());
    return error.what();
  }
  return "";
}

void save(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

// An SDF3 graph of actors with these times and channels "from to tokens produced consumed", by numbers of actors.
struct Sdf3Channel {
  int from = 0;
  int to = 0;
  std::string tokens;
  int produced = 1;
  int consumed = 1;
};

std::string sdf3_text(const std::vector<std::string>& times, const std::vector<Sdf3Channel>& channels) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<sdf3 type=\"sdf\" version=\"1.0\">\n<applicationGraph name=\"g\">\n<sdf>\n";
  for (std::size_t a = 0; a < times.size(); ++a) {
    text += "<actor name=\"a" + std::to_string(a) + "\" type=\"t\">\n";
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const auto port = [&](const char* type, int rate) {
        text += "<port name=\"" + std::string(type) + std::to_string(c) + "\" type=\"" + type + "\" rate=\"" +
                std::to_string(rate) + "\"/>\n";
      };
      if (channels[c].from == static_cast<int>(a)) port("out", channels[c].produced);
      if (channels[c].to == static_cast<int>(a)) port("in", channels[c].consumed);
    }
    text += "</actor>\n";
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::string number = std::to_string(c);
    text += "<channel name=\"c" + number + "\" srcActor=\"a" + std::to_string(channels[c].from) + "\" srcPort=\"out" +
            number + "\" dstActor=\"a" + std::to_string(channels[c].to) + "\" dstPort=\"in" + number + "\"" +
            (channels[c].tokens.empty() ? "" : " initialTokens=\"" + channels[c].tokens + "\"") + "/>\n";
  }
  text += "</sdf>\n<sdfProperties>\n";
  for (std::size_t a = 0; a < times.size(); ++a) {
    text += "<actorProperties actor=\"a" + std::to_string(a) +
            "\"><processor type=\"slow\"><executionTime time=\"999\"/></processor><processor type=\"p\" "
            "default=\"true\"><executionTime time=\"" +
            times[a] + "\"/></processor></actorProperties>\n";
  }
  return text + "</sdfProperties>\n</applicationGraph>\n</sdf3>\n";
}

// A random graph in the three forms; weights leave vertices, so that SDF3 can say them.
struct ThreeForms {
  std::string list;
  std::string json;
  std::string sdf3;
};

ThreeForms random_forms(boost::random::mt19937_64& engine) {
  const auto between = [&](int least, int most) {
    return boost::random::uniform_int_distribution<int>(least, most)(engine);
  };
  const int vertices = between(1, 6);
  std::vector<std::string> times;
  for (int v = 0; v < vertices; ++v)
    times.push_back(std::to_string(between(0, 30)) + "/" + std::to_string(between(1, 7)));
  std::vector<Sdf3Channel> channels;
  const int arcs = between(1, 3 * vertices);
  ThreeForms forms;
  ordered_json arcs_json = ordered_json::array();
  for (int c = 0; c < arcs; ++c) {
    const int from = between(0, vertices - 1);
    const int to = between(0, vertices - 1);
    const int tokens = between(from < to || between(0, 15) == 0 ? 0 : 1, 3);
    channels.push_back({from, to, std::to_string(tokens)});
    const std::string a = "a" + std::to_string(from);
    const std::string b = "a" + std::to_string(to);
    forms.list += a + "\t" + b + "  " + times[static_cast<std::size_t>(from)] + " " + std::to_string(tokens) + "\r\n";
    arcs_json.push_back({{"from", a}, {"to", b}, {"tokens", tokens}});
  }
  ordered_json vertices_json = ordered_json::array();
  for (int v = 0; v < vertices; ++v) {
    vertices_json.push_back({{"name", "a" + std::to_string(v)}, {"time", times[static_cast<std::size_t>(v)]}});
  }
  forms.json = ordered_json{{"arcs", arcs_json}, {"vertices", vertices_json}}.dump();
  forms.sdf3 = sdf3_text(times, channels);
  return forms;
}

TEST_CASE("a graph in DIMACS's form is read as one, each arc with a token") {
  const Outcome outcome = takt({"cycle-ratio", "-"}, "c two arcs\np sp 3 2\na 1 2 4\na 2 1 5\n");
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("largest ratio  4.5 per token") && Contains("weight 9, 2 tokens"));
  // A list of arcs may begin with a vertex called c or p.
  CHECK_THAT(takt({"cycle-ratio", "-"}, "p sp 3 2\nsp p 5 2\n").err,
             Contains("found \"sp\", expected a FROM TO WEIGHT"));
  CHECK_THAT(takt({"cycle-ratio", "-"}, "c p 3 1\np c 5 1\n").out, Contains("largest ratio  4 per token"));
  CHECK_THAT(takt({"cycle-ratio", "-"}, "p sp 2 1\na 1 3 4\n").err,
             Contains("found \"3\", expected a vertex from 1 to 2"));
  CHECK_THAT(takt({"cycle-ratio", "-"}, "p sp 2 2\na 1 2 4\n").err, Contains("found 1 arc, expected the 2 of"));
}

TEST_CASE("the ring of the examples has the ratio 15/4, its three arcs named") {
  const Outcome outcome = takt({"cycle-ratio", source(kRing)});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  CHECK_THAT(outcome.out, Contains("largest ratio  3.75 per token"));
  CHECK_THAT(outcome.out, Contains("Critical cycle: 3 arcs, weight 7.5, 2 tokens"));
  const auto json = ordered_json::parse(takt({"cycle-ratio", source(kRing), "--json"}).out);
  CHECK(json.at("ratio") == "15/4");
  CHECK(json.at("ratio_decimal") == 3.75);
  CHECK(json.at("cycle").at("arcs").size() == 3);
  CHECK(json.at("cycle").at("arcs")[0].at("weight").is_string());
  CHECK(json.at("vertex_count") == 3);
}

TEST_CASE("tokens are 1 by default, comments and blanks count for nothing, and --min asks for the smallest ratio") {
  const std::string text = "\xEF\xBB\xBF# two loops\n\n a\ta 3\r\nb b -1/2 2 # half of it\nb a 7 0";
  CHECK(found_ratio(text) == "3");
  CHECK(found_ratio(text, {"--min"}) == "-1/4");
  for (const char* solver : {"howard", "karp", "burns"})
    CHECK(found_ratio(text, {"--min", "--solver", solver}) == "-1/4");
}

TEST_CASE("a graph without a cycle, and one with a cycle without tokens, are answered no") {
  const Outcome path = cycle_ratio_of("a b 3\nb c 4");
  CHECK(path.status == tools::kNo);
  CHECK_THAT(path.out, Contains("No cycle, hence no ratio."));
  const Outcome deadlock = cycle_ratio_of("a a 9\nb c 1 0\nc b -1 0");
  CHECK(deadlock.status == tools::kNo);
  CHECK_THAT(deadlock.out, Contains("Deadlock") && Contains("2 arcs, weight 0, 0 tokens"));
  const auto json = ordered_json::parse(cycle_ratio_of("a a 0 0", {"--json"}).out);
  CHECK(json.at("outcome") == "deadlock");
  CHECK(json.at("ratio").is_null());
  const auto empty = ordered_json::parse(cycle_ratio_of("{\"arcs\": []}", {"--json"}).out);
  CHECK(empty.at("outcome") == "no cycle");
  CHECK(empty.at("cycle").is_null());
}

TEST_CASE("a long cycle is shown as an excerpt, and whole where that is asked for") {
  std::string text;
  for (int v = 0; v < 30; ++v) text += "v" + std::to_string(v) + " v" + std::to_string((v + 1) % 30) + " 1\n";
  CHECK_THAT(cycle_ratio_of(text).out, Contains("... and 10 more (--circuit full shows all)"));
  CHECK_THAT(cycle_ratio_of(text, {"--circuit", "full"}).out, !Contains("more"));
  const auto json = ordered_json::parse(cycle_ratio_of(text, {"--json"}).out);
  CHECK(json.at("cycle").at("length") == 30);
  CHECK(json.at("cycle").at("arcs").size() == 20);
}

TEST_CASE("a list of arcs with a slip is told with its line and column") {
  CHECK(graph_error("a b 3\n# c\n  a b\n") == "g:3:3: found 2 words, expected FROM TO WEIGHT [TOKENS]");
  CHECK(graph_error("a b nan") == "g:1:5: found \"nan\", expected a number such as 12, 0.5 or \"7/2\"");
  CHECK(graph_error("a b 1/0") == "g:1:5: found \"1/0\", expected a denominator greater than 0");
  CHECK(graph_error("a b 1e400000") == "g:1:5: found \"1e400000\", expected a number with an exponent within +-300");
  CHECK(graph_error("a b " + std::string(2000, '7')).ends_with("expected a number of at most 1000 digits"));
  for (const char* tokens : {"18446744073709551616", "-1", "1.5", "x", "+1"}) {
    CHECK(graph_error(std::string("a b 3 ") + tokens) ==
          "g:1:7: found \"" + std::string(tokens) + "\", expected a whole number of tokens below 2^64");
  }
  CHECK(graph_error("a b 3 1 x") == "g:1:9: found \"x\", expected the end of the line");
  CHECK(graph_error("") == "g:1:1: found no arc, expected lines FROM TO WEIGHT [TOKENS], an arc each");
  CHECK(graph_error("# nothing") == "g:1:1: found no arc, expected lines FROM TO WEIGHT [TOKENS], an arc each");
  CHECK(graph_error(std::string("a b 3\nb \0 3", 11)) == "g:2:3: found a NUL byte, expected text");
  CHECK(graph_error("a b 3\nb \xff 3") == "g:2:3: found the byte 0xff, expected UTF-8 text");
}

TEST_CASE("a JSON graph with a slip is told with its place and pointer") {
  CHECK(graph_error("[1]") == "g:1:1: found an array, expected an object: a graph");
  CHECK(graph_error("{}") == "g:1:1: found a graph without \"arcs\", expected the key \"arcs\"");
  CHECK_THAT(graph_error("{\"arc\": []}"),
             Contains("g:1:2: /arc: found the unknown key \"arc\"") && Contains("did you mean \"arcs\"?"));
  const std::string arc = "{\"from\": \"a\", \"to\": \"a\", \"weight\": 1}";
  CHECK_THAT(graph_error("{\"arcs\": [" + arc + ", " + arc + ",\n {\"from\": \"a\"}]}"),
             Contains("g:2:2: /arcs/2: found an arc without \"to\""));
  CHECK(graph_error("{\"arcs\": [" + arc + ",\n 3, {}]}") ==
        "g:2:2: /arcs/1: found the number 3, expected an object: an arc");
  CHECK_THAT(graph_error("{\"arcs\": [{\"from\": \"a\", \"to\": \"a\", \"wieght\": 1}]}"),
             Contains("/arcs/0/wieght: found the unknown key \"wieght\" (did you mean \"weight\"?)"));
  CHECK_THAT(graph_error("{\"arcs\": [{\"from\": \"a\", \"to\": \"a\", \"tokens\": 18446744073709551616}]}"),
             Contains("/arcs/0/tokens: found the number 18446744073709551616") && Contains("below 2^64"));
  CHECK_THAT(graph_error("{\"arcs\": [{\"from\": \"a\", \"to\": \"a\", \"weight\": \"1e400000\"}]}"),
             Contains("/arcs/0/weight") && Contains("exponent"));
  CHECK_THAT(graph_error("{\"vertices\": [{\"name\": \"a\"}, {\"name\": \"a\"}], \"arcs\": []}"),
             Contains("/vertices/1/name: found a second vertex \"a\""));
  CHECK_THAT(graph_error("{\"arcs\": [" + arc +
                         ", {\"from\": \"a\", \"to\": \"gata\"}],\n\"vertices\": [{\"name\": "
                         "\"a\"}, {\"name\": \"gate\"}]}"),
             Contains("/arcs/1/to: found the unknown vertex \"gata\" (did you mean \"gate\"?)"));
  CHECK_THAT(graph_error("{\"arcs\": [], \"data_sets\": 0}"), Contains("/data_sets: found the number 0"));
  CHECK_THAT(graph_error("{\"arcs\": " + std::string(100, '[')), Contains("nested more than 64 levels"));
}

TEST_CASE("a JSON graph may say what a token stands for, in which unit, and times of vertices") {
  const std::string text =
      "{\"name\": \"net\", \"data_sets\": \"6\", \"time_unit\": \"s\", \"vertices\": [{\"name\": \"a\", \"time\": "
      "\"5/2\"}, {\"name\": \"b\"}], \"arcs\": [{\"from\": \"a\", \"to\": \"b\", \"tokens\": 0}, {\"from\": \"b\", "
      "\"to\": \"a\", \"weight\": 0.5}]}";
  const Outcome table = cycle_ratio_of(text);
  CHECK_THAT(table.out, Contains("3 s per token") && Contains("0.5 s per data set, a token stands for 6 data sets"));
  const auto json = ordered_json::parse(cycle_ratio_of(text, {"--json"}).out);
  CHECK(json.at("ratio") == "3");
  CHECK(json.at("period") == "1/2");
  CHECK(json.at("time_unit") == "s");
}

TEST_CASE("SDF3's graphs take an actor's default processor, and actors overlap themselves unless a loop forbids it") {
  CHECK(found_ratio(sdf3_text({"3", "7/2", "1"}, {{0, 1, ""}, {1, 2, "0"}, {2, 0, "2"}})) == "15/4");
  CHECK(found_ratio(sdf3_text({"3", "5"}, {{0, 1, ""}, {1, 0, "4"}})) == "2");
  CHECK(found_ratio(sdf3_text({"3", "5"}, {{0, 1, ""}, {1, 0, "4"}, {1, 1, "1"}})) == "5");
}

TEST_CASE("an SDF3 graph with rates beyond 1 is unfolded over its repetition vector") {
  const Outcome outcome = cycle_ratio_of(sdf3_text({"1", "1"}, {{0, 1, "0", 3, 2}, {1, 0, "9", 2, 3}}));
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("5 vertices") && Contains("a1#"));
  CHECK(found_ratio(sdf3_text({"3", "5"}, {{0, 1, "0", 2, 1}, {1, 0, "2", 1, 2}, {1, 1, "1"}})) == "13");
}

TEST_CASE("an SDF3 graph with a slip is told with its line") {
  CHECK_THAT(graph_error(sdf3_text({"1", "1"}, {{0, 1, "0", 3, 2}, {1, 0, "9", 1, 1}})),
             Contains("rates that no repetition vector balances"));
  CHECK_THAT(graph_error(sdf3_text({"1"}, {{0, 0, "18446744073709551616"}})),
             Contains("g:") && Contains("found \"18446744073709551616\""));
  CHECK_THAT(graph_error(sdf3_text({"-1"}, {{0, 0, "1"}})), Contains("found \"-1\", expected a number of at least 0"));
  CHECK_THAT(graph_error("<sdf3 type=\"xsdf\"/>"), Contains("found the type \"xsdf\", expected type=\"sdf\" or"));
  CHECK_THAT(graph_error("<net/>"), Contains("the element \"net\"") && Contains("sdf3"));
  CHECK_THAT(graph_error("<sdf3 type=\"sdf\">\n<a>"), Contains("expected XML"));
  CHECK_THAT(graph_error("<sdf3 type=\"sdf\"/>"), Contains("without applicationGraph"));
  std::string unknown = sdf3_text({"1"}, {{0, 0, "1"}});
  unknown.replace(unknown.find("srcActor=\"a0\""), 13, "srcActor=\"b7\"");
  CHECK_THAT(graph_error(unknown), Contains("the unknown actor \"b7\""));
  std::string timeless = sdf3_text({"1"}, {{0, 0, "1"}});
  timeless.replace(timeless.find("default=\"true\""), 14, "");
  CHECK_THAT(graph_error(timeless), Contains("the actor \"a0\" without an execution time"));
  // Entities are no way to make a text grow, nor nesting one to the end of a stack.
  std::string bomb = "<?xml version=\"1.0\"?><!DOCTYPE sdf3 [<!ENTITY a \"aaaaaaaaaa\">";
  for (char c = 'b'; c < 'k'; ++c) {
    bomb += std::string("<!ENTITY ") + c + " \"";
    for (int i = 0; i < 10; ++i) bomb += std::string("&") + static_cast<char>(c - 1) + ";";
    bomb += "\">";
  }
  CHECK_THAT(graph_error(bomb + "]><sdf3 type=\"&j;\"/>"), Contains("found the type \"&j;\""));
  std::string deep = "<sdf3 type=\"sdf\">";
  for (int i = 0; i < 200'000; ++i) deep += "<a>";
  CHECK_THAT(graph_error(deep), Contains("expected XML"));
}

TEST_CASE(
    "random graphs have the same ratio in all three forms by all solvers, and certificates that takt check proves") {
  const TemporaryFolder folder;
  boost::random::mt19937_64 engine(51);
  int proofs = 0;
  for (int round = 0; round < 120; ++round) {
    const ThreeForms forms = random_forms(engine);
    INFO("round " << round << "\n" << forms.list);
    const std::vector<std::string> extreme =
        round % 2 == 0 ? std::vector<std::string>{} : std::vector<std::string>{"--min"};
    std::vector<std::string> results;
    for (const std::string* text : {&forms.list, &forms.json, &forms.sdf3}) {
      for (const char* solver : {"howard", "karp", "burns"}) {
        const Outcome outcome = cycle_ratio_of(*text, appended({"--json", "--solver", solver}, extreme));
        REQUIRE(outcome.err.empty());
        const auto json = ordered_json::parse(outcome.out);
        results.push_back(json.at("outcome").get<std::string>() + json.at("ratio").dump());
      }
    }
    for (const std::string& result : results) REQUIRE(result == results.front());
    const std::string certificate = folder.path("certificate.json");
    cycle_ratio_of(forms.json, appended({"--certificate", certificate}, extreme));
    const Outcome checked = takt({"check", "-", certificate}, forms.json);
    INFO(checked.out << checked.err);
    REQUIRE(checked.status == tools::kAnswered);
    REQUIRE_THAT(checked.out, Catch::StartsWith("Proved: "));
    ++proofs;
  }
  CHECK(proofs == 120);
}

TEST_CASE("takt check proves ratios, deadlocks and graphs without cycles, and says why it refuses others") {
  const TemporaryFolder folder;
  const std::string certificate = folder.path("c.json");
  const auto checked = [&](const std::string& graph, const auto& change, const std::vector<std::string>& more = {}) {
    auto json = ordered_json::parse(text_of(certificate));
    change(json);
    save(certificate, json.dump());
    return takt(appended({"check", "-", certificate}, more), graph);
  };
  const auto same = [](ordered_json&) {};
  const std::string ring = text_of(source(kRing));
  const auto renew = [&](const std::string& graph) { cycle_ratio_of(graph, {"--certificate", certificate}); };

  renew(ring);
  CHECK_THAT(text_of(source("docs/certificates.md")), Contains(text_of(certificate)));
  CHECK(checked(ring, same).out == "Proved: the largest cycle ratio is 15/4.\n");
  const auto json = ordered_json::parse(checked(ring, same, {"--json"}).out);
  CHECK(json.at("verdict") == "proved");
  CHECK(json.at("ratio") == "15/4");
  const auto refused = [&](const auto& change) {
    renew(ring);
    const Outcome outcome = checked(ring, change);
    CHECK(outcome.status == tools::kNo);
    return outcome.out;
  };
  CHECK_THAT(refused([](ordered_json& c) { c["ratio"] = "4"; }),
             Contains("the largest cycle ratio is 4: the cycle weighs 15/2 for 2 tokens"));
  const std::string two = ring + "c a 0 2\n";
  renew(two);
  CHECK_THAT(checked(two, [](ordered_json& c) { c["claim"] = "smallest ratio"; }).out,
             Contains("Refused") && Contains("values do not keep arc"));
  CHECK_THAT(refused([](ordered_json& c) { c["values"].erase(1); }), Contains("no value of the vertex"));
  CHECK_THAT(refused([](ordered_json& c) { c["values"].push_back(c["values"][0]); }), Contains("two values"));
  CHECK_THAT(refused([](ordered_json& c) { c["values"][0]["vertex"] = "z"; }), Contains("no vertex \"z\""));
  CHECK_THAT(refused([](ordered_json& c) { c["cycle"][0]["arc"] = 77; }), Contains("no arc 77"));
  CHECK_THAT(refused([](ordered_json& c) { c["cycle"][0]["from"] = "c"; }), Contains("leads from"));
  CHECK_THAT(refused([](ordered_json& c) { c["cycle"].erase(0); }), Contains("does not begin where"));
  CHECK_THAT(refused([](ordered_json& c) { c["cycle"].clear(); }), Contains("the cycle has no arc"));
  CHECK_THAT(refused([](ordered_json& c) {
               c = {{"claim", "no cycle"}, {"order", {"a", "b", "c"}}};
             }),
             Contains("does not lead forward"));
  CHECK_THAT(refused([](ordered_json& c) {
               c = {{"claim", "deadlock"}, {"cycle", c["cycle"]}};
             }),
             Contains("the cycle has 2 tokens"));

  const auto bad = [&](const auto& change) {
    renew(ring);
    const Outcome outcome = checked(ring, change);
    CHECK(outcome.status == tools::kBadInput);
    return outcome.err;
  };
  CHECK_THAT(bad([](ordered_json& c) { c["claim"] = "best"; }), Contains("/claim: found the text \"best\""));
  CHECK_THAT(bad([](ordered_json& c) { c["denominator"] = 0; }), Contains("/denominator"));
  CHECK_THAT(bad([](ordered_json& c) { c["values"][0]["value"] = "1/2"; }), Contains("expected a whole number"));
  CHECK_THAT(bad([](ordered_json& c) { c["order"] = {"a"}; }), Contains("unknown key \"order\""));
  CHECK_THAT(bad([](ordered_json& c) { c["model"] = "strict"; }), Contains("unknown key \"model\""));
  CHECK_THAT(bad([](ordered_json& c) { c.erase("cycle"); }), Contains("without \"cycle\""));

  renew("a b 1 0\nb a 1 0");
  CHECK(checked("a b 1 0\nb a 1 0", same).out == "Proved: there is a cycle without tokens.\n");
  CHECK(checked("a b 1 0\nb a 1 1", same).status == tools::kNo);
  renew("a b 1\nb c 1");
  CHECK(checked("a b 1\nb c 1", same).out == "Proved: there is no cycle.\n");
  CHECK(checked("a b 1\nb c 1\nc a 1", same).status == tools::kNo);
  CHECK(checked("a b 1\nb d 1", same).status == tools::kNo);
}

TEST_CASE("a certificate of long numbers is checked as long as its time goes") {
  const TemporaryFolder folder;
  const std::string certificate = folder.path("c.json");
  std::string star;
  for (int i = 0; i < 2000; ++i) star += "hub hub 1/" + std::string(900, '7') + " 1\n";
  cycle_ratio_of(star, {"--certificate", certificate});
  auto json = ordered_json::parse(text_of(certificate));
  json["values"][0]["value"] = std::string(90'000, '7');
  json["denominator"] = std::string(90'000, '3');
  save(certificate, json.dump());
  const Outcome outcome = takt({"check", "-", certificate, "--time-limit", "1e-9"}, star);
  CHECK(outcome.status == tools::kLimit);
  CHECK_THAT(outcome.err, Contains("the time limit was reached"));
}

TEST_CASE("a time limit ends the reading of a graph, its solver, and its proof") {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += fmt::format("{} {} {}\n", i, i + 1, i);
  const Outcome reading = cycle_ratio_of(many + "20000 0 1\n", {"--time-limit", "0.000001"});
  CHECK(reading.status == tools::kLimit);
  CHECK(reading.err == "takt: standard input: the time limit was reached while the graph was read\n");
  CHECK(reading.out.empty());
  CHECK(cycle_ratio_of(many + "20000 0 1\n", {"--time-limit", "1h"}).status == tools::kAnswered);
}

TEST_CASE("names of graphs act on no terminal, and denominators that blow up meet a limit") {
  const Outcome odd = cycle_ratio_of("{\"arcs\": [{\"from\": \"\\u001b[2J\", \"to\": \"\\u001b[2J\", \"weight\": 2}]}");
  CHECK(odd.status == tools::kAnswered);
  CHECK_THAT(odd.out, !Contains("\x1b") && Contains("\\u001b"));
  std::string primes;
  boost::random::mt19937_64 engine(7);
  for (int i = 0; i < 900; ++i) {
    std::string digits = "1";
    for (int d = 0; d < 900; ++d) {
      digits += static_cast<char>('0' + boost::random::uniform_int_distribution<int>(0, 9)(engine));
    }
    primes += "a a 1/" + digits + "\n";
  }
  const Outcome limited = cycle_ratio_of(primes);
  CHECK(limited.status == tools::kLimit);
  CHECK_THAT(limited.err, Contains("words of 64 bits or more for the weights over one denominator"));
  CHECK(cycle_ratio_of("a b 1 18446744073709551615\nb a 1 18446744073709551615", {"--solver", "karp"}).status ==
        tools::kLimit);
  CHECK(found_ratio("a b 1 18446744073709551615\nb a 1 18446744073709551615") == "1/18446744073709551615");
}

TEST_CASE("what takt cycle-ratio is asked for must go together") {
  CHECK(takt({"cycle-ratio", source(kRing), "--certificate", "-"}).status == tools::kUsage);
  CHECK(takt({"cycle-ratio", source(kRing), "--certificate", source(kRing)}).status == tools::kBadInput);
  CHECK(takt({"cycle-ratio", source(kRing), "--solver", "fancy"}).status == tools::kUsage);
  CHECK(takt({"cycle-ratio", "nowhere.graph"}).status == tools::kBadInput);
}

}  // namespace
}  // namespace takt::testing
