// The numbers of a document that are counts: the ports of machines and of the world's ends, and cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tpn {

/// How many ports a machine, a source or a sink has, or how many cores an entry of the document stands for.
struct DocumentCount {
  enum class Quantity { ports, cores };
  enum class Owner { machine, source, sink };

  std::string name;     // "node1", "source", "cam1"
  std::string pointer;  // JSON pointer of the number, also where the document leaves it out
  Quantity quantity = Quantity::ports;
  Owner owner = Owner::machine;
  std::size_t index = 0;    // of the first processor of the host, or of the entry; which of several ends
  std::uint64_t value = 1;  // at least 1

  friend bool operator==(const DocumentCount&, const DocumentCount&) = default;
};

/// "port", "core".
std::string_view name_of(DocumentCount::Quantity quantity);

/// The counts of an instance that its mapping uses: the ports of hosts whose processors it names, and of the source and
/// the sink, but those without a limit; the cores of entries that it names by all their cores, a machine of one
/// processor among them. In the order of the document, ports first. A number that has reached its most is none of them.
/// Cost: linear in the document, but for logarithms.
std::vector<DocumentCount> counts_of(const Document& document);

/// Counts that may change together: equal ones of the same kind, of machines that serve the same parts with as many
/// entries, or of several sources or several sinks. Lists of places in `counts`, in order, each of two or more.
std::vector<std::vector<std::size_t>> alike_counts(const Document& document, const std::vector<DocumentCount>& counts);

/// The document with one more of each of these, which are some of its counts_of, none twice. A core more is like the
/// others of its entry; a part that names the entry deals to it, too, host by host in turn. Nothing where the document
/// would break a rule of documents then, as with a second core for a stage that is not replicable.
/// Cost: that of `validate`.
std::optional<Document> with_one_more(const Document& document, const std::vector<DocumentCount>& counts);

}  // namespace takt::tpn
