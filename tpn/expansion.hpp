// A catalogue of types made a platform of so many processors of each.
#pragma once

#include <cstdint>
#include <span>

#include "tpn/document.hpp"

namespace takt::tpn {

/// The catalogue's document with counts[t] processors of each type, type after type, all values filled in, without a
/// mapping. The third small one is named "small-3", with more dashes where a type has such a name. Cost: linear in the
/// processors times the stages with times for types.
Document expanded(const Document& catalogue, std::span<const std::uint64_t> counts);

/// Gives a processor all that its type has and it has not; stages' times, for which it must be a processor of the
/// document, not included.
void inherit(Processor& processor, const ProcessorType& type);

}  // namespace takt::tpn
