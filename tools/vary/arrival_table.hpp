// Times of arrival from a column of a table.
//
// Form. CSV. The column is "arrival", or the only one, which then need not have a heading. Each row is the time at
// which a data set arrives, with a unit exactly where the document's numbers have units, none before the one above it.
// Only differences count: the first arrives at 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/vary/vary_answer.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// Rows that a table may have at most.
inline constexpr std::uint64_t kMostArrivals = 1'000'000;

/// The arrivals of a table's text; `name` is that of its file. With `data_sets`, as many are played: the first ones or,
/// beyond the table, all again and again. Throws FileError, "FILE:LINE: found F, expected E", of the first mistake.
ArrivalTable read_arrivals(std::string_view text, const std::string& name, const tpn::Document& document,
                           const std::optional<std::uint64_t>& data_sets);

}  // namespace takt::tools
