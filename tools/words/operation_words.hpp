// An operation in the user's words: what a processor does for which data set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

struct OperationWords {
  tpn::ColumnKind kind = tpn::ColumnKind::compute;
  const tpn::NetPart* part = nullptr;  // the computing or the sending one
  std::vector<std::string> stages;     // of that part; none for source and sink
  std::string processor;
  std::string peer;                // the receiver of a transfer
  std::vector<std::string> files;  // of a transfer: the stages whose outputs it takes; none of the input
  // Of a transfer that is not all that its sender sends, or is not the output of its last stage: the receiving part.
  const tpn::NetPart* receiver = nullptr;
  std::uint64_t data_set = 0;
  // How many data sets a computation is of, that one the last of them; 0 of one that only fills a batch.
  std::uint64_t batch = 1;
};

/// The names of an application's stages, in order.
std::vector<std::string> stage_names(const tpn::Application& application);

/// Points into the pipeline.
OperationWords words_of(const tpn::Pipeline& pipeline, const std::vector<std::string>& stages,
                        const tpn::Operation& operation);

/// "compute" or "transfer".
std::string operation_name(const OperationWords& words);

/// "compute S1, S2", "transfer the output of S0", "transfer the outputs of S0, S1".
std::string operation_text(const OperationWords& words);

/// The data sets of an operation: "7", "0-7" of a batch.
std::string data_sets_text(const OperationWords& words);

/// "P0", "P0 -> P2".
std::string processors_text(const OperationWords& words);

/// The part's number in the mapping, "source" or "sink".
std::string part_name(const tpn::NetPart& part);
inline std::string part_name(const OperationWords& words) { return part_name(*words.part); }

/// The stages whose outputs a transfer takes; none of the application's input.
std::vector<std::size_t> files_of(const tpn::Pipeline& pipeline, const tpn::Column& transfer);

/// "P0 compute"; a long name of a processor is shortened, its resource's kind is not.
std::string resource_text(const tpn::Resource& resource, const tpn::Pipeline& pipeline);

/// Whose resource of which kind, as members of an object.
void write_members(tpn::JsonWriter& json, const tpn::Resource& resource, const tpn::Pipeline& pipeline);

/// The fields that docs/formats.md lists for an operation wherever one stands in JSON.
void write_members(tpn::JsonWriter& json, const OperationWords& words);
/// The same for another data set, which may be negative.
void write_members(tpn::JsonWriter& json, const OperationWords& words, const maxplus::Integer& data_set);

}  // namespace takt::tools
