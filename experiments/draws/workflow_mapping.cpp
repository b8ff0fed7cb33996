// Stage by stage: its number of processors, then theirs.
#include "experiments/draws/workflow_mapping.hpp"

#include <numeric>
#include <utility>

namespace takt::experiments {

namespace {

// All pairs of them have a link of their own.
constexpr std::uint64_t kMostOfPairs = 2000;
constexpr std::int64_t kMostReplicas = 100;

// How many processors each stage has, one after the other.
class ReplicaCounts {
 public:
  ReplicaCounts(const Arguments& arguments, const DrawKey& key)
      : range_(arguments.range("replicas")), most_rows_(arguments.count("rows")), stream_(key, Purpose::replicas) {}

  // Uniform among the numbers of the range that keep the rows within their limit.
  std::uint64_t next() {
    std::vector<std::uint64_t> allowed;
    for (std::uint64_t i = 0; i < range_.size(); ++i) {
      const std::uint64_t number = range_.at(i).numerator().get_ui();
      if (most_rows_ == 0 || std::lcm(rows_, number) <= most_rows_) allowed.push_back(number);
    }
    const std::uint64_t chosen = allowed[stream_.below(allowed.size())];
    if (most_rows_ > 0) rows_ = std::lcm(rows_, chosen);
    return chosen;
  }

 private:
  const Range& range_;
  std::uint64_t most_rows_;  // 0: no limit
  std::uint64_t rows_ = 1;
  Stream stream_;
};

void add_network(tpn::Platform& platform, const Arguments& arguments, const DrawKey& key) {
  Stream stream(key, Purpose::links);
  const Range& bandwidth = arguments.range("bandwidth");
  const std::string& links = arguments.choice("links");
  const Rational first = bandwidth.draw(stream);
  if (links == "ports") {
    for (tpn::Processor& processor : platform.processors) processor.bandwidth = bandwidth.draw(stream);
    if (platform.source) platform.source->timing.bandwidth = first;
    if (platform.sink) platform.sink->timing.bandwidth = first;
    return;
  }
  platform.defaults.bandwidth = first;
  if (links == "equal") return;
  for (std::size_t v = 1; v < platform.processors.size(); ++v) {
    for (std::size_t u = 0; u < v; ++u) {
      tpn::Link link{u, v, {}, false};
      link.timing.bandwidth = bandwidth.draw(stream);
      platform.links.push_back(std::move(link));
    }
  }
}

}  // namespace

std::vector<GeneratorParameter> mapping_parameters(std::string_view speeds, std::string_view bandwidth) {
  return {{.name = "replicas",
           .help = "range of the number of processors of a stage",
           .kind = ParameterKind::range,
           .standard = "1..3",
           .most = kMostReplicas},
          {.name = "rows",
           .help = "most rows of the net; stages draw only numbers of processors that keep to it; 0: no limit",
           .standard = "0",
           .least = 0,
           .most = 1'000'000},
          {.name = "speeds",
           .help = "range of speeds",
           .kind = ParameterKind::range,
           .standard = speeds,
           .least = 0,
           .most = 1'000'000'000,
           .is_above_least = true},
          {.name = "links",
           .help = "what each bandwidth belongs to: nothing, the port of a processor, or a pair of processors",
           .kind = ParameterKind::choice,
           .standard = "equal",
           .choices = {"equal", "ports", "pairs"}},
          {.name = "bandwidth",
           .help = "range of bandwidths",
           .kind = ParameterKind::range,
           .standard = bandwidth,
           .least = 0,
           .most = 1'000'000'000,
           .is_above_least = true}};
}

std::optional<std::string> objection_of_mapping(const Arguments& arguments, std::size_t stages) {
  const Range& replicas = arguments.range("replicas");
  if (replicas.low.denominator() != 1 || (replicas.size() > 1 && replicas.step.denominator() != 1)) {
    return "a stage has a whole number of \"replicas\"";
  }
  const std::uint64_t rows = arguments.count("rows");
  if (rows > 0 && replicas.low > Rational(rows)) {
    return "every number of \"replicas\" makes more \"rows\" than that";
  }
  if (arguments.choice("links") == "pairs" && replicas.high * Rational(stages) > Rational(kMostOfPairs)) {
    return "at most " + std::to_string(kMostOfPairs) +
           " processors have links by pairs: stages times the most \"replicas\" are more";
  }
  return std::nullopt;
}

void add_mapping(tpn::Document& document, const Arguments& arguments, const DrawKey& key) {
  auto& processors = document.platform.processors;
  document.mapping.emplace();
  ReplicaCounts counts(arguments, key);
  Stream speeds(key, Purpose::speeds);
  for (std::size_t k = 0; k < document.application.stages.size(); ++k) {
    const std::uint64_t replicas = document.application.stages[k].replicable ? counts.next() : 1;
    tpn::Part part{k, k, {}};
    for (std::uint64_t i = 0; i < replicas; ++i) {
      part.processors.push_back(processors.size());
      processors.push_back({.name = "P" + std::to_string(processors.size()),
                            .speed = arguments.range("speeds").draw(speeds),
                            .time = {}});
    }
    document.mapping->push_back(std::move(part));
  }
  add_network(document.platform, arguments, key);
}

void take_from(tpn::Stage& stage, std::size_t index, std::vector<std::size_t> before) {
  const bool is_usual = index == 0 ? before.empty() : before == std::vector<std::size_t>{index - 1};
  if (!is_usual) stage.after = std::move(before);
}

}  // namespace takt::experiments
