// Reads a problem's works, links and ends once; answers cycle times from what it read.
#include "heuristics/interval/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/common/amounts.hpp"
#include "heuristics/common/mapping_words.hpp"
#include "maxplus/contract.hpp"
#include "tpn/ends.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

namespace {

using tpn::LinearTime;
using tpn::json::quote;

constexpr std::size_t kMeanBits = 128;

std::size_t bits_of(const Integer& value) { return mpz_sizeinbase(value.get_mpz_t(), 2); }

// Rounded down to about kMeanBits significant bits where the denominator has more than these.
Rational shortened(const Rational& value) {
  const std::size_t below = bits_of(value.denominator());
  if (below <= kMeanBits) return value;
  const std::size_t above = bits_of(value.numerator());
  const std::size_t shift = kMeanBits + (below > above ? below - above : 0);
  const Integer scaled = (value.numerator() << shift) / value.denominator();
  return Rational::fraction(scaled, Integer(1) << shift);
}

// Collects links of a kind one after the other, `count` equal ones at once.
class Surveyor {
 public:
  // `name` makes the link's name, which is seldom needed: "from ... to ...".
  template <typename Name>
  void add(Name name, const std::optional<LinearTime>& link, std::uint64_t count) {
    if (!link) {
      if (!survey_.absent) survey_.absent = fmt::format("there is no link {}", name());
      return;
    }
    const Rational weight = count;
    fixed_ = shortened(fixed_ + link->fixed * weight);
    if (link->per_unit) per_unit_ = shortened(per_unit_ + *link->per_unit * weight);
    weight_ += weight;
    if (!first_) {
      first_ = link;
      first_name_ = name();
    } else if (!survey_.unequal && *first_ != *link) {
      survey_.unequal = fmt::format("the links {} and {} differ", first_name_, name());
    }
  }

  LinkSurvey survey() const {
    LinkSurvey result = survey_;
    if (survey_.unequal) {
      result.mean = LinearTime{fixed_ / weight_, per_unit_ / weight_};
    } else if (first_) {
      result.mean = LinearTime{first_->fixed, first_->per_unit.value_or(0)};
    }
    return result;
  }

 private:
  LinkSurvey survey_;
  Rational fixed_;  // sums
  Rational per_unit_;
  Rational weight_;
  std::optional<LinearTime> first_;
  std::string first_name_;
};

}  // namespace

IntervalCosts::IntervalCosts(const tpn::ProblemView& problem, tpn::Model model)
    : view_(problem), problem_(problem.document()), model_(model), timing_(problem.timing()), times_(problem) {
  require_amounts(problem);
  survey_links();
  survey_ends();
  add_file_times();
}

void IntervalCosts::survey_links() {
  Surveyor surveyor;
  const auto add = [&](std::size_t from, std::size_t to, const std::optional<LinearTime>& link, std::uint64_t pairs) {
    all_linked_ = all_linked_ && link.has_value();
    const auto name = [&] {
      return fmt::format("from {} to {}", quote(processor_name(problem_, from)), quote(processor_name(problem_, to)));
    };
    surveyor.add(name, link, pairs);
  };
  for_each_alike_link(timing_, [&](const tpn::NamedLink& pair, std::size_t pairs) {
    add(pair.from, pair.to, timing_.link(pair), pairs);
  });
  // The others are alike in kinds: a pair stands for all of its kind.
  for (const tpn::OtherLinks::Kind& kind : timing_.other_links().kinds)
    if (kind.pairs > 0) add(kind.from, kind.to, kind.link, kind.pairs);
  links_ = surveyor.survey();
}

void IntervalCosts::survey_ends() {
  source_linked_.assign(processors(), true);
  sink_linked_.assign(processors(), true);
  Surveyor source;
  Surveyor sink;
  // A part on one processor meets all that take turns.
  for (std::size_t u = 0; u < processors(); ++u) {
    const auto name = [&] { return quote(processor_name(problem_, u)); };
    for (std::size_t k = 0; k < tpn::count_of(problem_.platform.source); ++k) {
      const auto link = timing_.source_link(u, k);
      source_linked_[u] = source_linked_[u] && link;
      source.add([&] { return fmt::format("from the source to {}", name()); }, link, 1);
    }
    for (std::size_t k = 0; k < tpn::count_of(problem_.platform.sink); ++k) {
      const auto link = timing_.sink_link(u, k);
      sink_linked_[u] = sink_linked_[u] && link;
      sink.add([&] { return fmt::format("from {} to the sink", name()); }, link, 1);
    }
  }
  source_links_ = source.survey();
  sink_links_ = sink.survey();
}

void IntervalCosts::add_file_times() {
  const auto& stages = problem_.application.stages;
  const auto mean_time = [](const LinkSurvey& links, const std::optional<Rational>& size) -> std::optional<Rational> {
    if (!links.mean) return std::nullopt;
    return links.mean->of(size.value_or(0));
  };
  const auto size_behind = [&](std::size_t stage) -> std::optional<Rational> {
    if (!stages[stage].output) return std::nullopt;
    return *stages[stage].output * timing_.gain(stage);
  };
  file_times_.push_back(problem_.platform.source ? mean_time(source_links_, problem_.application.input) : Rational());
  for (std::size_t k = 0; k + 1 < stages.size(); ++k) {
    file_times_.push_back(mean_time(links_, size_behind(k)));
  }
  file_times_.push_back(problem_.platform.sink ? mean_time(sink_links_, size_behind(stages.size() - 1)) : Rational());
}

bool IntervalCosts::linked(std::size_t from, std::size_t to) const { return all_linked_ || timing_.has_link(from, to); }

bool IntervalCosts::has_mixed_processors() const {
  const auto& processors = problem_.platform.processors;
  return !times_.are_by_work() || std::ranges::any_of(processors, [&](const auto& processor) {
    return processor.speed.has_value() != processors.front().speed.has_value();
  });
}

Rational IntervalCosts::combined(const Rational& in, const Rational& computation, const Rational& out) const {
  return tpn::lone_cycle_time(model_, in, computation, out);
}

std::optional<Rational> IntervalCosts::cycle_time(const StageInterval& interval, std::size_t processor) const {
  if (interval.first == 0 && !source_linked_[processor]) return std::nullopt;
  if (interval.last + 1 == stages() && !sink_linked_[processor]) return std::nullopt;
  const auto& in = file_times_[interval.first];
  const auto& out = file_times_[interval.last + 1];
  if (!in || !out) return std::nullopt;
  return combined(*in, computation(interval, processor), *out);
}

Rational IntervalCosts::period(const tpn::Mapping& mapping) const {
  if (tpn::has_other_ports(problem_.platform) || tpn::has_named_ends(problem_.platform) ||
      !problem_.platform.segments.empty() || !tpn::is_chain(problem_.application)) {
    const auto answer = evaluators::MappingEvaluator(view_).evaluate(mapping, model_);
    return answer.upper.value_or(answer.lower).rational();
  }
  Rational largest;
  Rational in;
  if (problem_.platform.source) in = timing_.from_source(mapping.front().processors.front());
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    const std::size_t processor = mapping[i].processors.front();
    Rational out;
    if (i + 1 < mapping.size()) {
      out = timing_.transfer(mapping[i].last_stage, processor, mapping[i + 1].processors.front());
    } else if (problem_.platform.sink) {
      out = timing_.to_sink(processor);
    }
    largest = std::max(largest, combined(in, computation(interval_of(mapping[i]), processor), out));
    in = out;
  }
  return largest;
}

Rational IntervalCosts::mean_period(const tpn::Mapping& mapping) const {
  Rational largest;
  for (const tpn::Part& part : mapping) {
    const auto time = cycle_time(interval_of(part), part.processors.front());
    maxplus::expects(time.has_value(), "a part has the links that it surely needs");
    largest = std::max(largest, *time);
  }
  return largest;
}

bool IntervalCosts::has_all_links() const { return !links_.absent && !source_links_.absent && !sink_links_.absent; }

tpn::Part part_of(const StageInterval& interval, std::size_t processor) {
  return {interval.first, interval.last, {processor}};
}

StageInterval interval_of(const tpn::Part& part) { return {part.first_stage, part.last_stage}; }

void note_unequal_links(const IntervalCosts& costs, Log& log) {
  const auto some = [&](std::optional<std::string> LinkSurvey::*what) {
    return costs.links().*what || costs.source_links().*what || costs.sink_links().*what;
  };
  const bool unequal = some(&LinkSurvey::unequal);
  const bool absent = some(&LinkSurvey::absent);
  if (!unequal && !absent) return;
  const char* what = !absent ? "differ" : (unequal ? "differ and some are absent" : "are not all there");
  log.notes.push_back(fmt::format(
      "The platform's links {}: it decided with the mean time over those there are, and predicts with the real ones.",
      what));
}

void note_mixed_processors(const IntervalCosts& costs, Log& log) {
  if (!costs.has_mixed_processors()) return;
  log.notes.emplace_back(
      costs.times().are_by_work()
          ? "Some processors have a speed and some a fixed time: their order from fast to slow depends on the work, "
            "and "
            "it sorted them at one amount."
          : "Stages have times of their own: which processors are fast depends on the stage, and it sorted them by the "
            "whole chain.");
}

}  // namespace takt::heuristics
