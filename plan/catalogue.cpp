// Times of types, as those of a platform with two processors of each.
#include "plan/catalogue.hpp"

#include <algorithm>
#include <numeric>

#include "maxplus/contract.hpp"
#include "tpn/absent_times.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/ends.hpp"
#include "tpn/errors.hpp"
#include "tpn/expansion.hpp"
#include "tpn/rates.hpp"
#include "tpn/timing.hpp"
#include "tpn/workflow.hpp"

namespace takt::plan {

tpn::Document two_of_each_type(const tpn::Document& problem) {
  const auto& types = problem.platform.types;
  tpn::Document catalogue = problem;
  catalogue.platform.links.clear();
  for (std::optional<tpn::Endpoint>* end : {&catalogue.platform.source, &catalogue.platform.sink}) {
    if (!*end) continue;
    for (tpn::Endpoint& one : tpn::in_turn(**end)) one.links.clear();
  }
  for (tpn::ProcessorType& type : catalogue.platform.types) type.cores = 1;
  const std::vector<std::uint64_t> two(types.size(), 2);
  tpn::Document sample = tpn::expanded(catalogue, two);
  for (tpn::Processor& processor : sample.platform.processors) processor.name = types[*processor.type].name;
  return sample;
}

namespace {

class CatalogueReading {
 public:
  CatalogueReading(const tpn::Document& sample, const maxplus::Deadline& deadline)
      : sample_(sample),
        timing_(sample),
        count_(sample.platform.types.size()),
        is_chain_(tpn::is_chain(sample.application)),
        watch_(deadline, kStepsBetweenReadings) {}

  std::optional<Catalogue> read() {
    const auto& stages = sample_.application.stages;
    for (const tpn::Stage& stage : stages)
      result_.stages.push_back({stage.name, stage.replicable, stage.apart, stage.memory.value_or(0), stage.partitions});
    for (const tpn::ProcessorType& type : sample_.platform.types) read_type(type);
    for (std::size_t k = 0; k < stages.size(); ++k) {
      if (!read_stage(k)) return std::nullopt;
    }
    for (std::size_t t = 0; t < count_; ++t) read_ends(t);
    const tpn::Platform& platform = sample_.platform;
    if (platform.source) {
      result_.sources = platform.source->in_turn().size();
      result_.source_ports = tpn::ports_of_all(*platform.source);
    }
    if (platform.sink) {
      result_.sinks = platform.sink->in_turn().size();
      result_.sink_ports = tpn::ports_of_all(*platform.sink);
    }
    return std::move(result_);
  }

 private:
  void read_type(const tpn::ProcessorType& type) {
    MachineType& made = result_.types.emplace_back();
    made.name = type.name;
    made.price = type.price;
    made.memory = type.memory;
    made.fixed_time = type.time;
    made.ports = type.ports;
    // More than 64 bits hold nobody has.
    if (type.count && type.count->numerator().fits_ulong_p()) made.count = type.count->numerator().get_ui();
  }

  // False if the time was up.
  bool read_stage(std::size_t k) {
    for (std::size_t t = 0; t < count_; ++t) {
      const bool is_let_run = tpn::is_let_run(sample_.application.stages[k], sample_.platform, first_of_type(t));
      result_.stage_times.push_back(result_.types[t].fixed_time ? Rational(0)
                                    : is_let_run                ? timing_.stage_time(k, first_of_type(t))
                                                                : std::nullopt);
    }
    if (!is_chain_ || k + 1 == sample_.application.stages.size()) return true;
    for (std::size_t t = 0; t < count_; ++t) {
      if (watch_.has_passed(static_cast<double>(count_))) return false;
      for (std::size_t u = 0; u < count_; ++u) {
        auto& time = result_.transfers.emplace_back();
        if (timing_.has_link(first_of_type(t), second_of_type(u)))
          time = timing_.transfer(k, first_of_type(t), second_of_type(u));
      }
    }
    return true;
  }

  void read_ends(std::size_t t) {
    std::optional<Rational> in = Rational(0);
    std::optional<Rational> out = Rational(0);
    if (sample_.platform.source) {
      in.reset();
      if (timing_.source_link(first_of_type(t))) in = timing_.from_source(first_of_type(t));
    }
    if (sample_.platform.sink) {
      out.reset();
      if (timing_.sink_link(first_of_type(t))) out = timing_.to_sink(first_of_type(t));
    }
    result_.from_source.push_back(std::move(in));
    result_.to_sink.push_back(std::move(out));
  }

  static constexpr double kStepsBetweenReadings = 1 << 14;

  const tpn::Document& sample_;
  tpn::Timing timing_;
  std::size_t count_;
  bool is_chain_;
  maxplus::DeadlineWatch watch_;
  Catalogue result_;
};

}  // namespace

Catalogue on_spot(Catalogue catalogue, const tpn::Platform& platform) {
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    MachineType& type = catalogue.types[t];
    const Rational price = platform.types[t].spot_price.value_or(type.price);
    type.premium = type.price - price;
    type.price = price;
  }
  return catalogue;
}

bool Catalogue::runs(std::size_t stage, std::size_t type) const {
  const auto& room = types[type].memory;
  return stage_time(stage, type) && (!room || stages[stage].memory <= *room);
}

Rational Catalogue::computation(std::size_t first_stage, std::size_t last_stage, std::size_t type) const {
  if (types[type].fixed_time) return *types[type].fixed_time;
  Rational sum;
  for (std::size_t k = first_stage; k <= last_stage; ++k) sum += *stage_time(k, type);
  return sum;
}

std::size_t Catalogue::least_first_stage(std::size_t last_stage, std::size_t type, bool all_apart) const {
  const std::optional<Rational>& room = types[type].memory;
  Rational held;
  std::size_t first = last_stage + 1;
  while (first > 0) {
    const PlannedStage& added = stages[first - 1];
    held += added.memory;
    if (!stage_time(first - 1, type) || (room && *room < held)) return first;
    --first;
    if (all_apart || added.apart) return first;
  }
  return first;
}

std::size_t Catalogue::least_replicable_stage(std::size_t last_stage) const {
  std::size_t first = last_stage + 1;
  while (first > 0 && stages[first - 1].replicable) --first;
  return first;
}

std::uint64_t Catalogue::partitions(std::size_t first_stage, std::size_t last_stage) const {
  std::uint64_t common = 0;
  for (std::size_t k = first_stage; k <= last_stage; ++k) common = std::gcd(common, stages[k].partitions);
  return common;
}

bool Catalogue::has_partitions() const {
  return std::ranges::any_of(stages, [](const PlannedStage& stage) { return stage.partitions > 0; });
}

bool Catalogue::has_equal_links() const {
  const auto all_equal = [](auto begin, auto end) {
    return std::adjacent_find(begin, end, std::not_equal_to<>()) == end;
  };
  const auto pairs = static_cast<std::ptrdiff_t>(types.size() * types.size());
  for (auto row = transfers.begin(); row != transfers.end(); row += pairs) {
    if (!all_equal(row, row + pairs)) return false;
  }
  return all_equal(from_source.begin(), from_source.end()) && all_equal(to_sink.begin(), to_sink.end());
}

bool Catalogue::allows(std::span<const std::uint64_t> machines) const {
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (types[t].count && *types[t].count < machines[t]) return false;
  }
  return std::ranges::all_of(quotas, [&](const tpn::QuotaUses& quota) { return quota.allows(machines); });
}

bool Catalogue::has_counts() const {
  return std::ranges::any_of(types, [](const MachineType& type) { return type.count.has_value(); });
}

bool Catalogue::has_equal_cores() const {
  return std::ranges::all_of(types, [&](const MachineType& type) { return type.cores == types.front().cores; });
}

Catalogue catalogue_of(const tpn::Document& problem) { return *catalogue_within(problem, {}); }

std::optional<Catalogue> catalogue_within(const tpn::Document& problem, const maxplus::Deadline& deadline,
                                          const tpn::Capabilities& takes) {
  maxplus::expects(!problem.platform.types.empty(), "a catalogue has types");
  tpn::require_taken(takes, problem);
  const bool has_rates = tpn::has_rates(problem.application);
  for (std::size_t t = 0; has_rates && t < problem.platform.types.size(); ++t) {
    if (!problem.platform.types[t].time) continue;
    throw tpn::InvalidInstance("/platform/types/" + std::to_string(t) + "/time", "a fixed time",
                               "a speed, or times of stages, where a stage consumes or produces several files");
  }
  const tpn::Document sample = two_of_each_type(problem);
  std::optional<Catalogue> read = CatalogueReading(sample, deadline).read();
  if (!read) return read;
  read->has_rates = has_rates;
  for (std::size_t t = 0; t < read->types.size(); ++t) read->types[t].cores = problem.platform.types[t].cores;
  for (const tpn::Quota& quota : problem.platform.quotas)
    read->quotas.push_back(tpn::quota_uses(quota, problem.platform));
  return read;
}

}  // namespace takt::plan
