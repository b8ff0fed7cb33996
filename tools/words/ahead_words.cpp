// From a choice by columns to transfers between parts, and what the choice costs.
#include "tools/words/ahead_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "evaluators/bounds.hpp"
#include "evaluators/insight/ahead.hpp"
#include "evaluators/insight/carried_out.hpp"
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

// What the document says of its transfers, with other numbers ahead and, of those by column that have none, with room.
std::vector<tpn::PartTransfer> with_terms(const tpn::Document& document, const tpn::Pipeline& pipeline,
                                          const std::vector<std::uint64_t>& ahead,
                                          const std::vector<std::uint64_t>& rooms) {
  std::vector<tpn::PartTransfer> transfers = document.transfers;
  for (const tpn::ColumnIndex c : pipeline.all_columns()) {
    if (!pipeline.is_transfer(c)) continue;
    const tpn::TransferEnds ends = tpn::ends_of(pipeline, c);
    auto said = std::ranges::find_if(transfers, [&](const auto& transfer) { return ends_of(transfer) == ends; });
    if (said == transfers.end()) said = transfers.insert(said, {ends.from, ends.to});
    said->ahead = ahead[c];
    if (said->room == 0 && !rooms.empty()) said->room = rooms[c];
  }
  // Remarks stay where they are.
  const bool has_remarks = std::ranges::any_of(
      document.remarks, [](const auto& remarks) { return remarks.first.starts_with("/transfers/"); });
  if (!has_remarks) std::erase_if(transfers, [](const auto& t) { return t.ahead == 0 && t.room == 0; });
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
    text += transfer.ahead > 0   ? fmt::format(" {} ahead", times.items(maxplus::Integer(transfer.ahead)))
            : transfer.room == 0 ? " not ahead"
                                 : "";
    if (transfer.room > 0)
      text += fmt::format(" with room for {} file{}", transfer.room, transfer.room == 1 ? "" : "s");
  }
  return listing(texts);
}

// By column, what the document and the choice have ahead.
struct AheadChange {
  std::vector<std::uint64_t> before;
  std::vector<std::uint64_t> after;

  bool is_more(std::size_t c) const { return before[c] < after[c]; }
};

// What joins take from several is worth asking for; along a chain the next part has the file at once.
std::vector<std::uint64_t> rooms_for(const AheadChange& change, const std::vector<std::uint64_t>& own,
                                     const evaluators::CarriedOut& followed, const evaluators::Options& options) {
  if (followed.net().pipeline.is_chain() || followed.net().model.rooms() > 0) return {};
  std::vector<std::uint64_t> asked(change.after.size(), 0);
  for (std::size_t c = 0; c < asked.size(); ++c)
    if (change.is_more(c) && own[c] == 0) asked[c] = change.after[c];
  const auto rooms = evaluators::least_rooms(followed.net(), asked, followed.period(), options);
  return rooms.value_or(std::vector<std::uint64_t>());
}

// " Room for 4 of these files at a receiver is enough."
std::string rooms_text(const AheadAdvice& advice) {
  if (advice.rooms.empty() || std::ranges::find(advice.rooms, 0) != advice.rooms.end()) return "";
  std::vector<std::string> rooms;
  for (const std::uint64_t room : advice.rooms) rooms.push_back(std::to_string(room));
  return rooms.size() == 1
             ? fmt::format(" Room for {} of these files at each receiver is enough.", rooms.front())
             : fmt::format(" Room for {} of these files, in that order, at each receiver is enough.", listing(rooms));
}

void write_end(tpn::JsonWriter& json, const char* key, std::optional<std::size_t> part, const char* end) {
  if (part) return json.member(key, *part);
  json.member(key, end);
}

std::string order_text(const AheadAdvice& advice) {
  return advice.is_least ? ", and no order has a shorter period" : ", the best found";
}

std::string words_of_change(const AheadChange& change, const tpn::Pipeline& pipeline, const tpn::Document& document) {
  std::vector<tpn::PartTransfer> changed;
  bool is_ahead = false;
  for (const tpn::ColumnIndex c : pipeline.all_columns()) {
    is_ahead = is_ahead || change.after[c] > 0;
    if (change.before[c] == change.after[c]) continue;
    const tpn::TransferEnds ends = tpn::ends_of(pipeline, c);
    changed.push_back({ends.from, ends.to, change.after[c]});
  }
  return is_ahead ? transfers_text(changed, document, TimeWords(document)) : "no transfer ahead";
}

// The advice as a document that was followed, with rooms where they are enough.
std::optional<AheadAdvice> followed(const tpn::Document& document, const tpn::FoldedNet& net,
                                    const tpn::Pipeline& pipeline, const AheadChange& change,
                                    const evaluators::Options& settings) {
  tpn::Document with = document;
  with.transfers = with_terms(document, pipeline, change.after, {});
  std::optional<evaluators::CarriedOut> found = evaluators::carry_out(with, net.model, settings);
  if (!found) return std::nullopt;
  const std::vector<std::uint64_t> own = tpn::rooms_of_transfers(document, pipeline);
  std::vector<std::uint64_t> rooms = rooms_for(change, own, *found, settings);
  if (!rooms.empty()) {
    tpn::Document limited = document;
    limited.transfers = with_terms(document, pipeline, change.after, rooms);
    auto as_limited = evaluators::carry_out(limited, net.model, settings);
    if (as_limited && as_limited->period() == found->period()) {
      with = std::move(limited);
      found = std::move(as_limited);
    } else {
      rooms.clear();
    }
  }
  AheadAdvice advice;
  advice.transfers = with.transfers;
  advice.period = found->period();
  advice.words = words_of_change(change, pipeline, document);
  for (std::size_t c = 0; c < change.after.size() && !rooms.empty(); ++c)
    if (change.is_more(c)) advice.rooms.push_back(own[c] > 0 ? own[c] : rooms[c]);
  advice.stay = longest_stay(found->net(), found->period(), settings);
  return advice;
}

}  // namespace

std::optional<AheadAdvice> find_ahead(const tpn::Document& document, const tpn::FoldedNet& net,
                                      const evaluators::Evaluation& evaluation, const evaluators::Options& options,
                                      AheadEffort effort) {
  const auto has_rate = [](const tpn::Stage& stage) { return stage.consumes != 1 || stage.produces != 1; };
  if (!evaluation.exact() || net.capacity.window > 0) return std::nullopt;
  if (std::ranges::any_of(document.application.stages, has_rate)) return std::nullopt;
  evaluators::Options settings;
  settings.deadline = options.deadline;
  settings.max_memory = options.max_memory;
  tpn::Document plain = document;
  plain.transfers.clear();
  auto made = tpn::make_pipeline(plain, tpn::kDefaultMeetings, options.deadline);
  const auto* const pipeline = std::get_if<tpn::Pipeline>(&made);
  if (pipeline == nullptr) return std::nullopt;
  const std::uint64_t most = effort == AheadEffort::quick ? evaluators::kAheadOperations : UINT64_MAX;
  const evaluators::TransferTerms terms{tpn::ahead_of_transfers(document, *pipeline),
                                        tpn::rooms_of_transfers(document, *pipeline)};
  auto choice = evaluators::best_ahead(*pipeline, net.model, evaluation.upper, settings, most, terms);
  if (!choice) return std::nullopt;
  auto advice = followed(document, net, *pipeline, {terms.ahead, std::move(choice->ahead)}, settings);
  if (!advice || !(advice->period < evaluation.upper)) return std::nullopt;
  advice->period_before = evaluation.upper;
  advice->is_least = advice->period == evaluators::least_of_any_order(net);
  if (advice->stay) advice->stay_before = longest_stay(net, evaluation.upper, settings);
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
  return fmt::format("This is with {}; otherwise the period is {}. {}{}", advice.words,
                     times.amount_per_item(advice.period_before),
                     advice.is_least ? "No order of the operations has a shorter period." : "It is the best found.",
                     rooms_text(advice));
}

std::string none_sentence(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation) {
  return evaluation.upper == evaluators::least_of_any_order(net)
             ? "No transfer ahead shortens the period: it is the largest cycle time."
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
    if (transfer.ahead == 0) continue;
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
