// evaluate: the exact period of each mapping drawn, and how far it is from the largest cycle time.
//
// Problem. How often has a random mapping no critical resource, and what does that cost? Its period is the largest
// cycle time M_ct of a resource, or more: the gap is period / M_ct - 1.
//
// References. [benoit2009throughput, section 5, Table 2].
#include <algorithm>
#include <memory>

#include "evaluators/mappings/evaluator.hpp"
#include "evaluators/mappings/table_evaluator.hpp"
#include "experiments/descriptions/description.hpp"
#include "experiments/studies/periods.hpp"
#include "maxplus/rational.hpp"
#include "tpn/models.hpp"

namespace takt::experiments {

namespace {

enum class Measured { period, max_cycle_time, gap, rows };

// The lcm of the lengths of the sequences, where 64 bits hold it.
class Rows {
 public:
  void add(std::uint64_t length) {
    if (rows_) rows_ = maxplus::checked_lcm(*rows_, length);
  }
  std::optional<MeasuredNumber> number() const {
    if (!rows_) return std::nullopt;
    if (*rows_ > static_cast<std::uint64_t>(INT64_MAX)) return Rational(*rows_);
    return MeasuredNumber::fraction(static_cast<std::int64_t>(*rows_), 1);
  }

 private:
  std::optional<std::uint64_t> rows_ = 1;
};

// What is known of a mapping under a model.
struct EvaluatedDraw {
  evaluators::Period period;
  std::optional<evaluators::Period> longest;
};

class EvaluateStudy : public Study {
 public:
  EvaluateStudy(const Description& description, const ExperimentCell& cell) : description_(description), cell_(cell) {
    for (const tpn::Model& model : description.models) series_.push_back({{"model", tpn::label_of(model)}});
    for (const std::string& measure : description.measures) {
      measured_.push_back(measure == "period"           ? Measured::period
                          : measure == "max_cycle_time" ? Measured::max_cycle_time
                          : measure == "gap"            ? Measured::gap
                                                        : Measured::rows);
    }
    const auto make_filler = cell.arguments.generator().table_filler;
    if (make_filler != nullptr) filler_ = make_filler(cell.arguments);
  }

  const std::vector<SeriesKeys>& series() const override { return series_; }

  void run(const DrawKey& key, const maxplus::Deadline& deadline, DrawResult& result) override {
    if (filler_ == nullptr || !run_by_table(key, result)) run_by_document(key, deadline, result);
  }

 private:
  // False if an answer is not exact: the document may know better.
  bool run_by_table(const DrawKey& key, DrawResult& result) {
    filler_->fill(key, table_);
    Rows rows;
    for (std::size_t part = 0; part < table_.parts(); ++part) rows.add(table_.length(part));
    if (std::ranges::equal(description_.models, tpn::default_models())) {
      // Both at once cost less than one after the other.
      const evaluators::OnePortEvaluations both = evaluator_.evaluate(table_);
      return put_exact(both.overlap, rows, result[0]) && put_exact(both.strict, rows, result[1]);
    }
    for (std::size_t m = 0; m < description_.models.size(); ++m) {
      if (!put_exact(evaluator_.evaluate(table_, description_.models[m]), rows, result[m])) return false;
    }
    return true;
  }

  bool put_exact(const evaluators::TableEvaluation& found, const Rows& rows, SeriesResult& result) const {
    if (found.period.answer != evaluators::MappingAnswer::exact) return false;
    put({found.period.lower, found.largest_cycle_time}, rows, result);
    return true;
  }

  void run_by_document(const DrawKey& key, const maxplus::Deadline& deadline, DrawResult& result) const {
    const tpn::Document document = draw_taken(description_, cell_, key);
    evaluators::MappingEvaluator evaluator(document);
    Rows rows;
    for (const tpn::Part& part : *document.mapping) rows.add(part.processors.size());
    for (std::size_t m = 0; m < description_.models.size(); ++m) {
      const tpn::Model& model = description_.models[m];
      const auto period = exact_period(evaluator, document, *document.mapping, model, deadline);
      if (const auto* reason = std::get_if<std::string>(&period)) {
        result[m].fail(*reason);
      } else {
        put({std::get<Rational>(period), evaluator.largest_cycle_time(*document.mapping, model)}, rows, result[m]);
      }
    }
  }

  void put(const EvaluatedDraw& draw, const Rows& rows, SeriesResult& result) const {
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      auto& value = result.values[i];
      switch (measured_[i]) {
        case Measured::period:
          value = draw.period;
          break;
        case Measured::max_cycle_time:
          value = draw.longest;
          break;
        case Measured::rows:
          value = rows.number();
          break;
        case Measured::gap:
          value = gap_of(draw);
          break;
      }
    }
  }

  static std::optional<MeasuredNumber> gap_of(const EvaluatedDraw& draw) {
    if (!draw.longest) return std::nullopt;
    if (draw.period == *draw.longest) return MeasuredNumber();
    if (auto gap = narrow_gap(draw)) return gap;
    const Rational longest = draw.longest->rational();
    // Nothing takes no time at all in what takes some.
    if (longest.sign() == 0) return std::nullopt;
    return draw.period.rational() / longest - Rational(1);
  }

  // (a / b) / (c / d) - 1 = (a d - b c) / (b c), where 64 bits hold all of it.
  static std::optional<MeasuredNumber> narrow_gap(const EvaluatedDraw& draw) {
    const evaluators::NarrowFraction* const period = draw.period.narrow();
    const evaluators::NarrowFraction* const longest = draw.longest->narrow();
    if (period == nullptr || longest == nullptr) return std::nullopt;
    std::int64_t above = 0;
    std::int64_t below = 0;
    std::int64_t difference = 0;
    if (__builtin_mul_overflow(period->numerator, longest->denominator, &above) ||
        __builtin_mul_overflow(period->denominator, longest->numerator, &below) ||
        __builtin_sub_overflow(above, below, &difference) || below <= 0) {
      return std::nullopt;
    }
    return MeasuredNumber::fraction(difference, below);
  }

  const Description& description_;
  const ExperimentCell& cell_;
  std::vector<SeriesKeys> series_;
  std::vector<Measured> measured_;
  std::unique_ptr<TableFiller> filler_;  // null if draws come as documents only
  evaluators::TimeTable table_;
  evaluators::TableEvaluator evaluator_;
};

std::optional<std::string> objection_of_evaluate(const Description& description) {
  if (description.generator->kind == DrawnKind::instance) return std::nullopt;
  return "it needs mappings, and the generator draws problems without";
}

}  // namespace

StudyKind evaluate_study() {
  return {.name = "evaluate",
          .summary = "the exact periods of the mappings drawn, and their gaps to the largest cycle time",
          .keys = {"models"},
          .measures = {{"period", "exact, in time units per data set"},
                       {"max_cycle_time", "the longest that a resource is busy per data set"},
                       {"gap", "period / max_cycle_time - 1: more than 0 where no resource is critical"},
                       {"rows", "data sets after which the net repeats: the lcm of the numbers of replicas"}},
          .draws_per_chunk = 50'000,
          .objection = objection_of_evaluate,
          .takes = {.workflows = true, .shared_resources = true},
          .prepare = [](const Description& description, const ExperimentCell& cell) -> std::unique_ptr<Study> {
            return std::make_unique<EvaluateStudy>(description, cell);
          }};
}

}  // namespace takt::experiments
