// The table of limits: what each counts, and what to do about it.
#include "tools/answers/limit_words.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "tools/files/files.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/limited_search.hpp"

namespace takt::tools {

namespace {

using tpn::LimitKind;

struct LimitWords {
  LimitKind kind;
  std::string_view what;
  std::string_view hint;
};

constexpr std::array kLimits = {
    LimitWords{LimitKind::rows, "rows", "--max-rows"},
    LimitWords{LimitKind::column_rows, "rows of a column", "--max-rows"},
    LimitWords{LimitKind::meetings, "pairs of processors that meet", ""},
    LimitWords{LimitKind::circuit_operations, "operations in the circuits of resources", ""},
    LimitWords{LimitKind::transitions_and_places, "transitions and places", ""},
    LimitWords{LimitKind::places, "places", ""},
    LimitWords{LimitKind::karp_entries, "entries in Karp's table", ""},
    LimitWords{LimitKind::least_residue_classes, "residue classes", ""},
    LimitWords{LimitKind::residue_classes, "residue classes or more", ""},
    LimitWords{LimitKind::residue_bytes, "bytes or more", "--max-memory"},
    LimitWords{LimitKind::residue_visits, "visits to residue classes or more", "none with --time-limit"},
    LimitWords{LimitKind::sweep_bytes, "bytes", "--max-memory"},
    LimitWords{LimitKind::duration_words, "words of 64 bits for the durations over one denominator", ""},
    LimitWords{LimitKind::building_time, "", "--time-limit"},
    LimitWords{LimitKind::certificate_numbers, "numbers in the certificate", ""},
    LimitWords{LimitKind::certificate_steps, "steps of the circuit", ""},
    LimitWords{LimitKind::denominator_bits, "bits in the common denominator of the certificate's numbers", ""},
    LimitWords{LimitKind::checked_operations, "operations of the checker or more", ""},
    LimitWords{LimitKind::played_operations, "operations", "--data-sets"},
    LimitWords{LimitKind::room, "files or more in every buffer", ""},
    LimitWords{LimitKind::distinct_operations, "operations on distinct data sets", ""},
    LimitWords{LimitKind::traced_operations, "operations of the trace or more", ""},
    LimitWords{LimitKind::trace_bits, "bits or more in the common denominator of the trace's times", ""},
    LimitWords{LimitKind::potential_bytes, "bytes or more", "--max-memory"},
    LimitWords{LimitKind::reached_bounds, "residue-specific bounds or more", "none with --time-limit"},
    LimitWords{LimitKind::checked_bounds, "bounds that follow from the potentials, or more", ""},
    LimitWords{LimitKind::bound_digits, "digits before or behind the decimal point of the bounds", "--method residue"},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kLimits.size(); ++i) {
    if (kLimits[i].kind != LimitKind{static_cast<int>(i)}) return false;
  }
  return kLimits.back().kind == tpn::kLastLimitKind;
}
static_assert(is_in_order(), "a row for each kind of limit, in their order");

const LimitWords& words_of(LimitKind kind) { return kLimits[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string too_large_text(const tpn::TooLarge& too_large) {
  if (too_large.kind == LimitKind::building_time) return fmt::format("{} before the net was built", why_ended());
  return fmt::format("{} {} would be needed, the limit is {}", too_large.needed.get_str(),
                     words_of(too_large.kind).what, too_large.limit);
}

std::string too_large_hint(const tpn::TooLarge& too_large) {
  const std::string_view hint = words_of(too_large.kind).hint;
  return too_large_text(too_large) + (hint.empty() ? "" : fmt::format(" ({})", hint));
}

int tell_limit(Streams& streams, const std::string& file, const tpn::Model& model, const std::string& why) {
  tell(streams, fmt::format("{}, {}: {}", display_name(file), tpn::label_of(model), why));
  return kLimit;
}

}  // namespace takt::tools
