// Rows and objects to operations; then the order in which they are to be.
#include "tools/live/trace_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "maxplus/rational.hpp"
#include "tools/files/files.hpp"
#include "tools/words/csv.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using evaluators::Firing;
using maxplus::Integer;
using maxplus::Rational;
using tpn::ColumnKind;
using tpn::PartRole;
using tpn::json::Position;
using tpn::json::Value;
using tpn::json::ValueForm;

namespace {

// A text in double quotes for a message, bytes that are no text too.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 60;
  return tpn::json::string_text(text) ? tpn::json::quote(text) : '"' + tpn::visible(text, kShown) + '"';
}

// What a row or an object says of an operation, as text.
struct TraceLine {
  Position position;  // a row has a line alone, in column 0
  std::string_view data_set;
  std::string_view operation;
  std::string_view part;
  std::string_view stages;   // between semicolons; may be absent
  std::string_view to_part;  // of a transfer; may be absent
  std::string_view processor;
  std::string_view peer;
  std::string_view start;
  std::string_view end;
};

struct TracedOperation {
  Firing firing;
  Position position;
};

// The operations of a trace under one model, each held against the pipeline.
class TraceCollector {
 public:
  explicit TraceCollector(const TraceQuestion& question) : question_(question), names_(question.file) {
    for (const tpn::NetPart& part : question.pipeline.parts) {
      std::string joined;
      for (std::size_t k = part.first_stage; part.role == PartRole::mapped && k <= part.last_stage; ++k) {
        joined += (joined.empty() ? "" : ";") + question.stages[k];
      }
      stages_.push_back(std::move(joined));
    }
  }

  [[noreturn]] void fail(const Position& at, const std::string& found, const std::string& expected) const {
    const std::string column = at.column == 0 ? "" : fmt::format(":{}", at.column);
    throw FileError(
        fmt::format("{}:{}{}: found {}, expected {}", display_name(names_), at.line, column, found, expected));
  }

  // Throws where the line is none of this pipeline. Nothing is kept beyond a limit.
  TracedOperation checked(const TraceLine& line) {
    TracedOperation result{{{}, {}, {}}, line.position};
    tpn::Operation& operation = result.firing.operation;
    operation.data_set = data_set_of(line);
    operation.column = column_of(line);
    check_names(line, operation);
    result.firing.start = time_of(line, line.start, "start");
    result.firing.end = time_of(line, line.end, "end");
    if (result.firing.end < result.firing.start) {
      fail(line.position, fmt::format("the end {} before the start {}", in_quotes(line.end), in_quotes(line.start)),
           "an end that is not sooner");
    }
    if (++count_ > kMostTraced) too_large_ = {tpn::LimitKind::traced_operations, Integer(count_), kMostTraced};
    return result;
  }

  const std::optional<tpn::TooLarge>& too_large() const { return too_large_; }

  // All operations of data sets 0, 1, ... in order.
  std::vector<Firing> complete(std::vector<TracedOperation> operations) const {
    const auto key = [](const TracedOperation& traced) { return traced.firing.operation; };
    if (!std::ranges::is_sorted(operations, {}, key)) std::ranges::stable_sort(operations, {}, key);
    const std::size_t columns = question_.pipeline.columns.size();
    std::vector<Firing> firings;
    firings.reserve(operations.size());
    for (TracedOperation& traced : operations) {
      const tpn::Operation next{firings.size() / columns, tpn::ColumnIndex(firings.size() % columns)};
      if (traced.firing.operation < next) fail_twice(operations[firings.size() - 1], traced);
      if (traced.firing.operation != next) fail_missing(next);
      firings.push_back(std::move(traced.firing));
    }
    if (firings.empty()) throw FileError(display_name(names_) + ": found no operation, expected those of a run");
    if (firings.size() % columns != 0)
      fail_missing({firings.size() / columns, tpn::ColumnIndex(firings.size() % columns)});
    return firings;
  }

 private:
  std::string text_of(const tpn::Operation& operation) const {
    const OperationWords words = words_of(question_.pipeline, question_.stages, operation);
    return fmt::format("{} ({}) of data set {}", operation_text(words), processors_text(words), operation.data_set);
  }

  [[noreturn]] void fail_twice(const TracedOperation& first, const TracedOperation& second) const {
    fail(second.position, text_of(second.firing.operation) + " a second time",
         fmt::format("it once, as on line {}", first.position.line));
  }

  [[noreturn]] void fail_missing(const tpn::Operation& operation) const {
    throw FileError(fmt::format("{}: found no {}, expected all {} of each data set, from 0 on", display_name(names_),
                                text_of(operation), plural(question_.pipeline.columns.size(), "operation")));
  }

  std::uint64_t data_set_of(const TraceLine& line) const {
    std::uint64_t number = 0;
    const char* const end = line.data_set.data() + line.data_set.size();
    const auto [stop, error] = std::from_chars(line.data_set.data(), end, number);
    if (error != std::errc() || stop != end || line.data_set.empty()) {
      fail(line.position, "the data set " + in_quotes(line.data_set), "a whole number from 0 to 2^64 - 1");
    }
    return number;
  }

  std::size_t part_of(const TraceLine& line) const {
    const std::vector<tpn::NetPart>& parts = question_.pipeline.parts;
    const std::size_t first = parts.front().role == PartRole::source ? 1 : 0;
    const std::size_t mapped =
        static_cast<std::size_t>(std::ranges::count(parts, PartRole::mapped, &tpn::NetPart::role));
    if (line.part == "source" && first == 1) return 0;
    if (line.part == "sink" && parts.back().role == PartRole::sink) return parts.size() - 1;
    std::size_t number = 0;
    const char* const end = line.part.data() + line.part.size();
    const auto [stop, error] = std::from_chars(line.part.data(), end, number);
    if (error == std::errc() && stop == end && !line.part.empty() && number < mapped) return first + number;
    fail(line.position, "the part " + in_quotes(line.part),
         fmt::format("a part of the mapping, from 0 to {}{}{}", mapped - 1, first == 1 ? ", or source" : "",
                     parts.back().role == PartRole::sink ? ", or sink" : ""));
  }

  tpn::ColumnIndex column_of(const TraceLine& line) {
    const tpn::NetPart& part = question_.pipeline.parts[part_of(line)];
    if (line.operation == "compute") return part.computation;
    if (line.operation != "transfer")
      fail(line.position, "the operation " + in_quotes(line.operation), "compute or transfer");
    if (part.sendings.empty()) {
      fail(line.position, fmt::format("a transfer of part {}", line.part), "none behind the last part");
    }
    return part.sendings.size() == 1 ? part.sendings.front() : one_of_several(line, part);
  }

  // Of transfers that a row does not tell apart the next in column order.
  tpn::ColumnIndex one_of_several(const TraceLine& line, const tpn::NetPart& part) {
    const tpn::Pipeline& pipeline = question_.pipeline;
    const std::uint64_t data_set = data_set_of(line);
    std::optional<tpn::ColumnIndex> found;
    for (const tpn::ColumnIndex transfer : part.sendings) {
      const tpn::NetPart& receiver = pipeline.parts[pipeline.columns[transfer].receiver];
      if (!line.peer.empty() && !stands_for(line.peer, pipeline.processors[receiver.processor_at(data_set)])) {
        continue;
      }
      if (!line.to_part.empty() && part_name(receiver) != line.to_part) continue;
      if (!line.stages.empty() && !stands_for(line.stages, files_of(transfer))) continue;
      if (taken_.insert({data_set, transfer}).second) return transfer;
      found = transfer;
    }
    if (found) return *found;
    fail(line.position, fmt::format("a transfer of part {} to {}", line.part, in_quotes(line.peer)),
         fmt::format("one of its {} of data set {}", part.sendings.size(), data_set));
  }

  std::string files_of(tpn::ColumnIndex transfer) const {
    std::string joined;
    for (const std::size_t stage : question_.pipeline.columns[transfer].files) {
      joined += (joined.empty() ? "" : ";") + question_.stages[stage];
    }
    return joined;
  }

  void check_names(const TraceLine& line, const tpn::Operation& operation) const {
    const tpn::Pipeline& pipeline = question_.pipeline;
    const tpn::Column& column = pipeline.columns[operation.column];
    const bool computes = column.kind == ColumnKind::compute;
    const std::string& processor = pipeline.processors[pipeline.parts[column.part].processor_at(operation.data_set)];
    if (!stands_for(line.processor, processor)) {
      fail(line.position, "the processor " + in_quotes(line.processor),
           fmt::format("{}, which {} part {} of data set {}", in_quotes(processor),
                       computes ? "computes" : "sends the file of", line.part, operation.data_set));
    }
    if (computes && !line.peer.empty())
      fail(line.position, "the peer " + in_quotes(line.peer), "none of a computation");
    if (!computes) {
      const std::string& peer = pipeline.processors[pipeline.parts[column.receiver].processor_at(operation.data_set)];
      if (!stands_for(line.peer, peer)) {
        fail(line.position, "the peer " + in_quotes(line.peer),
             fmt::format("{}, which receives the file of part {} of data set {}", in_quotes(peer), line.part,
                         operation.data_set));
      }
    }
    if (computes && !line.stages.empty() && !stands_for(line.stages, stages_[column.part])) {
      fail(line.position, "the stages " + in_quotes(line.stages),
           fmt::format("{}, those of part {}", in_quotes(stages_[column.part]), line.part));
    }
  }

  Rational time_of(const TraceLine& line, std::string_view text, std::string_view which) {
    auto parsed = maxplus::parse_number(text);
    if (const auto* wrong = std::get_if<maxplus::NumberExpectation>(&parsed)) {
      fail(line.position, fmt::format("the {} {}", which, in_quotes(text)), wrong->expected);
    }
    Rational& time = std::get<Rational>(parsed);
    if (time.sign() < 0)
      fail(line.position, fmt::format("the {} {}", which, in_quotes(text)), "a time that is not below 0");
    if (!mpz_divisible_p(scale_.get_mpz_t(), time.denominator().get_mpz_t())) {
      scale_ = lcm(scale_, time.denominator());
      const std::uint64_t bits = mpz_sizeinbase(scale_.get_mpz_t(), 2);
      if (bits > kMostTraceBits) too_large_ = {tpn::LimitKind::trace_bits, Integer(bits), kMostTraceBits};
    }
    return std::move(time);
  }

  const TraceQuestion& question_;
  const std::string& names_;
  std::vector<std::string> stages_;  // by part
  Integer scale_ = 1;                // a common denominator
  std::uint64_t count_ = 0;
  std::set<tpn::Operation> taken_;  // transfers of parts that send several messages
  std::optional<tpn::TooLarge> too_large_;
};

// The operations of each model in a trace.
struct TracedModel {
  std::string name;
  std::optional<std::uint64_t> rooms;
  std::vector<TracedOperation> operations;
};

// Ends reading at a limit.
struct TraceTooLarge {
  tpn::TooLarge limit;
};

void check_limit(const TraceCollector& collector) {
  if (collector.too_large()) throw TraceTooLarge{*collector.too_large()};
}

std::string expected_models() { return tpn::json::alternatives(model_names()); }

class CsvTrace {
 public:
  CsvTrace(const TraceQuestion& question, TraceCollector& collector) : question_(question), collector_(collector) {}

  std::vector<TracedModel> read(std::string_view text) {
    read_csv(
        text, [this](CsvRow& row) { take(row); },
        [this](const CsvFault& fault) {
          throw FileError(fmt::format("{}:{}: {}", display_name(question_.file), fault.line, fault.message));
        });
    if (!has_header_) collector_.fail({1, 0}, "no row", "the header " + header());
    std::vector<TracedModel> models;
    for (auto& [name, traced] : models_) models.push_back(std::move(traced));
    return models;
  }

 private:
  enum Field { model, data_set, operation, part, stages, processor, peer, start, end, field_count };
  static constexpr std::array<std::string_view, field_count> kFields = {
      "model", "data_set", "operation", "part", "stages", "processor", "peer", "start", "end"};
  // Columns that may be there, and say nothing more.
  static constexpr std::array<std::string_view, 4> kIgnored = {"start_decimal", "end_decimal", "schedule", "critical"};
  static constexpr std::size_t kAbsent = SIZE_MAX;

  static std::string header() { return fmt::format("{}", fmt::join(kFields, ",")); }

  void take(const CsvRow& row) {
    if (!has_header_) return read_header(row);
    if (row.fields.size() != columns_) {
      collector_.fail({row.line, 0}, plural(row.fields.size(), "field"),
                      fmt::format("{}, as the header has", columns_));
    }
    const std::string& name = row.fields[places_[model]];
    TracedModel& traced = models_[name];
    if (traced.name.empty()) {
      if (!tpn::find_model(name)) collector_.fail({row.line, 0}, "the model " + in_quotes(name), expected_models());
      traced.name = name;
    }
    const auto field = [&](Field which) {
      return places_[which] == kAbsent ? std::string_view() : std::string_view(row.fields[places_[which]]);
    };
    traced.operations.push_back(collector_.checked({{row.line, 0},
                                                    field(data_set),
                                                    field(operation),
                                                    field(part),
                                                    field(stages),
                                                    {},
                                                    field(processor),
                                                    field(peer),
                                                    field(start),
                                                    field(end)}));
    check_limit(collector_);
  }

  void read_header(const CsvRow& row) {
    has_header_ = true;
    columns_ = row.fields.size();
    places_.fill(kAbsent);
    for (std::size_t i = 0; i < columns_; ++i) {
      const auto* const known = std::ranges::find(kFields, row.fields[i]);
      if (known == kFields.end()) {
        if (std::ranges::find(kIgnored, row.fields[i]) != kIgnored.end()) continue;
        collector_.fail({row.line, 0}, "the unknown column " + in_quotes(row.fields[i]), "the columns " + header());
      }
      std::size_t& place = places_[static_cast<std::size_t>(known - kFields.begin())];
      if (place != kAbsent)
        collector_.fail({row.line, 0}, "the column " + in_quotes(*known) + " a second time", "it once");
      place = i;
    }
    for (std::size_t k = 0; k < field_count; ++k) {
      if (places_[k] != kAbsent || k == stages) continue;
      collector_.fail({row.line, 0}, "no column " + in_quotes(kFields[k]), "the columns " + header());
    }
  }

  const TraceQuestion& question_;
  TraceCollector& collector_;
  bool has_header_ = false;
  std::size_t columns_ = 0;
  std::array<std::size_t, field_count> places_{};
  std::map<std::string, TracedModel> models_;
};

constexpr std::string_view kOperationKeys[] = {"operation",   "part",    "stages", "processor", "peer",
                                               "data_set",    "start",   "end",    "critical",  "start_decimal",
                                               "end_decimal", "to_part", "outputs"};
constexpr std::string_view kTraceKeys[] = {"file",   "model", "rooms", "time_unit", "data_sets", "schedule",
                                           "period", "entry", "from",  "to",        "operations"};
constexpr ValueForm kTextForm{.content = ValueForm::Content::text};
constexpr ValueForm kTextsForm{.content = ValueForm::Content::array, .items = &kTextForm};
constexpr ValueForm::Member kOperationMembers[] = {{"stages", &kTextsForm}, {"outputs", &kTextsForm}};
constexpr ValueForm kOperationForm{
    .content = ValueForm::Content::object, .keys = kOperationKeys, .members = kOperationMembers};

class JsonTrace {
 public:
  JsonTrace(const TraceQuestion& question, TraceCollector& collector) : question_(question), collector_(collector) {}

  std::vector<TracedModel> read(std::string_view text, bool is_array) {
    const std::function<void(const Value&)> take = [this](const Value& value) { take_operation(value); };
    const ValueForm operations{
        .content = ValueForm::Content::array, .items = &kOperationForm, .keys = {}, .members = {}, .take_item = &take};
    const ValueForm::Member members[] = {{"operations", &operations}};
    const ValueForm object{
        .content = ValueForm::Content::object, .items = nullptr, .keys = kTraceKeys, .members = members};
    const ValueForm array{.content = ValueForm::Content::array, .items = &object};
    const tpn::json::Tree tree = tpn::json::parse(text, display_name(question_.file), is_array ? &array : &object);
    std::vector<TracedModel> models;
    if (is_array) {
      const std::vector<Value>& items = tree.root.items;
      for (auto item = items.rbegin(); item != items.rend(); ++item) add_model(tree, *item, models);
      std::ranges::reverse(models);
    } else {
      add_model(tree, tree.root, models);
    }
    return models;
  }

 private:
  static bool is_before(const Position& a, const Position& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  }

  // With the operations that stand behind the beginning of its array: those of later models have gone by then.
  void add_model(const tpn::json::Tree& tree, const Value& value, std::vector<TracedModel>& models) {
    const Value& object = tpn::json::as_object(tree, value, "a trace", kTraceKeys);
    const Value& name = tpn::json::required(tree, object, "a trace", "model");
    TracedModel traced{tpn::json::as_string(tree, name, "a model"), {}, {}};
    if (!tpn::find_model(traced.name))
      collector_.fail(name.position, "the model " + in_quotes(traced.name), expected_models());
    for (const TracedModel& other : models) {
      if (other.name == traced.name)
        collector_.fail(name.position, "the model " + in_quotes(traced.name) + " a second time", "it once");
    }
    if (const Value* rooms = tpn::json::find(object, "rooms")) {
      const Rational number = tpn::json::as_number(tree, *rooms, tpn::json::Bound::positive_whole);
      if (number > Rational(tpn::kMostRooms)) {
        collector_.fail(rooms->position, "the number " + number.to_string(),
                        fmt::format("at most {}", tpn::kMostRooms));
      }
      traced.rooms = number.numerator().get_ui();
    }
    const Value& operations = tpn::json::required(tree, object, "a trace", "operations");
    // What was no object is still there.
    for (const Value& item : tpn::json::as_array(tree, operations, "the operations")) {
      tpn::json::as_object(tree, item, "an operation", kOperationKeys);
    }
    const auto begin = std::ranges::partition_point(
        operations_, [&](const TracedOperation& one) { return is_before(one.position, operations.position); });
    traced.operations.assign(std::make_move_iterator(begin), std::make_move_iterator(operations_.end()));
    operations_.erase(begin, operations_.end());
    models.push_back(std::move(traced));
  }

  std::string_view text(const Value& object, std::string_view key) const {
    const Value* const value = tpn::json::find(object, key);
    if (value == nullptr) return {};
    if (value->kind != tpn::json::Kind::string && value->kind != tpn::json::Kind::number) {
      collector_.fail(value->position, tpn::json::describe(*value),
                      fmt::format("text or a number for {}", in_quotes(key)));
    }
    return value->text;
  }

  void take_operation(const Value& object) {
    for (const tpn::json::Key& key : object.keys) {
      if (std::ranges::find(kOperationKeys, key.name) == std::end(kOperationKeys)) {
        collector_.fail(key.position, "the unknown key " + in_quotes(key.name),
                        fmt::format("keys among {}", fmt::join(kOperationKeys, ", ")));
      }
    }
    stages_.clear();
    if (const Value* stages = tpn::json::find(object, "stages")) {
      if (stages->kind != tpn::json::Kind::array) {
        collector_.fail(stages->position, tpn::json::describe(*stages), "an array of names");
      }
      for (const Value& stage : stages->items) stages_ += (stages_.empty() ? "" : ";") + stage.text;
    }
    operations_.push_back(
        collector_.checked({object.position, text(object, "data_set"), text(object, "operation"), text(object, "part"),
                            stages_, text(object, "to_part"), text(object, "processor"), text(object, "peer"),
                            text(object, "start"), text(object, "end")}));
    check_limit(collector_);
  }

  const TraceQuestion& question_;
  TraceCollector& collector_;
  std::string stages_;
  std::vector<TracedOperation> operations_;  // in the order of the text
};

// The one that was asked for, else the only one.
TracedModel& chosen_of(std::vector<TracedModel>& models, const TraceQuestion& question) {
  std::vector<std::string> names;
  names.reserve(models.size());
  for (const TracedModel& traced : models) names.push_back(traced.name);
  if (models.empty()) throw FileError(display_name(question.file) + ": found no operation, expected those of a run");
  if (question.choice.name.empty()) {
    if (models.size() == 1) return models.front();
    throw UsageError(fmt::format("{} holds runs under {}; say which with --model", display_name(question.file),
                                 fmt::join(names, " and ")));
  }
  const auto chosen = std::ranges::find(models, question.choice.name, &TracedModel::name);
  if (chosen != models.end()) return *chosen;
  throw FileError(fmt::format("{}: found a run under {}, expected one under {} (--model)", display_name(question.file),
                              fmt::join(names, " and "), question.choice.name));
}

tpn::Model model_of(const TracedModel& traced, const TraceQuestion& question) {
  ModelChoice choice{traced.name, question.choice.rooms};
  if (!choice.rooms && (*tpn::find_model(traced.name))->has_rooms) choice.rooms = traced.rooms;
  return *chosen_model(choice, question.own);
}

}  // namespace

std::variant<ReadTrace, tpn::TooLarge> read_trace(std::string_view text, const TraceQuestion& question) {
  TraceCollector collector(question);
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view begin = text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  begin.remove_prefix(std::min(begin.find_first_not_of(" \t\r\n"), begin.size()));
  try {
    std::vector<TracedModel> models = begin.starts_with('{') || begin.starts_with('[')
                                          ? JsonTrace(question, collector).read(text, begin.starts_with('['))
                                          : CsvTrace(question, collector).read(text);
    TracedModel& chosen = chosen_of(models, question);
    const tpn::Model model = model_of(chosen, question);
    return ReadTrace{model, collector.complete(std::move(chosen.operations))};
  } catch (const TraceTooLarge& too_large) {
    return too_large.limit;
  }
}

}  // namespace takt::tools
