// What a page says, before it is HTML.
#include "tools/report/sections.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/tools/program.hpp"
#include "tests/tools/report/report_findings.hpp"
#include "tools/files/files.hpp"
#include "tools/report/page_writer.hpp"
#include "tools/words/listing.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {

namespace {

using Catch::Contains;
using Catch::StartsWith;
using support::Kind;
using support::random_document;
using testing::findings_of;

ReportFindings example(const char* name, const tpn::Model& model) {
  const std::string path = testing::source(name);
  return findings_of(tpn::read_document(testing::text_of(path), path), model);
}

ReportPage page_of_example(const char* name, const tpn::Model& model) {
  return page_of(example(name, model), PageLimits());
}

// What the picture of a pipeline shows, and no more.
ReportFindings pictured(const tpn::Document& document, const tpn::Model& model) {
  ReportFindings findings{};
  findings.document = document;
  findings.net = support::net_of(document, model);
  findings.evaluation = evaluators::evaluate(findings.net);
  findings.loads = loads_of(findings.net);
  findings.shares = circuit_shares(findings.net, findings.evaluation);
  return findings;
}

std::vector<std::string> names_of(const PageHelps& helps) {
  std::vector<std::string> names;
  for (const PageHelp& help : helps.first) names.push_back(help.name);
  return names;
}

// The texts of `find` in `text`.
std::size_t count(const std::string& text, const std::string& find) {
  std::size_t found = 0;
  for (std::size_t at = text.find(find); at != std::string::npos; at = text.find(find, at + 1)) ++found;
  return found;
}

std::string html_of(const tpn::Document& document, const tpn::Model& model) {
  return write_report(findings_of(document, model));
}

}  // namespace

TEST_CASE("example A under STRICT: nobody is the bottleneck, and the chain is told") {
  const ReportPage page = page_of_example("examples/example-a.json", tpn::Model::kStrict);
  CHECK(page.headline.period == "230.667");
  CHECK(page.headline.exactly == "exactly 692/3: 3 data sets every 692 time units");
  CHECK(page.headline.is_proved);
  CHECK(page.headline.bottleneck.lead == "No resource is the bottleneck.");
  CHECK(page.headline.bottleneck.rest ==
        " P2 comes nearest, busy 93.6 % of the time, then P0 with 91.5 %. They wait for each other: a chain of 10 "
        "operations through P0, P2, P4, P1 and P5 takes 1384 time units for every 6 data sets.");
  CHECK(page.headline.advice.change == "P1 cores: one more (1 → 2)");
  CHECK(page.headline.advice.gain == "9.8 %");
  CHECK_THAT(page.headline.advice.after, Contains("Next, each alone: a 10 % faster P0 → P2, +3.9 %. ") &&
                                             Contains("12 of 18 operations have slack"));
  const PageFact& other = page.headline.facts.at(1);
  CHECK(other.value == "189");
  CHECK(other.note == "22.0 % more data sets");
  const PageFact& latency = page.headline.facts.at(3);
  CHECK(latency.value == "744.667");
  CHECK(latency.note == "2234/3");
}

TEST_CASE("example A under STRICT: the story of the circuit, and what would help") {
  const ReportPage page = page_of_example("examples/example-a.json", tpn::Model::kStrict);
  REQUIRE(page.steps.steps.size() == 10);
  CHECK(page.steps.steps[0].why == "waits for P2 to be free again: the last step");
  CHECK(page.steps.steps[1].why == "needs that file");
  CHECK(page.steps.steps[2].why == "sends that result");
  CHECK(page.steps.steps[4].operation == "S0 on P0");
  CHECK(page.steps.steps[4].data_set == "data set 4");
  CHECK(page.steps.left_out.empty());
  const PageHelps& helps = page.helps;
  REQUIRE(helps.first.size() == 17);
  const std::vector<std::string> best = {"P0 → P2", "S1 on P2", "P0 → P1", "P2 → P5", "P2 → P4", "S0 on P0"};
  std::vector<std::string> shown = names_of(helps);
  shown.resize(best.size());
  CHECK(shown == best);
  CHECK(helps.first[0].faster == "+3.9 %");
  CHECK(helps.first[0].free == "+15.2 %");
  CHECK(helps.first[0].limit == "P1, always busy");
  CHECK(helps.first[0].slack == "0");
  CHECK(helps.first[3].limit == "a circuit through P0, P1 and 2 more");
  CHECK(helps.first[6].name == "S1 on P1");
  CHECK(helps.first[6].faster == "nothing");
  CHECK(helps.first[6].slack == "61");
  CHECK(helps.first[6].slack_note == "41 %");
}

TEST_CASE("example A under OVERLAP: one port never rests, and two ports of one processor are told apart") {
  const ReportPage page = page_of_example("examples/example-a.json", tpn::Model::kOverlap);
  CHECK(page.headline.bottleneck.lead == "P0’s out-port");
  CHECK_THAT(page.headline.bottleneck.rest, Contains(" is busy all the time: "));
  REQUIRE(page.shares.parts.size() == 2);
  CHECK(page.shares.parts[0].operation == "P0 → P2");
  CHECK(page.shares.parts[0].time == "96");
  CHECK(page.shares.parts[1].time == "93");
  CHECK_FALSE(page.loads.is_stacked);
  CHECK(page.loads.processors[0].name == "P0");
  CHECK(page.loads.processors[0].note == "sending");
  CHECK(page.loads.processors[0].description == "P0 computes 11.6 %, sends 100.0 %");
  CHECK(std::ranges::count(page.pipeline.boxes, true, &PageBox::is_critical) == 1);
}

TEST_CASE("curves of the critical circuit are marked, and drawn last") {
  const PagePipeline pipeline = page_of_example("examples/example-a.json", tpn::Model::kStrict).pipeline;
  REQUIRE(pipeline.curves.size() == 11);
  CHECK(std::ranges::count(pipeline.curves, true, &PageCurve::is_critical) == 4);
  CHECK(std::ranges::is_partitioned(pipeline.curves, [](const PageCurve& curve) { return !curve.is_critical; }));
  CHECK(pipeline.boxes.size() == 7);
  CHECK(pipeline.description == "S0 on P0; S1 on P1 and P2; S2 on P3, P4 and P5; S3 on P6.");
}

TEST_CASE("boxes stand apart within the picture, and labels hide neither each other nor boxes") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const tpn::Document document = support::dealt_document(2 + seed % 8, 12 + 4 * (seed % 8), 1, 900, seed);
    const ReportFindings findings = pictured(document, tpn::Model::kStrict);
    const PagePipeline picture = pipeline_of(findings, ReportWords(findings), PageLimits());
    const auto apart = [](double x, double y, double w, double h, double x2, double y2, double w2, double h2) {
      return x + w <= x2 || x2 + w2 <= x || y + h <= y2 || y2 + h2 <= y;
    };
    const double kWidth = picture.box_width;
    constexpr double kHeight = PagePipeline::kBoxHeight;
    for (std::size_t a = 0; a < picture.boxes.size(); ++a) {
      const PageBox& box = picture.boxes[a];
      CHECK((box.x >= 0 && box.x + kWidth <= picture.width && box.y + kHeight <= picture.height));
      for (std::size_t b = 0; b < a; ++b) {
        const PageBox& other = picture.boxes[b];
        CHECK(apart(box.x, box.y, kWidth, kHeight, other.x, other.y, kWidth, kHeight));
      }
    }
    constexpr double kDigit = 6;
    std::vector<const PageCurve*> labels;
    for (const PageCurve& curve : picture.curves) {
      if (!curve.label.empty()) labels.push_back(&curve);
    }
    CHECK_FALSE(labels.empty());
    for (const PageCurve* label : labels) {
      const double width = kDigit * static_cast<double>(label->label.size());
      for (const PageBox& box : picture.boxes) {
        CHECK(apart(label->x - width / 2, label->y - 10, width, 12, box.x, box.y, kWidth, kHeight));
      }
      for (const PageCurve* other : labels) {
        if (other == label) continue;
        const double its_width = kDigit * static_cast<double>(other->label.size());
        CHECK(apart(label->x - width / 2, label->y - 10, width, 12, other->x - its_width / 2, other->y - 10, its_width,
                    12));
      }
    }
  }
}

TEST_CASE("many processors are one box a part, with the busiest and how busy the others are") {
  const tpn::Document document = support::dealt_document(4, 90, 1, 50, 2);
  const ReportPage page = page_of(findings_of(document, tpn::Model::kOverlap), PageLimits());
  CHECK(page.pipeline.boxes.size() == 4);
  CHECK(page.pipeline.curves.size() == 3);
  CHECK_THAT(page.pipeline.boxes[1].work, Contains("busiest of "));
  CHECK_THAT(page.pipeline.boxes[1].least, Contains("the others from "));
  CHECK_THAT(page.pipeline.introduction, Contains("--model overlap --json lists every processor"));
  CHECK(page.loads.processors.size() == 40);
  CHECK_THAT(page.loads.left_out, Contains("50 more, none busier than"));
}

TEST_CASE("a mapping that takes no time has a page, and so has a single stage") {
  const auto parsed = [](const std::string& times) {
    return tpn::read_document(
        R"({"application": {"stages": [{"name": "a"}, {"name": "b"}]}, "platform": {"processors":
      [{"name": "p", "time": )" +
            times + R"(}, {"name": "q", "time": )" + times + R"(}], "time": )" + times +
            R"(}, "mapping": [{"stages": ["a"], "processors": ["p"]}, {"stages": ["b"], "processors":
      ["q"]}]})",
        "x");
  };
  const ReportPage nothing = page_of(findings_of(parsed("0"), tpn::Model::kStrict), PageLimits());
  CHECK(nothing.headline.period == "0");
  CHECK(nothing.headline.exactly == "nothing in this mapping takes any time");
  CHECK(nothing.headline.bottleneck.lead == "No bottleneck:");
  CHECK_FALSE(nothing.shares.is_shown);
  CHECK_FALSE(nothing.lap.is_shown);
  CHECK_FALSE(nothing.helps.is_shown);
  CHECK(nothing.headline.is_proved);
  const ReportPage one = page_of(findings_of(parsed("1"), tpn::Model::kStrict), PageLimits());
  CHECK(one.headline.exactly == "exactly: one data set every 2 time units");
  CHECK(one.headline.bottleneck.lead == "p and q");
}

TEST_CASE("what one port or core more gives is told, best first, or that it gives nothing") {
  const auto told = [](const char* file, const tpn::Model& model) {
    return page_of_example(file, model).helps.one_more;
  };
  CHECK_THAT(
      told("examples/example-a.json", tpn::Model::kOverlap),
      StartsWith("One port or core more, evaluated anew: P0 ports: one more (1 → 2): 99, +90.9 %; P1 cores: one more "
                 "(1 → 2): 188, +0.5 %. takt sensitivity "));
  CHECK_THAT(told("examples/example-a.json", tpn::Model::kStrict),
             Contains("P1 cores: one more (1 → 2): 210, +9.8 %; P1, P2 cores: one more each (1 → 2): 211, +9.3 %; P2 "
                      "cores: one more (1 → 2): 212, +8.8 %. takt"));
  CHECK_THAT(told("examples/cores.json", tpn::Model::kOverlap),
             StartsWith("One port or core more, of a machine, of identical machines, of the source or of the sink, "
                        "does not shorten the period. takt sensitivity "));
  // A segment counts if there is one.
  ReportFindings racks = example("examples/racks.json", tpn::Model::kOverlap);
  CHECK_THAT(page_of(racks, PageLimits()).helps.one_more,
             StartsWith("One port or core more, evaluated anew: uplink ports: one more (1 → 2): 30 ms"));
  for (evaluators::OneMore& row : racks.parameters.one_more.rows) row.period = racks.period();
  CHECK_THAT(page_of(racks, PageLimits()).helps.one_more,
             StartsWith("One port or core more, of a machine, of identical machines, of a segment, of the source or of "
                        "the sink, does not shorten the period. takt sensitivity "));
}

TEST_CASE("the headline says which transfers are ahead") {
  const std::string path = testing::source("examples/server-in-two-parts.json");
  tpn::Document document = tpn::read_document(testing::text_of(path), path);
  const std::string before =
      page_of(findings_of(document, tpn::Model::kOverlap), PageLimits()).headline.bottleneck.rest;
  CHECK(before.find("This is with") == std::string::npos);
  document.transfers = {{0, 1, 1}, {1, 2, 0}};
  const PageHeadline headline = page_of(findings_of(document, tpn::Model::kOverlap), PageLimits()).headline;
  CHECK(headline.period == "22 ms");
  CHECK_THAT(headline.bottleneck.rest, Catch::EndsWith(" This is with the output of decode 1 data set ahead."));
}

TEST_CASE("an interval is told as such, its bounds proved, and what needs the period is left out with the reason") {
  const std::vector<std::size_t> replication = {3, 4, 5};
  const tpn::Document document = support::balanced_document(replication, 1);
  ReportFindings findings = findings_of(document, tpn::Model::kStrict);
  // As if it had not been found.
  findings.evaluation.lower = findings.evaluation.lower / Rational(2);
  findings.evaluation.limit = tpn::TooLarge{tpn::LimitKind::rows, 6, 5};
  findings.steady.reset();
  findings.unsteady = "the period is not known exactly";
  findings.shares.reset();
  const ReportPage page = page_of(findings, PageLimits());
  CHECK_THAT(page.headline.period, Contains(" to "));
  CHECK_THAT(page.headline.bottleneck.lead, Contains("Between "));
  CHECK_THAT(page.headline.bottleneck.rest, Contains("the period is not known exactly: "));
  CHECK_THAT(page.headline.proof, Contains("Both bounds are proved"));
  CHECK_FALSE(page.shares.is_shown);
  CHECK_FALSE(page.steps.is_shown);
  CHECK_FALSE(page.lap.is_shown);
  CHECK_FALSE(page.helps.is_shown);
  CHECK_THAT(page.start_up.left_out, Contains("No latencies and no schedule: the period is not known exactly."));
}

TEST_CASE("names are texts wherever they stand, whatever they are") {
  tpn::Document document = random_document(Kind::everything, 5);
  const std::string hostile = "\"</title></script><img src=x onerror=alert(1)>{{file}}&'";
  int number = 0;
  for (tpn::Stage& stage : document.application.stages) stage.name = hostile + std::to_string(number++);
  for (tpn::Processor& processor : document.platform.processors) {
    processor.name = hostile + std::to_string(number++);
  }
  for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
    const std::string html = html_of(document, model);
    CHECK(count(html, "<img") == 0);
    CHECK(count(html, "</title></script>") == 0);
    CHECK(count(html, "<script>") == 1);
    CHECK(count(html, "</script>") == 1);
    CHECK(count(html, "&lt;/title&gt;&lt;/script&gt;&lt;img src=x on") > 10);
    CHECK(count(html, "{{") == count(html, "{{file}}"));  // of texts, none of the template
  }
  auto found = find_out({"a/b/" + hostile + ".json", "{}", document}, tpn::Model::kStrict, {});
  const std::string html = write_report(std::get<ReportFindings>(found));
  CHECK(count(html, "<img") == 0);
  CHECK(count(html, "download=\"&quot;&lt;/title&gt;") == 0);  // '/' ends a folder's name
  CHECK(count(html, "takt check &apos;") == 1);
}

TEST_CASE("the page has what it needs and asks for nothing") {
  const std::string html = html_of(random_document(Kind::plain, 1), tpn::Model::kStrict);
  CHECK(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  CHECK(count(html, "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:") == 1);
  CHECK(count(html, "http") == 1);  // http-equiv
  CHECK(count(html, "src=") == 0);
  CHECK(count(html, "some/folder") == 0);
  CHECK(count(html, "file.json") > 2);
}

TEST_CASE("pages keep to their size, whatever the instance") {
  constexpr std::uint64_t kSeeds = 3;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      CAPTURE(seed);
      CHECK(html_of(random_document(Kind::everything, seed), model).size() <= kPageBytes);
    }
  }
  tpn::Document large = support::dealt_document(8, 60, 1, 10'000, 1);
  const std::string costly(40, '"');  // each takes six bytes
  for (tpn::Processor& processor : large.platform.processors) processor.name = costly + processor.name;
  const ReportFindings findings = findings_of(large, tpn::Model::kOverlap);
  CHECK(write_page(page_of(findings, PageLimits())).size() > kPageBytes);
  CHECK(write_report(findings).size() <= kPageBytes);
}

TEST_CASE("of many parts those around the critical circuit are drawn, and said to be") {
  const tpn::Document many = support::dealt_document(100, 100, 1, 9, 1);
  const ReportFindings findings = findings_of(many, tpn::Model::kStrict);
  REQUIRE(findings.net.pipeline.parts.size() == 100);
  const PagePipeline picture = page_of(findings, PageLimits()).pipeline;
  CHECK(picture.boxes.size() == PageLimits().boxes);
  CHECK(picture.headings.size() == PageLimits().boxes);
  CHECK(picture.curves.size() == PageLimits().boxes - 1);
  CHECK_THAT(picture.introduction, Contains(" of 100, around the middle of the critical circuit. "));
  CHECK(std::ranges::any_of(picture.boxes, &PageBox::is_critical));
  CHECK(write_report(findings).size() <= kPageBytes);
}

TEST_CASE("files that a page carries are those files; one too long is named, with the command that writes it") {
  const ReportFindings findings = example("examples/example-a.json", tpn::Model::kStrict);
  const ReportWords words(findings);
  PageLimits limits;
  const PageSources both = sources_of(findings, words, limits);
  REQUIRE(both.downloads.size() == 2);
  CHECK(both.downloads[0].name == "certificate.json");
  CHECK(both.downloads[1].name == "file.json");
  CHECK(both.left_out.empty());
  CHECK(both.command == "takt check file.json certificate.json");
  limits.download = findings.proof.text.size() - 1;
  const PageSources without = sources_of(findings, words, limits);
  REQUIRE(without.left_out.size() >= 1);
  CHECK_THAT(without.left_out[0],
             Contains("takt evaluate file.json --model strict --certificate certificate.json writes it"));
}

TEST_CASE("bytes become base64 as RFC 4648 has it") {
  ReportFindings findings = example("examples/example-a.json", tpn::Model::kStrict);
  const auto encoded = [&](const std::string& text) {
    findings.text = text;
    return sources_of(findings, ReportWords(findings), PageLimits()).downloads.back().base64;
  };
  CHECK(encoded("f") == "Zg==");
  CHECK(encoded("fo") == "Zm8=");
  CHECK(encoded("foo") == "Zm9v");
  CHECK(encoded("foobar") == "Zm9vYmFy");
  CHECK(encoded("\xff\xfe\xfd") == "//79");
}

TEST_CASE("words: lists, large numbers, file names for command lines") {
  CHECK(listing({"a"}, 3) == "a");
  CHECK(listing({"a", "b", "c"}, 3) == "a, b and c");
  CHECK(listing({"a", "b", "c", "d"}, 3) == "a, b and 2 more");
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(shell_word("a-1.json") == "a-1.json");
  CHECK(shell_word("a b.json") == "'a b.json'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(clipped("abcdef", 6) == "abcdef");
  CHECK(clipped("äbcdefg", 6) == "äbcde…");
}

}  // namespace takt::tools
