// The words of a report: operations and processors, in names short enough for a page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/report/findings.hpp"
#include "tools/report/page.hpp"
#include "tools/words/time_words.hpp"

namespace takt::tools {

/// "a" at its start, large.
std::string capitalized(std::string text);

/// A share of 1 as "87.3 %"; nothing if it is 0.
std::string percent_or_nothing(const Rational& share);

/// The text, cut to `most` characters with an ellipsis in place of the rest.
std::string clipped(std::string_view text, std::size_t most);

/// Bytes as text, for addresses that hold what they point to.
std::string base64_of(std::string_view bytes);

/// "1,234,567".
std::string grouped(const Integer& number);

class ReportWords {
 public:
  /// Keeps a reference to the findings.
  explicit ReportWords(const ReportFindings& findings);

  const std::string& processor(std::size_t index) const { return processors_[index]; }
  /// "S1", "S1–S3", "source".
  std::string stages(const tpn::NetPart& part) const;
  /// "S1 on P2", "P0 → P2", "source".
  std::string operation(std::size_t column, std::size_t processor, std::size_t peer) const;
  std::string operation(const tpn::Operation& operation) const;
  /// The processors of a lap of a circuit, both ends of transfers, in the order in which they come.
  std::vector<std::string> processors_on(const evaluators::CriticalCircuit& circuit) const;
  /// "P2", "P0's out-port".
  std::string resource(const tpn::Resource& resource) const;
  std::string resource(tpn::ConstraintKind kind, std::size_t processor) const;

  /// A time, by itself: "230.667", exactly "692/3".
  PageNumber time(const Rational& time) const;
  /// A number that is no time, likewise.
  PageNumber number(const Rational& number) const;
  /// Of a period above 0.
  PageFact throughput(const Rational& period) const;
  /// A time in a sentence: "1384 time units", "3.785 ms".
  std::string span(const Rational& time) const;
  /// What stands behind a period: "time units per data set", or "per data set" where its unit stands there already.
  std::string per_data_set() const { return (times_.has_units() ? "per " : "time units per ") + times_.item(); }
  const TimeWords& times() const { return times_; }

  std::string file() const;          // for people
  std::string command_file() const;  // for command lines
  /// "--model strict", "--model bounded --rooms 2".
  std::string model_options() const;

 private:
  const ReportFindings& findings_;
  TimeWords times_;
  std::vector<std::string> stages_;
  std::vector<std::string> processors_;
};

}  // namespace takt::tools
