// How long groups of stages compute, and what they send each other takes, by types of machines.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "maxplus/deadline.hpp"
#include "plan/catalogue.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/document.hpp"
#include "tpn/timing.hpp"
#include "tpn/workflow.hpp"

namespace takt::plan {

/// What plans of workflows take.
inline constexpr tpn::Capabilities kWorkflowPlansTake = [] {
  tpn::Capabilities takes = kPlansTake;
  takes.workflows = true;
  takes.quotas = false;
  takes.partitions = false;
  return takes;
}();

/// Times of types, as those of a platform with two machines of each. Nothing stands for what does not run or is not
/// linked.
class WorkflowTimes {
 public:
  /// Nothing if the time was up before all was read. Throws as catalogue_of.
  static std::optional<WorkflowTimes> read(const tpn::Document& problem, const maxplus::Deadline& deadline);

  /// Without transfers between types, which depend on what stages are together.
  const Catalogue& catalogue() const { return catalogue_; }
  /// Its counts may be set.
  Catalogue& catalogue() { return catalogue_; }
  const tpn::Application& application() const { return sample_->application; }
  tpn::WorldEnds ends() const { return tpn::outer_ends(sample_->platform); }
  std::size_t types() const { return catalogue_.types.size(); }

  /// Of stages that are one part, by their times and what memory they hold.
  std::optional<Rational> computation(std::span<const std::size_t> stages, std::size_t type) const;
  bool is_replicable(std::span<const std::size_t> stages) const;
  /// Of the files of stages, one message for a data set, between machines of these types.
  std::optional<Rational> transfer(std::span<const std::size_t> files, std::size_t from, std::size_t to) const;
  std::optional<Rational> to_sink(std::span<const std::size_t> files, std::size_t type) const;

 private:
  WorkflowTimes(tpn::Document sample, Catalogue catalogue);

  Catalogue catalogue_;
  std::unique_ptr<const tpn::Document> sample_;
  std::unique_ptr<const tpn::Timing> timing_;
};

}  // namespace takt::plan
