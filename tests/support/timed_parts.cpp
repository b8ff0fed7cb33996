// Makes pipelines part by part, and primes one by one.
#include "tests/support/timed_parts.hpp"

#include <string>
#include <utility>

namespace takt::support {

namespace {

bool is_prime(std::uint64_t number) {
  for (std::uint64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) return false;
  }
  return number >= 2;
}

}  // namespace

std::uint64_t prime_from(std::uint64_t number) {
  while (!is_prime(number)) ++number;
  return number;
}

std::vector<std::uint64_t> first_primes(std::size_t count) {
  std::vector<std::uint64_t> primes;
  for (std::uint64_t next = 2; primes.size() < count; ++next) {
    next = prime_from(next);
    primes.push_back(next);
  }
  return primes;
}

tpn::Part& add_part(tpn::Document& document, std::size_t processors) {
  if (!document.mapping) {
    document.mapping.emplace();
    document.platform.defaults.bandwidth = 1;
  }
  const std::size_t stage = document.application.stages.size();
  tpn::Stage& added = document.application.stages.emplace_back();
  added.name = "S" + std::to_string(stage);
  added.output = 1;
  tpn::Part part{stage, stage, {}};
  for (std::size_t k = 0; k < processors; ++k) {
    const std::size_t p = document.platform.processors.size();
    part.processors.push_back(p);
    document.platform.processors.push_back({.name = "P" + std::to_string(p), .speed = {}, .time = {}});
  }
  document.mapping->push_back(std::move(part));
  return document.mapping->back();
}

void add_timed_part(tpn::Document& document, const std::vector<std::uint64_t>& times) {
  const tpn::Part& part = add_part(document, times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    document.platform.processors[part.processors[k]].time = times[k];
  }
}

void add_link(tpn::Document& document, std::size_t from, std::size_t to, std::uint64_t time) {
  tpn::Link link{from, to, {}, false};
  link.timing.time = time;
  document.platform.links.push_back(std::move(link));
}

}  // namespace takt::support
