// A catalogue of types, expanded to a platform with processors of each type.
#pragma once

#include <cstdint>
#include <span>

#include "tpn/document.hpp"

namespace takt::tpn {

/// The catalogue's document with counts[t] machines of each type, type after type, all values filled in, without a
/// mapping. The third small one is named "small-3", with more dashes where a type has such a name, and its cores
/// "small-3.1", ..., where it has several. Cost: linear in the processors times the stages with times for types.
Document expanded(const Document& catalogue, std::span<const std::uint64_t> counts);

/// Gives a processor all that its type has and it has not; its price, its ports and stages' times, for which it must
/// be a processor of the document, not included.
void inherit(Processor& processor, const ProcessorType& type);
/// Gives it the type's price.
void inherit_price(Processor& processor, const ProcessorType& type);

/// Which of the processor's values are its type's: those that it inherited and nobody has changed since. The type must
/// be the processor's, or null if it has none.
InheritedValues inherited_values(const Processor& processor, const ProcessorType* type);
/// The processor's type; null if it has none.
const ProcessorType* type_of(const Platform& platform, const Processor& processor);

/// How many times of stages the types hand down to such a document's processors, if none has one of its own; `sizes`:
/// how many processors each type has.
std::uint64_t inherited_times(const Application& application, std::span<const std::uint64_t> sizes);

/// The most times of a document: readers and expansion refuse more.
inline constexpr std::uint64_t kMostInheritedTimes = 4'000'000;

/// Hands the types' times of stages down to the processors without one of their own there and without a fixed time.
/// They stand behind all others then; what was inherited before is replaced.
void inherit_times(Document& document);

}  // namespace takt::tpn
