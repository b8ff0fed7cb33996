// Laws in documents: what is drawn by which, and known answers of samples and of data sets that differ.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "tests/vary/known_nets.hpp"

namespace takt::vary {
namespace {

// So that of all these tests together one in a hundred runs, each of other seeds, would fail.
constexpr double kSureOfLaws = 0.999;

struct DocumentNet {
  explicit DocumentNet(const std::string& text, const tpn::Model& model = tpn::Model::kOverlap)
      : document(tpn::read_document(text, "f")),
        net(support::net_of(document, model)),
        played(net, times_of(document, net).value()) {}

  tpn::Document document;
  tpn::FoldedNet net;
  PlayedNet played;
};

ScenarioFigures figures_at(const PlayedNet& net, std::optional<double> gap, std::uint64_t data_sets = 20'000,
                           ArrivalKind arrivals = ArrivalKind::poisson) {
  const std::vector<double> shares = gap ? std::vector<double>{0.5, 0.95} : std::vector<double>{};
  VarySettings settings;
  settings.copies = 64;
  settings.data_sets = data_sets;
  settings.arrivals = {arrivals};
  settings.confidence = kSureOfLaws;
  return figures_at(net, gap, settings, shares);
}

// One stage of mean work 1 on a processor of speed 1, with what else the application has.
std::string server(const std::string& work, const std::string& more = "") {
  return R"({"application":{)" + more + R"("stages":[{"name":"S","work":)" + work +
         R"(}]},"platform":{"processors":[{"name":"P","speed":1}],"bandwidth":1},)" +
         R"("mapping":[{"stages":["S"],"processors":["P"]}]})";
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

// Of the latencies of data sets far apart: of every one from the first on, or of so many one.
Moments moments_far_apart(const PlayedNet& net, std::size_t first = 0, std::size_t every = 1) {
  PlaySettings settings;
  settings.data_sets = 4000;
  const Scenario apart{1000.0};
  const auto played = *play_copies(net, std::span(&apart, 1), settings, 0, {});
  Moments sums;
  double count = 0;
  for (const std::vector<double>& latencies : played[0].latencies) {
    for (std::size_t j = first; j < latencies.size(); j += every) {
      sums.mean += latencies[j];
      sums.variance += latencies[j] * latencies[j];
      ++count;
    }
  }
  const double mean = sums.mean / count;
  return {mean, sums.variance / count - mean * mean};
}

void check_known(const Figure& figure, double wanted) {
  INFO(figure.value << " +- " << figure.margin << ", wanted " << wanted);
  CHECK(std::abs(figure.value - wanted) <= figure.margin);
  CHECK(figure.margin <= 0.02 * wanted);
}

}  // namespace

TEST_CASE("a document's laws draw what the same law for all draws, where only stages take time") {
  const std::string law = R"({"mean": 2, "law": "lognormal", "cv": 0.5})";
  const std::string two =
      R"({"application":{"stages":[{"name":"A","work":)" + law + R"(,"output":0},{"name":"B","work":)" + law +
      R"(}]},"platform":{"processors":[{"name":"P","speed":1},{"name":"Q","speed":2}],)" +
      R"("bandwidth":1},"mapping":[{"stages":["A"],"processors":["P"]},)" + R"({"stages":["B"],"processors":["Q"]}]})";
  for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
    const DocumentNet own(two, model);
    const PlayedNet of_all(own.net,
                           times_of(own.document, own.net, Law{LawKind::lognormal, maxplus::Rational::fraction(1, 2)}));
    const ScenarioFigures a = figures_at(own.played, 3.0, 1000);
    const ScenarioFigures b = figures_at(of_all, 3.0, 1000);
    CHECK(a.period.value == b.period.value);
    CHECK(a.within[1].value == b.within[1].value);
    CHECK(a.mean->value == b.mean->value);
  }
}

TEST_CASE("documents without laws play the exact period; only numbers with laws vary") {
  const DocumentNet constant(server("1"));
  CHECK_FALSE(has_laws(constant.document));
  CHECK(figures_at(constant.played, std::nullopt, 100).period.margin == 0);
  const DocumentNet varied(server(R"({"mean": 1, "law": "erlang", "phases": 2})"));
  CHECK(has_laws(varied.document));
  CHECK(figures_at(varied.played, std::nullopt, 100).period.margin > 0);
}

TEST_CASE("samples: the mean latency of Pollaczek and Khinchine") {
  // E S^2 = 5/4: 1 + 0.7 * 1.25 / (2 * 0.3)
  const DocumentNet net(server(R"({"samples": [0.5, 1.5]})"));
  check_known(*figures_at(net.played, 1 / 0.7, 100'000).mean, 1 + 0.7 * 1.25 / 0.6);
}

TEST_CASE("data sets that differ: one server is M/G/1 by their law") {
  const DocumentNet net(server("1", R"("data sets": {"law": "exponential"},)"));
  const ScenarioFigures figures = figures_at(net.played, 1 / 0.7, 100'000);
  check_known(*figures.mean, 1 / 0.3);
  check_known(figures.within[0], std::log(2) / 0.3);
  check_known(figures.within[1], std::log(20) / 0.3);
}

TEST_CASE("a data set's factor is the same at every stage, and no latency grows with it") {
  // The second server is never busy when the next data set comes: what is behind a long one has waited for it already.
  const std::string two =
      R"({"application":{"data sets":{"law":"exponential"},"stages":[{"name":"A","work":1,"output":1},)"
      R"({"name":"B","work":0.5}]},"platform":{"processors":[{"name":"P","speed":1},{"name":"Q","speed":1}],)"
      R"("bandwidth":4,"latency":2},"mapping":[{"stages":["A"],"processors":["P"]},)"
      R"({"stages":["B"],"processors":["Q"]}]})";
  const DocumentNet net(two);
  // Light traffic: 1 + 2 + 1/4 + 1/2 of factors of mean 1; the transfer, of 2.25, is the bottleneck at rates beyond.
  const double apart = 1e4;
  const ScenarioFigures alone = figures_at(net.played, apart, 100'000, ArrivalKind::periodic);
  check_known(*alone.mean, 3.75);
  // latency = 2 + 1.75 factor, exactly
  check_known(alone.within[0], 2 + 1.75 * std::log(2));
  check_known(alone.within[1], 2 + 1.75 * std::log(20));
}

TEST_CASE("a batch grows by the mean factor of its data sets, and not by what it takes once") {
  const std::string text =
      R"({"application":{"data sets":{"law":"exponential"},"stages":[{"name":"A","time":{"P":{"fixed":3,"each":1}}}]},)"
      R"("platform":{"processors":[{"name":"P"}],"bandwidth":1},)"
      R"("mapping":[{"stages":["A"],"processors":[{"processor":"P","batch":4}]}]})";
  const DocumentNet net(text);
  // A batch of 4 takes 3 and the sum of 4 exponential times of mean 1.
  check_known(figures_at(net.played, std::nullopt).period, 7.0 / 4);
  // The last of a batch waits for nobody.
  const auto [mean, variance] = moments_far_apart(net.played, 3, 4);
  CHECK(mean == Approx(7).epsilon(0.01));
  CHECK(variance == Approx(4).epsilon(0.05));
}

TEST_CASE("laws of times by processor, of files, latencies, sources and sinks each vary what they stand at") {
  // Far apart, latency is the sum of what varies.
  const auto deviation_of = [](const std::string& text) {
    const DocumentNet net(text);
    const auto [mean, variance] = moments_far_apart(net.played);
    CHECK(mean == Approx(12).epsilon(0.02));
    return std::sqrt(std::max(0.0, variance));
  };
  // 1 from the source, 2 on P, 1 + 2 between, 2 on Q, 4 to the sink.
  const auto text = [](const std::string& input, const std::string& a, const std::string& file,
                       const std::string& latency, const std::string& b, const std::string& sink) {
    return R"({"application":{"input":)" + input + R"(,"stages":[{"name":"A","time":{"P":)" + a + R"(},"output":)" +
           file + R"(},{"name":"B","output":1,"work":)" + b +
           R"(}]},"platform":{"processors":[{"name":"P"},{"name":"Q","speed":1}],"bandwidth":1,"links":[{"from":"P","to":"Q","latency":)" +
           latency + R"(}],"source":{},"sink":{"time":)" + sink +
           R"(}},"mapping":[{"stages":["A"],"processors":["P"]},{"stages":["B"],"processors":["Q"]}]})";
  };
  const auto law = [](int mean) { return R"({"mean":)" + std::to_string(mean) + R"(,"law":"exponential"})"; };
  CHECK(deviation_of(text("1", "2", "2", "1", "2", "4")) == Approx(0).margin(1e-6));
  CHECK(deviation_of(text(law(1), "2", "2", "1", "2", "4")) == Approx(1).epsilon(0.03));
  CHECK(deviation_of(text("1", law(2), "2", "1", "2", "4")) == Approx(2).epsilon(0.03));
  CHECK(deviation_of(text("1", "2", law(2), "1", "2", "4")) == Approx(2).epsilon(0.03));
  CHECK(deviation_of(text("1", "2", "2", law(1), "2", "4")) == Approx(1).epsilon(0.03));
  CHECK(deviation_of(text("1", "2", "2", "1", law(2), "4")) == Approx(2).epsilon(0.03));
  CHECK(deviation_of(text("1", "2", "2", "1", "2", law(4))) == Approx(4).epsilon(0.03));
  CHECK(deviation_of(text(law(1), law(2), law(2), law(1), law(2), law(4))) == Approx(std::sqrt(30.0)).epsilon(0.03));
}

}  // namespace takt::vary
