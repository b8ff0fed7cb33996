// Which resources of a net an operation occupies.
#pragma once

#include <cstddef>
#include <map>

#include "tpn/folded_net.hpp"

namespace takt::live {

/// The resources that an operation occupies.
class Occupation {
 public:
  /// Keeps a reference.
  explicit Occupation(const tpn::FoldedNet& net) : net_(net) {
    for (std::size_t r = 0; r < net.resources.size(); ++r) {
      const tpn::Resource& resource = net.resources[r];
      if (tpn::handles_receptions(resource.kind)) receiving_[resource.processor] = r;
      if (tpn::handles_computations(resource.kind)) computing_[resource.processor] = r;
      if (tpn::handles_sendings(resource.kind)) sending_[resource.processor] = r;
      if (resource.kind == tpn::ConstraintKind::segment) segments_[resource.processor] = r;
    }
  }

  /// Calls visit(index into FoldedNet::resources) for each: none within a processor, else up to four, and segments.
  /// What only fills a batch occupies nobody.
  template <typename Visit>
  void for_each(const tpn::Operation& operation, Visit visit) const {
    const tpn::Pipeline& pipeline = net_.pipeline;
    const tpn::Column& column = pipeline.columns[operation.column];
    if (pipeline.is_internal(operation.column, operation.data_set + column.shift)) return;
    const std::size_t processor = pipeline.parts[column.part].processor_at(operation.data_set);
    if (column.kind == tpn::ColumnKind::compute) {
      const tpn::NetPart& part = pipeline.parts[column.part];
      if (part.computed_at(operation.data_set) == 0 && !part.receptions.empty()) return;
      return visit_in(computing_, processor, visit);
    }
    const std::size_t peer = pipeline.parts[column.receiver].processor_at(operation.data_set);
    visit_in(sending_, processor, visit);
    visit_in(receiving_, peer, visit);
    if (pipeline.is_within_host(operation.column, operation.data_set + column.shift)) return;
    // What the processors of a host share.
    if (pipeline.port_owner(processor) != processor) visit_in(sending_, pipeline.port_owner(processor), visit);
    if (pipeline.port_owner(peer) != peer) visit_in(receiving_, pipeline.port_owner(peer), visit);
    for (const auto& [entry, resource] : segments_)
      if (pipeline.segment(entry).passes(processor, peer)) visit(resource);
  }

 private:
  using ByProcessor = std::map<std::size_t, std::size_t>;

  template <typename Visit>
  static void visit_in(const ByProcessor& resources, std::size_t processor, Visit& visit) {
    if (const auto found = resources.find(processor); found != resources.end()) visit(found->second);
  }

  const tpn::FoldedNet& net_;
  ByProcessor receiving_;
  ByProcessor computing_;
  ByProcessor sending_;
  ByProcessor segments_;
};

}  // namespace takt::live
