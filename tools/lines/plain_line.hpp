// Lines that hold plain instances: their exact periods under the one-port models, at a tenth of a document's cost.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "evaluators/kernel/period.hpp"
#include "evaluators/mappings/busiest.hpp"
#include "evaluators/mappings/table_evaluator.hpp"
#include "tpn/plain_reader.hpp"

namespace takt::tools {

/// The period of a plain instance under a model, which is exact.
struct PlainPeriod {
  tpn::Model model = tpn::Model::kOverlap;
  evaluators::Period period;
  evaluators::Period max_cycle_time;
  std::string_view processor;  // who has that, and with what
  tpn::ConstraintKind resource = tpn::ConstraintKind::processor;
};

class PlainLine {
 public:
  PlainLine();

  /// False if it is not plain: then it is to be read as any document.
  bool read(std::string_view text);
  const tpn::PlainReader& instance() const { return reader_; }

  /// Under OVERLAP, STRICT or both, in the order given; nothing if another way has to find them: under other models,
  /// for long nets, and where all times are 0. Valid until the next call.
  std::span<const PlainPeriod> periods(std::span<const tpn::Model> models);

 private:
  void fill_table();
  bool add(const tpn::Model& model, const evaluators::TableEvaluation& found);
  std::string_view name_of(const evaluators::TableResource& resource) const;
  std::size_t number_of(const evaluators::TableResource& resource) const;

  tpn::PlainReader reader_;
  std::int64_t scale_ = 1;
  evaluators::TimeTable table_;
  evaluators::TableEvaluator evaluator_;
  evaluators::BusiestResources busiest_;
  std::vector<std::size_t> lengths_;
  std::vector<std::size_t> processors_;
  std::vector<PlainPeriod> periods_;
};

}  // namespace takt::tools
