// Files for other tools: read back, they have the period of the net; names do no harm; limits are told.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "maxplus/rational_graph.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/workflow_nets.hpp"
#include "tests/tools/interchange/read_back.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/interchange/format.hpp"
#include "tools/interchange/unfolded_net.hpp"
#include "tools/interchange/xml.hpp"
#include "tools/words/operation_words.hpp"
#include "tpn/capacity.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using Catch::Contains;
using maxplus::Rational;
using testing::appended;
using testing::GraphRead;
using testing::kExampleA;
using testing::lines_of;
using testing::Outcome;
using testing::period_in;
using testing::read_arcs;
using testing::read_dataflow;
using testing::read_pnml;
using testing::read_tina;
using testing::source;
using testing::takt;
using testing::TemporaryFolder;
using testing::text_of;

constexpr std::uint64_t kMany = 100'000;

std::string written(const ExportedNet& exported, std::string_view format) {
  const Exported made = export_net(*find_format(format), exported, kMany);
  if (const auto* reason = std::get_if<NotExported>(&made)) FAIL(reason->text);
  return std::get<InterchangeText>(made).text;
}

// As takt cycle-ratio reads it.
Rational cycle_ratio_in(const std::string& text) {
  const RatioGraph graph = *read_ratio_graph(text, "text");
  return std::get<maxplus::RatioCycle>(maxplus::cycle_ratio(graph.vertices.size(), graph.arcs)).ratio;
}

constexpr const char* kTwoPorts = R"({
  "application": {"stages": [{"name": "a", "time": {"P": 0}, "output": 10}, {"name": "b", "time": {"Q": 0}}]},
  "platform": {"processors": [{"name": "P", "ports": 2}, {"name": "Q", "ports": 2}], "bandwidth": 1},
  "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]}]
})";

// All formats of a net, read back.
void check_periods(const tpn::FoldedNet& net, const std::vector<std::string>& stages, bool has_pieces = false) {
  const ExportedNet exported{net, "net", stages, false};
  const Rational period = support::period_of(net);
  const std::string graph = written(exported, "graph");
  CHECK(period_in(read_arcs(graph)) == period);
  CHECK(cycle_ratio_in(graph) == period * Rational(read_arcs(graph).divisor));
  CHECK(period_in(read_pnml(written(exported, "pnml"))) == period);
  CHECK(period_in(read_tina(written(exported, "tina"))) == period);
  const std::string sdf3 = written(exported, "sdf3");
  CHECK(period_in(read_dataflow(sdf3)) == period);
  CHECK(cycle_ratio_in(sdf3) == period * Rational(read_dataflow(sdf3).divisor));
  const Exported csdf = export_net(*find_format("csdf"), exported, kMany);
  if (has_pieces) {
    CHECK_THAT(std::get<NotExported>(csdf).text, Catch::StartsWith("the pipeline falls into pieces"));
  } else {
    const std::string& text = std::get<InterchangeText>(csdf).text;
    CHECK(period_in(read_dataflow(text)) == period);
    CHECK(cycle_ratio_in(text) == period * Rational(read_dataflow(text).divisor));
  }
}

bool is_connected(const support::Workflow& workflow) {
  std::set<std::size_t> reached = {0};
  for (std::size_t round = 0; round < workflow.lengths.size(); ++round) {
    for (const auto& [from, to] : workflow.edges) {
      if (reached.contains(from) || reached.contains(to)) reached.insert({from, to});
    }
  }
  return reached.size() == workflow.lengths.size();
}

// Nets that no document can say.
void check_by_hand(std::uint64_t seeds) {
  support::Draw draw(11);
  const std::vector<std::string> stages = {"A", "B", "C", "D", "E"};
  for (std::uint64_t n = 0; n < seeds; ++n) {
    const support::Workflow workflow = n == 0 ? support::kTriangle : support::random_workflow(draw);
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      CAPTURE(n, workflow.lengths, workflow.edges, tpn::name_of(model));
      check_periods(support::workflow_net(workflow, model, draw), stages, !is_connected(workflow));
      support::Workflow chain = workflow;
      chain.edges.clear();
      for (std::size_t i = 0; i + 1 < chain.lengths.size(); ++i) chain.edges.emplace_back(i, i + 1);
      const auto kind = model == tpn::Model::kStrict ? tpn::ConstraintKind::processor : tpn::ConstraintKind::in_port;
      check_periods(support::with_shared_port(support::workflow_net(chain, model, draw), 1, 2, kind), stages);
    }
  }
}

TEST_CASE("every format holds nets that fork and join, and nets whose processors share a port") {
  check_by_hand(support::draws(40));
}

void check_random(std::uint64_t first_seed, std::uint64_t seeds) {
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
      const tpn::Document document = support::random_document(kind, seed);
      const auto models = support::all_models();
      for (std::size_t k = 0; k < models.size(); ++k) {
        CAPTURE(static_cast<int>(kind), seed, k);
        check_periods(support::net_of(document, models[k]), stage_names(document.application));
      }
    }
  }
}

// Nets that repeat before their processors do, and windows.
void check_alike(std::uint64_t first_seed, std::uint64_t seeds) {
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    const tpn::Document document = support::alike_document(seed, seed % 2 == 0);
    for (const tpn::Model& model : support::all_models()) {
      CAPTURE(seed, seed % 5);
      auto limited = tpn::with_capacity(support::net_of(document, model), {.buffers = {}, .window = seed % 5});
      check_periods(std::get<tpn::FoldedNet>(limited), stage_names(document.application));
    }
  }
}

// Nothing where a room, or the window, is too small.
std::optional<tpn::FoldedNet> net_within(const tpn::Document& document, const tpn::Model& model, std::uint64_t window) {
  try {
    auto limited = tpn::with_capacity(support::net_of(document, model), {.buffers = {}, .window = window});
    if (auto* const net = std::get_if<tpn::FoldedNet>(&limited)) return std::move(*net);
  } catch (const tpn::InvalidInstance&) {
  }
  return std::nullopt;
}

// Hosts, several ports, segments, workflows: as cyclo-static dataflow the period, or a refusal. How many were written.
std::size_t check_shared_ports(std::uint64_t first_seed, std::uint64_t seeds) {
  std::size_t exported = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    for (tpn::Document (*const make)(std::uint64_t) : {&support::host_document, &support::segment_document,
                                                       &support::workflow_document, &support::ordered_document}) {
      const tpn::Document document = make(seed);
      for (const tpn::Model& model : support::all_models()) {
        const auto net = net_within(document, model, seed % 5 * 3);
        if (!net) continue;
        CAPTURE(seed, tpn::name_of(model), tpn::write_document(document));
        const Exported csdf =
            export_net(*find_format("csdf"), {*net, "net", stage_names(document.application), false}, kMany);
        const auto* const text = std::get_if<InterchangeText>(&csdf);
        if (text == nullptr) continue;
        ++exported;
        CHECK(period_in(read_dataflow(text->text)) == support::period_of(*net));
      }
    }
  }
  return exported;
}

TEST_CASE("cyclo-static dataflow has the period where ports are shared, or several, or is refused") {
  CHECK(check_shared_ports(1, 25) > 50);
  const Outcome slower = takt({"export", source("tests/regressions/transfers-in-order-20-3.json"), "--model", "bounded",
                               "--rooms", "3", "--to", "csdf", "-o", "never.csdf"});
  CHECK(slower.status == kLimit);
  CHECK_THAT(slower.err, Contains("transfers from p0_0 to p1_0 need not"));
  tpn::Document document = tpn::read_document(kTwoPorts, "text");
  const auto exported = [&](const tpn::Model& model) {
    const tpn::FoldedNet net = support::net_of(document, model);
    return export_net(*find_format("csdf"), {net, "net", stage_names(document.application), false}, kMany);
  };
  CHECK_THAT(std::get<NotExported>(exported(tpn::Model::kOverlap)).text,
             Catch::EndsWith("transfers from P to Q need not, as no single port handles them: export sdf3"));
  CHECK(std::holds_alternative<InterchangeText>(exported(tpn::Model::kStrict)));
  document.platform.processors[0].ports = tpn::kOnePort;
  CHECK(std::holds_alternative<InterchangeText>(exported(tpn::Model::kOverlap)));
}

// The period where the operations of a column on data sets `step(column)` apart start in order.
template <typename Step>
Rational ordered_period(const tpn::FoldedNet& net, Step step) {
  const auto unfolded = std::get<UnfoldedNet>(unfold_for({net, "", {}, false}, Unfolding::mapping, kMany));
  GraphRead graph{num_vertices(unfolded.graph), {}, 1};
  for_each_place(unfolded, [&](std::size_t, std::size_t from, std::size_t to, const tpn::Place& place) {
    const tpn::Transition& transition = unfolded.graph[from];
    graph.arcs.push_back({from, to, net.pipeline.duration({transition.row, transition.column}), place.tokens});
  });
  const std::size_t columns = net.pipeline.columns.size();
  for (std::size_t v = 0; v < graph.vertices; ++v) {
    const std::uint64_t later = v / columns + static_cast<std::uint64_t>(step(v % columns));
    graph.arcs.push_back({v, later % unfolded.rows * columns + v % columns, 0, later / unfolded.rows});
  }
  return period_in(graph) / Rational(net.pipeline.rows);
}

std::uint64_t turns_of_column(const tpn::Pipeline& pipeline, std::size_t c) {
  const std::uint64_t length = pipeline.parts[c / 2].sequence.size();
  return c % 2 == 0 ? length : std::lcm(length, std::uint64_t{pipeline.parts[c / 2 + 1].sequence.size()});
}

struct GoldenExport {
  std::string instance;
  std::string model;
  std::string format;

  std::vector<std::string> arguments() const { return {"export", source(instance), "--model", model, "--to", format}; }
  std::string path() const {
    const std::string name = std::filesystem::path(instance).stem().string();
    return source("tests/data/golden/export/" + name + "-" + model + "." + format);
  }
};

const std::vector<GoldenExport>& golden_exports() {
  static const std::string kSmall = "tests/data/golden/export/two-rows.json";
  static const std::string kRepeated = "examples/weighted-round-robin.json";
  static const std::vector<GoldenExport> kExports = {
      {kSmall, "strict", "pnml"},     {kSmall, "strict", "sdf3"},
      {kSmall, "overlap", "csdf"},    {kRepeated, "strict", "tina"},
      {kRepeated, "strict", "graph"}, {"examples/several-parts.json", "bounded", "graph"}};
  return kExports;
}

}  // namespace

TEST_CASE("every format read back has the period of the net, random ones of all kinds under all models") {
  check_random(1, 2);
}

TEST_CASE("every format read back has the period, processors alike and windows") { check_alike(1, 6); }

// Some thousands: by hand.
TEST_CASE("every format read back has the period, many nets", "[.][long]") {
  check_random(1000, 60);
  check_alike(1000, 400);
  check_shared_ports(1000, 1000);
}

TEST_CASE("starting in order is free on the same processors, and not from one data set to the next") {
  std::size_t slower = 0;
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const tpn::Document document = support::random_document(kind, seed);
      for (const tpn::Model& model : support::all_models()) {
        const tpn::FoldedNet net = support::net_of(document, model);
        const Rational period = support::period_of(net);
        CAPTURE(static_cast<int>(kind), seed);
        CHECK(ordered_period(net, [&](std::size_t c) { return turns_of_column(net.pipeline, c); }) == period);
        if (ordered_period(net, [](std::size_t) { return 1; }) > period) ++slower;
      }
    }
  }
  CHECK(slower > 0);
}

// To renew the files once a change of theirs is wanted: tools_test "[renew]", then look at the diff.
TEST_CASE("exported examples are written anew", "[.][renew]") {
  for (const GoldenExport& golden : golden_exports()) {
    CHECK(takt(appended(golden.arguments(), {"-o", golden.path()})).status == kAnswered);
  }
}

TEST_CASE("exported examples are what they were, byte for byte") {
  for (const GoldenExport& golden : golden_exports()) {
    CAPTURE(golden.path());
    const Outcome outcome = takt(golden.arguments());
    CHECK(outcome.status == kAnswered);
    CHECK(outcome.err.empty());
    const bool is_same = outcome.out == text_of(golden.path());
    CHECK(is_same);
  }
}

TEST_CASE("an example read back has the period that the program prints, in every format") {
  const auto text = [](const char* format) {
    return takt({"export", source(kExampleA), "--model", "strict", "--to", format}).out;
  };
  const Rational period = Rational::fraction(692, 3);
  CHECK(period_in(read_pnml(text("pnml"))) == period);
  CHECK(period_in(read_tina(text("tina"))) == period);
  CHECK(period_in(read_dataflow(text("sdf3"))) == period);
  CHECK(period_in(read_dataflow(text("csdf"))) == period);
  CHECK(period_in(read_arcs(text("graph"))) == period);
}

TEST_CASE("a window comes along") {
  const auto period = [](const std::vector<std::string>& more) {
    return period_in(
        read_dataflow(takt(appended({"export", source(kExampleA), "--model", "overlap", "--to", "csdf"}, more)).out));
  };
  CHECK(period({"--window", "1"}) > period({}));
  CHECK(takt({"export", source(kExampleA), "--to", "csdf", "--window", "100001", "-o", "a.csdf"}).status == kUsage);
}

TEST_CASE("names of users do no harm in any format") {
  tpn::Document document = support::random_document(support::Kind::plain, 3);
  const std::string hostile = "<a b=\"c\">&amp;]]></a> --> {x} \\ 'q' # \n\x1b[2J \xef\xbf\xbe \xff \u202e";
  for (tpn::Stage& stage : document.application.stages) stage.name += hostile;
  for (tpn::Processor& processor : document.platform.processors) processor.name = hostile + processor.name;
  const tpn::FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  const ExportedNet exported{net, hostile, stage_names(document.application), false};
  const Rational period = support::period_of(net);
  CHECK(period_in(read_pnml(written(exported, "pnml"))) == period);
  CHECK(period_in(read_tina(written(exported, "tina"))) == period);
  CHECK(period_in(read_dataflow(written(exported, "csdf"))) == period);
  CHECK(period_in(read_dataflow(written(exported, "sdf3"))) == period);
  CHECK(period_in(read_arcs(written(exported, "graph"))) == period);
  for (const InterchangeFormat& format : interchange_formats()) {
    CAPTURE(format.name);
    const std::string text = written(exported, format.name);
    CHECK(std::ranges::all_of(text, [](char c) { return c == '\n' || static_cast<unsigned char>(c) >= ' '; }));
    CHECK(text.find('\xff') == std::string::npos);
  }
  CHECK(xml_text("a\xef\xbf\xbf"
                 "b\xff\x01") ==
        "a\xef\xbf\xbd"
        "b\\xff\\u0001");
}

TEST_CASE("a processor is named where it does a row alone") {
  const tpn::Document alike = support::replicated_document(std::vector<std::size_t>{1, 2},
                                                           [](std::size_t, std::size_t, std::size_t) { return 7; });
  const tpn::FoldedNet net = support::net_of(alike, tpn::Model::kStrict);
  const ExportedNet exported{net, "net", stage_names(alike.application), false};
  CHECK_THAT(written(exported, "pnml"), Contains("compute S1 #1 on P2") && Contains("compute S0 #1 on P0"));
  CHECK_THAT(written(exported, "graph"), Contains("compute S0 #0 on P0"));
  CHECK_THAT(written(exported, "graph"), Contains("compute S1 #0\""));
}

TEST_CASE("the format is what --to says, else what the ending of OUT says") {
  const TemporaryFolder folder;
  const auto begins = [&](const std::string& out, const std::vector<std::string>& more, const std::string& with) {
    const Outcome outcome =
        takt(appended({"export", source(kExampleA), "--model", "strict", "-o", folder.path(out)}, more));
    CAPTURE(out, outcome.err);
    CHECK(outcome.status == kAnswered);
    CHECK_THAT(outcome.out, Catch::StartsWith("wrote " + folder.path(out) + ": STRICT ONE-PORT, "));
    CHECK_THAT(text_of(folder.path(out)), Contains(with));
  };
  begins("a.pnml", {}, "<pnml ");
  begins("a.net", {}, "\nnet {");
  begins("a.sdf3", {}, "<sdf3 type=\"sdf\"");
  begins("a.csdf", {}, "<sdf3 type=\"csdf\"");
  begins("a.json", {}, "\"arcs\"");
  begins("b.json", {"--to", "tina"}, "\nnet {");
  begins("a", {"--to", "pnml"}, "<pnml ");
  const Outcome both = takt({"export", source(kExampleA), "-o", folder.path("c.pnml")});
  CHECK(both.status == kAnswered);
  CHECK_THAT(text_of(folder.path("c-overlap.pnml")), Contains("OVERLAP ONE-PORT"));
  CHECK_THAT(text_of(folder.path("c-strict.pnml")), Contains("STRICT ONE-PORT"));
}

TEST_CASE("exports that cannot be asked for are misuse") {
  const TemporaryFolder folder;
  const auto misuse = [](const std::vector<std::string>& more) {
    const Outcome outcome = takt(appended({"export", source(kExampleA)}, more));
    CHECK(outcome.status == kUsage);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK_THAT(misuse({"--model", "strict"}), Contains("say which format with --to, or by the ending of -o OUT: .pnml"));
  CHECK_THAT(misuse({"--model", "strict", "-o", folder.path("a.xml")}), Contains("found " + folder.path("a.xml")));
  CHECK_THAT(misuse({"--to", "pmnl", "--model", "strict"}), Contains("pnml"));
  CHECK_THAT(misuse({"--to", "pnml", "-o", "out"}), Contains("found no ending, expected one"));
  const std::string copy = folder.write("copy.json", text_of(source(kExampleA)));
  CHECK(takt({"export", copy, "--model", "strict", "-o", copy}).status == kBadInput);
  CHECK(text_of(copy) == text_of(source(kExampleA)));
}

TEST_CASE("what a format cannot hold is a limit, and nothing is written") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& file, const std::vector<std::string>& more) {
    const Outcome outcome = takt(appended({"export", file, "--model", "strict", "-o", folder.path("out")}, more));
    CHECK(outcome.status == kLimit);
    CHECK(outcome.out.empty());
    CHECK(folder.names().empty());
    return outcome.err;
  };
  const std::string a = source(kExampleA);
  CHECK_THAT(refused(a, {"--to", "pnml", "--max-transitions", "41"}),
             Contains("6 rows x 7 columns = 42 transitions, more than 41"));
  CHECK_THAT(refused(a, {"--to", "csdf", "--max-transitions", "17"}), Contains("18 actors, more than 17"));
  CHECK(takt({"export", a, "--model", "strict", "--to", "csdf", "--max-transitions", "18"}).status == kAnswered);
  std::string text = text_of(source("examples/weighted-round-robin.json"));
  const std::size_t work = text.find("\"work\": 4");
  REQUIRE(work != std::string::npos);
  text.replace(work, 9, "\"work\": 1e12");
  const TemporaryFolder instances;
  const std::string large = instances.write("large.json", text);
  for (const char* format : {"tina", "sdf3", "csdf"}) {
    CHECK_THAT(refused(large, {"--to", format}), Contains("more than 2147483647: export pnml or graph"));
  }
  CHECK(takt({"export", large, "--model", "strict", "--to", "graph"}).status == kAnswered);
}

}  // namespace takt::tools
