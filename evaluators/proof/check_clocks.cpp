// Plays the net, or a column alone, from given clocks, and compares.
#include "evaluators/proof/check_clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tpn/clusters.hpp"

namespace takt::evaluators {

namespace {

using maxplus::modulo;
using tpn::Dependence;
using tpn::FoldedNet;

// That the common denominator of clocks may have beyond what the instance and the period need.
constexpr std::uint64_t kDenominatorBits = 65'536;

std::uint64_t bits(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 2); }

// One clock for every resource of a net, over a common denominator of all clocks, durations and the upper bound.
struct Clocks {
  Integer scale = 1;
  std::vector<Integer> values;  // times scale
  std::map<std::pair<tpn::ConstraintKind, std::size_t>, std::size_t> resource;
  std::bitset<tpn::kConstraintKinds> kinds;  // that resources are of

  Integer scaled(const Rational& number) const { return number.numerator() * (scale / number.denominator()); }
};

// The clocks of a certificate by resource.
class NamedClocks {
 public:
  explicit NamedClocks(const FoldedNet& net) : net_(net), given_(net.resources.size()) {
    for (std::size_t r = 0; r < net.resources.size(); ++r) {
      index_[{net.resources[r].kind, net.pipeline.processors[net.resources[r].processor]}] = r;
    }
  }

  std::optional<std::size_t> find(const ResourceName& name) const {
    const auto found = index_.find({name.kind, name.processor});
    if (found == index_.end()) return std::nullopt;
    return found->second;
  }

  Refusal add(const CertificateClock& clock) {
    const auto resource = find(clock.resource);
    if (!resource) {
      return Refused{fmt::format("the mapping has no resource {} under this model", text(clock.resource))};
    }
    if (given_[*resource]) return Refused{fmt::format("{} has two clocks", text(clock.resource))};
    given_[*resource] = clock.value;
    return std::nullopt;
  }

  // All of them, over one denominator that those of `upper` and of the durations divide as well.
  std::variant<Clocks, Refused, Unchecked> take(const Rational& upper, CheckBudget& budget) const {
    for (std::size_t r = 0; r < given_.size(); ++r) {
      if (!given_[r]) return Refused{fmt::format("{} has no clock", tpn::name_of(net_.resources[r], net_.pipeline))};
    }
    Clocks clocks;
    if (!find_scale(upper, clocks.scale, budget)) return budget.unchecked();
    for (std::size_t r = 0; r < given_.size(); ++r) {
      const tpn::Resource& resource = net_.resources[r];
      clocks.resource[{resource.kind, resource.processor}] = r;
      clocks.kinds.set(static_cast<std::size_t>(resource.kind));
      const Rational& clock = *given_[r];
      if (!budget.spend(product_cost(clocks.scale, clock.denominator())) ||
          !budget.spend(product_cost(clocks.scale, clock.numerator()))) {
        return budget.unchecked();
      }
      clocks.values.push_back(clocks.scaled(clock));
    }
    return clocks;
  }

 private:
  // Clocks of unlike denominators could make it enormous.
  bool find_scale(const Rational& upper, Integer& scale, CheckBudget& budget) const {
    if (!budget.spend(divisor_cost(net_.pipeline.scale, upper.denominator()))) return false;
    scale = lcm(net_.pipeline.scale, upper.denominator());
    const std::uint64_t most_bits = bits(scale) + kDenominatorBits;
    for (const auto& clock : given_) {
      if (!budget.spend(product_cost(scale, clock->denominator()))) return false;
      if (mpz_divisible_p(scale.get_mpz_t(), clock->denominator().get_mpz_t()) != 0) continue;
      if (!budget.spend(divisor_cost(scale, clock->denominator()))) return false;
      scale = lcm(scale, clock->denominator());
      if (!budget.bound_denominator(bits(scale), most_bits)) return false;
    }
    return budget.keep(given_.size(), bits(scale));
  }

  const FoldedNet& net_;
  std::map<std::pair<tpn::ConstraintKind, std::string_view>, std::size_t> index_;
  std::vector<std::optional<Rational>> given_;
};

// One pass: some columns, in order, and the dependences between them, over some rows.
struct PlayedColumns {
  std::vector<tpn::ColumnIndex> columns;
  std::vector<const Dependence*> dependences;
  Integer rows = 1;

  std::size_t position(tpn::ColumnIndex column) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(columns, column) - columns.begin());
  }
};

// The dependences that leave a column, found by data set.
class Leaving {
 public:
  void add(const Dependence& d) {
    if (d.modulus == 1) {
      always_.push_back(&d);
    } else {
      by_guard_[d.modulus][d.residue].push_back(&d);
    }
  }

  // What it costs to look at a data set, beside the dependences themselves.
  std::uint64_t lookups() const { return by_guard_.size(); }

  template <typename Visit>
  void at(std::uint64_t data_set, Visit visit) const {
    for (const Dependence* d : always_) visit(*d);
    for (const auto& [modulus, by_residue] : by_guard_) {
      const auto found = by_residue.find(data_set % modulus);
      if (found == by_residue.end()) continue;
      for (const Dependence* d : found->second) visit(*d);
    }
  }

 private:
  std::vector<const Dependence*> always_;
  std::map<std::uint64_t, std::unordered_map<std::uint64_t, std::vector<const Dependence*>>> by_guard_;
};

// The start of an operation, as far as it is known what it waits for.
struct PendingStart {
  bool is_set = false;
  Integer time;
};

// Plays a stretch once from the clocks, pushing every end forward along the dependences; what would be pushed beyond
// the last row must not exceed the clock it belongs to by more than upper * rows.
class ClockPass {
 public:
  ClockPass(const FoldedNet& net, const PlayedColumns& stretch, const Clocks& clocks, const Rational& upper)
      : net_(net),
        stretch_(stretch),
        clocks_(clocks),
        rows_(stretch.rows.get_ui()),
        factor_(clocks.scale / net.pipeline.scale),
        lambda_(clocks.scaled(upper) * stretch.rows),
        leaving_(stretch.columns.size()) {
    std::vector<std::uint64_t> furthest(stretch.columns.size(), 0);
    for (const Dependence* d : stretch.dependences) {
      leaving_[stretch.position(d->from)].add(*d);
      std::uint64_t& height = furthest[stretch.position(d->to)];
      height = std::max(height, d->height);
    }
    for (const std::uint64_t height : furthest) starts_.emplace_back(height + 1);
  }

  // Operations, by the length of their numbers: no clock or end is ever longer than the longest of them.
  Integer cost() const {
    Integer longest = 0;
    for (const Integer& clock : clocks_.values) {
      if (abs(clock) > longest) longest = abs(clock);
    }
    Integer busy = 0;
    for (std::size_t k = 0; k < stretch_.columns.size(); ++k) busy += column(k).table.longest();
    longest += busy * factor_ * stretch_.rows;
    Integer per_row = 0;
    for (std::size_t k = 0; k < stretch_.columns.size(); ++k) {
      per_row +=
          std::max(pieces(longest), product_cost(column(k).table.longest(), factor_)) + leaving_[k].lookups() / 4;
    }
    return per_row * stretch_.rows;
  }

  Verdict run(CheckBudget& budget) {
    if (auto refusal = push_clocks()) return *refusal;
    for (std::uint64_t row = 0; row < rows_; ++row) {
      for (std::size_t k = 0; k < leaving_.size(); ++k) {
        if (auto refusal = play(row, k)) return *refusal;
      }
      if (!budget.has_time(leaving_.size() * pieces(lambda_))) return verdict_of(budget.unchecked());
    }
    return Proven{};
  }

 private:
  const tpn::Column& column(std::size_t k) const { return net_.pipeline.columns[stretch_.columns[k]]; }

  Refusal push_clocks() {
    for (const Dependence* dependence : stretch_.dependences) {
      const Dependence& d = *dependence;
      if (d.height == 0) continue;
      if (!clocks_.kinds.test(static_cast<std::size_t>(d.kind))) {
        return Refused{"this model has tokens that belong to no resource; clocks prove nothing here, a schedule would"};
      }
      for (std::uint64_t back = d.modulus - d.residue; back <= d.height; back += d.modulus) {
        const std::size_t resource = holder(d, -Integer(back));
        if (d.height - back < rows_) {
          push(d.to, d.height - back, clocks_.values[resource]);
        } else if (auto refusal = check_token(d, -Integer(back), clocks_.values[resource])) {
          return refusal;  // a token that waits for longer than the pass
        }
      }
    }
    return std::nullopt;
  }

  Refusal play(std::uint64_t row, std::size_t k) {
    PendingStart& start = starts_[k][row % starts_[k].size()];
    if (!start.is_set) {
      return Refused{fmt::format("column {} waits for nothing on row {}", stretch_.columns[k], row)};
    }
    start.is_set = false;
    end_ = start.time + column(k).duration(row) * factor_;
    Refusal refusal;
    leaving_[k].at(row, [&](const Dependence& d) {
      if (row + d.height < rows_) {
        push(d.to, row + d.height, end_);
      } else if (!refusal) {
        refusal = check_token(d, Integer(row), end_);
      }
    });
    return refusal;
  }

  // The resource whose token a dependence holds at a data set.
  std::size_t holder(const Dependence& d, const Integer& data_set) const {
    if (d.kind == tpn::ConstraintKind::segment) return clocks_.resource.at({d.kind, d.segment});
    const auto& sequence = net_.pipeline.parts[d.part].sequence;
    const std::uint64_t shift = net_.pipeline.columns[d.from].shift;
    const std::size_t processor =
        sequence[modulo(shift == 0 ? data_set : Integer(data_set - Integer(shift)), sequence.size())];
    return clocks_.resource.at({d.kind, net_.pipeline.owner_by(d, processor)});
  }

  void push(tpn::ColumnIndex column, std::uint64_t row, const Integer& end) {
    auto& starts = starts_[stretch_.position(column)];
    PendingStart& start = starts[row % starts.size()];
    if (start.is_set && start.time >= end) return;
    start.is_set = true;
    start.time = end;
  }

  // The token that a dependence holds at a data set after the pass stands where another one stood before: at the data
  // set as many rows earlier, perhaps with another resource.
  Refusal check_token(const Dependence& d, const Integer& data_set, const Integer& end) const {
    const std::size_t resource = holder(d, data_set - Integer(rows_));
    if (end <= clocks_.values[resource] + lambda_) return std::nullopt;
    return Refused{fmt::format("after one pass over the {} rows the clock of {} is {} later, more than the {} claimed",
                               rows_, tpn::name_of(net_.resources[resource], net_.pipeline),
                               Rational::fraction(end - clocks_.values[resource], clocks_.scale).to_string(),
                               Rational::fraction(lambda_, clocks_.scale).to_string())};
  }

  const FoldedNet& net_;
  const PlayedColumns& stretch_;
  const Clocks& clocks_;
  std::uint64_t rows_;
  Integer factor_;  // clock units per unit of a duration
  Integer lambda_;
  Integer end_;                                    // of the operation that is played
  std::vector<Leaving> leaving_;                   // by column
  std::vector<std::vector<PendingStart>> starts_;  // by column, a ring of the data sets ahead
};

// After how many data sets a pass may end: when all repeats, resources included, or durations and guards only.
enum class PassLength { of_resources, of_durations };

// Every cluster of columns with the dependences that stay in it; or why that would prove nothing. However the clusters
// were made: they are looked at here.
std::variant<std::vector<PlayedColumns>, Refused> lone_clusters(const FoldedNet& net, PassLength length) {
  const std::vector<std::size_t> cluster_of = tpn::column_clusters(net);
  std::vector<PlayedColumns> clusters(cluster_of.empty() ? 0 : *std::ranges::max_element(cluster_of) + 1);
  for (const tpn::ColumnIndex c : net.pipeline.all_columns()) {
    PlayedColumns& cluster = clusters[cluster_of[c]];
    cluster.columns.push_back(c);
    cluster.rows = lcm(cluster.rows, Integer(net.pipeline.columns[c].period));
  }
  for (const Dependence& d : net.dependences) {
    if (cluster_of[d.to] < cluster_of[d.from]) {
      return Refused{
          fmt::format("column {} waits for column {}, so a circuit may leave its columns; clocks by column "
                      "prove nothing",
                      d.to, d.from)};
    }
    if (cluster_of[d.to] != cluster_of[d.from]) continue;
    PlayedColumns& cluster = clusters[cluster_of[d.from]];
    cluster.dependences.push_back(&d);
    if (d.modulus != 1) cluster.rows = lcm(cluster.rows, Integer(d.modulus));
    if (length == PassLength::of_resources)
      cluster.rows = lcm(cluster.rows, Integer(net.pipeline.parts[d.part].sequence.size()));
  }
  return clusters;
}

// Every clock to its resource, each in a list of that one's column.
Refusal add_by_column(const FoldedNet& net, const std::vector<ColumnClockList>& columns, NamedClocks& named) {
  std::set<std::size_t> seen;
  for (const ColumnClockList& list : columns) {
    if (list.column >= net.pipeline.columns.size()) {
      return Refused{
          fmt::format("the clocks name column {}; the net has {} columns", list.column, net.pipeline.columns.size())};
    }
    if (!seen.insert(list.column).second) return Refused{fmt::format("column {} has clocks twice", list.column)};
    for (const CertificateClock& clock : list.clocks) {
      if (auto refusal = named.add(clock)) return *refusal;
      // Its other columns are in the same cluster, for its circuit comes back from them.
      const std::size_t column = net.resources[*named.find(clock.resource)].first_column;
      if (column != list.column) {
        return Refused{fmt::format("{} belongs to column {}, but its clock is listed with column {}",
                                   text(clock.resource), column, list.column)};
      }
    }
  }
  return std::nullopt;
}

// Plays each stretch on its own. What all of them take is known before, wherever the net's rows can be counted.
Verdict play_all(const FoldedNet& net, const std::vector<PlayedColumns>& stretches, const NamedClocks& named,
                 const Rational& upper, CheckBudget& budget) {
  const auto taken = named.take(upper, budget);
  if (const auto* refused = std::get_if<Refused>(&taken)) return *refused;
  if (const auto* unchecked = std::get_if<Unchecked>(&taken)) return verdict_of(*unchecked);
  const Clocks& clocks = std::get<Clocks>(taken);
  Integer least = 0;
  for (const PlayedColumns& stretch : stretches) {
    if (!stretch.dependences.empty()) least += stretch.rows * stretch.columns.size();
  }
  if (!budget.allows(least)) return verdict_of(budget.unchecked());
  std::vector<ClockPass> passes;
  Integer operations = 0;
  for (const PlayedColumns& stretch : stretches) {
    if (stretch.dependences.empty()) continue;  // no circuit
    passes.emplace_back(net, stretch, clocks, upper);
    operations += passes.back().cost();
  }
  if (!budget.spend(operations)) return verdict_of(budget.unchecked());
  for (ClockPass& pass : passes) {
    Verdict verdict = pass.run(budget);
    if (!std::holds_alternative<Proven>(verdict)) return verdict;
  }
  return Proven{};
}

}  // namespace

std::string text(const ResourceName& name) { return tpn::resource_name(name.kind, name.processor); }

Verdict check_clocks(const FoldedNet& net, const std::vector<CertificateClock>& clocks, const Rational& upper,
                     CheckBudget& budget) {
  NamedClocks named(net);
  for (const CertificateClock& clock : clocks) {
    if (auto refusal = named.add(clock)) return *refusal;
  }
  PlayedColumns all{{}, {}, tpn::repetition_of(net)};
  for (const tpn::ColumnIndex c : net.pipeline.all_columns()) all.columns.push_back(c);
  for (const Dependence& d : net.dependences) all.dependences.push_back(&d);
  Verdict verdict = play_all(net, {all}, named, upper, budget);
  if (!std::holds_alternative<Refused>(verdict) || all.rows == net.pipeline.rows) return verdict;
  // What a short pass does not show the whole one may.
  all.rows = net.pipeline.rows;
  return play_all(net, {all}, named, upper, budget);
}

Verdict check_column_clocks(const FoldedNet& net, const std::vector<ColumnClockList>& columns, const Rational& upper,
                            CheckBudget& budget) {
  const auto lone = lone_clusters(net, PassLength::of_durations);
  if (const auto* refused = std::get_if<Refused>(&lone)) return *refused;
  NamedClocks named(net);
  if (auto refusal = add_by_column(net, columns, named)) return *refusal;
  Verdict verdict = play_all(net, std::get<std::vector<PlayedColumns>>(lone), named, upper, budget);
  if (!std::holds_alternative<Refused>(verdict)) return verdict;
  const auto whole = lone_clusters(net, PassLength::of_resources);
  return play_all(net, std::get<std::vector<PlayedColumns>>(whole), named, upper, budget);
}

}  // namespace takt::evaluators
