// Predicates, tallies and the statistics that they answer.
#include "experiments/descriptions/statistic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "experiments/descriptions/description.hpp"
#include "experiments/statistics/sampling.hpp"
#include "maxplus/contract.hpp"
#include "tpn/json_writer.hpp"

namespace takt::experiments {

namespace json = tpn::json;

namespace {

// Sums of up to this many values are added up as they are; beyond, denominators grow without end.
constexpr std::size_t kMostExactSum = 1000;
constexpr unsigned kFractionBits = 40;
constexpr unsigned kSquareBits = 2 * kFractionBits;

struct ComparisonSign {
  std::string_view sign;
  Comparison comparison;
};
// The longer ones first.
constexpr auto kSigns = std::to_array<ComparisonSign>({{"<=", Comparison::at_most},
                                                       {">=", Comparison::at_least},
                                                       {"!=", Comparison::unequal},
                                                       {"<", Comparison::less},
                                                       {">", Comparison::more},
                                                       {"=", Comparison::equal}});

bool compares(const MeasuredNumber& value, Comparison comparison, const MeasuredNumber& number) {
  switch (comparison) {
    case Comparison::less:
      return value < number;
    case Comparison::at_most:
      return value <= number;
    case Comparison::equal:
      return value == number;
    case Comparison::unequal:
      return value != number;
    case Comparison::at_least:
      return value >= number;
    case Comparison::more:
      return value > number;
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::variant<Predicate::Term, std::string> parse_term(std::string_view text, const std::vector<std::string>& measures) {
  for (const ComparisonSign& sign : kSigns) {
    const std::size_t at = text.find(sign.sign);
    if (at == std::string_view::npos) continue;
    const std::string_view measure = trimmed(text.substr(0, at));
    const auto found = std::ranges::find(measures, measure);
    if (found == measures.end()) {
      return fmt::format("a measure before \"{}\", one of {}", sign.sign, fmt::join(measures, ", "));
    }
    auto number = maxplus::parse_number(trimmed(text.substr(at + sign.sign.size())));
    const auto* value = std::get_if<Rational>(&number);
    if (value == nullptr) return fmt::format("a number behind \"{}\"", sign.sign);
    return Predicate::Term{static_cast<std::size_t>(found - measures.begin()), sign.comparison, *value};
  }
  return std::string("comparisons such as \"gap > 0\", joined by \"and\"");
}

// floor(x 2^40).
Integer scaled_floor(const Rational& value) {
  Integer result = value.numerator() << kFractionBits;
  mpz_fdiv_q(result.get_mpz_t(), result.get_mpz_t(), value.denominator().get_mpz_t());
  return result;
}

Integer scaled_ceiling(const Rational& value) { return -scaled_floor(-value); }

Rational unscaled(const Integer& sum) { return Rational::fraction(sum, Integer(1) << kFractionBits); }

// Adds floor(numerator / denominator 2^40) to the one, and the ceiling to the other; |numerator| is less than 2^87.
void add_scaled(Int128 numerator, Int128 denominator, TallySum& below, TallySum& above) {
  const Int128 scaled = numerator * (Int128{1} << kFractionBits);
  Int128 quotient = scaled / denominator;
  const Int128 rest = scaled % denominator;
  if (rest < 0) --quotient;
  below += quotient;
  above += quotient + (rest != 0 ? 1 : 0);
}

void add_scaled(const Rational& value, TallySum& below, TallySum& above) {
  below += scaled_floor(value);
  above += scaled_ceiling(value);
}

void add_value(MeasureTally& tally, const MeasuredNumber& value, std::uint64_t draw) {
  ++tally.count;
  const auto is_first = [&](const auto& best) { return value == best->first && draw < best->second; };
  if (!tally.smallest || value < tally.smallest->first || is_first(tally.smallest)) tally.smallest = {value, draw};
  if (!tally.largest || tally.largest->first < value || is_first(tally.largest)) tally.largest = {value, draw};
  // Whose square's numerator is less than 2^86.
  constexpr std::int64_t kNarrow = std::int64_t{1} << 43;
  const evaluators::NarrowFraction* const two = value.narrow();
  if (two != nullptr && -kNarrow < two->numerator && two->numerator < kNarrow) {
    if (two->numerator == 0) return;
    const Int128 numerator = two->numerator;
    const Int128 denominator = two->denominator;
    add_scaled(numerator, denominator, tally.sum_below, tally.sum_above);
    add_scaled(numerator * numerator, denominator * denominator, tally.squares_below, tally.squares_above);
    return;
  }
  const Rational wide = value.rational();
  add_scaled(wide, tally.sum_below, tally.sum_above);
  add_scaled(wide * wide, tally.squares_below, tally.squares_above);
}

using Extreme = std::optional<std::pair<MeasuredNumber, std::uint64_t>>;

// Puts the better of two into the first; at a tie the earlier draw.
void take_better(Extreme& mine, const Extreme& other, bool wants_less) {
  if (!other) return;
  if (!mine ||
      (other->first == mine->first ? other->second < mine->second : (other->first < mine->first) == wants_less)) {
    mine = other;
  }
}

Integer square_root(const Integer& value) {
  Integer root;
  mpz_sqrt(root.get_mpz_t(), value.get_mpz_t());
  return root;
}

// Bounds of a square root, to 40 bits behind the point.
Rational root_below(const Rational& value) {
  if (value.sign() <= 0) return 0;
  return unscaled(square_root((value.numerator() << kSquareBits) / value.denominator()));
}
Rational root_above(const Rational& value) {
  if (value.sign() <= 0) return 0;
  const Integer scaled = (value.numerator() << kSquareBits) / value.denominator();
  return unscaled(square_root(scaled + 1) + 1);
}

Estimate exactly(const Rational& value) { return {value, value, {}}; }

}  // namespace

bool Predicate::holds(const std::vector<std::optional<MeasuredNumber>>& values) const {
  return std::ranges::all_of(terms, [&](const Term& term) {
    const auto& value = values[term.measure];
    return value && compares(*value, term.comparison, term.number);
  });
}

std::variant<Predicate, std::string> parse_predicate(std::string_view text, const std::vector<std::string>& measures) {
  Predicate predicate{std::string(text), {}};
  constexpr std::string_view kAnd = " and ";
  for (;;) {
    const std::size_t end = text.find(kAnd);
    auto term = parse_term(text.substr(0, end), measures);
    if (auto* wrong = std::get_if<std::string>(&term)) return std::move(*wrong);
    predicate.terms.push_back(std::move(std::get<Predicate::Term>(term)));
    if (end == std::string_view::npos) return predicate;
    text.remove_prefix(end + kAnd.size());
  }
}

Tally::Tally(const Description& description, bool keeps_values)
    : description_(&description),
      keeps_values_(keeps_values),
      counts_(description.predicates.size()),
      measures_(description.measures.size()),
      values_(keeps_values ? description.measures.size() : 0),
      by_draw_(description.measures.size()) {}

void Tally::add(std::uint64_t draw, const SeriesResult& result) {
  ++draws_;
  if (!result.failure.empty()) {
    ++failed_;
    return;
  }
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (description_->predicates[i].holds(result.values)) ++counts_[i];
  }
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    const auto& value = result.values[m];
    if (!value) continue;
    add_value(measures_[m], *value, draw);
    const auto width = description_->bin_widths.find(m);
    if (width != description_->bin_widths.end()) ++measures_[m].bins[(value->rational() / width->second).floor()];
    if (keeps_values_) {
      values_[m].push_back({value->rational(), draw});
      if (const auto number = values_[m].back().value.to_double()) by_draw_[m].emplace(draw, *number);
    }
  }
  are_sorted_ = false;
}

void Tally::add(const Tally& other) {
  draws_ += other.draws_;
  failed_ += other.failed_;
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    MeasureTally& mine = measures_[m];
    const MeasureTally& theirs = other.measures_[m];
    mine.count += theirs.count;
    mine.sum_below += theirs.sum_below;
    mine.sum_above += theirs.sum_above;
    mine.squares_below += theirs.squares_below;
    mine.squares_above += theirs.squares_above;
    take_better(mine.smallest, theirs.smallest, true);
    take_better(mine.largest, theirs.largest, false);
    for (const auto& [bin, count] : theirs.bins) mine.bins[bin] += count;
    if (keeps_values_ && other.keeps_values_) {
      values_[m].insert(values_[m].end(), other.values_[m].begin(), other.values_[m].end());
      by_draw_[m].insert(other.by_draw_[m].begin(), other.by_draw_[m].end());
    }
  }
  keeps_values_ = keeps_values_ && other.keeps_values_;
  are_sorted_ = false;
}

const std::map<std::uint64_t, double>& Tally::by_draw(std::size_t measure) const { return by_draw_[measure]; }

const std::vector<DrawnValue>& Tally::values(std::size_t measure) const {
  maxplus::expects(keeps_values_, "values are asked for where they are kept");
  if (!are_sorted_) {
    const auto order = [](const DrawnValue& a, const DrawnValue& b) {
      return a.value == b.value ? a.draw < b.draw : a.value < b.value;
    };
    for (auto& values : values_) std::ranges::sort(values, order);
    are_sorted_ = true;
  }
  return values_[measure];
}

std::optional<Estimate> Tally::mean(std::size_t measure) const {
  const MeasureTally& tally = measures_[measure];
  if (tally.count == 0) return std::nullopt;
  const Rational count(tally.count);
  if (keeps_values_ && tally.count <= kMostExactSum) {
    Rational sum;
    for (const DrawnValue& drawn : values(measure)) sum += drawn.value;
    return exactly(sum / count);
  }
  return Estimate{unscaled(tally.sum_below.value()) / count, unscaled(tally.sum_above.value()) / count, {}};
}

std::optional<Estimate> Tally::with_interval(std::optional<Estimate> mean, std::size_t measure) const {
  const auto spread = deviation(measure);
  if (!mean || !spread) return mean;
  const auto middle = ((mean->lower + mean->upper) / Rational(2)).to_double();
  const auto width = spread->upper.to_double();
  if (!middle || !width) return mean;
  const double margin = mean_margin(*width, measures_[measure].count, kIntervalConfidence);
  mean->interval = {*middle - margin, *middle + margin};
  return mean;
}

// Of a sample: the root of (sum of squares - n mean^2) / (n - 1).
std::optional<Estimate> Tally::deviation(std::size_t measure) const {
  const MeasureTally& tally = measures_[measure];
  if (tally.count < 2) return std::nullopt;
  const Rational count(tally.count);
  const auto mean_of = mean(measure);
  const auto square = [](const Rational& value) { return value * value; };
  if (mean_of->exact() && keeps_values_ && tally.count <= kMostExactSum) {
    Rational sum;
    for (const DrawnValue& drawn : values(measure)) sum += square(drawn.value - mean_of->lower);
    const Rational variance = sum / (count - Rational(1));
    if (variance.sign() == 0) return exactly(0);
    return Estimate{root_below(variance), root_above(variance), {}};
  }
  const Rational largest = std::max(square(mean_of->lower), square(mean_of->upper));
  const Rational least = mean_of->lower.sign() != mean_of->upper.sign()
                             ? Rational(0)
                             : std::min(square(mean_of->lower), square(mean_of->upper));
  const Rational below = (unscaled(tally.squares_below.value()) - count * largest) / (count - Rational(1));
  const Rational above = (unscaled(tally.squares_above.value()) - count * least) / (count - Rational(1));
  return Estimate{root_below(below), root_above(above), {}};
}

// The value of rank ceil(q n) in ascending order, the first for q = 0.
std::optional<Estimate> Tally::quantile(std::size_t measure, const Rational& at) const {
  const MeasureTally& tally = measures_[measure];
  if (tally.count == 0) return std::nullopt;
  const Integer rank = std::max(Rational(at * Rational(tally.count)).ceiling(), Integer(1));
  if (keeps_values_) return exactly(values(measure)[rank.get_ui() - 1].value);
  const auto width = description_->bin_widths.find(measure);
  if (width == description_->bin_widths.end()) return std::nullopt;
  Integer passed = 0;
  for (const auto& [bin, count] : tally.bins) {
    passed += Integer(count);
    if (passed < rank) continue;
    // A value lies within what was seen as well.
    return Estimate{std::max(Rational(bin) * width->second, tally.smallest->first.rational()),
                    std::min(Rational(Integer(bin + 1)) * width->second, tally.largest->first.rational()),
                    {}};
  }
  return std::nullopt;
}

std::optional<Estimate> Tally::counted(const Statistic& statistic) const {
  const auto& predicates = description_->predicates;
  const auto found = std::ranges::find(predicates, statistic.predicate->text, &Predicate::text);
  maxplus::expects(found != predicates.end(), "what a description counts is among its predicates");
  const Rational count(counts_[static_cast<std::size_t>(found - predicates.begin())]);
  if (statistic.kind == StatisticKind::count) return exactly(count);
  if (draws_ == failed_) return std::nullopt;
  Estimate share = exactly(count / Rational(draws_ - failed_));
  share.interval = share_interval(count.numerator().get_ui(), draws_ - failed_, kIntervalConfidence);
  return share;
}

std::optional<Estimate> Tally::answer(const Statistic& statistic) const {
  switch (statistic.kind) {
    case StatisticKind::draws:
      return exactly(Rational(draws_));
    case StatisticKind::failed:
      return exactly(Rational(failed_));
    case StatisticKind::count:
    case StatisticKind::share:
      return counted(statistic);
    case StatisticKind::mean:
      return with_interval(mean(statistic.measure), statistic.measure);
    case StatisticKind::deviation:
      return deviation(statistic.measure);
    case StatisticKind::quantile:
      return quantile(statistic.measure, statistic.at);
    case StatisticKind::smallest:
    case StatisticKind::largest: {
      const MeasureTally& tally = measures_[statistic.measure];
      const Extreme& extreme = statistic.kind == StatisticKind::smallest ? tally.smallest : tally.largest;
      if (!extreme) return std::nullopt;
      const Rational number = extreme->first.rational();
      return Estimate{number, number, extreme->second};
    }
    case StatisticKind::bins:
    case StatisticKind::values:
      return std::nullopt;  // many numbers, for figures
  }
  return std::nullopt;
}

namespace {

void write_extreme(tpn::JsonWriter& writer, std::string_view name, const Extreme& extreme) {
  if (!extreme) return;
  writer.key(name);
  writer.begin_array();
  writer.value(extreme->first.rational().to_string());
  writer.value(extreme->second);
  writer.end();
}

void write_pair(tpn::JsonWriter& writer, std::string_view name, const TallySum& below, const TallySum& above) {
  writer.key(name);
  writer.begin_array();
  writer.value(below.value().get_str());
  writer.value(above.value().get_str());
  writer.end();
}

std::uint64_t count_of(const json::Tree& tree, const json::Value& value) {
  const Rational number = json::as_number(tree, value, json::Bound::whole);
  if (number.numerator() > Integer(UINT64_MAX)) json::fail(tree, value, json::describe(value), "a 64-bit number");
  return number.numerator().get_ui();
}

Integer integer_from(const json::Tree& tree, const json::Value& value) {
  const Rational number = json::as_number(tree, value, json::Bound::any);
  if (!number.is_integer()) json::fail(tree, value, json::describe(value), "a whole number");
  return number.numerator();
}

const std::vector<json::Value>& pair_of(const json::Tree& tree, const json::Value& value) {
  const auto& items = json::as_array(tree, value, "a pair");
  if (items.size() != 2) json::fail(tree, value, json::describe(value), "two numbers");
  return items;
}

Extreme read_extreme(const json::Tree& tree, const json::Value& object, std::string_view name) {
  const json::Value* const value = json::find(object, name);
  if (value == nullptr) return std::nullopt;
  const auto& items = pair_of(tree, *value);
  return std::pair(json::as_number(tree, items[0], json::Bound::any), count_of(tree, items[1]));
}

void read_pair(const json::Tree& tree, const json::Value& object, std::string_view name, TallySum& below,
               TallySum& above) {
  const auto& items = pair_of(tree, json::required(tree, object, "a tally", name));
  below += integer_from(tree, items[0]);
  above += integer_from(tree, items[1]);
}

MeasureTally read_measure(const json::Tree& tree, const json::Value& value) {
  MeasureTally tally;
  tally.count = count_of(tree, json::required(tree, value, "a tally", "count"));
  tally.smallest = read_extreme(tree, value, "smallest");
  tally.largest = read_extreme(tree, value, "largest");
  read_pair(tree, value, "sum", tally.sum_below, tally.sum_above);
  read_pair(tree, value, "squares", tally.squares_below, tally.squares_above);
  if (const json::Value* const bins = json::find(value, "bins")) {
    for (const json::Value& bin : json::as_array(tree, *bins, "bins")) {
      const auto& items = pair_of(tree, bin);
      tally.bins[integer_from(tree, items[0])] = count_of(tree, items[1]);
    }
  }
  return tally;
}

void write_measure(tpn::JsonWriter& writer, const MeasureTally& tally) {
  writer.begin_object();
  writer.member("count", tally.count);
  write_extreme(writer, "smallest", tally.smallest);
  write_extreme(writer, "largest", tally.largest);
  write_pair(writer, "sum", tally.sum_below, tally.sum_above);
  write_pair(writer, "squares", tally.squares_below, tally.squares_above);
  if (!tally.bins.empty()) {
    writer.key("bins");
    writer.begin_array();
    for (const auto& [bin, count] : tally.bins) {
      writer.begin_array();
      writer.raw(bin.get_str());
      writer.value(count);
      writer.end();
    }
    writer.end();
  }
  writer.end();
}

}  // namespace

void Tally::write(std::string& text, const SeriesKeys& keys) const {
  tpn::JsonWriter writer(text, tpn::IllFormed::refused);
  writer.begin_object(tpn::JsonLayout::line);
  writer.key("tally");
  writer.begin_object();
  for (const auto& [key, value] : keys) writer.member(key, value);
  writer.end();
  writer.member("draws", draws_);
  writer.member("failed", failed_);
  writer.key("counts");
  writer.begin_object();
  for (std::size_t i = 0; i < counts_.size(); ++i) writer.member(description_->predicates[i].text, counts_[i]);
  writer.end();
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    writer.key(description_->measures[m]);
    write_measure(writer, measures_[m]);
  }
  writer.end();
  text += '\n';
}

Tally Tally::read(const Description& description, const json::Tree& tree, const json::Value& value) {
  Tally tally(description, false);
  tally.draws_ = count_of(tree, json::required(tree, value, "a tally", "draws"));
  tally.failed_ = count_of(tree, json::required(tree, value, "a tally", "failed"));
  const json::Value& counts = json::required(tree, value, "a tally", "counts");
  for (std::size_t i = 0; i < tally.counts_.size(); ++i) {
    tally.counts_[i] = count_of(tree, json::required(tree, counts, "counts", description.predicates[i].text));
  }
  for (std::size_t m = 0; m < tally.measures_.size(); ++m) {
    tally.measures_[m] = read_measure(tree, json::required(tree, value, "a tally", description.measures[m]));
  }
  return tally;
}

}  // namespace takt::experiments
