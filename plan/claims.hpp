// What a proof is about: the mappings among which its prover looked, or which its bound holds for.
//
// A freedom is a way in which mappings of one problem may differ. A prover declares in one row which freedoms it
// varied; which of all a problem can use is read from it. So a sentence says "any kind" only where nothing was left
// out, and else what: a freedom that is new here is left out of every sentence until a prover declares it.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>

#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"

namespace takt::plan {

enum class Freedom { parts, machines, unequal, turns, weights, shared, cores, partitions, order, ahead, batches };
inline constexpr std::size_t kFreedoms = 11;

/// A set of them; none that is empty by default.
class Freedoms {
 public:
  constexpr explicit Freedoms(std::initializer_list<Freedom> freedoms) {
    for (const Freedom freedom : freedoms) add(freedom);
  }
  constexpr void add(Freedom freedom) { bits_ |= bit(freedom); }
  constexpr void add(const Freedoms& others) { bits_ |= others.bits_; }
  constexpr bool has(Freedom freedom) const { return (bits_ & bit(freedom)) != 0; }
  constexpr bool is_empty() const { return bits_ == 0; }
  constexpr Freedoms without(const Freedoms& others) const {
    Freedoms result = *this;
    result.bits_ &= ~others.bits_;
    return result;
  }

 private:
  static constexpr unsigned bit(Freedom freedom) { return 1U << static_cast<unsigned>(freedom); }
  unsigned bits_ = 0;
};

/// Those that some mapping of the problem uses.
Freedoms freedoms_of(const tpn::Document& problem);

/// `loads`: bounds by what the resources are busy; `stays`: of how long a data set stays; `ends`: by those of source
/// and sink alone. The others are classes of plans: each machine whole in one part, but of `alike`, whose parts are of
/// machines with names that compute alike and cost the same.
enum class Prover { loads, stays, ends, parts, typed, alike, mixed, weighted };

/// What a prover proves, of a problem that can use such freedoms.
class MappingClaim {
 public:
  MappingClaim(Prover prover, const Freedoms& usable);

  /// Whether it holds for every mapping of the problem.
  bool is_of_any() const;
  /// "no mapping of any kind", "no mapping without batches", "no plan with one type per part, ...,".
  std::string none() const;
  /// The same of several: "no mappings of any kind".
  std::string none_of_several() const;
  /// "with one type per part, each machine whole in one part, in round robin".
  std::string kind() const;
  /// "", or " without batches": behind a noun.
  std::string without() const;
  /// "", or " With batches no bound is known."
  std::string beyond() const;
  /// Members "freedoms_varied" and "freedoms_left_out".
  void write(tpn::JsonWriter& json) const;

 private:
  std::string left_out_words() const;
  std::string none_of(const std::string& plural) const;

  Prover prover_;
  Freedoms usable_;
};

}  // namespace takt::plan
