// takt cycle-ratio: graphs in the forms of other tools, dataflow unfolded, components and potentials.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "maxplus/rational_graph.hpp"
#include "tests/tools/interchange/read_back.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tpn/errors.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

Outcome answer_of(const std::string& text, const std::vector<std::string>& more = {}) {
  return takt(appended({"cycle-ratio", "-"}, more), text);
}

std::string ratio_in(const std::string& text) {
  const Outcome outcome = answer_of(text, {"--json"});
  INFO(outcome.err);
  REQUIRE((outcome.status == tools::kAnswered || outcome.status == tools::kNo));
  const auto json = ordered_json::parse(outcome.out);
  return json.at("outcome").get<std::string>() + json.at("ratio").dump();
}

std::string error_in(const std::string& text) {
  const Outcome outcome = answer_of(text);
  CHECK(outcome.status == tools::kBadInput);
  return outcome.err;
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  int operator()(int least, int most) { return boost::random::uniform_int_distribution<int>(least, most)(engine_); }

 private:
  boost::random::mt19937_64 engine_;
};

// A random graph in the forms that can say it.
std::vector<std::string> forms_of(Draw& draw) {
  const int vertices = draw(1, 6);
  std::string list;
  std::string csv = "tokens,from,weight,to\r\n";
  std::string lgf = "# drawn\n@nodes\nlabel x\n";
  ordered_json nodes = ordered_json::array();
  ordered_json links = ordered_json::array();
  for (int v = 0; v < vertices; ++v) {
    lgf += fmt::format("v{} {}\n", v, v * v);
    nodes.push_back({{"id", fmt::format("v{}", v)}, {"color", "red"}});
  }
  lgf += "@arcs\n\t\tlabel weight tokens\n";
  for (int k = draw(1, 3 * vertices); k > 0; --k) {
    const int from = draw(0, vertices - 1);
    const int to = draw(0, vertices - 1);
    const int tokens = draw(from < to || draw(0, 15) == 0 ? 0 : 1, 3);
    const std::string weight =
        draw(0, 1) == 0 ? fmt::format("{}", draw(-30, 30)) : fmt::format("{}.{}", draw(0, 9), draw(0, 99));
    list += fmt::format("v{} v{} {} {}\n", from, to, weight, tokens);
    csv += fmt::format("{},\"v{}\",{},v{}\r\n", tokens, from, weight, to);
    lgf += fmt::format("v{} \"v{}\" {} {} {}\n", from, to, k, weight, tokens);
    links.push_back({{"source", fmt::format("v{}", from)},
                     {"target", fmt::format("v{}", to)},
                     {"key", k},
                     {"weight", weight},
                     {"tokens", tokens}});
  }
  lgf += "@attributes\nsource v0\n";
  const ordered_json graph = {
      {"directed", true}, {"multigraph", true}, {"graph", {{"arcs", 1}}}, {"nodes", nodes}, {"links", links}};
  return {list, csv, lgf, graph.dump(1)};
}

// Cyclo-static dataflow that is consistent, as XML that the second reader takes too.
std::string drawn_dataflow(Draw& draw) {
  struct Phases {
    int repetitions;
    int count;
  };
  std::vector<Phases> actors;
  std::vector<std::string> ports;
  for (int a = draw(1, 4); a > 0; --a) {
    actors.push_back({draw(1, 4), draw(1, 3)});
    ports.emplace_back();
  }
  // `sum` tokens in so many phases.
  const auto list_of = [&](int sum, int phases) {
    std::vector<int> rates(static_cast<std::size_t>(phases), 0);
    for (; sum > 0; --sum) ++rates[static_cast<std::size_t>(draw(0, phases - 1))];
    return fmt::format("{}", fmt::join(rates, ","));
  };
  std::string channels;
  const int last = static_cast<int>(actors.size()) - 1;
  for (int c = draw(1, 2 * last + 3); c > 0; --c) {
    const auto from = static_cast<std::size_t>(draw(0, last));
    const auto to = static_cast<std::size_t>(draw(0, last));
    const int all = std::lcm(actors[from].repetitions, actors[to].repetitions) * draw(1, 2);
    ports[from] += fmt::format("<port name=\"o{}\" type=\"out\" rate=\"{}\"/>", c,
                               list_of(all / actors[from].repetitions, actors[from].count));
    ports[to] += fmt::format("<port name=\"i{}\" type=\"in\" rate=\"{}\"/>", c,
                             list_of(all / actors[to].repetitions, actors[to].count));
    channels += fmt::format(
        "<channel name=\"c{0}\" srcActor=\"a{1}\" srcPort=\"o{0}\" dstActor=\"a{2}\" dstPort=\"i{0}\" "
        "initialTokens=\"{3}\"/>\n",
        c, from, to, draw(0, 2 * all + 1));
  }
  std::string text =
      "<!-- divided by 1 it is the period per data set -->\n<sdf3 type=\"csdf\"><applicationGraph name=\"g\"><csdf "
      "name=\"g\" type=\"g\">\n";
  std::string times;
  for (std::size_t a = 0; a < actors.size(); ++a) {
    text += fmt::format("<actor name=\"a{}\" type=\"t\">{}</actor>\n", a, ports[a]);
    std::vector<int> phases;
    for (int k = 0; k < actors[a].count; ++k) phases.push_back(draw(0, 9));
    times += fmt::format(
        "<actorProperties actor=\"a{}\"><processor type=\"p\" default=\"true\"><executionTime time=\"{}\"/></processor>"
        "</actorProperties>\n",
        a, fmt::join(phases, ","));
  }
  return text + channels + "</csdf><csdfProperties>\n" + times + "</csdfProperties></applicationGraph></sdf3>\n";
}

// Of a textbook unfolding, token by token.
std::string unfolded_ratio(const std::string& text) {
  const GraphRead graph = read_dataflow(text);
  std::vector<maxplus::RationalArc> arcs;
  for (const WeighedArc& arc : graph.arcs) arcs.push_back({arc.from, arc.to, arc.weight, arc.tokens});
  const auto answer = maxplus::cycle_ratio(graph.vertices, arcs, *maxplus::find_solver("burns"));
  if (const auto* cycle = std::get_if<maxplus::RatioCycle>(&answer)) {
    return "ratio\"" + cycle->ratio.to_string() + "\"";
  }
  return std::holds_alternative<maxplus::DeadlockCycle>(answer) ? "deadlocknull" : "no cyclenull";
}

TEST_CASE("random graphs have the same ratio and a proof as lists, CSV, LEMON's LGF and node-link JSON") {
  const TemporaryFolder folder;
  const std::string certificate = folder.path("c.json");
  Draw draw(61);
  for (int round = 0; round < 60; ++round) {
    const std::vector<std::string> forms = forms_of(draw);
    for (const std::string& text : forms) {
      INFO("round " << round << "\n" << text);
      REQUIRE(ratio_in(text) == ratio_in(forms.front()));
      answer_of(text, {"--certificate", certificate});
      REQUIRE(takt({"check", "-", certificate}, text).status == tools::kAnswered);
    }
  }
}

TEST_CASE("random cyclo-static dataflow has the ratio of an unfolding token by token, and a proof") {
  // More of them by TAKT_DATAFLOW_GRAPHS.
  const char* const told = std::getenv("TAKT_DATAFLOW_GRAPHS");
  const int graphs = told == nullptr ? 150 : std::stoi(told);
  const TemporaryFolder folder;
  const std::string certificate = folder.path("c.json");
  Draw draw(62);
  std::map<std::string, int> outcomes;
  for (int round = 0; round < graphs; ++round) {
    const std::string text = drawn_dataflow(draw);
    INFO("round " << round << "\n" << text);
    const std::string ratio = ratio_in(text);
    // There an actor that fires once has a loop, too, of no time.
    REQUIRE((ratio == "no cyclenull" ? "ratio\"0\"" : ratio) == unfolded_ratio(text));
    ++outcomes[ratio.substr(0, 5)];
    answer_of(text, {"--certificate", certificate});
    REQUIRE(takt({"check", "-", certificate}, text).status == tools::kAnswered);
  }
  CHECK(outcomes["ratio"] > graphs / 4);
  CHECK(outcomes["deadl"] > 0);
}

TEST_CASE("rates are lists, with how often a value comes, and what has no single period is refused") {
  const auto graph = [](const std::string& rate, const std::string& times, const std::string& type = "csdf") {
    return "<sdf3 type=\"" + type + "\"><applicationGraph name=\"g\"><sdf name=\"g\" type=\"g\"><actor name=\"a\">" +
           "<port name=\"i\" type=\"in\" rate=\"" + rate + "\"/><port name=\"o\" type=\"out\" rate=\"" + rate +
           "\"/></actor><channel name=\"c\" srcActor=\"a\" srcPort=\"o\" dstActor=\"a\" dstPort=\"i\" "
           "initialTokens=\"1\"/></sdf><sdfProperties><actorProperties actor=\"a\"><processor type=\"p\" "
           "default=\"true\"><executionTime time=\"" +
           times + "\"/></processor></actorProperties></sdfProperties></applicationGraph></sdf3>";
  };
  CHECK(ratio_in(graph("3*1", "1,2,3")) == "ratio\"6\"");
  CHECK(ratio_in(graph("1,1,1", "2*1,5")) == "ratio\"7\"");
  CHECK(ratio_in(graph("4*1", "7/2")) == "ratio\"14\"");
  CHECK_THAT(error_in(graph("2;1", "1")), Contains("found \"2;1\", phases that come once at the start"));
  CHECK_THAT(error_in(graph("1,1", "1,2,3")), Contains("expected 1 or 3, as the actor has"));
  CHECK_THAT(error_in(graph("0,0", "1")), Contains("found \"0,0\", expected a rate from 1 on"));
  CHECK_THAT(error_in(graph("1,x", "1")), Contains("found \"x\", expected a whole rate"));
  CHECK_THAT(error_in(graph("9999999999*1", "1")), Contains("expected at most 5000000 phases"));
  CHECK_THAT(error_in(graph("1", "1", "sadf")), Contains("the type \"sadf\", scenarios of which"));
  CHECK_THAT(error_in(graph("1", "1", "msg")), Contains("expected type=\"sdf\" or type=\"csdf\""));
}

TEST_CASE("a Matrix Market file is the graph of its entries, each with a token") {
  const std::string banner = "%%MatrixMarket matrix coordinate integer general\n% drawn\n";
  CHECK(ratio_in(banner + "3 3 3\n1 2 4\n2 1 5\n3 3 1\n") == "ratio\"9/2\"");
  CHECK(ratio_in("%%matrixmarket MATRIX coordinate real symmetric\n2 2 2\n2 1 -1.5\n1 1 -4\n") == "ratio\"-3/2\"");
  CHECK(ratio_in("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 7\n") == "ratio\"0\"");
  CHECK_THAT(error_in(banner + "2 3 1\n1 2 4\n"), Contains(":3:3: found \"3\", expected as many columns as rows, 2"));
  CHECK_THAT(error_in(banner + "2 2 2\n1 2 4\n"), Contains("found 1 entries, expected the 2 that the size says"));
  CHECK_THAT(error_in(banner + "2 2 1\n1 3 4\n"), Contains(":4:3: found \"3\", expected an index from 1 to 2"));
  CHECK_THAT(error_in(banner + "2 2 1\n1 2\n"), Contains("found 2 words, expected ROW COLUMN WEIGHT"));
  CHECK_THAT(error_in(banner), Contains("found no line with the size"));
  CHECK_THAT(error_in("%%MatrixMarket matrix coordinate pattern general\n"), Contains("found \"pattern\""));
  CHECK_THAT(error_in("%%MatrixMarket matrix array real general\n"), Contains("found \"array\""));
}

TEST_CASE("LGF, CSV and node-link JSON with a slip are told where, and undirected graphs are refused") {
  CHECK_THAT(error_in("@arcs\n  capacity\na b 3\n"), Contains(":2:1: found the maps capacity, expected one named"));
  CHECK_THAT(error_in("@nodes\nlabel\na\n@arcs\ncost\na b 3\n"), Contains(":6:3: found \"b\", expected the label"));
  CHECK_THAT(error_in("@arcs\ncost\na a\n"), Contains(":3:1: found 2 words, expected 3 words"));
  CHECK_THAT(error_in("@edges\ncost\na a 1\n"), Contains("found \"@edges\", expected a directed graph"));
  CHECK_THAT(error_in("@nodes\nlabel\n\"a\n"), Contains("found a quote that is not closed"));
  CHECK_THAT(error_in("@nodes\nlabel\na\n"), Contains("no section @arcs"));
  CHECK_THAT(error_in("from,to\na,b\n"), Contains(":1:1: found no column weight"));
  CHECK_THAT(error_in("from,to,weight,delay\na,b,1,1\n"), Contains("found the column \"delay\""));
  CHECK_THAT(error_in("from,to,weight\na,b\n"), Contains(":2:1: found 2 fields, expected 3"));
  CHECK_THAT(error_in("from,to,weight\na,b,x\n"), Contains(":2:1: found \"x\", expected a number"));
  const std::string nodes = "\"nodes\": [{\"id\": 1}, {\"id\": \"b\"}]";
  CHECK(ratio_in("{\"directed\": true, " + nodes +
                 ", \"edges\": [{\"source\": 1, \"target\": \"b\", \"weight\": 3}, {\"source\": \"b\", \"target\": 1, "
                 "\"weight\": 4}]}") == "ratio\"7/2\"");
  CHECK_THAT(error_in("{" + nodes + ", \"links\": []}"), Contains("without \"directed\""));
  CHECK_THAT(error_in("{\"directed\": false, " + nodes + ", \"links\": []}"), Contains("expected true: a directed"));
  CHECK_THAT(
      error_in("{\"directed\": true, " + nodes + ", \"links\": [{\"source\": 1, \"target\": 2, \"weight\": 1}]}"),
      Contains("/links/0/target: found the number 2, expected the id of a node"));
  CHECK_THAT(error_in("{\"directed\": true, " + nodes + ", \"links\": [{\"source\": 1, \"target\": 1}]}"),
             Contains("without \"weight\""));
}

TEST_CASE("each component has its ratio with --components, and --potentials writes an eigenvector") {
  const TemporaryFolder folder;
  const std::string potentials = folder.path("p.csv");
  const std::string text = "a b 3\nb a 5\nb c 100\nc d 1\nd c 1/2 3\nd e 7\n";
  const Outcome outcome = answer_of(text, {"--components", "--potentials", potentials});
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("2 strongly connected components"));
  CHECK_THAT(outcome.out, Contains("largest ratio  4 per token"));
  const auto json = ordered_json::parse(answer_of(text, {"--components", "--json"}).out);
  REQUIRE(json.at("components").size() == 2);
  CHECK(json.at("components")[0].at("ratio") == "4");
  CHECK(json.at("components")[0].at("first_vertex") == "a");
  CHECK(json.at("components")[1].at("ratio") == "3/8");
  CHECK(json.at("components")[1].at("length") == 2);
  CHECK(json.at("components")[1].at("arc_count") == 2);
  CHECK(text_of(potentials) == "vertex,component,ratio,potential\na,0,4,0\nb,0,4,1\nc,1,3/8,0\nd,1,3/8,-5/8\n");
  // d: 1/2 - 3 * 3/8 + 0; c: 1 - 3/8 - 5/8.
  CHECK(ordered_json::parse(answer_of(text, {"--components", "--min", "--json"}).out).at("ratio") == "3/8");
  const Outcome other = answer_of(text, {"--components", "--solver", "karp"});
  CHECK(other.status == tools::kUsage);
  CHECK_THAT(other.err, Contains("--components: found --solver karp, expected howard"));
  CHECK(answer_of("a b 1 0\nb a 1 0", {"--components"}).status == tools::kNo);
  CHECK(answer_of("a b 1", {"--components", "--json"}).status == tools::kNo);
}

}  // namespace
}  // namespace takt::testing
