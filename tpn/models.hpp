// The communication models: each is a function that lists the dependences of its folded net.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::tpn {

/// Collects the dependences of a model over a pipeline.
class DependenceList {
 public:
  /// Keeps a reference to the pipeline. Collects at most `limit` steps of circuits.
  DependenceList(const Pipeline& pipeline, std::uint64_t limit);

  const Pipeline& pipeline() const { return pipeline_; }

  /// Every operation waits for its data set's operation in the column before.
  void add_flow();
  /// Every resource of this kind handles one operation at a time, in the order of data sets and,
  /// within a data set, of columns: each operation of its circuit waits for the one before.
  void add_circuits(ConstraintKind kind);
  /// Any further dependence, such as room in a buffer.
  void add(const Dependence& dependence);

  /// Why the list is incomplete, if it is.
  const std::optional<TooLarge>& too_large() const { return too_large_; }
  /// The dependences, sorted, guards merged to their smallest period; and the resources, each with its
  /// cycle time, by first column, then naturally by name. The list is spent afterwards.
  std::vector<Dependence> take_dependences();
  std::vector<Resource> take_resources();

 private:
  const Pipeline& pipeline_;
  std::uint64_t limit_;
  std::uint64_t steps_ = 0;
  std::vector<Dependence> dependences_;
  std::vector<Resource> resources_;
  std::optional<TooLarge> too_large_;
};

/// A communication model: a name for users and the function that lists its dependences.
struct CommunicationModel {
  Model model;
  std::string_view name;
  std::string_view title;
  void (*list)(DependenceList& dependences);
};

/// All models, in the order of `Model`.
std::span<const CommunicationModel> communication_models();

/// The folded net of a pipeline under a model that need not be among communication_models().
std::variant<FoldedNet, TooLarge> fold(Pipeline pipeline, const CommunicationModel& model,
                                       std::uint64_t circuit_steps = kDefaultCircuitSteps);

/// The entry of communication_models().
const CommunicationModel& communication_model(Model model);

std::string_view name_of(Model model);
/// The model of that name, if there is one.
std::optional<Model> find_model(std::string_view name);

}  // namespace takt::tpn
