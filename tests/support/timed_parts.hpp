// Pipelines whose times are given part by part, and the primes that their lengths are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tpn/document.hpp"

namespace takt::support {

/// The least prime that is no less.
std::uint64_t prime_from(std::uint64_t number);

/// 2, 3, 5, ...
std::vector<std::uint64_t> first_primes(std::size_t count);

/// One more stage and its part, on processors of its own; files have size 1, links bandwidth 1.
tpn::Part& add_part(tpn::Document& document, std::size_t processors);

/// One more part; its k-th processor computes times[k].
void add_timed_part(tpn::Document& document, const std::vector<std::uint64_t>& times);

/// A link between two processors, by index, on which a file takes this time.
void add_link(tpn::Document& document, std::size_t from, std::size_t to, std::uint64_t time);

}  // namespace takt::support
