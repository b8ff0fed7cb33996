// Words for rooms: small numbers are spelled.
#include "tools/answers/rooms_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <ostream>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/answers/limit_words.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"

namespace takt::tools {

namespace {

using evaluators::RoomsInsight;
using tpn::Buffer;
using tpn::Pipeline;

std::string count_word(std::uint64_t count) {
  constexpr std::array<std::string_view, 11> kWords = {"none", "one",   "two",   "three", "four", "five",
                                                       "six",  "seven", "eight", "nine",  "ten"};
  return count < kWords.size() ? std::string(kWords[count]) : std::to_string(count);
}

bool serves_several_parts(const Pipeline& pipeline, std::size_t processor) {
  return std::ranges::count_if(pipeline.parts, [&](const tpn::NetPart& part) {
           return std::ranges::find(part.sequence, processor) != part.sequence.end();
         }) > 1;
}

// " from part 0", " to sink": where the part has several on that side.
std::string other_words(const Buffer& buffer, const Pipeline& pipeline) {
  const auto other = tpn::other_part_of(buffer, pipeline);
  if (!other) return "";
  const bool is_part = other->front() != 's';
  return fmt::format(" {} {}{}", buffer.side == tpn::BufferSide::in ? "from" : "to", is_part ? "part " : "the ",
                     *other);
}

std::string listed(const std::vector<Buffer>& buffers, const Pipeline& pipeline) {
  std::vector<std::string> names;
  names.reserve(buffers.size());
  for (const Buffer& buffer : buffers) names.push_back(room_name(buffer, pipeline));
  return listing(names);
}

// The processors that need more than one buffer, with the verb.
std::string needs(const RoomsInsight& insight, const Pipeline& pipeline) {
  constexpr std::size_t kListed = 3;
  const std::vector<Buffer> larger = insight.larger();
  const std::uint64_t largest = std::ranges::max_element(larger, {}, &Buffer::room)->room;
  const bool are_equal = std::ranges::all_of(larger, [&](const Buffer& buffer) { return buffer.room == largest; });
  const std::string number = (are_equal ? "" : "up to ") + count_word(largest);
  if (larger.size() == insight.together.size()) return fmt::format("every room needs {}", number);
  if (larger.size() == 1) return fmt::format("only {} needs {}", listed(larger, pipeline), number);
  if (larger.size() <= kListed) return fmt::format("only {} need {}", listed(larger, pipeline), number);
  const bool is_one_left = larger.size() + 1 == insight.together.size();
  return fmt::format("{} of {} rooms need {}, {} one", larger.size(), insight.together.size(), number,
                     is_one_left ? "the other needs" : "the others need");
}

// Why a buffer is refused with less room than `least`.
std::string why_no_less(std::uint64_t least, const Pipeline& pipeline) {
  std::uint64_t batch = 0;
  for (const tpn::NetPart& part : pipeline.parts) batch = std::max(batch, part.largest_batch());
  if (batch == least) return fmt::format("a batch of {} is never computed", count_word(batch));
  return pipeline.has_batches() ? "batches and transfers ahead might deadlock" : "transfers ahead might deadlock";
}

// ", 211 with one; with room for fewer than that, transfers ahead might deadlock".
std::string with_less(const RoomsInsight& insight, const Pipeline& pipeline, const TimeWords& times) {
  if (insight.accepted == 1) return fmt::format(", {} with one", times.said(*insight.by_room.front()));
  const std::string least = count_word(insight.accepted);
  std::string text;
  if (insight.accepted != insight.enough && insight.accepted <= insight.by_room.size())
    text = fmt::format(", {} with {}", times.said(*insight.by_room[insight.accepted - 1]), least);
  return text + fmt::format("; with room for fewer than {}, {}", least, why_no_less(insight.accepted, pipeline));
}

std::string limit_words(const RoomsInsight& insight, const Pipeline& pipeline) {
  if (insight.refused) {
    return fmt::format("room for {} files, the most that takt tries, is refused for {}: {} might deadlock",
                       tpn::kMostRooms, room_name(*insight.refused, pipeline),
                       pipeline.has_batches() ? "batches and transfers ahead" : "transfers ahead");
  }
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&insight.limit)) return too_large_hint(*too_large);
  if (std::holds_alternative<evaluators::OutOfTime>(insight.limit)) return std::string(why_ended());
  return "a period was not found exactly";
}

void write_by_room(std::ostream& out, const RoomsInsight& insight, const TimeWords& times) {
  Table table{{{"room for all", Align::right}, {"period", Align::right}, {"exactly", Align::right}}, {}};
  const std::uint64_t refused = std::min<std::uint64_t>(insight.accepted - 1, insight.by_room.size());
  if (refused > 0) table.rows.push_back({refused == 1 ? "1" : fmt::format("1 to {}", refused), "refused", ""});
  for (std::size_t k = refused; k < insight.by_room.size(); ++k) {
    const Cells period = times.cells(*insight.by_room[k]);
    table.rows.push_back({std::to_string(k + 1), period.readable, period.exact});
  }
  if (insight.enough > insight.by_room.size()) {
    const Cells period = times.cells(insight.period);
    table.rows.push_back({std::to_string(insight.enough), period.readable, period.exact});
  }
  table.write(out);
}

std::string sum_words(const RoomsInsight& insight) {
  if (insight.together.empty()) return fmt::format("their sum is at least {}", insight.lower_bound.get_str());
  if (insight.is_least()) return fmt::format("their sum, {}, is the least possible", insight.sum.get_str());
  return fmt::format("together their sum is {}; no less than {} is possible", insight.sum.get_str(),
                     insight.lower_bound.get_str());
}

void write_buffers(std::ostream& out, const RoomsInsight& insight, const Pipeline& pipeline) {
  constexpr std::size_t kShown = 40;
  fmt::print(out, "\nRoom that keeps the period, alone and all together: {}\n", sum_words(insight));
  Table table{{{"part", Align::right}, {"processor"}, {"room"}, {"alone", Align::right}, {"together", Align::right}},
              {}};
  std::vector<std::size_t> order(insight.alone.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<Buffer>& rooms = insight.together.empty() ? insight.alone : insight.together;
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t b) { return rooms[b].room; });
  for (const std::size_t b : std::span(order).first(std::min(kShown, order.size()))) {
    const Buffer& buffer = insight.alone[b];
    table.rows.push_back(
        {std::to_string(pipeline.parts[buffer.part].mapping_part), printable(pipeline.processors[buffer.processor]),
         std::string(tpn::name_of(buffer.side)) + other_words(buffer, pipeline), std::to_string(buffer.room),
         insight.together.empty() ? "" : std::to_string(insight.together[b].room)});
  }
  table.write(out);
  if (insight.alone.size() > kShown) {
    fmt::print(out, "  ... and {} more (--json lists all)\n", insight.alone.size() - kShown);
  }
}

}  // namespace

std::string room_name(const Buffer& buffer, const Pipeline& pipeline) {
  std::string name =
      fmt::format("{}'s {}-room", printable(pipeline.processors[buffer.processor]), tpn::name_of(buffer.side));
  if (serves_several_parts(pipeline, buffer.processor)) {
    name += fmt::format(" of part {}", pipeline.parts[buffer.part].mapping_part);
  }
  return name + other_words(buffer, pipeline);
}

std::string rooms_sentence(const RoomsInsight& insight, const Pipeline& pipeline, const TimeWords& times) {
  const std::string period = times.said(insight.period);
  if (insight.enough == 0) {
    if (insight.by_room.empty()) return fmt::format("The rooms are unknown: {}.", limit_words(insight, pipeline));
    const std::string any = fmt::format("The period is {} with room for any number of files", period);
    if (insight.refused) return fmt::format("{}; {}.", any, limit_words(insight, pipeline));
    return any + with_less(insight, pipeline, times) + '.';
  }
  if (insight.enough == 1) {
    const bool has_files = insight.alone.empty() && insight.is_complete();
    return has_files ? fmt::format("The period is {}; no file waits before or behind a computation.", period)
                     : fmt::format("The period is {} with room for one: no room needs more.", period);
  }
  std::string sentence = fmt::format("The period is {} with room for {}", period, count_word(insight.enough)) +
                         with_less(insight, pipeline, times);
  if (!insight.together.empty()) sentence += "; " + needs(insight, pipeline);
  return sentence + '.';
}

void write_rooms(std::ostream& out, const RoomsInsight& insight, const Pipeline& pipeline, const TimeWords& times) {
  write_by_room(out, insight, times);
  if (!insight.alone.empty()) write_buffers(out, insight, pipeline);
  if (!insight.is_complete()) fmt::print(out, "\nThe search ended early: {}.\n", limit_words(insight, pipeline));
}

void write_rooms(tpn::JsonWriter& json, const RoomsInsight& insight, const Pipeline& pipeline) {
  const bool is_known = insight.trials > 0 && !(insight.by_room.empty() && !insight.is_complete());
  write_exact(json, "period", is_known ? std::optional(insight.period) : std::nullopt);
  json.member("enough", insight.enough > 0 ? std::optional(insight.enough) : std::nullopt);
  json.key("by_room");
  json.begin_array();
  for (std::size_t k = 0; k < insight.by_room.size(); ++k) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("room", std::uint64_t{k + 1});
    write_exact(json, "period", insight.by_room[k]);
    json.end();
  }
  json.end();
  json.key("buffers");
  json.begin_array();
  for (std::size_t b = 0; b < insight.alone.size(); ++b) {
    const Buffer& buffer = insight.alone[b];
    json.begin_object(tpn::JsonLayout::line);
    json.member("part", pipeline.parts[buffer.part].mapping_part);
    json.member("processor", pipeline.processors[buffer.processor]);
    json.member("side", tpn::name_of(buffer.side));
    if (const auto other = tpn::other_part_of(buffer, pipeline)) json.member("other", *other);
    json.member("room_alone", buffer.room);
    json.member("room_together", insight.together.empty() ? std::nullopt : std::optional(insight.together[b].room));
    json.end();
  }
  json.end();
  const bool has_sum = insight.is_complete();
  has_sum ? write_count(json, "room_sum", insight.sum) : json.member("room_sum", nullptr);
  has_sum || !insight.alone.empty() ? write_count(json, "room_sum_lower_bound", insight.lower_bound)
                                    : json.member("room_sum_lower_bound", nullptr);
  json.member("least_possible", has_sum ? std::optional(insight.is_least()) : std::nullopt);
  if (!insight.is_complete()) json.member("limit", limit_words(insight, pipeline));
}

}  // namespace takt::tools
