// Stages that consume or produce several files per firing, and what takt knows of them: rates.
//
// Meaning. Firing k of a stage that consumes c and produces p takes the files k c, ..., k c + c - 1 of the stage
// before, and makes the files k p, ..., k p + p - 1; each is sent by itself. A part's *unit* is its smallest whole
// number of firings of all of its stages; its sequence takes the units in turn, so that nothing is split between
// processors.
//
// What a net says. Its columns take every data set through every stage, in the mean time of a data set. Where an
// operation of a firing takes place, and so a latency, a room or a start time, such a net does not say. It says
// - what each resource has to do per data set, which bounds the period from below: here exactly, by units;
// - the period itself where no circuit leaves its column and each part has one processor (why_rates_only).
//
// *Proof* of the latter. Every dependence between two columns is the flow then, in firings too: unlimited room and
// resources of their own let no column wait for a later one. So each circuit of the net of firings stays in one column,
// where a single resource at either end handles the operations one by one: its ratio is that resource's load. []
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tpn {

/// Whether some stage consumes or produces several files per firing.
bool has_rates(const Application& application);

/// Throws InvalidInstance if so, for what follows single operations.
void require_single_files(const Application& application);

/// Gives the net of such a document, which must be a chain whose processors share nothing, under a model without rooms,
/// its FoldedNet::in_sequence, and its resources their loads. TooLarge if units meet in too many ways.
std::optional<TooLarge> add_loads(const Document& document, FoldedNet& net);

/// Why the period of a net with rates is not known beyond bounds, a clause; nothing if it is, or if it has none. The
/// one place where this is decided.
std::optional<std::string> why_rates_only(const FoldedNet& net);

}  // namespace takt::tpn
