// Lists of arcs in columns, 16 to 24 bytes an arc: what readers fill and solvers read, without a copy between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "maxplus/rational_arcs.hpp"

namespace takt::maxplus {

/// A list of arcs, each named by its index. Weights are integers of 64 bits over one common denominator as long as they
/// fit, else fractions of any size; tokens take no room while all arcs have one.
class ArcColumns {
 public:
  ArcColumns() = default;
  ArcColumns(std::span<const RationalArc> arcs);  // NOLINT(google-explicit-constructor): the same list
  ArcColumns(const std::vector<RationalArc>& arcs)
      : ArcColumns(std::span(arcs)) {}  // NOLINT(google-explicit-constructor)

  void reserve(std::size_t arcs);

  /// Another arc, of weight numerator / denominator; the denominator must be positive, the ends below 2^32 - 1.
  void add(std::uint32_t from, std::uint32_t to, std::int64_t numerator, std::int64_t denominator,
           std::uint64_t tokens);
  /// The same of any weight.
  void add(const RationalArc& arc);

  /// Adds times[v] to the weight of every arc that leaves v; there must be one for each such vertex.
  void add_times(std::span<const Rational> times);

  std::size_t size() const { return from_.size(); }
  bool empty() const { return from_.empty(); }

  std::uint32_t from(std::size_t arc) const { return from_[arc]; }
  std::uint32_t to(std::size_t arc) const { return to_[arc]; }
  std::uint64_t tokens(std::size_t arc) const {
    if (tokens_.empty()) return long_tokens_.empty() ? 1 : long_tokens_[arc];
    return tokens_[arc];
  }
  Rational weight(std::size_t arc) const;
  RationalArc operator[](std::size_t arc) const { return {from_[arc], to_[arc], weight(arc), tokens(arc)}; }

  /// All of them.
  std::vector<RationalArc> listed() const;

  /// Whether every weight is an integer of 64 bits over `denominator()`.
  bool is_narrow() const { return fractions_.empty(); }
  /// Of all weights, where they are narrow; > 0.
  std::int64_t denominator() const { return denominator_; }
  std::int64_t numerator(std::size_t arc) const { return numerators_[arc]; }

 private:
  bool widen_denominator(std::int64_t denominator);
  void give_up_columns();
  void add_tokens(std::uint64_t tokens);

  std::vector<std::uint32_t> from_;
  std::vector<std::uint32_t> to_;
  std::vector<std::int64_t> numerators_;
  std::int64_t denominator_ = 1;
  std::vector<Rational> fractions_;         // in place of numerators
  std::vector<std::uint32_t> tokens_;       // none while all are 1
  std::vector<std::uint64_t> long_tokens_;  // in place of tokens_, once one needs more than 32 bits
};

}  // namespace takt::maxplus
