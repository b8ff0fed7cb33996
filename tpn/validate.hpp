// The rules that a document must keep, whether read from a file or built by a program.
#pragma once

#include <string>

#include "tpn/document.hpp"

namespace takt::tpn {

class ProblemView;

/// Throws what `validate` would throw of such a part of a mapping but for the order of the parts and times: sequences,
/// batches, what is replicable, partitions, where stages run. `pointer`: the part's. Its indices must be valid.
void validate_part(const Part& part, const Document& document, const std::string& pointer);

/// Throws InvalidInstance, with a JSON pointer into the document as `write_document` would write it, at the
/// first broken rule: names, signs and bounds, links, the two ends of the chain, the mapping, and with a
/// mapping that every computation and transfer it uses has a duration.
/// Cost: linear in the document and in the pairs of processors that meet, but for logarithms.
void validate(const Document& document);

/// Throws what `validate` would throw of the problem with this mapping in place of its own. The rest of the problem
/// must be valid, and is not looked at again.
/// Cost: linear in the stages, the platform, the mapping and the pairs of processors that meet, but for logarithms.
void validate_mapping(const Document& problem, const Mapping& mapping);
void validate_mapping(const ProblemView& problem, const Mapping& mapping);

}  // namespace takt::tpn
