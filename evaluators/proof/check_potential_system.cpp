// Durations are rounded up to the potential's unit, what the period gives is rounded down: both ways on the safe side.
#include "evaluators/proof/check_potential_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "evaluators/proof/check_clocks.hpp"
#include "evaluators/proof/check_potentials.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/chain.hpp"

namespace takt::evaluators {

namespace {

using tpn::Column;
using tpn::Dependence;
using tpn::FoldedNet;

// Of durations and of the period times a length, so that sums of a few never leave 64 bits.
constexpr std::size_t kTimeBits = 59;

// Is this one of the dependences that a plain STRICT pipeline has? Guards do not matter: a dependence that holds on
// some data sets asks for less.
bool is_plain(const FoldedNet& net, const Dependence& d) {
  const std::vector<tpn::NetPart>& parts = net.pipeline.parts;
  if (net.pipeline.flows(d.from, d.to) && d.height == 0) return true;
  // From the last operation of a part's processor to its first one of the data set that it takes next.
  const tpn::NetPart& part = parts[net.pipeline.columns[d.from].part];
  const tpn::ColumnIndex last = part.sendings.empty() ? part.computation : part.sendings.back();
  const tpn::ColumnIndex first = part.receptions.empty() ? part.computation : part.receptions.front();
  return d.from == last && d.to == first && d.height == part.sequence.size();
}

Refusal refuse_net(const FoldedNet& net) {
  const std::size_t parts = net.pipeline.parts.size();
  if (parts < 2) return Refused{"a floor proves pipelines of at least 2 parts; this one has 1"};
  if (parts > kMostPotentialParts) {
    return Refused{
        fmt::format("a floor proves pipelines of at most {} parts; this one has {}", kMostPotentialParts, parts)};
  }
  if (const auto reason = tpn::why_refused({}, net)) return Refused{"a floor is no proof here: " + *reason};
  for (const Dependence& d : net.dependences) {
    if (is_plain(net, d)) continue;
    return Refused{
        fmt::format("a floor proves plain STRICT pipelines only, each processor in one place; this net has a "
                    "dependence of column {} on column {} of {} data sets before",
                    d.to, d.from, d.height)};
  }
  return std::nullopt;
}

// Numbers over the potential's unit, or why there are none.
class PotentialTimes {
 public:
  PotentialTimes(const FoldedNet& net, const Rational& unit, const Rational& upper, CheckBudget& budget)
      : factor_(unit / Rational(net.pipeline.scale)), per_data_set_(upper * unit), budget_(budget) {}

  // Every entry of a column's table, rounded up. False if `refused` or the budget says why.
  bool read(const Column& column, std::vector<std::int64_t>& times) {
    times.resize(column.table.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
      const Integer duration = column.table[k];
      if (!budget_.spend(kPotentialSteps * product_cost(duration, factor_.numerator()))) return false;
      scaled_ = duration * factor_.numerator();
      mpz_cdiv_q(scaled_.get_mpz_t(), scaled_.get_mpz_t(), factor_.denominator().get_mpz_t());
      if (!fits(times[k])) return false;
    }
    return true;
  }

  // The period times a number of data sets, rounded down.
  bool read(std::uint64_t data_sets, std::int64_t& time) {
    scaled_ = per_data_set_.numerator() * data_sets;
    mpz_fdiv_q(scaled_.get_mpz_t(), scaled_.get_mpz_t(), per_data_set_.denominator().get_mpz_t());
    return fits(time);
  }

  Refusal refused;

 private:
  bool fits(std::int64_t& result) {
    if (mpz_sizeinbase(scaled_.get_mpz_t(), 2) > kTimeBits) {
      refused = Refused{fmt::format("times of more than {} bits in the floor's unit", kTimeBits)};
      return false;
    }
    result = scaled_.get_si();
    return true;
  }

  Rational factor_;
  Rational per_data_set_;
  CheckBudget& budget_;
  Integer scaled_;
};

// Makes the system; each function answers false if `why_not` says why.
class SystemMaker {
 public:
  SystemMaker(const FoldedNet& net, const PotentialSchedule& potentials, const Rational& upper, CheckBudget& budget)
      : net_(net), potentials_(potentials), times_(net, potentials.unit, upper, budget), budget_(budget) {}

  std::variant<PotentialSystem, Refused, Unchecked> make() {
    read_lengths();
    for (std::size_t t = 0; t + 1 < system_.parts(); ++t) {
      if (add_transfer(t)) continue;
      if (times_.refused) return *times_.refused;
      if (refused_) return *refused_;
      return budget_.unchecked();
    }
    return std::move(system_);
  }

 private:
  void read_lengths() {
    for (const tpn::NetPart& part : net_.pipeline.parts) {
      system_.lengths.push_back(static_cast<std::uint32_t>(part.sequence.size()));
    }
    const std::size_t parts = system_.parts();
    system_.related.resize(parts);
    for (std::size_t a = 0; a < parts; ++a) {
      for (std::size_t b = 0; b < parts; ++b) {
        system_.gcds.push_back(std::gcd(system_.lengths[a], system_.lengths[b]));
        if (a != b && system_.gcds.back() > 1) system_.related[a] |= bit_of_part(b);
      }
    }
  }

  bool add_transfer(std::size_t t) {
    PotentialTransfer transfer;
    transfer.senders = system_.lengths[t];
    transfer.receivers = system_.lengths[t + 1];
    transfer.potentials = &potentials_.transfers[t];
    if (!read_sets(t, transfer) || !find_least(t, transfer)) return false;
    std::vector<std::int64_t> duration;
    if (!read_durations(t, duration) || !add_forwards(t, duration, transfer) || !add_backwards(t, duration, transfer)) {
      return false;
    }
    system_.transfers.push_back(std::move(transfer));
    return true;
  }

  bool refuse(std::size_t t, const std::string& why) {
    refused_ = Refused{fmt::format("the floor of transfer {} {}", t, why)};
    return false;
  }

  bool read_set(std::size_t t, const std::vector<std::size_t>& parts, PartSet& set) {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (parts[k] >= system_.parts()) {
        return refuse(t, fmt::format("names part {}; the mapping has {}", parts[k], system_.parts()));
      }
      if (k > 0 && parts[k] <= parts[k - 1]) {
        return refuse(t, fmt::format("has part {} behind part {} in a set", parts[k], parts[k - 1]));
      }
      set |= bit_of_part(parts[k]);
    }
    return true;
  }

  bool read_sets(std::size_t t, PotentialTransfer& transfer) {
    const TransferPotentials& potentials = *transfer.potentials;
    if (!budget_.spend(potentials.sees.size() + potentials.keeps.size())) return false;
    for (const std::vector<std::size_t>& parts : potentials.sees) {
      if (!read_set(t, parts, transfer.sees.emplace_back(0))) return false;
      if ((~transfer.sees.back() & (bit_of_part(t) | bit_of_part(t + 1))) != 0) {
        return refuse(t, fmt::format("has a set seen without part {} or {}", t, t + 1));
      }
      std::vector<SeenPart>& seen = transfer.seen.emplace_back();
      for (const std::size_t part : parts) {
        if (part != t && part != t + 1) seen.push_back({part, 1});
      }
    }
    for (const std::vector<std::size_t>& parts : potentials.keeps) {
      if (!read_set(t, parts, transfer.keeps.emplace_back(0))) return false;
    }
    const std::size_t pairs = transfer.senders * transfer.receivers;
    if (potentials.sees_of.size() != pairs || potentials.keeps_of.size() != pairs ||
        potentials.offset.size() != pairs) {
      return refuse(t, fmt::format("has not one entry for each of {} pairs", pairs));
    }
    return true;
  }

  // The numbers of a pair, as many as there are classes.
  bool read_pair(std::size_t t, std::size_t pair, PotentialTransfer& transfer) {
    const TransferPotentials& potentials = *transfer.potentials;
    if (potentials.sees_of[pair] >= transfer.sees.size() || potentials.keeps_of[pair] >= transfer.keeps.size()) {
      return refuse(t, fmt::format("has no such set as pair {} names", pair));
    }
    const std::size_t begin = potentials.offset[pair];
    const std::size_t end =
        pair + 1 < potentials.offset.size() ? potentials.offset[pair + 1] : potentials.potentials.size();
    if (begin > end || end > potentials.potentials.size()) {
      return refuse(t, fmt::format("has the numbers of pair {} from {} to {} of {}", pair, begin, end,
                                   potentials.potentials.size()));
    }
    std::vector<SeenPart>& seen = transfer.seen[potentials.sees_of[pair]];
    std::size_t classes = 1;
    for (std::size_t k = seen.size(); k-- > 0;) {
      seen[k].stride = classes;
      if (classes > (end - begin) / system_.lengths[seen[k].part])
        classes = end - begin + 1;
      else
        classes *= system_.lengths[seen[k].part];
    }
    if (classes == end - begin) return true;
    return refuse(
        t, fmt::format("has {} numbers for pair {}, not one for each class of the parts seen", end - begin, pair));
  }

  // Of classes that data sets have.
  bool find_least(std::size_t t, PotentialTransfer& transfer) {
    constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
    if (!budget_.spend(transfer.potentials->offset.size())) return false;
    transfer.least.assign(transfer.potentials->offset.size(), kNone);
    transfer.least_of_sender.assign(transfer.senders, kNone);
    transfer.least_of_receiver.assign(transfer.receivers, kNone);
    KnownResidues known;
    return each_residue(system_, known, t, budget_, [&] {
      return each_residue(system_, known, t + 1, budget_, [&] {
        const std::size_t pair = known.of[t] * transfer.receivers + known.of[t + 1];
        if (!read_pair(t, pair, transfer)) return false;
        std::int32_t& least = transfer.least[pair];
        const std::span<const SeenPart> seen = transfer.seen[transfer.potentials->sees_of[pair]];
        const bool goes_on =
            each_class(system_, known, seen, transfer.potentials->offset[pair], budget_, [&](std::size_t index) {
              least = std::min(least, transfer.potentials->potentials[index]);
              return true;
            });
        std::int32_t& of_sender = transfer.least_of_sender[known.of[t]];
        std::int32_t& of_receiver = transfer.least_of_receiver[known.of[t + 1]];
        of_sender = std::min(of_sender, least);
        of_receiver = std::min(of_receiver, least);
        return goes_on;
      });
    });
  }

  // By pair; 0 if no data set has it.
  bool read_durations(std::size_t t, std::vector<std::int64_t>& durations) {
    const Column& column = net_.pipeline.columns[tpn::chain_transfer(t)];
    std::vector<std::int64_t> table;
    if (!times_.read(column, table)) return false;
    const std::size_t receivers = column.receiver_offset.size();
    durations.assign(column.sender_offset.size() * receivers, 0);
    for (std::size_t pair = 0; pair < durations.size(); ++pair) {
      if (!system_.meet(t, pair / receivers, pair % receivers)) continue;
      durations[pair] = table[column.sender_offset[pair / receivers] + column.receiver_offset[pair % receivers]];
    }
    return true;
  }

  // By residue.
  bool read_computations(std::size_t part, std::vector<std::int64_t>& durations) {
    const Column& column = net_.pipeline.columns[tpn::chain_computation(part)];
    std::vector<std::int64_t> table;
    if (!times_.read(column, table)) return false;
    for (const std::size_t offset : column.sender_offset) {
      durations.push_back(table[offset + column.receiver_offset.front()]);
    }
    return true;
  }

  // The dependence on data sets `shift` later.
  bool set_arc(std::size_t target, std::uint64_t shift, std::vector<std::int64_t> gain, PotentialArc& arc) {
    std::int64_t given = 0;
    if (!times_.read(shift, given)) return false;
    arc.target = target;
    arc.gain = std::move(gain);
    for (std::int64_t& one : arc.gain) one -= given;
    for (const std::uint32_t length : system_.lengths) {
      arc.shift.push_back(static_cast<std::uint32_t>(shift % length));
    }
    return true;
  }

  // The receiver computes; then it sends, or behind the last part it receives again.
  bool add_forwards(std::size_t t, std::vector<std::int64_t> gain, PotentialTransfer& transfer) {
    std::vector<std::int64_t> computations;
    if (!read_computations(t + 1, computations)) return false;
    for (std::size_t pair = 0; pair < gain.size(); ++pair) gain[pair] += computations[pair % transfer.receivers];
    const bool is_last = t + 2 == system_.parts();
    return set_arc(is_last ? t : t + 1, is_last ? transfer.receivers : 0, std::move(gain), transfer.forwards);
  }

  // The sender receives again; or before the first part it computes and sends again.
  bool add_backwards(std::size_t t, std::vector<std::int64_t> gain, PotentialTransfer& transfer) {
    if (t == 0) {
      std::vector<std::int64_t> computations;
      if (!read_computations(0, computations)) return false;
      for (std::size_t pair = 0; pair < gain.size(); ++pair) gain[pair] += computations[pair / transfer.receivers];
    }
    return set_arc(t == 0 ? 0 : t - 1, transfer.senders, std::move(gain), transfer.backwards);
  }

  const FoldedNet& net_;
  const PotentialSchedule& potentials_;
  PotentialTimes times_;
  CheckBudget& budget_;
  PotentialSystem system_;
  Refusal refused_;
};

Refusal refuse_potentials(const FoldedNet& net, const PotentialSchedule& potentials) {
  if (potentials.unit <= 0) return Refused{"the unit of the floor is not positive"};
  if (potentials.highest < 0 || potentials.highest > kMostRise) {
    return Refused{
        fmt::format("the highest exception of a floor is from 0 to {}, not {}", kMostRise, potentials.highest)};
  }
  const std::size_t transfers = net.pipeline.parts.size() - 1;
  if (potentials.transfers.size() != transfers) {
    return Refused{fmt::format("the floor has {} transfers; the net has {}", potentials.transfers.size(), transfers)};
  }
  return std::nullopt;
}

}  // namespace

ResidueRange PotentialSystem::residues(const KnownResidues& known, std::size_t part) const {
  ResidueRange range;
  for (PartSet others = known.parts & related[part]; others != 0; others &= others - 1) {
    const auto other = static_cast<std::size_t>(std::countr_zero(others));
    const std::uint64_t gcd = gcd_of(part, other);
    const std::uint64_t residue = known.of[other] % gcd;
    // The smallest that agrees with the others so far and with this one.
    for (; range.first % gcd != residue; range.first += range.step) ++range.cost;
    range.step = std::lcm(range.step, gcd);
  }
  return range;
}

std::variant<PotentialSystem, Refused, Unchecked> potential_system(const FoldedNet& net,
                                                                   const PotentialSchedule& potentials,
                                                                   const Rational& upper, CheckBudget& budget) {
  if (!budget.spend(kPotentialSteps *
                    (net.dependences.size() + divisor_cost(potentials.unit.numerator(), net.pipeline.scale) +
                     product_cost(potentials.unit.denominator(), net.pipeline.scale) +
                     divisor_cost(potentials.unit.numerator(), upper.denominator()) +
                     divisor_cost(potentials.unit.denominator(), upper.numerator())))) {
    return budget.unchecked();
  }
  if (const Refusal refused = refuse_net(net)) return *refused;
  if (const Refusal refused = refuse_potentials(net, potentials)) return *refused;
  return SystemMaker(net, potentials, upper, budget).make();
}

}  // namespace takt::evaluators
