// Prices, rates and parts of plans in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maxplus/rational.hpp"
#include "plan/catalogue.hpp"
#include "plan/claims.hpp"
#include "plan/plan.hpp"
#include "tools/frame/rates.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// How prices are told: to the cent, or as whole numbers where all of them are; exactly where that is short.
class MoneyWords {
 public:
  MoneyWords(const std::vector<maxplus::Rational>& prices, std::string currency);

  /// Whether a machine costs 1, whichever, so that the cost is the number of machines.
  bool counts_machines() const { return counts_machines_; }
  /// "1.57", "1.57 EUR/h".
  std::string said(const maxplus::Rational& cost) const;
  /// The same, or "29 machines" where the cost counts them.
  std::string said_as_machines(const maxplus::Rational& cost) const;
  /// Without the currency.
  std::string number(const maxplus::Rational& cost) const;
  /// "price", "price, EUR/h".
  std::string heading(std::string_view word) const;

 private:
  std::string currency_;
  bool is_whole_ = true;
  bool counts_machines_ = true;
};

/// "1 machine", "29 machines".
std::string machines_words(const maxplus::Integer& machines);
/// "3 machines (24 cores)"; without the cores where all machines of the catalogue have one.
std::string machines_words(const plan::Catalogue& catalogue, const plan::PlanFacts& facts);
/// " (24 cores)": the cores of these machines of a type; empty if these have one each.
std::string cores_words(const plan::MachineType& type, std::uint64_t machines);

/// "any one failure", "any 2 failures".
std::string failures_words(std::uint64_t failures);

/// "No mapping of any kind": at the beginning of a sentence.
std::string capital(std::string text);
/// "2.1": by how much a number is above another, > 0, in percent, rounded up to a tenth.
std::string percent_above(const maxplus::Rational& number, const maxplus::Rational& other);
/// What no mapping costs less than, and how far that is from a cost: "No mapping of any kind costs less than 1.40:
/// proved; this is 12.2 % more.", or that no bound is known. `more` follows the verb's object, as in " in all"; of
/// several mappings together "No mappings ...".
std::string cost_bound_sentence(const plan::MappingClaim& claim, const MoneyWords& money, const maxplus::Rational& cost,
                                const std::optional<maxplus::Rational>& bound, std::string_view more = "",
                                bool are_several = false);

/// Of a document's types and processors.
std::vector<maxplus::Rational> prices_of(const tpn::Document& document);

/// Rates of plans in words, all of one answer by one pace.
class RateWords {
 public:
  /// By the pace that suits the longest of the periods that matter, unless one was written.
  RateWords(const TimeWords& times, const maxplus::Rational& period,
            const std::optional<RatePace>& pace = std::nullopt);

  /// Of a period: "195.3/s", "195.3 frames/s" where the document has a word for data sets, "1.5 per time unit"; "any
  /// rate" where it is 0. To four digits unless the exact number is
  /// whole, to more where it would look like one.
  std::string of_period(const maxplus::Rational& period) const;
  /// The same, in as many digits as tell it apart from that of another period.
  std::string apart(const maxplus::Rational& period, const maxplus::Rational& other) const;
  /// "frames per s", for axes.
  std::string heading() const;
  /// The rate of a period by this pace.
  maxplus::Rational number_of(const maxplus::Rational& period) const { return pace_.length / period; }

 private:
  std::string of_number(const std::string& number) const;

  bool has_units_ = false;
  std::string items_;  // the document's own word, else none
  RatePace pace_;
};

/// What no mapping is faster than, and how far that is from a period: "No mapping of any kind on these machines is
/// above 331.6/s: proved; that is 9.6 % faster."; after failures, what none keeps more than. `within` follows the
/// subject.
std::string rate_bound_sentence(const plan::MappingClaim& claim, const RateWords& rates,
                                const maxplus::Rational& period, const std::optional<maxplus::Rational>& bound,
                                std::string_view within, std::uint64_t survive = 0);

/// "decode + detect", "decode to encode" of many.
std::string stages_words(const plan::Catalogue& catalogue, std::size_t first_stage, std::size_t last_stage);

/// The operations on a data set that keep a machine busy for some time, and how long in all, on one core or port.
struct Binding {
  bool receive = false;
  bool compute = false;
  bool send = false;
  maxplus::Rational time;
};

/// The operations that a demand comes from.
Binding binding_of(const std::vector<plan::MachineLimit>& limits, const plan::PartTimes& times);
/// "compute", "receive and compute", "receive, compute and send".
std::string binding_words(const Binding& binding);

}  // namespace takt::tools
