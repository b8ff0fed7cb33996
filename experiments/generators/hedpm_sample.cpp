// hedpm-sample: a small problem with light communication, as those of HeDPM's comparison with the best mapping.
//
// What is drawn. Four stages and four processors; "the processor speeds and the stage loads are generated randomly with
// statistic parameters mu = 10 and sigma = 5. Communication load is also randomly obtained but with a weight ten times
// lower". Ours: the law, `normal`, in whole thousandths (the density at each of them), and redrawn below 1, for a speed
// must be above 0; `uniform` among 1..19 has the mean and nearly the deviation (5.5), in small whole numbers. Sizes of
// files are drawn like works, bandwidths too but divided by `communication`: a transfer then takes about a tenth of a
// computation. `unequal` links have a bandwidth each, those of source and sink included; `equal` ones the mean, 100.
//
// References. [moreno2017hedpm, section 5.1].
#include <string>
#include <utility>

#include "experiments/draws/chain_problem.hpp"
#include "experiments/draws/generator.hpp"

namespace takt::experiments {

namespace {

constexpr std::int64_t kMean = 10;
constexpr std::int64_t kDeviation = 5;
constexpr std::int64_t kGrid = 1000;  // steps to 1

Rational draw_normal(Stream& stream) {
  static const GridNormal kNormal(kDeviation * kGrid);
  std::int64_t thousandths = 0;
  do {
    thousandths = kMean * kGrid + kNormal.draw(stream);
  } while (thousandths < kGrid);
  return Rational::fraction(thousandths, kGrid);
}

// Numbers of one purpose, one after the other.
class NumberLaw {
 public:
  NumberLaw(const Arguments& arguments, const DrawKey& key, Purpose purpose)
      : is_normal_(arguments.choice("law") == "normal"), stream_(key, purpose) {}

  Rational draw() { return is_normal_ ? draw_normal(stream_) : Rational(stream_.between(1, 2 * kMean - 1)); }
  std::vector<Rational> draw(std::size_t count) {
    std::vector<Rational> drawn;
    for (std::size_t i = 0; i < count; ++i) drawn.push_back(draw());
    return drawn;
  }

 private:
  bool is_normal_;
  Stream stream_;
};

void add_drawn_links(tpn::Platform& platform, const Arguments& arguments, const DrawKey& key) {
  const Rational& weight = arguments.number("communication");
  if (arguments.choice("links") == "equal") {
    platform.defaults.bandwidth = Rational(kMean) / weight;
    return;
  }
  NumberLaw law(arguments, key, Purpose::links);
  const auto timing = [&] { return tpn::LinkTiming{.bandwidth = law.draw() / weight, .latency = {}, .time = {}}; };
  for (std::size_t u = 0; u < platform.processors.size(); ++u) {
    for (std::size_t v = 0; v < u; ++v) platform.links.push_back({v, u, timing(), false});
    for (auto* end : {&platform.source, &platform.sink}) {
      tpn::EndpointLink link{u, timing()};
      if (*end) (*end)->links.push_back(std::move(link));
    }
  }
}

tpn::Document draw_hedpm_sample(const Arguments& arguments, const DrawKey& key) {
  NumberLaw works(arguments, key, Purpose::works);
  NumberLaw sizes(arguments, key, Purpose::sizes);
  NumberLaw speeds(arguments, key, Purpose::speeds);
  tpn::Document problem =
      chain_problem(works.draw(arguments.count("stages")), speeds.draw(arguments.count("processors")));
  add_ends(problem, arguments.choice("ends"), sizes.draw());
  for (tpn::Stage& stage : problem.application.stages) stage.output = sizes.draw();
  if (!problem.platform.sink) problem.application.stages.back().output.reset();
  add_drawn_links(problem.platform, arguments, key);
  return problem;
}

}  // namespace

Generator hedpm_sample() {
  return {
      .name = "hedpm-sample",
      .summary = "a small problem with light communication",
      .source = "moreno2017hedpm, section 5.1",
      .kind = DrawnKind::problem,
      .parameters = {{.name = "stages", .help = "number of stages", .standard = "4", .most = 1000},
                     {.name = "processors", .help = "number of processors", .standard = "4", .most = 1000},
                     {.name = "law",
                      .help = "distribution of all numbers: normal with mean 10 and deviation 5, or uniform in 1..19",
                      .kind = ParameterKind::choice,
                      .standard = "normal",
                      .choices = {"normal", "uniform"}},
                     {.name = "communication",
                      .help = "weight of communication, relative to computation",
                      .kind = ParameterKind::number,
                      .standard = "1/10",
                      .least = 0,
                      .most = 1'000'000,
                      .is_above_least = true},
                     {.name = "links",
                      .help = "links, with those of source and sink",
                      .kind = ParameterKind::choice,
                      .standard = "unequal",
                      .choices = {"unequal", "equal"}},
                     {.name = "ends",
                      .help = "has it a source, a sink?",
                      .kind = ParameterKind::choice,
                      .standard = "both",
                      .choices = {"both", "source", "sink", "none"}}},
      .draw = draw_hedpm_sample};
}

}  // namespace takt::experiments
