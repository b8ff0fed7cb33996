// What a row of one of takt's tables takes (methods, heuristics, studies, live runs, export formats), and why it
// refuses the rest: the one place where a row's capabilities meet a net or a problem.
#pragma once

#include <optional>
#include <string>

#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tpn {

/// What something takes beyond chains whose processors share nothing.
struct Capabilities {
  /// Parts that receive from, or send to, several others.
  bool workflows = false;
  /// Resources that handle operations of several processors, such as the ports of a host with several cores, and ports
  /// of other numbers than one.
  bool shared_resources = false;
  /// Transfers that are ahead: nets in rounds; of documents also transfers in another order, or with room of their own.
  bool ahead = false;
  /// Transfers with room of their own, where `ahead` is taken.
  bool room = true;
  /// Processors that stand in a mapping more than once.
  bool repeated_processors = true;
  /// Several sources, or sinks, that take turns.
  bool several_ends = false;
  /// Among these, such as have other times or ports than the rest.
  bool unlike_ends = true;
  /// Batches: processors that compute several data sets at once.
  bool batches = false;
  /// Segments of the network.
  bool segments = false;
  /// Of documents, what says how many machines may be chosen: quotas of types, partitions of stages.
  bool quotas = false;
  bool partitions = false;
  /// A source or a sink.
  bool ends = true;
  /// Stages that consume or produce more than one file per firing: the rates of their firings count (tpn/rates.hpp).
  bool rates = false;
  /// Problems whose stages run on some processors only.
  bool absent_times = true;

  friend bool operator==(const Capabilities&, const Capabilities&) = default;
};

/// Takes every net of single files.
inline constexpr Capabilities kEveryNet{.workflows = true,
                                        .shared_resources = true,
                                        .ahead = true,
                                        .several_ends = true,
                                        .batches = true,
                                        .segments = true,
                                        .quotas = true,
                                        .partitions = true};

/// Why something with these capabilities cannot take the net, a phrase; nothing if it can.
/// Cost: that of why_shared and why_no_chain (tpn/chain.hpp).
std::optional<std::string> why_refused(const Capabilities& takes, const FoldedNet& net);

/// Why it cannot take the problem, or the instance, a phrase that names stages and processors; nothing if it can.
/// Cost: linear in the document.
std::optional<std::string> why_refused(const Capabilities& takes, const Document& document);

/// Throws InvalidInstance if it cannot.
void require_taken(const Capabilities& takes, const Document& document);

}  // namespace takt::tpn
