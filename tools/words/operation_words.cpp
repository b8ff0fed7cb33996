// Looks an operation's names up in its pipeline.
#include "tools/words/operation_words.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

using tpn::ColumnKind;
using tpn::PartRole;

namespace {

std::string stages_text(const std::vector<std::string>& stages) {
  constexpr std::size_t kListed = 3;
  if (stages.size() > kListed) return printable(stages.front()) + " to " + printable(stages.back());
  std::string text;
  for (const std::string& stage : stages) text += (text.empty() ? "" : ", ") + printable(stage);
  return text;
}

}  // namespace

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
  words.processor = pipeline.processors[pipeline.sender_of(operation)];
  if (column.kind == ColumnKind::transfer) {
    words.peer = pipeline.processors[pipeline.receiver_of(operation)];
    const std::vector<std::size_t> files = files_of(pipeline, column);
    for (const std::size_t file : files) words.files.push_back(stages[file]);
    const bool is_own =
        words.part->role != PartRole::mapped || (files.size() == 1 && files.front() == words.part->last_stage);
    if (!is_own || words.part->sendings.size() > 1) words.receiver = &pipeline.parts[column.receiver];
  }
  words.data_set = pipeline.data_set_of(operation);
  if (column.kind == ColumnKind::compute)
    words.batch = words.part->computed_at(pipeline.data_set_of(operation, words.part->sequence.size()));
  return words;
}

std::string operation_name(const OperationWords& words) {
  return words.kind == ColumnKind::compute ? "compute" : "transfer";
}

std::string operation_text(const OperationWords& words) {
  if (words.kind == ColumnKind::compute) {
    if (words.part->role != PartRole::mapped) return words.part->role == PartRole::source ? "source" : "sink";
    return (words.batch == 0 ? "fill a batch of " : "compute ") + stages_text(words.stages);
  }
  if (words.part->role == PartRole::source) return "transfer the input";
  return fmt::format("transfer the output{} of {}", words.files.size() == 1 ? "" : "s", stages_text(words.files));
}

std::string data_sets_text(const OperationWords& words) {
  if (words.batch <= 1) return std::to_string(words.data_set);
  return fmt::format("{}-{}", words.data_set - words.batch + 1, words.data_set);
}

std::string processors_text(const OperationWords& words) {
  return printable(words.processor) + (words.peer.empty() ? "" : " -> " + printable(words.peer));
}

std::string part_name(const tpn::NetPart& part) {
  if (part.role == PartRole::mapped) return std::to_string(part.mapping_part);
  return part.role == PartRole::source ? "source" : "sink";
}

std::vector<std::size_t> files_of(const tpn::Pipeline& pipeline, const tpn::Column& transfer) {
  const tpn::NetPart& sender = pipeline.parts[transfer.part];
  // Whoever makes columns by hand may name none.
  if (transfer.files.empty() && sender.role == PartRole::mapped) return {sender.last_stage};
  return transfer.files;
}

std::string resource_text(const tpn::Resource& resource, const tpn::Pipeline& pipeline) {
  return tpn::resource_name(resource.kind, printable(pipeline.processors[resource.processor]));
}

void write_members(tpn::JsonWriter& json, const tpn::Resource& resource, const tpn::Pipeline& pipeline) {
  json.member("processor", pipeline.processors[resource.processor]);
  json.member("kind", tpn::name_of(resource.kind));
}

void write_members(tpn::JsonWriter& json, const OperationWords& words) {
  write_members(json, words, maxplus::Integer(words.data_set));
}

void write_members(tpn::JsonWriter& json, const OperationWords& words, const maxplus::Integer& data_set) {
  const bool computes = words.kind == ColumnKind::compute;
  json.member("operation", operation_name(words));
  const auto write_part = [&](const char* key, const tpn::NetPart& part) {
    part.role == PartRole::mapped ? json.member(key, part.mapping_part) : json.member(key, part_name(part));
  };
  write_part("part", *words.part);
  if (words.receiver != nullptr) {
    write_part("to_part", *words.receiver);
    json.member("outputs", words.files);
  }
  if (computes) json.member("stages", words.stages);
  if (computes && !words.part->to_batch_end.empty()) json.member("batch", words.batch);
  json.member("processor", words.processor);
  if (!computes) json.member("peer", words.peer);
  write_count(json, "data_set", data_set);
}

}  // namespace takt::tools
