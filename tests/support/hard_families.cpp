// Lays systems of congruences out as pipelines, and counts what solves them.
#include "tests/support/hard_families.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tests/support/draw.hpp"
#include "tests/support/timed_parts.hpp"

namespace takt::support {

namespace {

using maxplus::integer_of;

std::vector<Literal> random_clause(std::size_t variables, Draw& draw) {
  std::vector<std::size_t> order(variables);
  std::iota(order.begin(), order.end(), std::size_t{0});
  draw.shuffle(order);
  order.resize(draw.count(1, std::min<std::size_t>(3, variables)));
  std::vector<Literal> clause;
  clause.reserve(order.size());
  for (const std::size_t variable : order) clause.push_back({variable, draw.coin()});
  return clause;
}

void add_even_part(tpn::Document& document, std::size_t processors, std::uint64_t work) {
  const tpn::Part& part = add_part(document, processors);
  document.application.stages.back().work = work;
  for (const std::size_t p : part.processors) document.platform.processors[p].speed = 1;
}

}  // namespace

Formula random_formula(std::size_t variables, std::size_t clauses, std::uint64_t seed) {
  Draw draw(seed);
  Formula formula{variables, {}};
  std::vector<bool> occurs(variables, false);
  while (formula.clauses.size() < clauses || std::ranges::find(occurs, false) != occurs.end()) {
    formula.clauses.push_back(random_clause(variables, draw));
    for (const Literal& literal : formula.clauses.back()) occurs[literal.variable] = true;
  }
  return formula;
}

ResidueSystem random_system(std::size_t constraints, std::size_t largest, bool incongruences, std::uint64_t seed) {
  Draw draw(seed);
  ResidueSystem system(constraints);
  for (std::vector<bool>& allowed : system) {
    allowed.assign(draw.count(1, largest), true);
    if (incongruences) {
      allowed[draw.index(allowed.size())] = false;
    } else {
      for (std::size_t residue = 0; residue < allowed.size(); ++residue) allowed[residue] = draw.coin();
    }
  }
  return system;
}

ResidueSystem system_of(const Formula& formula) {
  const std::vector<std::uint64_t> primes = first_primes(formula.variables);
  ResidueSystem system;
  for (const std::vector<Literal>& clause : formula.clauses) {
    std::uint64_t modulus = 1;
    for (const Literal& literal : clause) modulus *= primes[literal.variable];
    std::vector<bool>& allowed = system.emplace_back(modulus, false);
    for (std::uint64_t residue = 0; residue < modulus; ++residue) {
      bool assigned = true;
      bool holds = false;
      for (const Literal& literal : clause) {
        const std::uint64_t value = residue % primes[literal.variable];
        assigned = assigned && value <= 1;
        holds = holds || (value == 1) == literal.positive;
      }
      allowed[residue] = assigned && holds;
    }
  }
  return system;
}

std::uint64_t satisfying_assignments(const Formula& formula) {
  std::uint64_t count = 0;
  for (std::uint64_t assignment = 0; assignment >> formula.variables == 0; ++assignment) {
    const auto is_true = [&](const Literal& literal) {
      return ((assignment >> literal.variable & 1) == 1) == literal.positive;
    };
    const auto holds = [&](const std::vector<Literal>& clause) { return std::ranges::any_of(clause, is_true); };
    if (std::ranges::all_of(formula.clauses, holds)) ++count;
  }
  return count;
}

std::uint64_t solutions(const ResidueSystem& system) {
  std::uint64_t count = 0;
  for (std::uint64_t x = 0; x < common_multiple(system); ++x) {
    const auto admits = [&](const std::vector<bool>& allowed) { return allowed[x % allowed.size()]; };
    if (std::ranges::all_of(system, admits)) ++count;
  }
  return count;
}

std::uint64_t common_multiple(const ResidueSystem& system) {
  std::uint64_t multiple = 1;
  for (const std::vector<bool>& allowed : system) multiple = std::lcm(multiple, allowed.size());
  return multiple;
}

std::uint64_t largest_modulus(const ResidueSystem& system) {
  std::uint64_t largest = 0;
  for (const std::vector<bool>& allowed : system) largest = std::max<std::uint64_t>(largest, allowed.size());
  return largest;
}

tpn::Document document_of(const RewardedChain& chain) {
  tpn::Document document;
  add_timed_part(document, {chain.candidate - 1});
  for (const std::vector<bool>& allowed : chain.middle) {
    std::vector<std::uint64_t> times;
    times.reserve(allowed.size());
    for (const bool is_allowed : allowed) {
      times.push_back(chain.candidate * allowed.size() - chain.cost - (is_allowed ? 0 : chain.penalty));
    }
    add_timed_part(document, times);
  }
  add_timed_part(document, std::vector<std::uint64_t>(chain.receivers, 0));
  const tpn::Mapping& mapping = *document.mapping;
  for (const std::size_t sender : mapping[mapping.size() - 2].processors) {
    add_link(document, sender, mapping.back().processors.front(), 1 + chain.reward);
  }
  return document;
}

CountingInstance equal_links_instance(const ResidueSystem& system) {
  const std::uint64_t reward = 2 * system.size() + 1;
  const std::uint64_t penalty = reward + 1;
  const std::uint64_t candidate = penalty + 4;
  const std::uint64_t receivers = prime_from((system.size() + 1) * largest_modulus(system));
  return {document_of({system, candidate, 4, penalty, reward, receivers}), candidate,
          integer_of(receivers) * integer_of(common_multiple(system))};
}

CountingInstance equal_processors_instance(const ResidueSystem& system) {
  const std::uint64_t slow = 2 * system.size() + 2;
  const std::uint64_t candidate = slow + 3;
  const std::uint64_t senders = prime_from(slow * largest_modulus(system));
  CountingInstance instance;
  instance.candidate = candidate;
  instance.data_sets = integer_of(senders) * integer_of(common_multiple(system));
  tpn::Document& document = instance.document;
  add_even_part(document, senders, 0);
  std::vector<std::size_t> slow_senders = {0};  // of the part added last
  std::uint64_t below = 0;                      // processors in the parts after the first
  const auto add_pad = [&](std::size_t processors, std::uint64_t allowance) {
    add_even_part(document, processors, candidate * processors - 3 - allowance);
    for (const std::size_t from : slow_senders) {
      for (const std::size_t to : document.mapping->back().processors) add_link(document, from, to, 1 + slow);
    }
    slow_senders.clear();
    below += processors;
  };
  for (const std::vector<bool>& allowed : system) {
    const std::uint64_t modulus = allowed.size();
    add_pad(modulus - below % modulus, below == 0 ? 0 : slow);
    add_even_part(document, modulus, candidate * modulus - 3 - slow);
    for (std::size_t residue = 0; residue < modulus; ++residue) {
      if (allowed[residue]) slow_senders.push_back(document.mapping->back().processors[residue]);
    }
    below += modulus;
  }
  add_pad(1, slow);
  add_even_part(document, 1, candidate - 1);
  return instance;
}

}  // namespace takt::support
