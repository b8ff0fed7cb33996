// The numbers of a document that durations grow with: what a user could make faster, or let become slower.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tpn {

/// A parameter's name in pieces: "detect on " "gpu1", "" "P0" " -> " "P1" " latency".
struct ParameterWords {
  std::string before;
  std::string first{};   // a machine, or the sender
  std::string arrow{};   // of links
  std::string second{};  // the receiver
  std::string after{};

  std::string joined() const { return before + first + arrow + second + after; }
};

/// A number of a document, or equal ones of alike machines or links. No duration falls where its `weight` grows: the
/// number itself or, for speeds and bandwidths, its inverse. Durations are linear in the weight but where `may_bend`.
struct Parameter {
  /// Which number of what; `index` and `inner` say of which.
  enum class Quantity {
    stage_work,
    stage_output,
    stage_time,
    stage_fixed,
    input,
    processor_time,
    processor_speed,
    link_time,
    link_latency,
    link_bandwidth,
    port_bandwidth,
    memory_bandwidth,
    segment_bandwidth,
  };
  /// Whose link's number: one of Platform::links, one of Platform::type_links, all others', one end's of the world, or
  /// of one of its own links.
  enum class Links { listed, of_types, others, source, source_listed, sink, sink_listed };

  std::string name;     // "P0 -> P2", "S1 on P2", "P2 speed", unique in the document
  std::string pointer;  // JSON pointer of the number
  Rational value;       // as the document has it
  Quantity quantity = Quantity::processor_time;
  Links links = Links::listed;
  bool is_of_type = false;         // of a time or speed: all processors' that have it from their type
  std::size_t index = 0;           // of the stage, processor, the first of several, or type, segment or listed link
  std::size_t inner = 0;           // which of the stage's own times, or of those for types; of several sources or sinks
  ParameterWords words{};          // of the name, unless it needs more to be unique
  bool may_bend = false;           // durations hold the lesser of it and other bandwidths: a + b max(weight, c)
  std::vector<Parameter> alike{};  // of a group: two or more, which change together; the fields above are the first's

  /// How many it stands for: a group's.
  std::size_t size() const { return alike.empty() ? 1 : alike.size(); }
  bool is_inverse() const {
    return quantity == Quantity::processor_speed || quantity == Quantity::link_bandwidth ||
           quantity == Quantity::port_bandwidth || quantity == Quantity::memory_bandwidth ||
           quantity == Quantity::segment_bandwidth;
  }
  /// What durations are linear in, of a value; the same function leads back. A value of 0 has none if inverse.
  Rational weight_of(const Rational& number) const { return is_inverse() ? Rational(1) / number : number; }
};

/// The parameters of an instance that its mapping may need, in the order of the document: stages, the types, processors
/// and listed links that it uses, the segments, the other links, the world's ends. Some may matter to no duration.
std::vector<Parameter> parameters_of(const Document& document);
/// The same of all of the document, whether its mapping uses it or not.
std::vector<Parameter> all_parameters_of(const Document& document);

/// The same with alike ones in one, in the place of the first: equal numbers of the same kind, of processors that serve
/// the same parts with as many entries, or of links between such. "detect on gpu1, gpu2".
std::vector<Parameter> with_alike_together(const Document& document, const std::vector<Parameter>& parameters);

/// The document's numbers that a parameter of it stands for, which are equal: a type's first, and then those that its
/// processors have from it; those of all cores that the document names at once, of bandwidths those of all of a host's
/// processors; a group's all. They change together.
std::vector<Rational*> numbers_at(Document& document, const Parameter& parameter);

}  // namespace takt::tpn
