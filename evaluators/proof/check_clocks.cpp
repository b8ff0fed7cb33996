// Plays the net, or a column alone, from given clocks, and compares.
#include "evaluators/proof/check_clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace takt::evaluators {

namespace {

using maxplus::modulo;
using tpn::Dependence;
using tpn::FoldedNet;

std::uint64_t bits(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 2); }

// One clock for every resource of a net, over a common denominator of all clocks, durations and the upper bound.
struct Clocks {
  Integer scale = 1;
  std::vector<Integer> values;  // times scale
  std::map<std::pair<tpn::ConstraintKind, std::size_t>, std::size_t> resource;
  std::set<tpn::ConstraintKind> kinds;

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
  std::variant<Clocks, Refused, tpn::TooLarge> take(const Rational& upper) {
    Clocks clocks;
    clocks.scale = lcm(net_.pipeline.scale, upper.denominator());
    // Clocks of unlike denominators could make it enormous.
    const std::uint64_t most_bits = bits(clocks.scale) + 65'536;
    for (std::size_t r = 0; r < given_.size(); ++r) {
      const tpn::Resource& resource = net_.resources[r];
      if (!given_[r]) return Refused{fmt::format("{} has no clock", tpn::name_of(resource, net_.pipeline))};
      clocks.scale = lcm(clocks.scale, given_[r]->denominator());
      if (bits(clocks.scale) > most_bits) {
        return tpn::TooLarge{tpn::LimitKind::clock_bits, bits(clocks.scale), most_bits};
      }
      clocks.resource[{resource.kind, resource.processor}] = r;
      clocks.kinds.insert(resource.kind);
    }
    for (const auto& value : given_) clocks.values.push_back(clocks.scaled(*value));
    return clocks;
  }

 private:
  const FoldedNet& net_;
  std::map<std::pair<tpn::ConstraintKind, std::string_view>, std::size_t> index_;
  std::vector<std::optional<Rational>> given_;
};

// What one pass plays: neighbouring columns and the dependences between them, over some rows.
struct PlayedColumns {
  std::size_t first_column = 0;
  std::size_t columns = 0;
  std::vector<const Dependence*> dependences;
  Integer rows = 1;
};

// The dependences that leave a column, found by data set.
class Leaving {
 public:
  void add(const Dependence& d) {
    auto& by_residue = by_modulus_[d.modulus];
    by_residue.resize(d.modulus);
    by_residue[d.residue].push_back(&d);
  }

  template <typename Visit>
  void at(std::uint64_t data_set, Visit visit) const {
    for (const auto& [modulus, by_residue] : by_modulus_) {
      for (const Dependence* d : by_residue[data_set % modulus]) visit(*d);
    }
  }

 private:
  std::map<std::uint64_t, std::vector<std::vector<const Dependence*>>> by_modulus_;
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
        lambda_(clocks.scaled(upper) * stretch.rows),
        leaving_(stretch.columns) {
    std::vector<std::uint64_t> furthest(stretch.columns, 0);
    for (const Dependence* d : stretch.dependences) {
      leaving_[d->from - stretch.first_column].add(*d);
      std::uint64_t& height = furthest[d->to - stretch.first_column];
      height = std::max(height, d->height);
    }
    for (const std::uint64_t height : furthest) starts_.emplace_back(height + 1);
  }

  Refusal run() {
    for (const Dependence* dependence : stretch_.dependences) {
      const Dependence& d = *dependence;
      if (d.height == 0) continue;
      if (!clocks_.kinds.contains(d.kind)) {
        return Refused{"this model has tokens that belong to no resource; clocks prove nothing, a schedule would"};
      }
      for (std::uint64_t back = d.modulus - d.residue; back <= d.height; back += d.modulus) {
        if (d.height - back < rows_) push(d.to, d.height - back, clocks_.values[holder(d, -Integer(back))]);
      }
    }
    std::vector<std::vector<Integer>> tables = scaled_tables();
    for (std::uint64_t row = 0; row < rows_; ++row) {
      for (std::size_t k = 0; k < leaving_.size(); ++k) {
        auto& start = starts_[k][row % starts_[k].size()];
        if (!start)
          return Refused{fmt::format("column {} waits for nothing on row {}", stretch_.first_column + k, row)};
        const tpn::Column& column = net_.pipeline.columns[stretch_.first_column + k];
        const Integer end = *start + tables[k][column.sender_offset[row % column.sender_offset.size()] +
                                               column.receiver_offset[row % column.receiver_offset.size()]];
        start.reset();
        Refusal refusal;
        leaving_[k].at(row, [&](const Dependence& d) {
          if (row + d.height < rows_) {
            push(d.to, row + d.height, end);
          } else if (!refusal) {
            refusal = check_token(d, row, end);
          }
        });
        if (refusal) return refusal;
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<std::vector<Integer>> scaled_tables() const {
    const Integer factor = clocks_.scale / net_.pipeline.scale;
    std::vector<std::vector<Integer>> tables(stretch_.columns);
    for (std::size_t k = 0; k < tables.size(); ++k) {
      const tpn::DurationTable& table = net_.pipeline.columns[stretch_.first_column + k].table;
      for (std::size_t entry = 0; entry < table.size(); ++entry) tables[k].push_back(table[entry] * factor);
    }
    return tables;
  }

  // The resource whose token a dependence holds at a data set.
  std::size_t holder(const Dependence& d, const Integer& data_set) const {
    const auto& sequence = net_.pipeline.parts[d.part].sequence;
    return clocks_.resource.at({d.kind, sequence[modulo(data_set, sequence.size())]});
  }

  void push(std::size_t column, std::uint64_t row, const Integer& end) {
    auto& starts = starts_[column - stretch_.first_column];
    auto& start = starts[row % starts.size()];
    if (!start || *start < end) start = end;
  }

  Refusal check_token(const Dependence& d, std::uint64_t row, const Integer& end) const {
    const std::size_t resource = holder(d, Integer(row));
    if (end <= clocks_.values[resource] + lambda_) return std::nullopt;
    return Refused{
        fmt::format("after one pass over the {} rows the clock of {} has risen by {}, more than the {} claimed", rows_,
                    tpn::name_of(net_.resources[resource], net_.pipeline),
                    Rational::fraction(end - clocks_.values[resource], clocks_.scale).to_string(),
                    Rational::fraction(lambda_, clocks_.scale).to_string())};
  }

  const FoldedNet& net_;
  const PlayedColumns& stretch_;
  const Clocks& clocks_;
  std::uint64_t rows_;
  Integer lambda_;
  std::vector<Leaving> leaving_;                             // by column
  std::vector<std::vector<std::optional<Integer>>> starts_;  // by column, a ring of the data sets ahead
};

// Every column with the dependences that stay in it, over the data sets after which it repeats; or why that would
// prove nothing.
std::variant<std::vector<PlayedColumns>, Refused> lone_columns(const FoldedNet& net) {
  std::vector<PlayedColumns> columns(net.pipeline.columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) columns[c] = {c, 1, {}, net.pipeline.columns[c].period};
  for (const Dependence& d : net.dependences) {
    if (d.to < d.from) {
      return Refused{
          fmt::format("column {} waits for column {}, so a circuit may leave its column; clocks by column "
                      "prove nothing",
                      d.to, d.from)};
    }
    if (d.to > d.from) continue;
    columns[d.from].dependences.push_back(&d);
    columns[d.from].rows =
        lcm(columns[d.from].rows, lcm(Integer(d.modulus), net.pipeline.parts[d.part].sequence.size()));
  }
  return columns;
}

}  // namespace

std::string text(const ResourceName& name) {
  return name.kind == tpn::ConstraintKind::processor ? name.processor
                                                     : name.processor + " " + std::string(tpn::name_of(name.kind));
}

Verdict check_clocks(const FoldedNet& net, const std::vector<CertificateClock>& clocks, const Rational& upper,
                     std::uint64_t max_operations) {
  NamedClocks named(net);
  for (const CertificateClock& clock : clocks) {
    if (auto refusal = named.add(clock)) return *refusal;
  }
  const auto taken = named.take(upper);
  if (const auto* refused = std::get_if<Refused>(&taken)) return *refused;
  const Integer operations = net.pipeline.rows * net.pipeline.columns.size();
  if (operations > max_operations) return tpn::TooLarge{tpn::LimitKind::checked_operations, operations, max_operations};
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&taken)) return *too_large;
  PlayedColumns all{0, net.pipeline.columns.size(), {}, net.pipeline.rows};
  for (const Dependence& d : net.dependences) all.dependences.push_back(&d);
  if (auto refusal = ClockPass(net, all, std::get<Clocks>(taken), upper).run()) return *refusal;
  return Proven{};
}

Verdict check_column_clocks(const FoldedNet& net, const std::vector<ColumnClockList>& columns, const Rational& upper,
                            std::uint64_t max_operations) {
  const auto lone = lone_columns(net);
  if (const auto* refused = std::get_if<Refused>(&lone)) return *refused;
  NamedClocks named(net);
  std::set<std::size_t> seen;
  for (const ColumnClockList& list : columns) {
    if (list.column >= net.pipeline.columns.size()) {
      return Refused{
          fmt::format("the clocks speak of column {}; the net has {}", list.column, net.pipeline.columns.size())};
    }
    if (!seen.insert(list.column).second) return Refused{fmt::format("column {} has clocks twice", list.column)};
    for (const CertificateClock& clock : list.clocks) {
      if (auto refusal = named.add(clock)) return *refusal;
      // The first of its columns is the only one, for its circuit would have to come back from another.
      const std::size_t column = net.resources[*named.find(clock.resource)].first_column;
      if (column != list.column) {
        return Refused{fmt::format("{} belongs to column {}, but its clock stands with column {}", text(clock.resource),
                                   column, list.column)};
      }
    }
  }
  const auto taken = named.take(upper);
  if (const auto* refused = std::get_if<Refused>(&taken)) return *refused;
  Integer operations = 0;
  for (const PlayedColumns& column : std::get<std::vector<PlayedColumns>>(lone)) {
    if (!column.dependences.empty()) operations += column.rows;
  }
  if (operations > max_operations) return tpn::TooLarge{tpn::LimitKind::checked_operations, operations, max_operations};
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&taken)) return *too_large;
  for (const PlayedColumns& column : std::get<std::vector<PlayedColumns>>(lone)) {
    if (column.dependences.empty()) continue;  // no circuit
    if (auto refusal = ClockPass(net, column, std::get<Clocks>(taken), upper).run()) return *refusal;
  }
  return Proven{};
}

}  // namespace takt::evaluators
