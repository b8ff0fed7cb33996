// Looks an operation's names up in its pipeline.
#include "tools/operation_words.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>

namespace takt::tools {

using nlohmann::ordered_json;
using tpn::ColumnKind;
using tpn::PartRole;

std::vector<std::string> stage_names(const tpn::Application& application) {
  std::vector<std::string> names;
  for (const tpn::Stage& stage : application.stages) names.push_back(stage.name);
  return names;
}

OperationWords words_of(const tpn::Pipeline& pipeline, const std::vector<std::string>& stages,
                        const tpn::Operation& operation) {
  const tpn::Column& column = pipeline.columns[operation.column];
  OperationWords words;
  words.kind = column.kind;
  words.part = &pipeline.parts[column.part];
  if (words.part->role == PartRole::mapped) {
    words.stages.assign(stages.begin() + static_cast<std::ptrdiff_t>(words.part->first_stage),
                        stages.begin() + static_cast<std::ptrdiff_t>(words.part->last_stage) + 1);
  }
  words.processor = pipeline.processors[words.part->processor_at(operation.data_set)];
  if (column.kind == ColumnKind::transfer) {
    words.peer = pipeline.processors[pipeline.parts[column.part + 1].processor_at(operation.data_set)];
  }
  words.data_set = operation.data_set;
  return words;
}

std::string operation_name(const OperationWords& words) {
  return words.kind == ColumnKind::compute ? "compute" : "transfer";
}

std::string part_name(const OperationWords& words) {
  if (words.part->role == PartRole::mapped) return std::to_string(words.part->mapping_part);
  return words.part->role == PartRole::source ? "source" : "sink";
}

ordered_json to_json(const OperationWords& words) {
  ordered_json json;
  const bool computes = words.kind == ColumnKind::compute;
  json["operation"] = operation_name(words);
  if (words.part->role == PartRole::mapped) {
    json["part"] = words.part->mapping_part;
  } else {
    json["part"] = part_name(words);
  }
  if (computes) json["stages"] = words.stages;
  json["processor"] = words.processor;
  if (!computes) json["peer"] = words.peer;
  json["data_set"] = words.data_set;
  return json;
}

}  // namespace takt::tools
