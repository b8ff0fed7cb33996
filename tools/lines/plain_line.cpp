// From a plain instance to a table of times; the first of the busiest processors.
#include "tools/lines/plain_line.hpp"

#include <algorithm>
#include <tuple>

#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

// Operations of one evaluation: longer ones are for evaluators that look at deadlines.
constexpr std::uint64_t kMostOperations = 300'000;

bool is_one_port(const tpn::Model& model) {
  return tpn::is_resources_only(model) && (tpn::separates_operations(model) || tpn::shares_processors(model));
}

}  // namespace

PlainLine::PlainLine() : evaluator_({.operations = kMostOperations}) {}

bool PlainLine::read(std::string_view text) {
  periods_.clear();
  return reader_.read(text);
}

void PlainLine::fill_table() {
  if (reader_.scale() != scale_) table_.set_scale(reader_.scale());
  scale_ = reader_.scale();
  lengths_.clear();
  for (const tpn::PlainPart& part : reader_.parts()) lengths_.push_back(part.length);
  const evaluators::OuterEnds ends{reader_.has_source(), reader_.has_sink()};
  if (reader_.repeats_processors()) {
    processors_.assign(reader_.entries().begin(), reader_.entries().end());
    table_.begin(lengths_, processors_, ends);
  } else {
    table_.begin(lengths_, ends);
  }
  const auto* computation = reader_.computations().data();
  const auto* transfer = reader_.transfers().data();
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    std::copy_n(computation, lengths_[i], table_.computations(i).begin());
    computation += lengths_[i];
    if (i + 1 == lengths_.size()) break;
    std::copy_n(transfer, lengths_[i] * lengths_[i + 1], table_.transfers(i).begin());
    transfer += lengths_[i] * lengths_[i + 1];
  }
  if (ends.source) std::ranges::copy(reader_.from_source(), table_.from_source().begin());
  if (ends.sink) std::ranges::copy(reader_.to_sink(), table_.to_sink().begin());
}

std::span<const PlainPeriod> PlainLine::periods(std::span<const tpn::Model> models) {
  periods_.clear();
  if (!std::ranges::all_of(models, is_one_port)) return {};
  const auto length = std::ranges::max(reader_.parts(), {}, &tpn::PlainPart::length).length;
  if (length > evaluators::BusiestResources::kMostEntries) return {};
  fill_table();
  bool is_found = true;
  if (std::ranges::equal(models, tpn::default_models())) {
    const evaluators::OnePortEvaluations both = evaluator_.evaluate(table_);
    for (const tpn::Model& model : models) {
      is_found = is_found && add(model, tpn::separates_operations(model) ? both.overlap : both.strict);
    }
  } else {
    for (const tpn::Model& model : models) is_found = is_found && add(model, evaluator_.evaluate(table_, model));
  }
  if (!is_found) periods_.clear();
  return periods_;
}

bool PlainLine::add(const tpn::Model& model, const evaluators::TableEvaluation& found) {
  if (found.period.answer != evaluators::MappingAnswer::exact) return false;
  if (found.largest_cycle_time == evaluators::Period()) return false;
  // As tpn::DependenceList orders resources; kinds stand in the order of the model already.
  const auto candidates = busiest_.find(table_, model);
  const auto is_before = [&](const evaluators::TableResource& a, const evaluators::TableResource& b) {
    if (tpn::natural_less(name_of(a), name_of(b))) return true;
    if (tpn::natural_less(name_of(b), name_of(a))) return false;
    const auto kind = [&](const evaluators::TableResource& resource) {
      return std::ranges::find(model->resources, resource.kind) - model->resources.begin();
    };
    return std::tuple(kind(a), number_of(a)) < std::tuple(kind(b), number_of(b));
  };
  const auto& first = *std::ranges::min_element(candidates, is_before);
  periods_.push_back({model, found.period.lower, found.largest_cycle_time, name_of(first), first.kind});
  return true;
}

// As a pipeline numbers them: the ends behind all processors.
std::size_t PlainLine::number_of(const evaluators::TableResource& resource) const {
  const std::size_t part = resource.place - (reader_.has_source() ? 1 : 0);
  if (reader_.has_source() && resource.place == 0) return reader_.processors();
  if (part == reader_.parts().size()) return reader_.processors() + 1;
  return reader_.entries()[reader_.parts()[part].first_entry + resource.entry];
}

std::string_view PlainLine::name_of(const evaluators::TableResource& resource) const {
  const std::size_t number = number_of(resource);
  if (number < reader_.processors()) return reader_.processor_name(number);
  return number == reader_.processors() ? "source" : "sink";
}

}  // namespace takt::tools
