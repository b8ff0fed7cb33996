// Random instances whose processors share hosts.
#pragma once

#include <cstdint>

#include "tests/support/draw.hpp"
#include "tpn/document.hpp"

namespace takt::support {

/// A small random instance: hosts of one to four cores, guests on some of them, ports from one to three or without a
/// limit, memory bandwidths, a source and a sink; parts on whole hosts, dealt host by host, or on processors drawn one
/// by one; processors, and hosts, may serve several parts. Same seed, same document, on every machine.
tpn::Document host_document(std::uint64_t seed);

/// One of these whose transfers are ahead by up to three data sets, some of them.
tpn::Document ahead_document(std::uint64_t seed);

/// One of either kind with one or two segments between its hosts, sources and sinks.
tpn::Document segment_document(std::uint64_t seed);

/// Any document with one or two segments; and, where one joins no machines of two sets, a processor more.
tpn::Document with_segments(const tpn::Document& document, std::uint64_t seed);

/// One of any of these, some of whose processors take batches, with times that are partly fixed.
tpn::Document batch_document(std::uint64_t seed);

/// One of any of these of three to seven stages whose files go to several, or come from several: not every stage has
/// "after", not every document is a workflow.
tpn::Document workflow_document(std::uint64_t seed);

/// Three to five stages, each a part of one to three processors, some of them of two parts; mostly no source, and no
/// sink. It may be a chain, and fall apart.
tpn::Document small_workflow(Draw& draw);

/// A workflow_document whose transfers stand in an order drawn among all that there are, and have room, some of them.
tpn::Document ordered_document(std::uint64_t seed);

}  // namespace takt::support
