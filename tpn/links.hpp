// Which links a platform has, a look-up each, and whether a mapping keeps to them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/mapping_routes.hpp"
#include "tpn/timing.hpp"

namespace takt::tpn {

class ProblemView;

/// A link that a mapping needs and the platform lacks.
struct MissingLink {
  std::optional<std::size_t> from;  // none: the source
  std::optional<std::size_t> to;    // none: the sink
  std::size_t which = 0;            // of the sources, or sinks, that take turns
};

/// The first link that a mapping lacks: with the source, with the sink, then between parts, by sender.
/// For a mapping or some hundred; a LinkTable answers for many, but holds all pairs of processors.
std::optional<MissingLink> missing_link(const ProblemView& problem, std::span<const Part> mapping);

/// A source or sink that the platform lacks is linked with every processor: nothing is transferred.
class LinkTable {
 public:
  LinkTable(const Document& problem, const Timing& timing);

  /// From any of the sources, and to any of the sinks.
  bool from_source(std::size_t processor) const { return from_source_.has_any(processor); }
  bool to_sink(std::size_t processor) const { return to_sink_.has_any(processor); }
  /// Whether a sequence of the first part, or of the last one, is linked with the sources, or sinks, that it meets.
  bool from_sources(std::span<const std::size_t> receivers) const { return !from_source_.missing(receivers); }
  bool to_sinks(std::span<const std::size_t> senders) const { return !to_sink_.missing(senders); }
  /// A processor needs no link to itself.
  bool between(std::size_t from, std::size_t to) const { return between_[from * row_ + to]; }

  /// Whether all pairs that meet are linked; entries a and b meet where a = b modulo the gcd of the lengths.
  bool between(std::span<const std::size_t> senders, std::span<const std::size_t> receivers) const;
  /// Whether a mapping of a chain has all the links that it needs.
  bool hold(std::span<const Part> mapping) const;
  /// Whether no link is absent.
  bool has_all() const { return all_; }

 private:
  // Of all processors with each of the sources, or sinks.
  class EndLinks {
   public:
    template <typename Linked>
    EndLinks(std::size_t ends, std::size_t processors, const Linked& linked);
    bool has_all() const { return all_; }
    bool has_any(std::size_t processor) const { return any_[processor]; }
    /// The first entry and end that meet without a link.
    std::optional<std::pair<std::size_t, std::size_t>> missing(std::span<const std::size_t> sequence) const;

   private:
    std::size_t ends_;
    bool all_ = true;
    std::vector<bool> any_;
    std::vector<bool> linked_;  // by end, then processor
  };

  void add_others(const OtherLinks& others);

  std::size_t row_;
  bool all_ = true;  // no link is absent
  EndLinks from_source_;
  EndLinks to_sink_;
  std::vector<bool> between_;
};

/// Whether mappings of one problem, a chain or a workflow, have all the links that they need, one after the other.
class LinkCheck {
 public:
  /// Keeps references into the problem.
  explicit LinkCheck(const ProblemView& problem);

  bool hold(std::span<const Part> mapping);

 private:
  const LinkTable& links_;
  std::optional<MappingRoutes> routes_;  // of a workflow
};

}  // namespace takt::tpn
