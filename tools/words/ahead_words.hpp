// Transfers that are ahead, where the order of a processor's parts costs something: found, in words and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// What a document may say of its transfers instead, none of which can be ahead by less without a longer period. Rooms
/// are the document's; a workflow's transfers that are ahead by more than they were and have no room get one that is
/// enough, unless that is not known. The periods are those of documents that were written, read and evaluated.
struct AheadAdvice {
  std::vector<tpn::PartTransfer> transfers;  // all that the document says of its transfers
  std::string words;                         // what differs: "the output of decode 2 frames ahead"
  std::vector<std::uint64_t> rooms;          // of what is ahead by more, in the order of the words; 0: no limit
  maxplus::Rational period_before;           // of the instance as it is
  maxplus::Rational period;
  bool is_least = false;  // no order of the operations makes it less
  // The longest that a data set stays in an even stream at either period, where that is quickly found.
  std::optional<maxplus::Rational> stay_before{};
  std::optional<maxplus::Rational> stay{};
};

/// How much is looked at: a little beside an answer, or until the deadline.
enum class AheadEffort { quick, full };

/// What lowers the period of an instance whose evaluation is exact; nothing if nothing does. `options` say until when.
std::optional<AheadAdvice> find_ahead(const tpn::Document& document, const tpn::FoldedNet& net,
                                      const evaluators::Evaluation& evaluation, const evaluators::Options& options,
                                      AheadEffort effort);

/// The same, quickly, where the critical circuit leads over the order in which a processor serves its parts.
std::optional<AheadAdvice> ahead_at_order(const tpn::Document& document, const tpn::FoldedNet& net,
                                          const evaluators::Evaluation& evaluation, const evaluators::Options& options);

/// "the output of decode 2 frames ahead with room for 3 files; transfers in a given order": what the
/// document says of its transfers; empty if it says nothing.
std::string words_of_transfers(const tpn::Document& document);

/// Of an instance that is as it was: what would be, and what it costs.
std::string advice_sentence(const AheadAdvice& advice, const TimeWords& times);
/// Of one that has these transfers.
std::string applied_sentence(const AheadAdvice& advice, const TimeWords& times);
/// Of one of which transfers were looked for, and none was found.
std::string none_sentence(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation);

/// Members of an object that says one transfer is ahead.
void write_advised_transfer(tpn::JsonWriter& json, const tpn::PartTransfer& transfer);
/// The member "ahead".
void write_ahead(tpn::JsonWriter& json, const AheadAdvice& advice, bool is_applied);

}  // namespace takt::tools
