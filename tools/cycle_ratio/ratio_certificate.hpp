// Certificates of cycle ratios: a proof of the ratio of a graph, as it is in a file.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "maxplus/rational_arcs.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"

namespace takt::tools {

/// What a certificate says that a graph has.
enum class RatioClaim { largest_ratio, smallest_ratio, deadlock, no_cycle };

/// A step of a cycle: an arc by its number in the file, from 0, and its ends.
struct NamedArc {
  std::size_t arc = 0;
  std::string from;
  std::string to;
};

struct NamedValue {
  std::string vertex;
  maxplus::Integer value;
};

/// A proof (maxplus/rational_arcs.hpp) with names for vertices.
struct RatioCertificate {
  RatioClaim claim = RatioClaim::largest_ratio;
  maxplus::Rational ratio;         // where one is claimed
  std::vector<NamedArc> cycle;     // but if no cycle is
  maxplus::Integer denominator;    // of the values, > 0
  std::vector<NamedValue> values;  // where a ratio is claimed
  std::vector<std::string> order;  // if no cycle is
};

/// Digits that a number of a certificate may have: sums of weights may be long.
inline constexpr std::size_t kRatioDigits = 100'000;
/// Whether all its numbers are as short as that.
bool fits_ratio_certificate(const maxplus::CycleRatioProof& proof);

/// The JSON of docs/certificates.md.
void write_ratio_certificate(std::ostream& out, const RatioGraph& graph, const maxplus::CycleRatioProof& proof);

/// Whether a text is a certificate of this kind: a JSON object with "claim". Throws tpn::ParseError if it is no
/// JSON.
bool is_ratio_certificate(std::string_view text, const std::string& path);

/// Throws tpn::ParseError if the text is no such certificate; nothing if `is_out_of_time`, asked before every
/// long number, says so.
std::optional<RatioCertificate> read_ratio_certificate(std::string_view text, const std::string& path,
                                                       const std::function<bool()>& is_out_of_time);

/// The proof for the vertices and arcs of a graph; or why it is none of that graph, for a person.
std::variant<maxplus::CycleRatioProof, std::string> proof_for(const RatioGraph& graph,
                                                              const RatioCertificate& certificate);

/// "the largest cycle ratio is 15/4".
std::string claim_text(const RatioCertificate& certificate);

/// The name of a claim in files: "largest ratio".
std::string_view name_of(RatioClaim claim);

}  // namespace takt::tools
