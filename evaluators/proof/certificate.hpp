// A certificate: a proof of the period of an instance, as it is in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evaluators/potential_schedule.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/json_writer.hpp"

namespace takt::evaluators {

using maxplus::Integer;
using maxplus::Rational;

/// A step of a closed walk: the dependence (column -> to, height).
struct CertificateStep {
  std::size_t column = 0;
  std::size_t to = 0;
  std::uint64_t height = 0;
};

/// A walk whose first step stands at `data_set` (at least 0); step t stands at data_set plus the heights
/// before it.
struct CertificateWalk {
  Integer data_set = 0;
  std::vector<CertificateStep> steps;
};

/// A resource by the name of its processor and its kind (`processor` in STRICT).
struct ResourceName {
  std::string processor;
  tpn::ConstraintKind kind = tpn::ConstraintKind::processor;
};

struct CertificateClock {
  ResourceName resource;
  Rational value;  // time units
};

/// The clocks of one column's resources.
struct ColumnClockList {
  std::size_t column = 0;
  std::vector<CertificateClock> clocks;
};

/// start(column, j) = start[j mod K] + upper * (j - j mod K), in time units, K = start.size().
struct ColumnSchedule {
  std::size_t column = 0;
  std::vector<Rational> start;
};

/// A buffer by the name of its processor and the number of its part in the mapping.
struct CertificateBuffer {
  std::string processor;
  std::size_t part = 0;
  tpn::BufferSide side = tpn::BufferSide::in;
  std::uint64_t room = 1;
  // Where the part has several transfers on that side, the part at its other end: a number, "source" or "sink".
  std::optional<std::string> other{};
};

/// Claims lower <= period <= upper (equal: the period) of an instance under a model, with the room of `buffers` limited
/// and at most `window` data sets under way, 0 for any number. The walk, or the
/// resource's own circuit, is the witness of `lower`; the schedule by residue classes, or the clocks from
/// which one pass over all rows takes at most upper * rows, is the witness of `upper`. Where no circuit leaves its
/// column, clocks by column will do, from which a pass over the rows of each column alone does so.
struct Certificate {
  tpn::Model model = tpn::Model::kOverlap;
  std::uint64_t window = 0;
  std::vector<CertificateBuffer> buffers;
  Rational lower;
  Rational upper;
  /// Where times vary by the document's laws: the expected period is at least `lower` and at most this.
  std::optional<Rational> expected_upper{};
  std::variant<CertificateWalk, ResourceName> circuit;
  std::variant<std::vector<ColumnSchedule>, std::vector<CertificateClock>, std::vector<ColumnClockList>,
               PotentialSchedule>
      witness;
};

/// The JSON of docs/certificates.md, one line per entry.
std::string write_certificate(const Certificate& certificate);
/// Its members, into an object that is open: that of a file which holds a plan's certificate as well.
void write_certificate(tpn::JsonWriter& json, const Certificate& certificate);

/// Digits that a number of a certificate may have: more than in an instance, for start times are sums of
/// durations, over a common denominator of them all.
inline constexpr std::size_t kCertificateDigits = 100'000;

/// Throws tpn::ParseError if the text is not a certificate; what stands behind "plan" is for others to read. Whether
/// it proves anything is for evaluators/proof/check.hpp to say.
Certificate read_certificate(std::string_view text, const std::string& file_name);

/// The same, or nothing if `is_out_of_time`, asked before every long number, says so.
std::optional<Certificate> read_certificate(std::string_view text, const std::string& file_name,
                                            const std::function<bool()>& is_out_of_time);

}  // namespace takt::evaluators
