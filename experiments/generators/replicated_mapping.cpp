// replicated-mapping: a mapping with replicated stages and its times, as in the experiments of Table 2.
//
// What is drawn. n stages on p processors, each of which serves one stage; how many serve which, how long each computes
// and how long each transfer takes. No source, no sink. The text says that "all relevant parameters (processor speeds,
// link bandwidths, number of processors computing the same stage) were randomly chosen uniformly within the ranges";
// what that leaves open are the parameters `replication`, `network` and `values`.
//
// Replication. `dealt`: each stage gets one processor, each further processor goes to a stage drawn uniformly.
// `composition`: uniform among the ways to write p as n positive numbers. `sequential`: stage after stage, uniform in
// what leaves one processor for each of the others, the last one the rest.
// Network. `sender`: a time for each processor's sendings. `pair`: a time for each link. `star`: a time for each
// processor, a transfer takes the larger one of the two. `stage`: a time for each stage's computations and for each
// transfer between two stages, whoever does them.
// Values. `times`: the ranges hold times. `speeds`: the ranges hold speeds, whose inverses are the times.
//
// References. [benoit2009throughput, section 5].
#include <algorithm>
#include <string>
#include <utility>

#include "experiments/generator.hpp"

namespace takt::experiments {

namespace {

std::vector<std::uint64_t> draw_replicas(const Arguments& arguments, const DrawKey& key) {
  Stream stream(key, Purpose::replicas);
  const std::uint64_t processors = arguments.count("processors");
  std::vector<std::uint64_t> replicas(arguments.count("stages"), 1);
  const std::string& replication = arguments.choice("replication");
  if (replication == "composition") {
    draw_composition(replicas, processors, stream);
  } else if (replication == "dealt") {
    for (std::uint64_t p = replicas.size(); p < processors; ++p) ++replicas[stream.below(replicas.size())];
  } else {
    std::uint64_t spare = processors - replicas.size();
    for (std::size_t k = 0; k + 1 < replicas.size(); ++k) {
      const std::uint64_t more = stream.below(spare + 1);
      replicas[k] += more;
      spare -= more;
    }
    replicas.back() += spare;
  }
  return replicas;
}

// Times out of a range, one after the other.
class Times {
 public:
  Times(const Arguments& arguments, std::string_view range, const DrawKey& key, Purpose purpose)
      : range_(arguments.range(range)), are_speeds_(arguments.choice("values") == "speeds"), stream_(key, purpose) {}

  Rational draw() {
    const Rational value = range_.draw(stream_);
    return are_speeds_ ? Rational(1) / value : value;
  }

 private:
  const Range& range_;
  bool are_speeds_;
  Stream stream_;
};

// The stage of each processor.
std::vector<std::size_t> stages_of(const std::vector<std::uint64_t>& replicas) {
  std::vector<std::size_t> stages;
  for (std::size_t k = 0; k < replicas.size(); ++k) stages.insert(stages.end(), replicas[k], k);
  return stages;
}

// One for each processor; the same ones for all of a stage's under `stage`.
std::vector<Rational> draw_times(Times times, const std::vector<std::size_t>& stages, bool by_stage) {
  std::vector<Rational> drawn;
  for (std::size_t u = 0; u < stages.size(); ++u) {
    const bool is_repeated = by_stage && u > 0 && stages[u] == stages[u - 1];
    drawn.push_back(is_repeated ? drawn.back() : times.draw());
  }
  return drawn;
}

void add_links(tpn::Platform& platform, const std::vector<std::size_t>& stages, const Arguments& arguments,
               const DrawKey& key) {
  const std::string& network = arguments.choice("network");
  Times times(arguments, "transfer", key, Purpose::links);
  std::vector<Rational> own;
  if (network != "pair") own = draw_times(times, stages, network == "stage");
  for (std::size_t u = 0; u < stages.size(); ++u) {
    for (std::size_t v = u + 1; v < stages.size(); ++v) {
      if (stages[v] != stages[u] + 1) continue;
      tpn::Link link{u, v, {}, true};
      if (network == "pair") {
        link.timing.time = times.draw();
      } else {
        link.timing.time = network == "star" ? std::max(own[u], own[v]) : own[u];
      }
      platform.links.push_back(std::move(link));
    }
  }
}

tpn::Document draw(const Arguments& arguments, const DrawKey& key) {
  const std::vector<std::uint64_t> replicas = draw_replicas(arguments, key);
  const std::vector<std::size_t> stages = stages_of(replicas);
  tpn::Document document;
  document.mapping.emplace();
  std::size_t next = 0;
  for (std::size_t k = 0; k < replicas.size(); ++k) {
    tpn::Stage stage;
    stage.name = "S" + std::to_string(k);
    document.application.stages.push_back(std::move(stage));
    tpn::Part part{k, k, {}};
    for (std::uint64_t i = 0; i < replicas[k]; ++i) part.processors.push_back(next++);
    document.mapping->push_back(std::move(part));
  }
  const std::vector<Rational> times = draw_times(Times(arguments, "computation", key, Purpose::computations), stages,
                                                 arguments.choice("network") == "stage");
  for (std::size_t u = 0; u < stages.size(); ++u) {
    document.platform.processors.push_back({.name = "P" + std::to_string(u), .speed = {}, .time = times[u]});
  }
  add_links(document.platform, stages, arguments, key);
  return document;
}

std::optional<std::string> objection(const Arguments& arguments) {
  if (arguments.count("processors") < arguments.count("stages")) {
    return "every stage needs a processor: \"processors\" is less than \"stages\"";
  }
  return std::nullopt;
}

}  // namespace

Generator replicated_mapping() {
  return {.name = "replicated-mapping",
          .summary = "a mapping with replicated stages and random times",
          .source = "benoit2009throughput, section 5",
          .kind = DrawnKind::instance,
          .parameters = {{.name = "stages", .help = "how many stages", .standard = "10", .most = 1000},
                         {.name = "processors", .help = "how many processors", .standard = "20", .most = 2000},
                         {.name = "computation",
                          .help = "what computation times are drawn from",
                          .kind = ParameterKind::range,
                          .standard = "5..15",
                          .most = 1'000'000'000},
                         {.name = "transfer",
                          .help = "what transfer times are drawn from",
                          .kind = ParameterKind::range,
                          .standard = "5..15",
                          .most = 1'000'000'000},
                         {.name = "replication",
                          .help = "how processors are shared out among stages",
                          .kind = ParameterKind::choice,
                          .standard = "dealt",
                          .choices = {"dealt", "composition", "sequential"}},
                         {.name = "network",
                          .help = "what has a transfer time of its own",
                          .kind = ParameterKind::choice,
                          .standard = "sender",
                          .choices = {"sender", "pair", "star", "stage"}},
                         {.name = "values",
                          .help = "what the ranges hold: times, or speeds whose inverses are the times",
                          .kind = ParameterKind::choice,
                          .standard = "times",
                          .choices = {"times", "speeds"}}},
          .objection = objection,
          .draw = draw};
}

}  // namespace takt::experiments
