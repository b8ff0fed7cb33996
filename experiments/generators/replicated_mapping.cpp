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
// Machines. With `cores` or `ports` other than 1 a processor is a machine: `computation` is what each of its cores
// takes, a transfer time is its network card's, and the cores of a stage's machines are dealt machine by machine in
// turn. Values. `times`: the ranges hold times. `speeds`: the ranges hold speeds, whose inverses are the times. Tables.
// Documents and tables of times are made of the same numbers. There is a table where all times of both ranges are whole
// over one unit and at most 2^50: not for the inverses of 10 to 1000. There is none of machines.
//
// References. [benoit2009throughput, section 5].
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluators/mappings/time_table.hpp"
#include "experiments/draws/generator.hpp"
#include "tpn/hosts.hpp"

namespace takt::experiments {

using maxplus::Integer;

namespace {

enum class Replication { dealt, composition, sequential };
enum class Network { sender, pair, star, stage };

// What the arguments say, in numbers.
struct Shape {
  explicit Shape(const Arguments& arguments)
      : stages(arguments.count("stages")),
        processors(arguments.count("processors")),
        computations(arguments.range("computation").size()),
        transfers(arguments.range("transfer").size()),
        hold_speeds(arguments.choice("values") == "speeds") {
    const std::string& replicas = arguments.choice("replication");
    if (replicas == "composition") replication = Replication::composition;
    if (replicas == "sequential") replication = Replication::sequential;
    const std::string& links = arguments.choice("network");
    if (links == "pair") network = Network::pair;
    if (links == "star") network = Network::star;
    if (links == "stage") network = Network::stage;
  }

  std::size_t stages;
  std::size_t processors;
  std::uint64_t computations;  // values in the range
  std::uint64_t transfers;
  bool hold_speeds;
  Replication replication = Replication::dealt;
  Network network = Network::sender;
};

// A draw as numbers: replicas by stage, and which values of the ranges. The processors of stage 0 come first, then
// those of stage 1. Serves draw after draw.
class Drawn {
 public:
  explicit Drawn(const Shape& shape) : shape_(shape), replicas_(shape.stages) {}

  void draw(const DrawKey& key) {
    draw_replicas(Stream(key, Purpose::replicas));
    draw_values(Stream(key, Purpose::computations), shape_.computations, computations_);
    if (shape_.network == Network::pair) {
      draw_pairs(Stream(key, Purpose::links));
    } else {
      draw_values(Stream(key, Purpose::links), shape_.transfers, links_);
    }
  }

  const std::vector<std::uint64_t>& replicas() const { return replicas_; }
  std::uint64_t computation(std::size_t processor) const { return computations_[processor]; }
  /// Calls visit(sender, receiver, value) for each pair of processors of neighboring stages, by sender, then receiver.
  template <typename Visit>
  void for_each_transfer(Visit visit) const {
    std::size_t first = 0;
    std::size_t pair = 0;
    for (std::size_t stage = 0; stage + 1 < replicas_.size(); ++stage) {
      const std::size_t next = first + replicas_[stage];
      for (std::size_t u = first; u < next; ++u) {
        for (std::size_t v = next; v < next + replicas_[stage + 1]; ++v) visit(u, v, transfer(u, v, pair++));
      }
      first = next;
    }
  }

 private:
  std::uint64_t transfer(std::size_t from, std::size_t to, std::size_t pair) const {
    if (shape_.network == Network::pair) return links_[pair];
    if (shape_.network != Network::star) return links_[from];
    // The larger time; the lower one of two speeds.
    return shape_.hold_speeds ? std::min(links_[from], links_[to]) : std::max(links_[from], links_[to]);
  }

  void draw_replicas(Stream stream) {
    if (shape_.replication == Replication::composition) {
      draw_composition(replicas_, shape_.processors, stream);
      return;
    }
    std::ranges::fill(replicas_, std::uint64_t{1});
    if (shape_.replication == Replication::dealt) {
      for (std::size_t p = replicas_.size(); p < shape_.processors; ++p) ++replicas_[stream.below(replicas_.size())];
      return;
    }
    std::uint64_t spare = shape_.processors - replicas_.size();
    for (std::size_t k = 0; k + 1 < replicas_.size(); ++k) {
      const std::uint64_t more = stream.below(spare + 1);
      replicas_[k] += more;
      spare -= more;
    }
    replicas_.back() += spare;
  }

  // One of `bound` for each processor; the same one for all of a stage's under `stage`.
  void draw_values(Stream stream, std::uint64_t bound, std::vector<std::uint64_t>& values) const {
    values.clear();
    for (const std::uint64_t replicas : replicas_) {
      for (std::uint64_t i = 0; i < replicas; ++i) {
        const bool is_repeated = shape_.network == Network::stage && i > 0;
        values.push_back(is_repeated ? values.back() : stream.below(bound));
      }
    }
  }

  void draw_pairs(Stream stream) {
    std::size_t pairs = 0;
    for (std::size_t k = 0; k + 1 < replicas_.size(); ++k) pairs += replicas_[k] * replicas_[k + 1];
    links_.resize(pairs);
    for (std::uint64_t& value : links_) value = stream.below(shape_.transfers);
  }

  Shape shape_;
  std::vector<std::uint64_t> replicas_;
  std::vector<std::uint64_t> computations_;  // by processor
  std::vector<std::uint64_t> links_;         // by pair, or by processor
};

// Whether processors are machines with cores and ports.
bool has_machines(const Arguments& arguments) {
  return arguments.range("cores").high > 1 || arguments.count("ports") != tpn::kOnePort;
}

// Of each processor in turn.
class CoreCounts {
 public:
  CoreCounts(const Arguments& arguments, const DrawKey& key)
      : range_(arguments.range("cores")), stream_(key, Purpose::cores) {}

  std::uint64_t next() { return range_.draw(stream_).numerator().get_ui(); }

 private:
  const Range& range_;
  Stream stream_;
};

tpn::Document document_of(const Drawn& drawn, const Arguments& arguments, const DrawKey& key) {
  const bool hold_speeds = arguments.choice("values") == "speeds";
  const auto time = [&](const Range& range, std::uint64_t value) {
    return hold_speeds ? Rational(1) / range.at(value) : range.at(value);
  };
  tpn::Document document;
  document.mapping.emplace();
  auto& processors = document.platform.processors;
  std::vector<std::size_t> first_cores;  // by machine
  CoreCounts cores(arguments, key);
  for (std::size_t k = 0; k < drawn.replicas().size(); ++k) {
    tpn::Stage stage;
    stage.name = "S" + std::to_string(k);
    document.application.stages.push_back(std::move(stage));
    std::vector<std::vector<std::size_t>> machines;
    for (std::uint64_t i = 0; i < drawn.replicas()[k]; ++i) {
      const std::size_t u = first_cores.size();
      first_cores.push_back(processors.size());
      tpn::Processor machine{.name = "P" + std::to_string(u), .speed = {}, .time = {}};
      machine.time = time(arguments.range("computation"), drawn.computation(u));
      machine.ports = arguments.count("ports");
      tpn::add_cores(machine, cores.next(), processors);
      std::vector<std::size_t>& members = machines.emplace_back(processors.size() - first_cores.back());
      std::iota(members.begin(), members.end(), first_cores.back());
    }
    document.mapping->push_back({k, k, tpn::dealt_in_turn(machines)});
  }
  drawn.for_each_transfer([&](std::size_t from, std::size_t to, std::uint64_t value) {
    tpn::Link link{first_cores[from], first_cores[to], {}, true};
    link.timing.time = time(arguments.range("transfer"), value);
    document.platform.links.push_back(std::move(link));
  });
  return document;
}

tpn::Document draw_replicated_mapping(const Arguments& arguments, const DrawKey& key) {
  Drawn drawn{Shape(arguments)};
  drawn.draw(key);
  return document_of(drawn, arguments, key);
}

// No time of a table is longer, so that evaluators keep to 64 bits.
constexpr std::int64_t kMostTicks = std::int64_t{1} << 50;
// Speeds of which each has a time of its own in ticks.
constexpr std::uint64_t kMostSpeeds = 100'000;

// The least number of ticks per time unit that makes all times of a range whole; nothing beyond kMostTicks.
std::optional<Integer> unit_of(const Range& range, bool holds_speeds) {
  if (!holds_speeds) return Integer(lcm(range.low.denominator(), range.step.denominator()));
  const std::uint64_t size = range.size();
  if (size > kMostSpeeds) return std::nullopt;
  Integer unit = 1;
  for (std::uint64_t i = 0; i < size && unit <= kMostTicks; ++i) unit = lcm(unit, range.at(i).numerator());
  if (unit > kMostTicks) return std::nullopt;
  return unit;
}

// The times of a range in ticks, by value.
class RangeTicks {
 public:
  static std::optional<RangeTicks> of(const Range& range, bool holds_speeds, const Integer& unit) {
    RangeTicks ticks;
    const Rational longest = holds_speeds ? Rational(1) / range.low : range.high;
    if (longest * Rational(unit) > Rational(kMostTicks)) return std::nullopt;
    if (!holds_speeds) {
      ticks.low_ = whole(range.low * Rational(unit));
      ticks.step_ = range.size() == 1 ? 0 : whole(range.step * Rational(unit));
      return ticks;
    }
    for (std::uint64_t i = 0; i < range.size(); ++i) ticks.times_.push_back(whole(Rational(unit) / range.at(i)));
    return ticks;
  }

  std::int64_t operator[](std::uint64_t value) const {
    return times_.empty() ? low_ + step_ * static_cast<std::int64_t>(value) : times_[value];
  }

 private:
  static std::int64_t whole(const Rational& number) { return number.numerator().get_si(); }

  std::int64_t low_ = 0;
  std::int64_t step_ = 0;
  std::vector<std::int64_t> times_;  // of speeds
};

class Filler final : public TableFiller {
 public:
  Filler(const Shape& shape, const Rational& unit, RangeTicks computations, RangeTicks transfers)
      : drawn_(shape), unit_(unit), computations_(std::move(computations)), transfers_(std::move(transfers)) {}

  void fill(const DrawKey& key, evaluators::TimeTable& table) override {
    drawn_.draw(key);
    if (table.scale().ticks_per_unit() != unit_) table.set_scale(unit_);
    table.begin(drawn_.replicas());
    std::size_t processor = 0;
    for (std::int64_t& ticks : table.all_computations()) ticks = computations_[drawn_.computation(processor++)];
    auto ticks = table.all_transfers().begin();
    drawn_.for_each_transfer([&](std::size_t, std::size_t, std::uint64_t value) { *ticks++ = transfers_[value]; });
  }

 private:
  Drawn drawn_;
  Rational unit_;
  RangeTicks computations_;
  RangeTicks transfers_;
};

std::unique_ptr<TableFiller> table_filler(const Arguments& arguments) {
  if (has_machines(arguments)) return nullptr;
  const Shape shape(arguments);
  const Range& computation = arguments.range("computation");
  const Range& transfer = arguments.range("transfer");
  // The most that neighboring stages can have of pairs, half of the processors each.
  if (shape.processors * shape.processors / 4 > evaluators::TimeTable::kMostTransfers) return nullptr;
  const auto first = unit_of(computation, shape.hold_speeds);
  const auto second = unit_of(transfer, shape.hold_speeds);
  if (!first || !second) return nullptr;
  const Integer unit = lcm(*first, *second);
  auto computations = RangeTicks::of(computation, shape.hold_speeds, unit);
  auto transfers = RangeTicks::of(transfer, shape.hold_speeds, unit);
  if (!computations || !transfers) return nullptr;
  return std::make_unique<Filler>(shape, unit, *std::move(computations), *std::move(transfers));
}

std::optional<std::string> objection_of_replicated_mapping(const Arguments& arguments) {
  if (arguments.count("processors") < arguments.count("stages")) {
    return "every stage needs a processor: \"processors\" is less than \"stages\"";
  }
  const Range& cores = arguments.range("cores");
  if (cores.low.denominator() != 1 || (cores.size() > 1 && cores.step.denominator() != 1)) {
    return "a machine has a whole number of \"cores\"";
  }
  return std::nullopt;
}

std::vector<GeneratorParameter> parameters() {
  return {{.name = "stages", .help = "number of stages", .standard = "10", .most = 1000},
          {.name = "processors", .help = "number of processors", .standard = "20", .most = 2000},
          {.name = "cores",
           .help = "cores per processor; with several it is a machine whose cores share its ports",
           .kind = ParameterKind::range,
           .standard = "1",
           .most = 100},
          {.name = "ports",
           .help = "files that a processor or machine receives, and sends, at once",
           .standard = "1",
           .most = tpn::kMostPorts},
          {.name = "computation",
           .help = "range of computation times",
           .kind = ParameterKind::range,
           .standard = "5..15",
           .most = 1'000'000'000},
          {.name = "transfer",
           .help = "range of transfer times",
           .kind = ParameterKind::range,
           .standard = "5..15",
           .most = 1'000'000'000},
          {.name = "replication",
           .help = "how processors are divided among stages",
           .kind = ParameterKind::choice,
           .standard = "dealt",
           .choices = {"dealt", "composition", "sequential"}},
          {.name = "network",
           .help = "what each transfer time belongs to",
           .kind = ParameterKind::choice,
           .standard = "sender",
           .choices = {"sender", "pair", "star", "stage"}},
          {.name = "values",
           .help = "ranges are times, or speeds whose inverses are the times",
           .kind = ParameterKind::choice,
           .standard = "times",
           .choices = {"times", "speeds"}}};
}

}  // namespace

Generator replicated_mapping() {
  return {.name = "replicated-mapping",
          .summary = "a mapping with replicated stages and random times",
          .source = "benoit2009throughput, section 5",
          .kind = DrawnKind::instance,
          .parameters = parameters(),
          .objection = objection_of_replicated_mapping,
          .draw = draw_replicated_mapping,
          .table_filler = table_filler,
          .shares_resources = has_machines};
}

}  // namespace takt::experiments
