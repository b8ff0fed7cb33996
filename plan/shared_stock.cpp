// One chain, stage by stage.
#include "plan/shared_stock.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::plan {

namespace {

using StockTimes = std::vector<std::optional<Rational>>;

void append_scaled(StockTimes& times, const std::optional<Rational>& time, const Rational& scale) {
  times.push_back(time ? std::optional(*time * scale) : std::nullopt);
}

class StockOfSeveral {
 public:
  StockOfSeveral(const std::vector<Catalogue>& pipelines, const std::vector<Rational>& periods)
      : pipelines_(pipelines), periods_(periods), own_types_(pipelines.front().types.size()) {
    Catalogue& all = result_.catalogue;
    all.types = pipelines.front().types;
    all.quotas = pipelines.front().quotas;
    // Two between one pipeline and the next.
    MachineType world;
    world.price = 0;
    all.types.insert(all.types.end(), 2 * (pipelines.size() - 1), world);
    for (tpn::QuotaUses& quota : all.quotas) quota.uses.resize(all.types.size());
    all.sources = pipelines.front().sources;
    all.source_ports = pipelines.front().source_ports;
    all.sinks = pipelines.back().sinks;
    all.sink_ports = pipelines.back().sink_ports;
    result_.period = periods.front();
  }

  SharedStock make() {
    for (std::size_t k = 0; k < pipelines_.size(); ++k) {
      if (k > 0) add_worlds_before(k);
      add_pipeline(k);
    }
    Catalogue& all = result_.catalogue;
    all.from_source = ends_of(pipelines_.front().from_source, scale(0));
    all.to_sink = ends_of(pipelines_.back().to_sink, scale(pipelines_.size() - 1));
    return std::move(result_);
  }

 private:
  std::size_t all_types() const { return result_.catalogue.types.size(); }
  std::size_t sink_type(std::size_t pipeline) const { return own_types_ + 2 * pipeline; }
  std::size_t source_type(std::size_t pipeline) const { return own_types_ + 2 * pipeline - 1; }
  Rational scale(std::size_t pipeline) const { return periods_.front() / periods_[pipeline]; }

  // Whether an end can have such a transfer for each data set: there is only one of it, while the world's machines cost
  // nothing.
  bool keeps_up(const std::optional<Rational>& time, tpn::PortCount ports, std::size_t pipeline) const {
    return time && end_demand(*time, ports) <= periods_[pipeline];
  }

  // Whose times and transfers come next, all absent.
  void add_world_stage(std::size_t type) {
    Catalogue& all = result_.catalogue;
    PlannedStage& world = all.stages.emplace_back();
    world.apart = true;
    all.stage_times.resize(all.stage_times.size() + all_types());
    all.stage_times[(all.stages.size() - 1) * all_types() + type] = 0;
  }

  StockTimes& add_transfers() {
    StockTimes& transfers = result_.catalogue.transfers;
    transfers.resize(transfers.size() + all_types() * all_types());
    return transfers;
  }
  std::size_t transfer(std::size_t stage, std::size_t from, std::size_t to) const {
    return (stage * all_types() + from) * all_types() + to;
  }

  // Behind the stages of the pipelines before, whose last transfer they make: into the sink, between the worlds, out of
  // the source.
  void add_worlds_before(std::size_t pipeline) {
    Catalogue& all = result_.catalogue;
    const std::size_t last = all.stages.size() - 1;
    const Catalogue& before = pipelines_[pipeline - 1];
    const Catalogue& behind = pipelines_[pipeline];
    add_world_stage(sink_type(pipeline - 1));
    add_world_stage(source_type(pipeline));
    StockTimes& into = add_transfers();
    for (std::size_t t = 0; t < own_types_; ++t) {
      const auto& time = before.to_sink[t];
      if (keeps_up(time, before.sink_ports, pipeline - 1))
        into[transfer(last, t, sink_type(pipeline - 1))] = *time * scale(pipeline - 1);
    }
    add_transfers()[transfer(last + 1, sink_type(pipeline - 1), source_type(pipeline))] = 0;
    StockTimes& out = add_transfers();
    for (std::size_t t = 0; t < own_types_; ++t) {
      const auto& time = behind.from_source[t];
      if (keeps_up(time, behind.source_ports, pipeline))
        out[transfer(last + 2, source_type(pipeline), t)] = *time * scale(pipeline);
    }
  }

  void add_pipeline(std::size_t pipeline) {
    Catalogue& all = result_.catalogue;
    const Catalogue& own = pipelines_[pipeline];
    result_.first_stages.push_back(all.stages.size());
    result_.stages.push_back(own.stages.size());
    for (std::size_t k = 0; k < own.stages.size(); ++k) {
      all.stages.push_back(own.stages[k]);
      if (k == 0 && pipeline > 0) all.stages.back().apart = true;
      for (std::size_t t = 0; t < own_types_; ++t)
        append_scaled(all.stage_times, own.stage_time(k, t), scale(pipeline));
      all.stage_times.resize(all.stages.size() * all_types());
      if (k + 1 == own.stages.size()) break;
      StockTimes& transfers = add_transfers();
      for (std::size_t t = 0; t < own_types_; ++t) {
        for (std::size_t u = 0; u < own_types_; ++u) {
          const auto& time = own.transfer(k, t, u);
          if (time) transfers[transfer(all.stages.size() - 1, t, u)] = *time * scale(pipeline);
        }
      }
    }
  }

  StockTimes ends_of(const StockTimes& own, const Rational& scale) const {
    StockTimes result;
    for (const auto& time : own) append_scaled(result, time, scale);
    result.resize(all_types());
    return result;
  }

  const std::vector<Catalogue>& pipelines_;
  const std::vector<Rational>& periods_;
  std::size_t own_types_;
  SharedStock result_;
};

}  // namespace

SharedStock share_stock(const std::vector<Catalogue>& pipelines, const std::vector<Rational>& periods) {
  maxplus::expects(!pipelines.empty() && pipelines.size() == periods.size(), "a period for each pipeline");
  return StockOfSeveral(pipelines, periods).make();
}

std::vector<TypedPlan> plans_of_each(const SharedStock& stock, const TypedPlan& plan) {
  std::vector<TypedPlan> result(stock.first_stages.size());
  for (const TypedPart& part : plan) {
    const auto behind = std::ranges::upper_bound(stock.first_stages, part.first_stage);
    const auto pipeline = static_cast<std::size_t>(behind - stock.first_stages.begin()) - 1;
    const std::size_t first = stock.first_stages[pipeline];
    if (part.first_stage >= first + stock.stages[pipeline]) continue;  // a world
    TypedPart& own = result[pipeline].emplace_back(part);
    own.first_stage -= first;
    own.last_stage -= first;
  }
  return result;
}

Catalogue with_all_types(const Catalogue& catalogue, const std::vector<MachineType>& types) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const std::size_t count = catalogue.types.size();
  std::vector<std::size_t> own;
  for (const MachineType& type : types) {
    const auto known = std::ranges::find(catalogue.types, type.name, &MachineType::name);
    own.push_back(known == catalogue.types.end() ? kNone : static_cast<std::size_t>(known - catalogue.types.begin()));
  }
  const auto pick = [&](const StockTimes& times, std::size_t row, std::size_t t) {
    return t == kNone ? std::optional<Rational>() : times[row + t];
  };
  Catalogue result = catalogue;
  result.types = types;
  result.stage_times.clear();
  result.transfers.clear();
  result.from_source.clear();
  result.to_sink.clear();
  for (const std::size_t t : own) {
    result.from_source.push_back(pick(catalogue.from_source, 0, t));
    result.to_sink.push_back(pick(catalogue.to_sink, 0, t));
  }
  for (std::size_t k = 0; k < catalogue.stages.size(); ++k) {
    for (const std::size_t t : own) result.stage_times.push_back(pick(catalogue.stage_times, k * count, t));
    if (k + 1 == catalogue.stages.size()) break;
    for (const std::size_t t : own) {
      for (const std::size_t u : own) {
        result.transfers.push_back(t == kNone ? std::nullopt : pick(catalogue.transfers, (k * count + t) * count, u));
      }
    }
  }
  return result;
}

}  // namespace takt::plan
