// Draws problems; deals permutations of the processors to parts in every way.
#include "tests/heuristics/typed/named_problems.hpp"

#include <algorithm>
#include <set>

#include "evaluators/mappings/evaluator.hpp"
#include "tests/support/draw.hpp"
#include "tpn/problem_view.hpp"

namespace takt::testing {

using maxplus::Rational;

namespace {

class NamedDraw {
 public:
  NamedDraw(const NamedShape& shape, std::uint64_t seed) : shape_(shape), draw_(seed) {}

  tpn::Document problem() {
    tpn::Document document;
    document.application.input = draw_.whole(1, 12);
    for (std::size_t k = 0; k < shape_.stages; ++k) add_stage(document.application);
    for (std::size_t t = 0; t < shape_.types; ++t) {
      type_speeds_.push_back(draw_.whole(1, 6));
      type_prices_.push_back(draw_.whole(draw_.one_in(12) ? 0 : 1, 9));
      type_memories_.push_back(shape_.with_limits && draw_.one_in(4) ? std::optional<int>(draw_.whole(2, 6))
                                                                     : std::nullopt);
    }
    for (std::size_t p = 0; p < shape_.processors; ++p) add_processor(document.platform, p);
    add_links(document.platform);
    if (draw_.coin()) document.platform.source.emplace().timing.bandwidth = draw_.whole(4, 12);
    if (draw_.coin()) document.platform.sink.emplace().timing.bandwidth = draw_.whole(4, 12);
    return document;
  }

 private:
  void add_stage(tpn::Application& application) {
    tpn::Stage& stage = application.stages.emplace_back();
    stage.name = "S" + std::to_string(application.stages.size());
    stage.work = draw_.whole(1, 20);
    stage.output = draw_.whole(1, 12);
    if (!shape_.with_limits) return;
    stage.replicable = !draw_.one_in(5);
    stage.apart = draw_.one_in(6);
    if (draw_.coin()) stage.memory = draw_.whole(0, 3);
  }

  void add_processor(tpn::Platform& platform, std::size_t p) {
    const std::size_t type = shape_.types == shape_.processors ? p : draw_.index(shape_.types);
    of_.push_back(type);
    tpn::Processor& processor = platform.processors.emplace_back();
    processor.name = "P" + std::to_string(p + 1);
    processor.speed = type_speeds_[type];
    processor.price = type_prices_[type];
    if (type_memories_[type]) processor.memory = *type_memories_[type];
  }

  // Between each two processors, as their types say, more or less; some of a type none at all.
  void add_links(tpn::Platform& platform) {
    std::vector<int> bandwidths;
    for (std::size_t k = 0; k < shape_.types * shape_.types; ++k) bandwidths.push_back(draw_.whole(2, 12));
    for (std::size_t from = 0; from < shape_.processors; ++from) {
      for (std::size_t to = 0; to < shape_.processors; ++to) {
        if (from == to) continue;
        const int bandwidth = bandwidths[of_[from] * shape_.types + of_[to]];
        if (shape_.with_limits && bandwidth == 2) continue;
        const int percent = 100 + (shape_.link_spread == 0 ? 0 : draw_.whole(0, shape_.link_spread));
        tpn::Link link{from, to, {}, true};
        link.timing.bandwidth = Rational::fraction(bandwidth * 100, percent);
        platform.links.push_back(link);
      }
    }
  }

  NamedShape shape_;
  support::Draw draw_;
  std::vector<int> type_speeds_;
  std::vector<int> type_prices_;
  std::vector<std::optional<int>> type_memories_;
  std::vector<std::size_t> of_;
};

bool is_allowed(const tpn::Document& problem, const tpn::LinkTable& links, const tpn::Mapping& mapping) {
  for (const tpn::Part& part : mapping) {
    Rational memory;
    for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) {
      const tpn::Stage& stage = problem.application.stages[k];
      memory += stage.memory.value_or(0);
      if (!stage.replicable && part.processors.size() > 1) return false;
      if (stage.apart && k > part.first_stage) return false;
    }
    for (const std::size_t p : part.processors) {
      const auto& room = problem.platform.processors[p].memory;
      if (room && *room < memory) return false;
    }
  }
  return links.hold(mapping);
}

}  // namespace

tpn::Document named_problem(const NamedShape& shape, std::uint64_t seed) { return NamedDraw(shape, seed).problem(); }

void for_each_dealt(const tpn::Document& problem, const std::function<void(const tpn::Mapping&)>& visit) {
  const std::size_t stages = problem.application.stages.size();
  std::vector<std::size_t> permutation;
  for (std::size_t p = 0; p < problem.platform.processors.size(); ++p) permutation.push_back(p);
  do {
    for (std::size_t cuts = 0; cuts < std::size_t{1} << (stages - 1); ++cuts) {
      tpn::Mapping parts{{0, 0, {}}};
      for (std::size_t k = 1; k < stages; ++k) {
        if ((cuts >> (k - 1) & 1) != 0) parts.push_back({k, k, {}});
        parts.back().last_stage = k;
      }
      // Lengths of the parts' sequences, as the digits of a number.
      for (std::vector<std::size_t> lengths(parts.size(), 1);;) {
        std::size_t total = 0;
        for (const std::size_t length : lengths) total += length;
        // Of the permutations that differ behind the processors in use only the first.
        if (total <= permutation.size() &&
            std::is_sorted(permutation.begin() + static_cast<std::ptrdiff_t>(total), permutation.end())) {
          std::size_t next = 0;
          for (std::size_t i = 0; i < parts.size(); ++i) {
            parts[i].processors.clear();
            for (std::size_t k = 0; k < lengths[i]; ++k) parts[i].processors.push_back(permutation[next++]);
          }
          visit(parts);
        }
        std::size_t digit = 0;
        while (digit < lengths.size() && ++lengths[digit] > permutation.size()) lengths[digit++] = 1;
        if (digit == lengths.size()) break;
      }
    }
  } while (std::ranges::next_permutation(permutation).found);
}

void for_each_mapping(const tpn::Document& problem, const std::function<void(const tpn::Mapping&)>& visit) {
  const tpn::ProblemView view(problem);
  for_each_dealt(problem, [&](const tpn::Mapping& mapping) {
    if (is_allowed(problem, view.links(), mapping)) visit(mapping);
  });
}

std::vector<WeighedMapping> all_weighed(const tpn::Document& problem, const tpn::Model& model) {
  evaluators::MappingEvaluator evaluator(problem);
  const auto& processors = problem.platform.processors;
  const bool needs_memory = std::ranges::any_of(problem.application.stages,
                                                [](const tpn::Stage& stage) { return stage.memory > Rational(0); });
  std::vector<WeighedMapping> result;
  for_each_mapping(problem, [&](const tpn::Mapping& mapping) {
    WeighedMapping weighed{0, evaluator.evaluate(mapping, model).lower.rational(), true};
    for (const tpn::Part& part : mapping) {
      const tpn::Processor& first = processors[part.processors.front()];
      for (const std::size_t p : part.processors) {
        weighed.cost += processors[p].price;
        weighed.is_typed = weighed.is_typed && processors[p].speed == first.speed &&
                           processors[p].price == first.price &&
                           (!needs_memory || processors[p].memory == first.memory);
      }
    }
    result.push_back(std::move(weighed));
  });
  return result;
}

std::optional<Rational> least_cost(const std::vector<WeighedMapping>& mappings, const Rational& period,
                                   bool typed_only) {
  std::optional<Rational> least;
  for (const WeighedMapping& mapping : mappings) {
    if (mapping.period > period || (typed_only && !mapping.is_typed)) continue;
    if (!least || mapping.cost < *least) least = mapping.cost;
  }
  return least;
}

std::optional<Rational> least_period(const std::vector<WeighedMapping>& mappings, bool typed_only) {
  std::optional<Rational> least;
  for (const WeighedMapping& mapping : mappings) {
    if (typed_only && !mapping.is_typed) continue;
    if (!least || mapping.period < *least) least = mapping.period;
  }
  return least;
}

}  // namespace takt::testing
