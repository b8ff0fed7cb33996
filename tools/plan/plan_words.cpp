// Numbers of few digits, which never look like a round one that they are not.
#include "tools/plan/plan_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "tools/frame/options.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

namespace {

constexpr std::array<std::pair<std::string_view, long>, 3> kPaces = {{{"s", 1}, {"min", 60}, {"h", 3600}}};

// The least number of decimals, at most `most`, that write the number exactly.
std::optional<int> decimals_of(const Rational& number, int most) {
  Rational scaled = number;
  for (int decimals = 0; decimals <= most; ++decimals, scaled *= Rational(10)) {
    if (scaled.is_integer()) return decimals;
  }
  return std::nullopt;
}

std::string with_decimals(const Rational& number, int decimals) {
  Integer scale = 1;
  for (int k = 0; k < decimals; ++k) scale *= 10;
  const Integer scaled = (number * Rational(scale)).numerator();
  std::string digits = Integer(abs(scaled)).get_str();
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, ".");
  return (scaled < 0 ? "-" : "") + digits;
}

// "195.3", "0.04167", "12346".
std::string rate_number(const Rational& rate) {
  constexpr std::size_t kMostDigits = 15;
  if (rate.is_integer() && rate.to_string().size() <= kMostDigits) return rate.to_string();
  const auto value = rate.to_double();
  constexpr double kLargest = 1e9;
  constexpr double kSmallest = 1e-4;
  if (!value || *value >= kLargest || *value < kSmallest) return decimal(rate);
  // Exactly where four digits do.
  std::string brief = fmt::format("{:.4g}", *value);
  if (brief.find('e') == std::string::npos && is_exactly(rate, brief)) return brief;
  int decimals = 3;
  for (double bound = 10; bound <= *value && decimals > 0; bound *= 10) --decimals;
  for (double bound = 1; bound > *value; bound /= 10) ++decimals;
  const std::string text = fmt::format("{:.{}f}", *value, decimals);
  const auto rounded = read_number(text);
  return rounded && !rounded->is_integer() ? text : fmt::format("{:.{}f}", *value, decimals + 2);
}

}  // namespace

MoneyWords::MoneyWords(const std::vector<Rational>& prices, std::string currency) : currency_(std::move(currency)) {
  for (const Rational& price : prices) {
    if (!price.is_integer()) is_whole_ = false;
    if (price != Rational(1) || !currency_.empty()) counts_machines_ = false;
  }
}

std::string failures_words(std::uint64_t failures) {
  return failures == 1 ? "any one failure" : fmt::format("any {} failures", failures);
}

std::string capital(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string percent_above(const Rational& number, const Rational& other) {
  return decimal(Rational::fraction(((number / other - Rational(1)) * Rational(1000)).ceiling(), 10));
}

std::string cost_bound_sentence(const plan::MappingClaim& claim, const MoneyWords& money, const Rational& cost,
                                const std::optional<Rational>& bound, std::string_view more, bool are_several) {
  if (!bound || (bound->sign() == 0 && cost.sign() != 0)) return "What other mappings cost at least is not known.";
  const std::string none = capital(are_several ? claim.none_of_several() : claim.none());
  const bool is_free = money.counts_machines();
  if (*bound == cost) {
    const char* less = is_free ? (are_several ? "need fewer machines" : "needs fewer machines")
                               : (are_several ? "cost less" : "is cheaper");
    return fmt::format("{} {}{}: proved.{}", none, less, more, claim.beyond());
  }
  return fmt::format("{} {}{} {}{}: proved; this is {} % more.{}", none, is_free ? "need" : "cost",
                     are_several ? "" : "s", (is_free ? "fewer than " : "less than ") + money.said_as_machines(*bound),
                     more, percent_above(cost, *bound), claim.beyond());
}

std::vector<Rational> prices_of(const tpn::Document& document) {
  std::vector<Rational> prices;
  for (const tpn::Processor& processor : document.platform.processors) prices.push_back(processor.price);
  for (const tpn::ProcessorType& type : document.platform.types) {
    prices.push_back(type.price);
    if (type.spot_price) prices.push_back(*type.spot_price);
  }
  return prices;
}

std::string MoneyWords::number(const Rational& cost) const {
  constexpr int kCents = 2;
  constexpr int kMost = 6;
  const auto decimals = decimals_of(cost, kMost);
  if (!decimals) return decimal(cost);
  return with_decimals(cost, is_whole_ ? *decimals : std::max(kCents, *decimals));
}

std::string MoneyWords::said(const Rational& cost) const {
  return currency_.empty() ? number(cost) : fmt::format("{} {}", number(cost), printable(currency_));
}

std::string MoneyWords::said_as_machines(const Rational& cost) const {
  return counts_machines_ && cost.is_integer() ? machines_words(cost.numerator()) : said(cost);
}

std::string machines_words(const Integer& machines) { return plural(machines, "machine"); }

std::string machines_words(const plan::Catalogue& catalogue, const plan::PlanFacts& facts) {
  const bool has_cores =
      std::ranges::any_of(catalogue.types, [](const plan::MachineType& type) { return type.cores > 1; });
  const std::string machines = machines_words(facts.machines());
  return has_cores && facts.cores() ? fmt::format("{} ({})", machines, plural(*facts.cores(), "core")) : machines;
}

std::string cores_words(const plan::MachineType& type, std::uint64_t machines) {
  if (type.cores == 1) return "";
  return fmt::format(" ({} cores)", (Rational(machines) * Rational(type.cores)).to_string());
}

std::string MoneyWords::heading(std::string_view word) const {
  return currency_.empty() ? std::string(word) : fmt::format("{}, {}", word, printable(currency_));
}

RateWords::RateWords(const TimeWords& times, const Rational& period, const std::optional<RatePace>& pace)
    : has_units_(times.has_units()) {
  if (times.item() != TimeWords().item()) items_ = plural_of(times.item());
  if (!has_units_) return;
  if (pace) {
    pace_ = *pace;
    return;
  }
  for (const auto& [name, seconds] : kPaces) {
    pace_ = {name, seconds};
    if (period.sign() == 0 || period <= Rational(seconds)) return;
  }
}

std::string RateWords::of_number(const std::string& number) const {
  const std::string items = items_.empty() ? "" : " " + items_;
  return has_units_ ? fmt::format("{}{}/{}", number, items, pace_.name) : number + items + " per time unit";
}

std::string RateWords::of_period(const Rational& period) const {
  return period.sign() == 0 ? "any rate" : of_number(rate_number(number_of(period)));
}

std::string RateWords::apart(const Rational& period, const Rational& other) const {
  constexpr int kFirst = 5;
  constexpr int kLast = 15;
  const std::string text = of_period(period);
  if (period == other || text != of_period(other)) return text;
  const double own = number_of(period).to_double().value_or(0);
  const double others = number_of(other).to_double().value_or(0);
  for (int digits = kFirst; digits <= kLast; ++digits) {
    std::string number = fmt::format("{:.{}g}", own, digits);
    if (number != fmt::format("{:.{}g}", others, digits)) return of_number(number);
  }
  return of_number(number_of(period).to_string());
}

std::string rate_bound_sentence(const plan::MappingClaim& claim, const RateWords& rates, const Rational& period,
                                const std::optional<Rational>& bound, std::string_view within, std::uint64_t survive) {
  if (!bound || bound->sign() == 0) return "How fast other mappings are at most is not known.";
  const std::string none = capital(claim.none()) + std::string(within);
  if (*bound == period) {
    return fmt::format("{} {}: proved.{}", none,
                       survive > 0 ? "keeps a higher rate after " + failures_words(survive) : "is faster",
                       claim.beyond());
  }
  return fmt::format("{} {} {}: proved; that is {} % faster.{}", none, survive > 0 ? "keeps more than" : "is above",
                     rates.of_period(*bound), percent_above(period, *bound), claim.beyond());
}

std::string RateWords::heading() const {
  return fmt::format("{} per {}", items_.empty() ? "data sets" : items_, has_units_ ? pace_.name : "time unit");
}

std::string stages_words(const plan::Catalogue& catalogue, std::size_t first_stage, std::size_t last_stage) {
  constexpr std::size_t kNamed = 3;
  const auto name = [&](std::size_t k) { return printable(catalogue.stages[k].name); };
  if (last_stage - first_stage >= kNamed) return fmt::format("{} to {}", name(first_stage), name(last_stage));
  std::string words = name(first_stage);
  for (std::size_t k = first_stage + 1; k <= last_stage; ++k) words += " + " + name(k);
  return words;
}

Binding binding_of(const std::vector<plan::MachineLimit>& limits, const plan::PartTimes& times) {
  Binding binding;
  Rational longest;
  for (const plan::MachineLimit& limit : limits) {
    const auto& [receives, computes, sends] = limit.operations;
    const Rational sum = plan::sum_of(limit, times.receive, times.compute, times.send);
    const Rational each = sum / Rational(limit.places);
    // Of equal ones the computation is named.
    if (each < longest || (each == longest && (!computes || binding.compute))) continue;
    longest = each;
    binding = {receives && times.receive.sign() > 0, computes && times.compute.sign() > 0,
               sends && times.send.sign() > 0, sum};
  }
  return binding;
}

std::string binding_words(const Binding& binding) {
  std::vector<std::string_view> words;
  if (binding.receive) words.emplace_back("receive");
  if (binding.compute) words.emplace_back("compute");
  if (binding.send) words.emplace_back("send");
  if (words.size() < 3) return fmt::format("{}", fmt::join(words, " and "));
  return "receive, compute and send";
}

}  // namespace takt::tools
