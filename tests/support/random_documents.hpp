// Seeded random instances of every kind of mapping, for tests and benchmarks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tpn/document.hpp"

namespace takt::support {

/// Kinds of mapping a random document can have.
enum class Kind {
  plain,          // fixed integer times, one part a processor
  fractional,     // fixed times p/q
  intervals,      // works, speeds, bandwidths, latencies; parts of several stages
  repeated,       // sequences that repeat a processor
  several_parts,  // processors in several parts
  endpoints,      // source and sink
  everything,     // all of these together
  stage_times,    // intervals, several parts and ends; stages with times of their own for processors
  typed,          // everything, and types of processors
};
inline constexpr Kind kKinds[] = {Kind::plain,      Kind::fractional,    Kind::intervals,
                                  Kind::repeated,   Kind::several_parts, Kind::endpoints,
                                  Kind::everything, Kind::stage_times,   Kind::typed};

/// A small random instance of a kind: 1 to 4 parts, sequences of 1 to 4 entries (3 where processors serve
/// several parts). Same seed, same document, on every machine.
tpn::Document random_document(Kind kind, std::uint64_t seed);

/// A small random instance in which much is equal, so that durations repeat before their processors do: two computation
/// times, one time for nearly all links, sequences with turns of their own and sequences that say the same several
/// times. 2 or 3 parts; with `shared`, processors may serve several of them. Same seed, same document, on every
/// machine.
tpn::Document alike_document(std::uint64_t seed, bool shared = false);

/// Stages replicated as given on processors of their own, with fixed times uniform in [low, high], in
/// units of `unit`.
tpn::Document uniform_document(std::span<const std::size_t> replication, int low, int high, std::uint64_t seed,
                               const maxplus::Rational& unit = 1);

/// The same with computations m_i U(1..100) and transfers min(m_i, m_i+1) U(1..1000): all stages take
/// about as long, so that none hides what the others do.
tpn::Document balanced_document(std::span<const std::size_t> replication, std::uint64_t seed);

/// Processors dealt to parts of one stage each: one to every part, the rest to parts drawn at random. There are at
/// least as many processors as parts. Same seed, same mapping, on every machine.
tpn::Mapping dealt_mapping(std::size_t parts, std::size_t processors, std::uint64_t seed);

/// An instance with such a mapping and fixed times uniform in [low, high]; only processors that meet have links.
tpn::Document dealt_document(std::size_t parts, std::size_t processors, int low, int high, std::uint64_t seed);

/// A problem without a mapping whose processors are all linked, with fixed times uniform in [low, high].
tpn::Document complete_problem(std::size_t stages, std::size_t processors, int low, int high, std::uint64_t seed);

/// Stages replicated as given; time(sender part or part, from, to) gives each duration, `to` equal to
/// `from` for a computation; processors are numbered through all parts.
template <typename Time>
tpn::Document replicated_document(std::span<const std::size_t> replication, Time time) {
  tpn::Document document;
  document.mapping.emplace();
  for (std::size_t i = 0; i < replication.size(); ++i) {
    document.application.stages.emplace_back().name = "S" + std::to_string(i);
    tpn::Part part{i, i, {}};
    for (std::size_t k = 0; k < replication[i]; ++k) {
      const std::size_t p = document.platform.processors.size();
      document.platform.processors.push_back({.name = "P" + std::to_string(p), .speed = {}, .time = time(i, p, p)});
      part.processors.push_back(p);
    }
    document.mapping->push_back(std::move(part));
  }
  for (std::size_t i = 0; i + 1 < replication.size(); ++i) {
    for (const std::size_t from : (*document.mapping)[i].processors) {
      for (const std::size_t to : (*document.mapping)[i + 1].processors) {
        tpn::Link link{from, to, {}, false};
        link.timing.time = time(i, from, to);
        document.platform.links.push_back(std::move(link));
      }
    }
  }
  return document;
}

}  // namespace takt::support
