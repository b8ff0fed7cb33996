// Formats of other tools: what each is called, and the function that writes a net in it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tpn/capabilities.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

/// A net to be written, and what its document calls things.
struct ExportedNet {
  const tpn::FoldedNet& net;
  std::string name;                 // any text
  std::vector<std::string> stages;  // all of the application
  bool has_seconds = false;         // times are in seconds, in a unit of the document's own otherwise
};

/// A file of another tool.
struct InterchangeText {
  std::string text;
  std::string description;  // what is in it, and what its numbers mean: one line
};

/// Why a format cannot hold a net, and what to do.
struct NotExported {
  std::string text;
};

using Exported = std::variant<InterchangeText, NotExported>;

/// A row of the table of formats. The same net gives the same bytes.
struct InterchangeFormat {
  std::string_view name;
  std::string_view summary;
  std::string_view ending;  // of file names
  Exported (*write)(const ExportedNet& exported, std::uint64_t max_transitions);
  tpn::Capabilities takes = tpn::kEveryNet;
};

/// The net in the format, or why it is not: what the format does not take, or a limit.
Exported export_net(const InterchangeFormat& format, const ExportedNet& exported, std::uint64_t max_transitions);

std::span<const InterchangeFormat> interchange_formats();

/// Nothing if there is no format of that name.
const InterchangeFormat* find_format(std::string_view name);
/// The format whose ending a file name has; nothing if none has it.
const InterchangeFormat* format_of_ending(std::string_view path);

/// Readers keep times in 32 bits, some with a sign.
inline constexpr std::uint64_t kLongestTime = (std::uint64_t{1} << 31) - 1;

/// Why not, where a duration of the net is longer than kLongestTime in units of 1 / Pipeline::scale.
std::optional<NotExported> unfit_time(const tpn::Pipeline& pipeline);

/// "its period is of 6 data sets, in units of 1/2: divided by 12 it is the period per data set", for the number that a
/// reader computes of a graph of `data_sets` data sets.
std::string period_rule(const maxplus::Integer& scale, const maxplus::Integer& data_sets);

}  // namespace takt::tools
