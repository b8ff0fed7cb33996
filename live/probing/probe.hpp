// Probes: what the processes of an MPI job run and send to be timed, and what they have measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/json.hpp"
#include "tpn/json_writer.hpp"

namespace takt::live {

struct ProbeTerms {
  std::uint64_t repeats = 5;  // of each stage, behind one that does not count
  bool in_turn = false;       // one processor after the other, in place of all at once
  /// All processors compute this stage alone, but for the first, which computes all to know their works.
  std::optional<std::size_t> one_stage;
  std::vector<std::uint64_t> sizes;  // of messages, in bytes, ascending
  std::uint64_t exchanges = 21;      // of each size on each link, behind one that does not count
  std::uint64_t inputs = 0;          // lines of the input, taken in turn; 0 if there is none

  friend bool operator==(const ProbeTerms&, const ProbeTerms&) = default;
};

inline constexpr std::uint64_t kMostRepeats = 1000;
inline constexpr std::uint64_t kMostMessage = std::uint64_t{1} << 30;

/// Indices of processors; behind the platform's own come sources and sinks (tpn::EndNumbers).
struct ProbedPair {
  std::size_t from = 0;
  std::size_t to = 0;

  friend bool operator==(const ProbedPair&, const ProbedPair&) = default;
};

/// The pairs of a probe, sender and receiver: all pairs of processors, each once, and processors with the sources and
/// sinks that the platform has.
std::vector<ProbedPair> probed_pairs(const tpn::Platform& platform);

/// By stage, then processor, whether a probe has the one computed on the other: where it runs, and wherever its "runs
/// on" lets it where the document says nothing of its times. Throws tpn::InvalidInstance if a stage runs nowhere.
std::vector<std::vector<bool>> probed_stages(const tpn::Document& document);

/// Times in nanoseconds.
struct ProbeResult {
  std::vector<std::vector<std::vector<std::int64_t>>> times;  // by stage, processor, repeat; empty if not measured
  std::vector<std::int64_t> sizes;                            // in bytes: the input, then the file behind each stage
  std::vector<std::vector<std::int64_t>> round_trips;         // by pair, then size: medians
  std::vector<std::vector<std::int64_t>> round_trip_spreads;  // likewise, the middle distances from them

  friend bool operator==(const ProbeResult&, const ProbeResult&) = default;
};

/// The lower of two where their number is even; there is at least one.
std::int64_t median_of(std::vector<std::int64_t> numbers);
/// How far they are from the median, ascending, its own 0 left out if there are others; there is one at least. And
/// the median of that.
std::vector<std::int64_t> distances_from_median(const std::vector<std::int64_t>& numbers);
std::int64_t middle_distance(const std::vector<std::int64_t>& numbers);

/// The member "probe", null if there are no terms.
void write_probe_terms(tpn::JsonWriter& json, const std::optional<ProbeTerms>& terms);
/// Throws tpn::ParseError.
std::optional<ProbeTerms> read_probe_terms(const tpn::json::Tree& tree, const tpn::json::Value& plan);

std::string write_probe_result(const ProbeResult& result);
/// Throws tpn::ParseError.
ProbeResult read_probe_result(std::string_view text, const std::string& file);

}  // namespace takt::live
