// From a choice by columns to transfers between parts, and what the choice costs.
#include "tools/words/ahead_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/ahead.hpp"
#include "evaluators/insight/latency.hpp"
#include "evaluators/insight/order_wait.hpp"
#include "evaluators/insight/paced.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/chain.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/workflow.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

// Operation classes of a schedule that is made for one number beside an answer.
constexpr std::uint64_t kMostClasses = 20'000;

std::vector<tpn::PartTransfer> transfers_of(const tpn::Pipeline& pipeline, const std::vector<std::uint64_t>& ahead) {
  std::vector<tpn::PartTransfer> transfers;
  for (const tpn::ColumnIndex c : pipeline.all_columns()) {
    if (ahead[c] == 0) continue;
    const tpn::TransferEnds ends = tpn::ends_of(pipeline, c);
    transfers.push_back({ends.from, ends.to, ahead[c]});
  }
  return transfers;
}

std::optional<Rational> longest_stay(const tpn::FoldedNet& net, const Rational& period,
                                     const evaluators::Options& options) {
  const auto paced = evaluators::paced_schedule(net, period, options.deadline, kMostClasses);
  const auto* const schedule = std::get_if<evaluators::PacedSchedule>(&paced);
  if (schedule == nullptr) return std::nullopt;
  return evaluators::latency_of(net, *schedule).paced;
}

// "the output of decode", "the outputs of a, b for c" where the sender has other receivers, "the input".
std::string files_text(const tpn::PartTransfer& transfer, const tpn::Document& document) {
  const tpn::Application& application = document.application;
  const auto name = [&](std::size_t stage) { return printable(application.stages[stage].name); };
  const auto routes = tpn::routes_of(application, *document.mapping, tpn::outer_ends(document.platform));
  std::string text = "the input";
  std::size_t sent = 0;
  for (const tpn::FileRoute& route : routes) {
    if (route.from != transfer.from) continue;
    ++sent;
    if (route.to != transfer.to || route.files.empty()) continue;
    text = route.files.size() == 1 ? "the output of " : "the outputs of ";
    for (std::size_t k = 0; k < route.files.size(); ++k) text += (k > 0 ? ", " : "") + name(route.files[k]);
  }
  if (sent < 2) return text;
  if (!transfer.to) return text + " for the sink";
  const tpn::Part& part = document.mapping->at(*transfer.to);
  return text + " for " +
         (part.first_stage == part.last_stage ? name(part.first_stage)
                                              : name(part.first_stage) + " to " + name(part.last_stage));
}

// "the output of decode 2 frames ahead with room for 3 files"
std::string transfers_text(const std::vector<tpn::PartTransfer>& transfers, const tpn::Document& document,
                           const TimeWords& times) {
  std::vector<std::string> texts;
  for (const tpn::PartTransfer& transfer : transfers) {
    std::string& text = texts.emplace_back(files_text(transfer, document));
    if (transfer.ahead > 0) text += fmt::format(" {} ahead", times.items(maxplus::Integer(transfer.ahead)));
    if (transfer.room > 0)
      text += fmt::format(" with room for {} file{}", transfer.room, transfer.room == 1 ? "" : "s");
  }
  return listing(texts);
}

// What joins take from several is worth asking for; along a chain the next part has the file at once.
void add_rooms(AheadAdvice& advice, const tpn::FoldedNet& net, const std::vector<std::uint64_t>& ahead,
               const evaluators::Options& options) {
  if (net.pipeline.is_chain() || net.model.rooms() > 0) return;
  const auto rooms = evaluators::least_rooms(net, ahead, advice.period, options);
  if (!rooms) return;
  std::size_t k = 0;
  for (const tpn::ColumnIndex c : net.pipeline.all_columns())
    if (ahead[c] > 0) advice.transfers[k++].room = (*rooms)[c];
}

// " Room for 4 of these files at a receiver is enough."
std::string rooms_text(const AheadAdvice& advice) {
  std::vector<std::string> rooms;
  for (const tpn::PartTransfer& transfer : advice.transfers) {
    if (transfer.room == 0) return "";
    rooms.push_back(std::to_string(transfer.room));
  }
  const std::string numbers = listing(rooms);
  return advice.transfers.size() == 1
             ? fmt::format(" Room for {} of these files at each receiver is enough.", numbers)
             : fmt::format(" Room for {} of these files, in that order, at each receiver is enough.", numbers);
}

void write_end(tpn::JsonWriter& json, const char* key, std::optional<std::size_t> part, const char* end) {
  if (part) return json.member(key, *part);
  json.member(key, end);
}

std::string order_text(const AheadAdvice& advice) {
  if (advice.is_least) return ", and no order has a shorter period";
  return advice.is_searched ? ", the least that was found" : "";
}

}  // namespace

std::optional<AheadAdvice> find_ahead(const tpn::Document& document, const tpn::FoldedNet& net,
                                      const evaluators::Evaluation& evaluation, const evaluators::Options& options,
                                      AheadEffort effort) {
  if (!evaluation.exact() || net.capacity.window > 0) return std::nullopt;
  evaluators::Options settings;
  settings.deadline = options.deadline;
  settings.max_memory = options.max_memory;
  tpn::Document plain = document;
  plain.transfers.clear();
  auto made = tpn::make_pipeline(plain, tpn::kDefaultMeetings, options.deadline);
  const auto* const pipeline = std::get_if<tpn::Pipeline>(&made);
  if (pipeline == nullptr) return std::nullopt;
  const std::uint64_t most = effort == AheadEffort::quick ? evaluators::kAheadOperations : UINT64_MAX;
  auto choice = evaluators::best_ahead(*pipeline, net.model, evaluation.upper, settings, most);
  if (!choice) return std::nullopt;
  AheadAdvice advice;
  advice.transfers = transfers_of(*pipeline, choice->ahead);
  advice.words = transfers_text(advice.transfers, document, TimeWords(document));
  advice.period_before = evaluation.upper;
  advice.period = choice->period;
  advice.is_least = choice->is_least;
  advice.is_searched = choice->is_searched;
  const auto folded =
      tpn::fold(tpn::with_ahead(*pipeline, choice->ahead), net.model, tpn::kDefaultCircuitSteps, options.deadline);
  if (const auto* const after = std::get_if<tpn::FoldedNet>(&folded)) {
    advice.stay = longest_stay(*after, choice->period, settings);
    if (advice.stay) advice.stay_before = longest_stay(net, evaluation.upper, settings);
    add_rooms(advice, *after, choice->ahead, settings);
  }
  return advice;
}

std::optional<AheadAdvice> ahead_at_order(const tpn::Document& document, const tpn::FoldedNet& net,
                                          const evaluators::Evaluation& evaluation,
                                          const evaluators::Options& options) {
  if (!evaluation.exact() || evaluation.upper.sign() == 0) return std::nullopt;
  if (!evaluators::order_wait(net, evaluation.circuit)) return std::nullopt;
  return find_ahead(document, net, evaluation, options, AheadEffort::quick);
}

std::string words_of_transfers(const tpn::Document& document) {
  std::vector<tpn::PartTransfer> transfers = document.transfers;
  std::erase_if(transfers, [](const tpn::PartTransfer& t) { return t.ahead == 0 && t.room == 0; });
  std::string text = transfers_text(transfers, document, TimeWords(document));
  if (document.order.empty()) return text;
  return text + (text.empty() ? "" : "; ") + "transfers in a given order";
}

std::string advice_sentence(const AheadAdvice& advice, const TimeWords& times) {
  std::string text = fmt::format("With {} the period would be {}{}.", advice.words,
                                 times.amount_per_item(advice.period), order_text(advice));
  if (advice.stay && advice.stay_before) {
    const bool is_as_before = *advice.stay == *advice.stay_before;
    text +=
        fmt::format(" A {} would then stay up to {} in an even stream, {}.", times.item(), times.amount(*advice.stay),
                    is_as_before ? "as at present" : "at present " + times.amount(*advice.stay_before));
  }
  return text + rooms_text(advice) + " takt evaluate --ahead best shows it, and writes it with -o.";
}

std::string applied_sentence(const AheadAdvice& advice, const TimeWords& times) {
  return fmt::format(
      "This is with {}; otherwise the period is {}. {}{}", advice.words, times.amount_per_item(advice.period_before),
      advice.is_least ? "No order of the operations has a shorter period." : "It is the least that was found.",
      rooms_text(advice));
}

std::string none_sentence(bool is_largest_cycle_time) {
  return is_largest_cycle_time ? "No transfer ahead shortens the period: it is the largest cycle time."
                               : "No transfer ahead was found that shortens the period.";
}

void write_advised_transfer(tpn::JsonWriter& json, const tpn::PartTransfer& transfer) {
  write_end(json, "sending_part", transfer.from, "source");
  write_end(json, "receiving_part", transfer.to, "sink");
  json.member("ahead_by", transfer.ahead);
  if (transfer.room > 0) json.member("room", transfer.room);
}

void write_ahead(tpn::JsonWriter& json, const AheadAdvice& advice, bool is_applied) {
  json.key("ahead");
  json.begin_object();
  json.member("applied", is_applied);
  json.key("transfers");
  json.begin_array();
  for (const tpn::PartTransfer& transfer : advice.transfers) {
    json.begin_object();
    write_advised_transfer(json, transfer);
    json.end();
  }
  json.end();
  write_exact(json, "period", advice.period);
  write_exact(json, "period_without", advice.period_before);
  json.member("proved_least", advice.is_least);
  write_exact(json, "stay", advice.stay);
  write_exact(json, "stay_without", advice.stay_before);
  json.end();
}

}  // namespace takt::tools
