// Column by column, by the net's own dependences; laws, from the document.
#include "evaluators/proof/check_expected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tpn/models.hpp"
#include "tpn/timing.hpp"

namespace takt::evaluators {

namespace {

using maxplus::Rational;
using tpn::ConstraintKind;
using tpn::NetPart;
using tpn::PartRole;
using tpn::Pipeline;

// The resources' dependences within a column.
struct ColumnTurns {
  std::vector<const tpn::Dependence*> dependences;

  bool has_several_kinds() const {
    return std::ranges::any_of(dependences,
                               [&](const tpn::Dependence* d) { return d->kind != dependences.front()->kind; });
  }
};

// After how many data sets a sending, and a receiving, port has its turn again, if it is the same for all.
struct TorusSides {
  std::uint64_t senders = 0;
  std::uint64_t receivers = 0;
};

std::optional<TorusSides> sides_of(const ColumnTurns& turns) {
  TorusSides sides;
  for (const tpn::Dependence* dependence : turns.dependences) {
    const bool is_sender = dependence->kind == ConstraintKind::out_port;
    std::uint64_t& side = is_sender ? sides.senders : sides.receivers;
    if ((!is_sender && dependence->kind != ConstraintKind::in_port) || dependence->modulus != 1 || side != 0) {
      return std::nullopt;
    }
    side = dependence->height;
  }
  return sides;
}

class TransferLaws {
 public:
  TransferLaws(const tpn::Document& document, const Pipeline& pipeline, const tpn::Law* of_all)
      : document_(document), pipeline_(pipeline), timing_(document), of_all_(of_all) {}

  // Whether each duration is a sum of N.B.U.E. times that no factor of the data set joins.
  bool are_nbue(const tpn::Column& transfer) const {
    const NetPart& sender = pipeline_.parts[transfer.part];
    const NetPart& receiver = pipeline_.parts[transfer.receiver];
    const std::size_t step = std::gcd(sender.sequence.size(), receiver.sequence.size());
    for (std::size_t a = 0; a < sender.sequence.size(); ++a)
      for (std::size_t b = a % step; b < receiver.sequence.size(); b += step)
        if (!is_nbue_between(transfer, sender, receiver, sender.sequence[a], receiver.sequence[b])) return false;
    return true;
  }

 private:
  struct Link {
    std::optional<tpn::LinearTime> time;
    const tpn::Law* law = nullptr;
  };

  bool is_nbue_between(const tpn::Column& transfer, const NetPart& sender, const NetPart& receiver, std::size_t from,
                       std::size_t to) const {
    const Link link = link_between(sender, receiver, from, to);
    const bool has_fixed = link.time->fixed.sign() != 0;
    const bool has_sizes = link.time->per_unit && has_size(transfer, sender);
    if (has_fixed && !is_nbue(link.law)) return false;
    if (has_sizes && !are_sizes_nbue(transfer, sender)) return false;
    const bool grows = has_sizes || (has_fixed && !link.time->per_unit);
    return !grows || of_all_ != nullptr || !document_.application.data_set_law;
  }

  static bool is_size(const std::optional<Rational>& size) { return size && size->sign() != 0; }

  bool has_size(const tpn::Column& transfer, const NetPart& sender) const {
    if (sender.role == PartRole::source) return is_size(document_.application.input);
    return std::ranges::any_of(transfer.files,
                               [&](std::size_t file) { return is_size(document_.application.stages[file].output); });
  }

  bool is_nbue(const tpn::Law* own) const {
    const tpn::Law* const law = of_all_ == nullptr ? own : of_all_;
    return law == nullptr || tpn::is_nbue(*law);
  }

  bool are_sizes_nbue(const tpn::Column& transfer, const NetPart& sender) const {
    if (sender.role == PartRole::source) return is_nbue(document_.application.input_law.get());
    for (const std::size_t file : transfer.files) {
      const tpn::Stage& stage = document_.application.stages[file];
      if (is_size(stage.output) && !is_nbue(stage.output_law.get())) return false;
    }
    return true;
  }

  Link link_between(const NetPart& sender, const NetPart& receiver, std::size_t from, std::size_t to) const {
    if (sender.role == PartRole::source) {
      const std::size_t which = from - sender.sequence.front();
      return {timing_.source_link(to, which), timing_.source_link_law(to, which)};
    }
    if (receiver.role == PartRole::sink) {
      const std::size_t which = to - receiver.sequence.front();
      return {timing_.sink_link(from, which), timing_.sink_link_law(from, which)};
    }
    return {timing_.link(from, to), timing_.link_law(from, to)};
  }

  const tpn::Document& document_;
  const Pipeline& pipeline_;
  tpn::Timing timing_;
  const tpn::Law* of_all_;
};

std::optional<std::string> why_not_independent(const tpn::FoldedNet& net) {
  if (net.in_sequence) return "it is not known where stages consume or produce several files";
  if (!tpn::separates_operations(net.model) || net.model.rooms() != 0) return "it is known under OVERLAP alone";
  if (!net.capacity.is_unlimited()) return "it is not known with windows or rooms";
  if (net.pipeline.is_shifted()) return "it is not known with transfers that are ahead";
  if (net.pipeline.has_batches()) return "it is not known with batches";
  for (const tpn::Dependence& dependence : net.dependences) {
    if (dependence.kind == ConstraintKind::flow || dependence.from == dependence.to) continue;
    return fmt::format(
        "it is not known where the {} of one processor, host or segment serves several transfers or parts",
        tpn::name_of(dependence.kind));
  }
  return std::nullopt;
}

}  // namespace

std::variant<Rational, std::string> expected_upper(const tpn::Document& document, const tpn::FoldedNet& net,
                                                   const Rational& period, const tpn::Law* of_all) {
  if (auto why = why_not_independent(net)) return *std::move(why);
  const Pipeline& pipeline = net.pipeline;
  std::vector<ColumnTurns> turns(pipeline.columns.size());
  for (const tpn::Dependence& dependence : net.dependences)
    if (dependence.from == dependence.to) turns[dependence.from.value()].dependences.push_back(&dependence);
  const TransferLaws laws(document, pipeline, of_all);
  Rational upper = period;
  for (const tpn::ColumnIndex index : pipeline.all_columns()) {
    const ColumnTurns& here = turns[index.value()];
    if (here.dependences.empty() || !here.has_several_kinds()) continue;
    const auto sides = sides_of(here);
    if (!sides) return "it is known only where senders and receivers of a transfer take turns, each once";
    const std::uint64_t tori = std::gcd(sides->senders, sides->receivers);
    if (tori == sides->senders || tori == sides->receivers) continue;
    if (!laws.are_nbue(pipeline.columns[index])) {
      return "it is not known for transfers between several senders and several receivers that vary by a law that is "
             "not N.B.U.E., or with their data set";
    }
    const Rational mean = Rational::fraction(pipeline.columns[index].table.longest(), pipeline.scale);
    upper = std::max(upper, mean * Rational(sides->senders + sides->receivers - tori) /
                                (Rational(sides->senders) * Rational(sides->receivers)));
  }
  return upper;
}

}  // namespace takt::evaluators
