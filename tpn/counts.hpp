// The numbers of a document that are counts: the ports of machines, of segments and of the world's ends, and cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tpn {

/// How many ports a machine, a segment, a source or a sink has, or how many cores an entry of the document stands for.
struct DocumentCount {
  enum class Quantity { ports, cores };
  enum class Owner { machine, source, sink, segment, type };

  std::string name;     // whose it is: "node1", "source", "cam1"
  std::string pointer;  // JSON pointer of the number, also where the document leaves it out
  Quantity quantity = Quantity::ports;
  Owner owner = Owner::machine;
  // Of the first processor of the host, or of the entry; which of several ends; of the segment, or of the type.
  std::size_t index = 0;
  std::uint64_t value = 1;  // of ports kUnlimitedPorts if they have no limit

  friend bool operator==(const DocumentCount&, const DocumentCount&) = default;
};

/// The most cores of all entries of a document together, but those of one core.
inline constexpr std::uint64_t kMostCoresInAll = 262'144;

/// The most that a document may say.
inline std::uint64_t most_of(DocumentCount::Quantity quantity) {
  return quantity == DocumentCount::Quantity::ports ? kMostPorts : kMostCores;
}

/// "port", "core".
std::string_view name_of(DocumentCount::Quantity quantity);
/// "node1 cores"; of several of one quantity "node1, node2 cores", "node1, node2 and 5 more ports".
std::string name_of(const std::vector<DocumentCount>& counts);

/// The counts of an instance that its mapping uses: the ports of hosts whose processors it names, and of the source and
/// the sink and of segments, but those without a limit; the cores of entries that it names by all their cores, a
/// machine of one processor among them. In the order of the document, ports first. A number that has reached its most
/// is none of them. Cost: linear in the document, but for logarithms.
std::vector<DocumentCount> counts_of(const Document& document);

/// All of a document, whether its mapping uses them or not, also those without a limit and those at their most; those
/// of types last. In the same order.
std::vector<DocumentCount> all_counts_of(const Document& document);

/// Counts that may change together: equal ones of the same kind, of machines that serve the same parts with as many
/// entries, or of several sources or several sinks. Lists of places in `counts`, in order, each of two or more.
std::vector<std::vector<std::size_t>> alike_counts(const Document& document, const std::vector<DocumentCount>& counts);

/// The document with other values of counts of it, none twice: for each one of all_counts_of with its new value. A core
/// more is like the others of its entry; a part that names the entry deals to all its cores, host by host in turn. A
/// type's count is that of all machines that have the type's now. Throws InvalidInstance, with a pointer into the
/// changed document, where it would break a rule of documents then: a mapping, or a time, that names a core which would
/// be gone, a second core for a stage that is not replicable. Cost: that of `validate`, and for each core.
Document with_counts(const Document& document, const std::vector<DocumentCount>& counts);

/// The document with one more of each of these, which have a limit. Nothing if it would break a rule of documents
/// then.
std::optional<Document> with_one_more(const Document& document, const std::vector<DocumentCount>& counts);

}  // namespace takt::tpn
