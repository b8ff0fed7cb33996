// Ports in turn, from sequences; laws, from the document.
#include "evaluators/proof/check_expected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tpn/models.hpp"
#include "tpn/timing.hpp"

namespace takt::evaluators {

namespace {

using maxplus::Rational;
using tpn::NetPart;
using tpn::PartRole;
using tpn::Pipeline;

// How many ports take turns at a part's transfers, each once; 0: its ports are no limit; nothing if they do
// otherwise.
std::optional<std::uint64_t> ports_in_turn(const Pipeline& pipeline, const NetPart& part) {
  std::vector<std::size_t> owners;
  for (const std::size_t processor : part.sequence) owners.push_back(pipeline.port_owner(processor));
  std::size_t machines = 1;
  while (machines < owners.size() && owners[machines] != owners[0]) ++machines;
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] != owners[i % machines]) return std::nullopt;
  if (owners.size() % machines != 0) return std::nullopt;
  if (std::set<std::size_t>(owners.begin(), owners.end()).size() != machines) return std::nullopt;
  const tpn::PortCount ports = pipeline.port_count(owners[0]);
  for (const std::size_t owner : owners)
    if (pipeline.port_count(owner) != ports) return std::nullopt;
  return machines * ports;
}

class TransferLaws {
 public:
  TransferLaws(const tpn::Document& document, const Pipeline& pipeline)
      : document_(document), pipeline_(pipeline), timing_(document) {}

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
    return !grows || !document_.application.data_set_law;
  }

  static bool is_size(const std::optional<Rational>& size) { return size && size->sign() != 0; }

  bool has_size(const tpn::Column& transfer, const NetPart& sender) const {
    if (sender.role == PartRole::source) return is_size(document_.application.input);
    return std::ranges::any_of(transfer.files,
                               [&](std::size_t file) { return is_size(document_.application.stages[file].output); });
  }

  static bool is_nbue(const tpn::Law* law) { return law == nullptr || tpn::is_nbue(*law); }

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
};

std::optional<std::string> why_no_theorem(const tpn::FoldedNet& net) {
  const Pipeline& pipeline = net.pipeline;
  if (!tpn::separates_operations(net.model) || net.model.rooms() != 0)
    return "takt has no bound of the expected period under this model";
  if (!net.capacity.is_unlimited() || pipeline.is_shifted() || pipeline.has_batches()) {
    return "takt has no bound of the expected period with windows, rooms, transfers that are ahead or batches";
  }
  if (!pipeline.ports.segments.empty())
    return "takt has no bound of the expected period where transfers share segments";
  if (tpn::shared_owner(pipeline)) return "takt has no bound of the expected period where a host serves two parts";
  for (const NetPart& part : pipeline.parts)
    if (part.receptions.size() > 1 || part.sendings.size() > 1)
      return "takt has no bound of the expected period where a part has several transfers on one side";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> why_expected_unproved(const tpn::Document& document, const tpn::FoldedNet& net,
                                                 const Rational& period, const Rational& upper) {
  if (auto why = why_no_theorem(net)) return why;
  if (upper < period) return "the upper bound of the expected period is below the period with mean times";
  const Pipeline& pipeline = net.pipeline;
  const TransferLaws laws(document, pipeline);
  for (const tpn::Column& column : pipeline.columns) {
    if (column.kind != tpn::ColumnKind::transfer) continue;
    const auto senders = ports_in_turn(pipeline, pipeline.parts[column.part]);
    const auto receivers = ports_in_turn(pipeline, pipeline.parts[column.receiver]);
    // Without limit on one side the other alone decides, and it does so on average.
    if (senders == 0U || receivers == 0U) continue;
    if (!senders || !receivers) return "senders or receivers of a transfer do not take turns, each once";
    if (*senders % *receivers == 0 || *receivers % *senders == 0) continue;
    if (!laws.are_nbue(column)) {
      return "a transfer between several senders and several receivers varies by a law that is not N.B.U.E., or with "
             "its data set";
    }
    const Rational longest = Rational::fraction(column.table.longest(), pipeline.scale);
    const std::uint64_t tori = std::gcd(*senders, *receivers);
    const Rational u(*senders / tori);
    const Rational v(*receivers / tori);
    const Rational bound = longest * (u + v - Rational(1)) / (u * v * Rational(tori));
    if (upper < bound) {
      return fmt::format(
          "a transfer between {} sending and {} receiving ports may take {} time units per data set, more "
          "than the {} claimed",
          *senders, *receivers, bound.to_string(), upper.to_string());
    }
  }
  return std::nullopt;
}

}  // namespace takt::evaluators
