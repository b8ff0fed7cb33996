// Documents with one more, each evaluated once.
#include "evaluators/insight/one_more.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <variant>

#include "evaluators/insight/carried_out.hpp"
#include "maxplus/contract.hpp"
#include "tpn/errors.hpp"
#include "tpn/segments.hpp"

namespace takt::evaluators {

namespace {

using tpn::DocumentCount;

// Of all machines of the type, also those with other ports than it.
std::vector<std::size_t> owners_of_type(const tpn::Pipeline& pipeline, const tpn::Document& document,
                                        const DocumentCount& count) {
  std::set<std::size_t> owners;
  for (std::size_t p = 0; p < document.platform.processors.size(); ++p)
    if (document.platform.processors[p].type == count.index) owners.insert(pipeline.port_owner(p));
  return {owners.begin(), owners.end()};
}

// The pipeline's owners of the ports that a count is of: of a segment one for each of its directions.
std::vector<std::size_t> owners_of(const tpn::Pipeline& pipeline, const tpn::Document& document,
                                   const DocumentCount& count) {
  if (count.owner == DocumentCount::Owner::machine) return {pipeline.port_owner(count.index)};
  if (count.owner == DocumentCount::Owner::type) return owners_of_type(pipeline, document, count);
  if (count.owner == DocumentCount::Owner::segment) {
    std::size_t first = pipeline.ports.first_segment;
    for (std::size_t s = 0; s < count.index; ++s) first += names_of_ways(document.platform.segments[s]).size();
    std::vector<std::size_t> owners(names_of_ways(document.platform.segments[count.index]).size());
    std::iota(owners.begin(), owners.end(), first);
    return owners;
  }
  const auto role = count.owner == DocumentCount::Owner::source ? tpn::PartRole::source : tpn::PartRole::sink;
  const auto part = std::ranges::find(pipeline.parts, role, &tpn::NetPart::role);
  maxplus::expects(part != pipeline.parts.end(), "the end of a count is a part of the net");
  return {part->sequence.at(count.index)};
}

// Whose ports count: under models that let transfers occupy processors, those of the ends as well.
bool do_ports_matter(const tpn::FoldedNet& net, const tpn::Document& document, const DocumentCount& count) {
  const std::vector<std::size_t> owners = owners_of(net.pipeline, document, count);
  return std::ranges::any_of(net.resources, [&](const tpn::Resource& resource) {
    return std::ranges::find(owners, resource.processor) != owners.end() &&
           (tpn::is_port(resource.kind) || count.owner != DocumentCount::Owner::machine);
  });
}

// Source and sink stand behind the document's processors.
std::size_t first_end_of(const tpn::Pipeline& pipeline) {
  std::size_t first = pipeline.processors.size();
  for (const tpn::NetPart& part : pipeline.parts)
    if (part.role != tpn::PartRole::mapped) first = std::min(first, std::ranges::min(part.sequence));
  return first;
}

// The owners at which one transfer of the circuit may wait for another, over all laps; nothing if they are too many
// to be looked at.
std::optional<std::set<std::size_t>> ports_on(const tpn::FoldedNet& net, const CriticalCircuit& circuit) {
  constexpr std::uint64_t kMostOperations = 10'000;
  const tpn::Pipeline& pipeline = net.pipeline;
  if (circuit.laps * circuit.steps.size() > kMostOperations) return std::nullopt;
  const std::size_t first_end = first_end_of(pipeline);
  const auto owners_at = [&](const tpn::Operation& operation) {
    std::set<std::size_t> owners;
    for (const std::size_t processor : {pipeline.sender_of(operation), pipeline.receiver_of(operation)})
      if (pipeline.is_transfer(operation.column) || processor >= first_end)
        owners.insert(pipeline.port_owner(processor));
    for (std::size_t k = 0; k < pipeline.ports.segments.size() && pipeline.is_transfer(operation.column); ++k)
      if (pipeline.ports.segments[k].passes(pipeline.sender_of(operation), pipeline.receiver_of(operation)))
        owners.insert(pipeline.ports.first_segment + k);
    return owners;
  };
  std::set<std::size_t> met;
  std::uint64_t data_set = circuit.data_set;
  std::set<std::size_t> before;
  const auto step_to = [&](const tpn::Operation& operation) {
    std::set<std::size_t> here = owners_at(operation);
    std::ranges::set_intersection(before, here, std::inserter(met, met.end()));
    before = std::move(here);
  };
  for (Integer lap = 0; lap < circuit.laps; ++lap) {
    for (const CircuitStep& step : circuit.steps) {
      step_to({data_set, step.column});
      data_set += step.height;
    }
  }
  step_to({data_set, circuit.steps.front().column});
  return met;
}

class OneMoreRows {
 public:
  OneMoreRows(const tpn::FoldedNet& net, const tpn::Document& document, const Evaluation& evaluation,
              const Options& options)
      : net_(net),
        document_(document),
        period_(evaluation.lower),
        options_(options),
        met_(ports_on(net, evaluation.circuit)) {}

  // Whether the critical circuit may wait at some of the ports; cores change what it is.
  bool may_meet(const std::vector<DocumentCount>& counts) const {
    return std::ranges::any_of(counts, [&](const DocumentCount& count) {
      if (count.quantity == DocumentCount::Quantity::cores || !met_) return true;
      return std::ranges::any_of(owners_of(net_.pipeline, document_, count),
                                 [&](std::size_t owner) { return met_->contains(owner); });
    });
  }

  // Nothing if there is no such document.
  std::optional<OneMore> answer(const std::vector<DocumentCount>& counts) const {
    OneMore row{counts, {}};
    const bool become_two = std::ranges::all_of(counts, [](const DocumentCount& count) { return count.value == 1; });
    if (become_two && !may_meet(counts)) {
      row.period = period_;
      return row;
    }
    const auto changed = tpn::with_one_more(document_, counts);
    if (!changed) return std::nullopt;
    try {
      if (const auto found = carry_out(*changed, net_.model, options_)) row.period = found->period();
    } catch (const tpn::InvalidInstance&) {
      return std::nullopt;  // room that would wait for itself
    }
    return row;
  }

 private:
  const tpn::FoldedNet& net_;
  const tpn::Document& document_;
  Rational period_;
  const Options& options_;
  std::optional<std::set<std::size_t>> met_;
};

}  // namespace

std::vector<std::vector<DocumentCount>> one_more_rows(const tpn::FoldedNet& net, const tpn::Document& document,
                                                      bool each) {
  const std::vector<DocumentCount> counts = tpn::counts_of(document);
  std::vector<bool> matters;
  matters.reserve(counts.size());
  for (const DocumentCount& count : counts)
    matters.push_back(count.quantity == DocumentCount::Quantity::cores || do_ports_matter(net, document, count));
  std::vector<std::vector<DocumentCount>> rows;
  std::vector<bool> is_alone = matters;
  if (!each) {
    for (const std::vector<std::size_t>& alike : tpn::alike_counts(document, counts)) {
      const auto mattering = std::ranges::count_if(alike, [&](std::size_t c) { return matters[c]; });
      if (mattering < 2) continue;
      std::vector<DocumentCount>& row = rows.emplace_back();
      for (const std::size_t c : alike) {
        row.push_back(counts[c]);
        is_alone[c] = matters[c] && alike.size() <= kFewAlike;
      }
    }
  }
  for (std::size_t c = 0; c < counts.size(); ++c)
    if (is_alone[c]) rows.push_back({counts[c]});
  return rows;
}

OneMoreAnalysis analyze_one_more(const tpn::FoldedNet& net, const tpn::Document& document, const Evaluation& evaluation,
                                 const Options& options, std::span<const std::vector<DocumentCount>> rows) {
  maxplus::expects(evaluation.exact(), "what one more does is told of an exact period");
  const OneMoreRows study(net, document, evaluation, options);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(), [&](std::size_t r) { return study.may_meet(rows[r]); });
  OneMoreAnalysis analysis;
  std::map<std::size_t, OneMore> found;  // by place
  for (const std::size_t r : order) {
    if (options.deadline.has_passed()) {
      ++analysis.unasked;
    } else if (auto row = study.answer(rows[r])) {
      found.emplace(r, std::move(*row));
    }
  }
  for (auto& [place, row] : found) analysis.rows.push_back(std::move(row));
  return analysis;
}

void sort_by_period(std::vector<OneMore>& rows) {
  std::ranges::stable_sort(
      rows, [](const OneMore& a, const OneMore& b) { return a.period && (!b.period || *a.period < *b.period); });
}

}  // namespace takt::evaluators
