// Rows to stages, processors and links, each mistake with its line.
#include "tools/files/measured_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "tools/words/csv.hpp"
#include "tpn/errors.hpp"
#include "tpn/expansion.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"
#include "tpn/units.hpp"
#include "tpn/validate.hpp"
#include "tpn/workflow.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;
using tpn::Quantity;
using tpn::json::Bound;
using tpn::json::quote;

constexpr std::string_view kSource = "source";
constexpr std::string_view kSink = "sink";
constexpr std::string_view kAnyProcessor = "*";
constexpr std::string_view kSources = "--sources";
constexpr std::string_view kSinks = "--sinks";

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

struct NumberPlace {
  std::size_t line = 0;
  std::string text;
};

// A table with named columns, of which the first few must be there.
class NamedColumns {
 public:
  NamedColumns(const TableText& table, std::vector<std::string_view> known, std::size_t needed)
      : known_(std::move(known)) {
    CsvTable read = read_csv(table.text);
    rows_ = std::move(read.rows);
    faults_ = std::move(read.faults);
    if (rows_.empty()) {
      if (faults_.empty()) fail(1, "found no row, expected the header " + header());
      return;
    }
    read_header(rows_.front(), needed);
    if (place_of_.empty()) {
      rows_.clear();
      return;
    }
    if (rows_.size() == 1 && faults_.empty()) fail(rows_.front().line, "found a header alone, expected rows below");
    std::erase_if(rows_, [&, first = rows_.front().line](const CsvRow& row) {
      return row.line == first || !has_all_fields(row);
    });
  }

  std::span<const CsvRow> rows() const { return rows_; }
  /// What a row says in a column; "" where the table lacks the column.
  std::string_view cell(const CsvRow& row, std::string_view column) const {
    const auto place = place_of_.find(column);
    return place == place_of_.end() ? std::string_view() : row.fields[place->second];
  }

  void fail(std::size_t line, std::string message) { faults_.push_back({line, std::move(message)}); }
  /// The first number that has a unit, and the first that has none and would need one beside it.
  const std::optional<NumberPlace>& with_unit() const { return with_unit_; }
  const std::optional<NumberPlace>& without_unit() const { return without_unit_; }
  /// In the order of their lines.
  std::vector<CsvFault> faults() const {
    std::vector<CsvFault> sorted = faults_;
    std::ranges::stable_sort(sorted, {}, &CsvFault::line);
    return sorted;
  }

  /// The name in a column; nothing, and a fault, if there is none.
  std::optional<std::string> name(const CsvRow& row, std::string_view column, std::string_view what) {
    std::string text(cell(row, column));
    if (!text.empty() && tpn::json::string_text(text)) return text;
    fail(row.line, fmt::format("found {} in the column {}, expected the name of {}, as UTF-8 text",
                               text.empty() ? "nothing" : quote(text), quote(column), what));
    return std::nullopt;
  }

  /// The number in a column, with or without a unit.
  std::optional<Rational> number(const CsvRow& row, std::string_view column, Quantity quantity, Bound bound) {
    const std::string_view text = cell(row, column);
    const auto parsed = tpn::parse_quantity(text, quantity, maxplus::kMaxDigits);
    const auto* number = std::get_if<Rational>(&parsed);
    const auto expected = number != nullptr ? tpn::json::violation(*number, bound)
                                            : std::optional(std::get<maxplus::NumberExpectation>(parsed).expected);
    if (!expected) {
      note_unit(row.line, text, quantity, *number);
      return *number;
    }
    fail(row.line, fmt::format("found {} in the column {}, expected {}", text.empty() ? "nothing" : quote(text),
                               quote(column), *expected));
    return std::nullopt;
  }

 private:
  std::string header() const { return fmt::format("{}", fmt::join(known_, ",")); }

  void read_header(const CsvRow& row, std::size_t needed) {
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      const auto column = std::ranges::find(known_, lower_case(row.fields[i]));
      if (column == known_.end()) {
        const bool has_other_separator =
            row.fields.size() == 1 && row.fields[i].find_first_of(";\t") != std::string::npos;
        return fail(row.line,
                    fmt::format("found the unknown column {}, expected columns among {}{}", quote(row.fields[i]),
                                header(), has_other_separator ? ", between commas" : ""));
      }
      if (!places.emplace(*column, i).second)
        return fail(row.line, fmt::format("found the column {} a second time, expected it once", quote(*column)));
    }
    for (std::size_t k = 0; k < needed; ++k) {
      if (places.contains(known_[k])) continue;
      return fail(row.line, fmt::format("found no column {}, expected columns among {}", quote(known_[k]), header()));
    }
    place_of_ = std::move(places);
    columns_ = row.fields.size();
  }

  // A size without a unit is one in bytes, and 0 is 0.
  void note_unit(std::size_t line, std::string_view text, Quantity quantity, const Rational& number) {
    const bool has = tpn::has_unit(text);
    auto& first = has ? with_unit_ : without_unit_;
    if (!first && (has || (quantity != Quantity::size && number.sign() > 0)))
      first = NumberPlace{line, std::string(text)};
  }

  bool has_all_fields(const CsvRow& row) {
    if (row.fields.size() == columns_) return true;
    fail(row.line, fmt::format("found {} fields, expected {}, as the header has", row.fields.size(), columns_));
    return false;
  }

  std::vector<std::string_view> known_;
  std::vector<CsvFault> faults_;
  std::optional<NumberPlace> with_unit_;
  std::optional<NumberPlace> without_unit_;
  std::vector<CsvRow> rows_;
  std::map<std::string_view, std::size_t> place_of_;  // by column; empty if the header is not one
  std::size_t columns_ = 0;
};

// Names in the order of their first appearance.
class NumberedNames {
 public:
  std::size_t number_of(const std::string& name) { return numbers_.try_emplace(name, numbers_.size()).first->second; }
  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  std::size_t size() const { return numbers_.size(); }

 private:
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

// What a row of the table of times said first.
template <typename Value>
struct Said {
  Value value{};
  std::size_t line = 0;
};

// What rows say of a processor.
struct Machine {
  std::optional<Said<std::uint64_t>> cores;
  std::optional<Said<std::string>> type;
  std::optional<Said<std::string>> host;
};

class Importer {
 public:
  ImportedProblem run(const MeasuredTables& tables) {
    read_times(tables.times);
    // Who is unknown there may stand in a row that could not be read.
    if (!result_.faults.empty()) return std::move(result_);
    if (tables.edges) read_edges(*tables.edges);
    if (!result_.faults.empty()) return std::move(result_);
    name_ends(tables.sources, kSources, sources_, problem_.platform.source);
    name_ends(tables.sinks, kSinks, sinks_, problem_.platform.sink);
    if (!result_.faults.empty()) return std::move(result_);
    if (tables.links) {
      read_links(*tables.links);
    } else {
      problem_.platform.defaults.time = 0;
      result_.notes.emplace_back("Without a table of links, transfers take no time.");
    }
    if (tables.sizes) read_sizes(*tables.sizes);
    if (tables.links && result_.faults.empty()) require_links_of_ends(*tables.links);
    if (result_.faults.empty()) complete_ends(tables.links ? *tables.links : tables.times);
    settle_units();
    if (!result_.faults.empty()) return std::move(result_);
    note_missing_times();
    add_types();
    expand_cores();
    try {
      tpn::validate(problem_);
      result_.problem = std::move(problem_);
    } catch (const tpn::InvalidInstance& error) {
      result_.faults.push_back(tables.times.name + ": " + error.what());
    }
    return std::move(result_);
  }

 private:
  void tell_faults(const TableText& table, const NamedColumns& rows) {
    for (const CsvFault& fault : rows.faults())
      result_.faults.push_back(fmt::format("{}:{}: {}", table.name, fault.line, fault.message));
    const auto note = [&](std::optional<NumberInTable>& first, const std::optional<NumberPlace>& here) {
      if (!first && here) first = NumberInTable{table.name, *here};
    };
    note(with_unit_, rows.with_unit());
    note(without_unit_, rows.without_unit());
  }

  // Units stand on all times and bandwidths, or on none.
  void settle_units() {
    if (with_unit_) problem_.time_unit = tpn::TimeUnit::second;
    if (!with_unit_ || !without_unit_) return;
    result_.faults.push_back(fmt::format(
        "{}:{}: found {} without a unit, though {} in {}:{} has one, expected units on all times, latencies and "
        "bandwidths, or on none",
        without_unit_->table, without_unit_->place.line, quote(without_unit_->place.text),
        quote(with_unit_->place.text), with_unit_->table, with_unit_->place.line));
  }

  using Pair = std::pair<std::size_t, std::size_t>;
  // What a row of links has on one side: a machine, the first of its host; a source or sink; "*".
  struct LinkSide {
    enum class Kind { machine, end, all };
    Kind kind = Kind::machine;
    std::size_t number = 0;

    friend auto operator<=>(const LinkSide&, const LinkSide&) = default;
  };
  using LinkSides = std::pair<LinkSide, LinkSide>;
  struct NumberInTable {
    std::string table;
    NumberPlace place;
  };
  struct LinkRow {
    std::size_t line = 0;
    tpn::LinkTiming timing;
    std::vector<Rational> times{};  // measured, of a link with a time
  };

  void read_times(const TableText& table) {
    NamedColumns rows(table, {"stage", "processor", "time", "cores", "type", "host"}, 3);
    std::map<Pair, std::vector<Rational>> times;
    for (const CsvRow& row : rows.rows()) {
      const auto stage = rows.name(row, "stage", "a stage");
      const auto processor = rows.name(row, "processor", "a processor");
      const auto time = rows.number(row, "time", Quantity::time, Bound::non_negative);
      if (!stage || !processor || !time) continue;
      const std::size_t s = stages_.number_of(*stage);
      const std::size_t p = processors_.number_of(*processor);
      if (s == problem_.application.stages.size()) problem_.application.stages.emplace_back().name = *stage;
      if (p == problem_.platform.processors.size()) {
        problem_.platform.processors.push_back({*processor, {}, {}});
        machines_.emplace_back();
      }
      note_machine(row, rows, *processor, machines_[p]);
      std::vector<Rational>& measured = times[{s, p}];
      if (measured.size() == tpn::kMostSamples) {
        rows.fail(row.line, fmt::format("found one more time of {} on {}, expected at most {}", quote(*stage),
                                        quote(*processor), tpn::kMostSamples));
        continue;
      }
      if (measured.empty()) problem_.application.stages[s].times.push_back({p, *time});
      measured.push_back(*time);
    }
    std::size_t repeated = 0;
    for (tpn::Stage& stage : problem_.application.stages) {
      const auto s = static_cast<std::size_t>(&stage - problem_.application.stages.data());
      for (tpn::StageTime& own : stage.times) {
        const std::vector<Rational>& measured = times[{s, own.processor}];
        if (measured.size() > 1) ++repeated;
        vary_by(measured, own.time, own.law);
      }
    }
    note_samples(repeated, "time of a stage has", "times of stages have");
    settle_hosts(rows);
    tell_faults(table, rows);
  }

  // One measurement is a number, several are samples.
  static void vary_by(const std::vector<Rational>& measured, Rational& time, tpn::SharedLaw& law) {
    if (measured.size() < 2) return;
    tpn::SampledLaw sampled = tpn::law_of_samples(measured);
    time = std::move(sampled.mean);
    law = tpn::SharedLaw(std::move(sampled.law));
  }

  void note_samples(std::size_t count, std::string_view one, std::string_view several) {
    if (count == 0) return;
    result_.notes.push_back(
        fmt::format("{} {} several measurements: exact answers use their mean, takt vary uses all of them.", count,
                    count == 1 ? one : several));
  }

  // Hosts as documents have them: of several processors, none of them on another host.
  void settle_hosts(NamedColumns& rows) {
    auto& processors = problem_.platform.processors;
    std::map<std::string_view, std::size_t> members;
    std::set<std::string> hosts;  // of others
    for (std::size_t p = 0; p < machines_.size(); ++p) {
      if (machines_[p].host && machines_[p].host->value != processors[p].name)
        processors[p].host = *hosts.insert(machines_[p].host->value).first;
      ++members[tpn::host_name(processors[p])];
      first_of_host_.try_emplace(tpn::host_name(processors[p]), p);
    }
    for (std::size_t p = 0; p < machines_.size(); ++p) {
      const std::string& host = processors[p].host;
      if (host.empty()) continue;
      const std::size_t line = machines_[p].host->line;
      if (hosts.contains(processors[p].name)) {
        rows.fail(line, fmt::format("found the host {} of {}, which is a host itself, expected none", quote(host),
                                    quote(processors[p].name)));
      } else if (members.at(host) == 1 && !processors_.find(host)) {
        rows.fail(line, fmt::format("found the unknown host {} of {}, expected the name of another processor, or one "
                                    "that several processors have as their host",
                                    quote(host), quote(processors[p].name)));
      }
    }
  }

  // Those of an option, in turn.
  void name_ends(const std::vector<std::string>& names, std::string_view option, NumberedNames& numbers,
                 std::optional<tpn::Endpoint>& end) {
    for (const std::string& name : names) {
      if (name.empty() || name == kAnyProcessor || !tpn::json::string_text(name)) {
        result_.faults.push_back(
            fmt::format("{}: found {}, expected names between commas", option, name.empty() ? "nothing" : quote(name)));
      } else if (machine_of(name)) {
        result_.faults.push_back(fmt::format(
            "{}: found {}, which the table of times has as a processor or a host, expected a name of its own", option,
            quote(name)));
      } else if (sources_.find(name) || sinks_.find(name)) {
        result_.faults.push_back(
            fmt::format("{}: found the name {} a second time, expected it once", option, quote(name)));
      } else {
        numbers.number_of(name);
        if (!end) end.emplace();
        end->named.emplace_back().name = name;
      }
    }
  }

  // A processor, or the first one of a host.
  std::optional<std::size_t> machine_of(std::string_view name) const {
    const auto processor = processors_.find(name);
    const auto host = first_of_host_.find(processor ? tpn::host_name(problem_.platform.processors[*processor]) : name);
    return host == first_of_host_.end() ? std::nullopt : std::optional(host->second);
  }

  // Each at most once, or the same again.
  void note_machine(const CsvRow& row, NamedColumns& rows, const std::string& name, Machine& machine) {
    if (!rows.cell(row, "cores").empty()) {
      const auto cores = rows.number(row, "cores", Quantity::size, Bound::positive_whole);
      if (!cores) return;
      if (*cores > Rational(tpn::kMostCores)) {
        return rows.fail(row.line,
                         fmt::format("found {} cores, expected at most {}", cores->to_string(), tpn::kMostCores));
      }
      const std::uint64_t count = cores->numerator().get_ui();
      note_once(row, rows, machine.cores, count, fmt::format("{} cores of {}", count, quote(name)));
    }
    note_text(row, rows, "type", name, machine.type);
    note_text(row, rows, "host", name, machine.host);
  }

  static void note_text(const CsvRow& row, NamedColumns& rows, std::string_view column, const std::string& name,
                        std::optional<Said<std::string>>& known) {
    const std::string text(rows.cell(row, column));
    if (text.empty()) return;
    if (!tpn::json::string_text(text)) {
      return rows.fail(row.line,
                       fmt::format("found {} in the column {}, expected UTF-8 text", quote(text), quote(column)));
    }
    note_once(row, rows, known, text, fmt::format("the {} {} of {}", column, quote(text), quote(name)));
  }

  template <typename Value>
  static void note_once(const CsvRow& row, NamedColumns& rows, std::optional<Said<Value>>& known, const Value& value,
                        const std::string& found) {
    if (!known) known = Said<Value>{value, row.line};
    if (known->value == value) return;
    rows.fail(row.line, fmt::format("found {}, expected the same as in line {}", found, known->line));
  }

  // Types have what all of their processors have; what differs is the processors' own.
  void add_types() {
    std::vector<tpn::ProcessorType>& types = problem_.platform.types;
    for (std::size_t p = 0; p < machines_.size(); ++p) {
      if (!machines_[p].type) continue;
      const std::string& name = machines_[p].type->value;
      const auto known = std::ranges::find(types, name, &tpn::ProcessorType::name);
      problem_.platform.processors[p].type = static_cast<std::size_t>(known - types.begin());
      tpn::inherit_price(problem_.platform.processors[p], {});
      if (known != types.end()) continue;
      tpn::ProcessorType type;
      type.name = name;
      type.cores = machines_[p].cores ? machines_[p].cores->value : 1;
      types.push_back(std::move(type));
    }
    for (tpn::Stage& stage : problem_.application.stages)
      for (std::size_t t = 0; t < types.size(); ++t) add_type_time(stage, t);
  }

  // Where all processors of the type have one time.
  void add_type_time(tpn::Stage& stage, std::size_t type) {
    std::vector<tpn::StageTime*> own;
    for (tpn::StageTime& time : stage.times)
      if (problem_.platform.processors[time.processor].type == type) own.push_back(&time);
    const auto members = static_cast<std::size_t>(
        std::ranges::count(problem_.platform.processors, std::optional(type), &tpn::Processor::type));
    if (own.empty() || own.size() < members) return;
    for (const tpn::StageTime* time : own)
      if (time->time != own.front()->time || time->law != own.front()->law) return;
    for (tpn::StageTime* time : own) time->inherited = true;
    stage.type_times.push_back({type, own.front()->time, 0, own.front()->law});
  }

  // From machines to their cores.
  void expand_cores() {
    tpn::Platform& platform = problem_.platform;
    std::vector<std::size_t> first;
    std::vector<tpn::Processor> cores;
    for (std::size_t p = 0; p < platform.processors.size(); ++p) {
      first.push_back(cores.size());
      tpn::add_cores(platform.processors[p], machines_[p].cores ? machines_[p].cores->value : 1, cores);
    }
    first.push_back(cores.size());
    platform.processors = std::move(cores);
    for (tpn::Stage& stage : problem_.application.stages) {
      std::vector<tpn::StageTime> times;
      for (const tpn::StageTime& own : stage.times) {
        for (std::size_t p = first[own.processor]; p < first[own.processor + 1]; ++p)
          times.push_back({p, own.time, own.inherited, 0, own.law});
      }
      stage.times = std::move(times);
      // Those of types stand behind all others.
      std::stable_partition(stage.times.begin(), stage.times.end(),
                            [](const tpn::StageTime& own) { return !own.inherited; });
    }
    for (tpn::Link& link : platform.links) {
      link.from = first[link.from];
      link.to = first[link.to];
    }
    const auto expand_links = [&](tpn::Endpoint& end) {
      for (tpn::EndpointLink& link : end.links) link.processor = first[link.processor];
    };
    for (auto* const end : {&platform.source, &platform.sink}) {
      if (!*end) continue;
      expand_links(**end);
      for (tpn::Endpoint& one : (*end)->named) expand_links(one);
    }
  }

  // A fixed time, or a bandwidth with a latency.
  std::optional<tpn::LinkTiming> timing_of(const CsvRow& row, NamedColumns& rows) {
    tpn::LinkTiming timing;
    const bool has_time = !rows.cell(row, "time").empty();
    const bool has_latency = !rows.cell(row, "latency").empty();
    const bool has_bandwidth = !rows.cell(row, "bandwidth").empty();
    if (has_time == (has_bandwidth || has_latency)) {
      rows.fail(row.line, has_time ? "found a time together with a bandwidth or a latency, expected either"
                                   : "found neither a time nor a bandwidth, expected one");
      return std::nullopt;
    }
    if (has_time) {
      timing.time = rows.number(row, "time", Quantity::time, Bound::non_negative);
      return timing.time ? std::optional(timing) : std::nullopt;
    }
    timing.bandwidth = rows.number(row, "bandwidth", Quantity::bandwidth, Bound::positive);
    if (has_latency) timing.latency = rows.number(row, "latency", Quantity::time, Bound::non_negative);
    if (!timing.bandwidth || (has_latency && !timing.latency)) return std::nullopt;
    return timing;
  }

  void read_links(const TableText& table) {
    NamedColumns rows(table, {"from", "to", "bandwidth", "latency", "time"}, 2);
    for (const CsvRow& row : rows.rows()) {
      const auto from = rows.name(row, "from", "a processor");
      const auto to = rows.name(row, "to", "a processor");
      const auto timing = timing_of(row, rows);
      if (from && to && timing) add_link(row, rows, *from, *to, *timing);
    }
    tell_faults(table, rows);
    write_links();
  }

  void add_link(const CsvRow& row, NamedColumns& rows, const std::string& from, const std::string& to,
                const tpn::LinkTiming& timing) {
    const auto sides = sides_of(row, rows, from, to);
    if (!sides) return;
    const auto [known, is_new] = links_.try_emplace(*sides, LinkRow{row.line, timing});
    std::vector<Rational>& times = known->second.times;
    const bool is_measured_again = timing.time && known->second.timing.time && times.size() < tpn::kMostSamples;
    if (timing.time && (is_new || is_measured_again)) times.push_back(*timing.time);
    if (is_new || is_measured_again) return;
    rows.fail(row.line, fmt::format("found a second link from {} to {}, expected one: the first is in line {}",
                                    quote(from), quote(to), known->second.line));
  }

  std::optional<LinkSides> sides_of(const CsvRow& row, NamedColumns& rows, const std::string& from,
                                    const std::string& to) {
    const auto sender = side_of(from, kSource, sources_);
    const auto receiver = side_of(to, kSink, sinks_);
    const bool is_default = sender == kAll && receiver == kAll;
    const bool from_end = sender && sender->kind == LinkSide::Kind::end;
    const bool to_end = receiver && receiver->kind == LinkSide::Kind::end;
    std::string fault;
    if (!is_default && from == to) {
      fault = fmt::format("found a link from {} to itself, expected two different ends", quote(from));
    } else if (!sender || (sender == kAll && !is_default && !to_end)) {
      fault =
          fmt::format("found the unknown processor {}, expected one of the table of times, {}, or \"*\" at both ends",
                      quote(from), words_of_end(kSource, kSources, sources_));
    } else if (!receiver || (from_end && to_end) || (receiver == kAll && !is_default && !from_end)) {
      fault = fmt::format("found the unknown processor {}, expected one of the table of times, or {}", quote(to),
                          from_end ? quote(kAnyProcessor) : words_of_end(kSink, kSinks, sinks_));
    } else if (!is_default && *sender == *receiver) {
      fault =
          fmt::format("found a link from {} to {}, which are on one host, expected two hosts", quote(from), quote(to));
    } else {
      return LinkSides{*sender, *receiver};
    }
    rows.fail(row.line, fault);
    return std::nullopt;
  }

  static std::string words_of_end(std::string_view lone_end, std::string_view option, const NumberedNames& ends) {
    return ends.size() == 0 ? quote(lone_end) : fmt::format("one of {}", option);
  }

  // Nothing if the name is unknown. Processors have theirs before "source", "sink" and "*".
  std::optional<LinkSide> side_of(const std::string& name, std::string_view lone_end, const NumberedNames& ends) const {
    if (const auto machine = machine_of(name)) return LinkSide{LinkSide::Kind::machine, *machine};
    if (name == kAnyProcessor) return kAll;
    if (ends.size() == 0 && name == lone_end) return LinkSide{LinkSide::Kind::end, 0};
    const auto number = ends.find(name);
    return number ? std::optional(LinkSide{LinkSide::Kind::end, *number}) : std::nullopt;
  }

  void write_links() {
    tpn::Platform& platform = problem_.platform;
    std::size_t both_ways = 0;
    std::size_t one_way = 0;
    std::size_t repeated = 0;
    for (auto& [sides, row] : links_) {
      if (row.times.size() > 1) ++repeated;
      if (row.timing.time) vary_by(row.times, *row.timing.time, row.timing.fixed_law);
    }
    note_samples(repeated, "link has", "links have");
    for (const auto& [sides, row] : links_) {
      const auto [from, to] = sides;
      if (from.kind == LinkSide::Kind::end) {
        set_end_link(platform.source, from.number, to, row.timing);
      } else if (to.kind == LinkSide::Kind::end) {
        set_end_link(platform.sink, to.number, from, row.timing);
      } else if (from == kAll) {
        platform.defaults = row.timing;
      } else {
        const auto back = links_.find({to, from});
        const bool is_alike = back != links_.end() && back->second.timing == row.timing;
        if (!is_alike || from < to) platform.links.push_back({from.number, to.number, row.timing, !is_alike});
        ++(back != links_.end() ? both_ways : one_way);
      }
    }
    if (one_way > 1 && both_ways == 0) {
      result_.notes.emplace_back(
          "Each row of links is one direction, and no pair of processors has both. If both exist, list both.");
    }
  }

  static void set_end_link(std::optional<tpn::Endpoint>& end, std::size_t number, const LinkSide& other,
                           const tpn::LinkTiming& timing) {
    if (!end) end.emplace();
    tpn::Endpoint& one = end->named.empty() ? *end : end->named[number];
    if (other == kAll) {
      one.timing = timing;
    } else {
      one.links.push_back({other.number, timing});
    }
  }

  // Whoever has a name has a link.
  void require_links_of_ends(const TableText& table) {
    if (links_.contains({kAll, kAll})) return;
    for (const auto& [end, what] :
         {std::pair(&problem_.platform.source, "from the source"), std::pair(&problem_.platform.sink, "to the sink")}) {
      if (!*end) continue;
      for (const tpn::Endpoint& one : (*end)->named) {
        if (!one.links.empty() || one.timing != tpn::LinkTiming{}) continue;
        result_.faults.push_back(
            fmt::format("{}: found no link {} {}, expected a row of it, or one of \"*\" at both ends", table.name, what,
                        quote(one.name)));
      }
    }
  }

  void read_edges(const std::variant<TableText, StageEdges>& edges) {
    if (const auto* list = std::get_if<StageEdges>(&edges)) return use_edges(*list);
    const auto& table = std::get<TableText>(edges);
    NamedColumns rows(table, {"from", "to", "size"}, 2);
    StageEdges list{table.name, {}};
    for (const CsvRow& row : rows.rows()) {
      const auto from = rows.name(row, "from", "a stage");
      const auto to = rows.name(row, "to", "a stage");
      if (from && to) list.edges.push_back({*from, *to, std::string(rows.cell(row, "size")), row.line});
    }
    tell_faults(table, rows);
    if (result_.faults.empty()) use_edges(list);
  }

  void use_edges(const StageEdges& list) {
    const auto fail = [&](const StageEdge& edge, const std::string& message) {
      result_.faults.push_back(edge.line ? fmt::format("{}:{}: {}", list.name, *edge.line, message)
                                         : fmt::format("{}: {} -> {}: {}", list.name, edge.from, edge.to, message));
    };
    std::set<std::pair<std::size_t, std::size_t>> files;  // sender, receiver
    std::vector<WorldEdge> of_world;
    for (const StageEdge& edge : list.edges) {
      const auto from = stages_.find(edge.from);
      const auto to = stages_.find(edge.to);
      if (!from && edge.from == kSource && to) {
        of_world.push_back({&edge, *to, true});
        set_size(edge, problem_.application.input, fail);
      } else if (!to && edge.to == kSink && from) {
        of_world.push_back({&edge, *from, false});
        set_size(edge, problem_.application.stages[*from].output, fail);
      } else if (!from || !to) {
        fail(edge, fmt::format("found the unknown stage {}, expected one of the table of times, or from \"source\" to "
                               "\"sink\"",
                               quote(from ? edge.to : edge.from)));
      } else if (from == to) {
        fail(edge, fmt::format("found the stage {} taking its own file, expected another one's", quote(edge.from)));
      } else if (!files.emplace(*from, *to).second) {
        fail(edge, fmt::format("found the edge from {} to {} a second time, expected it once", quote(edge.from),
                               quote(edge.to)));
      } else {
        set_size(edge, problem_.application.stages[*from].output, fail);
      }
    }
    require_ends(of_world, files, fail);
    if (result_.faults.empty()) order_stages(list, files);
  }

  // From the source, or to the sink.
  struct WorldEdge {
    const StageEdge* said = nullptr;
    std::size_t stage = 0;
    bool is_input = false;
  };

  template <typename Fail>
  static void require_ends(const std::vector<WorldEdge>& of_world,
                           const std::set<std::pair<std::size_t, std::size_t>>& files, const Fail& fail) {
    for (const WorldEdge& edge : of_world) {
      const bool has_other = std::ranges::any_of(
          files, [&](const auto& file) { return (edge.is_input ? file.second : file.first) == edge.stage; });
      if (!has_other) continue;
      fail(*edge.said,
           edge.is_input
               ? fmt::format("found {}, which takes files of other stages, expected a stage that takes none",
                             quote(edge.said->to))
               : fmt::format("found {}, whose file other stages take, expected a stage whose file no stage takes",
                             quote(edge.said->from)));
    }
  }

  template <typename Fail>
  void set_size(const StageEdge& edge, std::optional<Rational>& size, const Fail& fail) {
    if (edge.size.empty()) return;
    const auto parsed = tpn::parse_quantity(edge.size, Quantity::size, maxplus::kMaxDigits);
    const auto* number = std::get_if<Rational>(&parsed);
    const auto expected = number != nullptr ? tpn::json::violation(*number, Bound::non_negative)
                                            : std::optional(std::get<maxplus::NumberExpectation>(parsed).expected);
    if (expected) return fail(edge, fmt::format("found the size {}, expected {}", quote(edge.size), *expected));
    if (size && *size != *number) {
      return fail(edge, fmt::format("found the size {} of {}'s file, expected the size on its other edge, {} B",
                                    quote(edge.size), quote(edge.from), size->to_string()));
    }
    size = *number;
  }

  // "a -> b -> a": back from one that is not placed to one whose file it waits for, until one comes again.
  std::string round_among(const std::set<std::pair<std::size_t, std::size_t>>& files,
                          const std::vector<bool>& is_placed) const {
    std::vector<std::size_t> way{static_cast<std::size_t>(std::ranges::find(is_placed, false) - is_placed.begin())};
    for (;;) {
      const auto before = std::ranges::find_if(
          files, [&](const auto& file) { return file.second == way.back() && !is_placed[file.first]; });
      const bool comes_again = std::ranges::find(way, before->first) != way.end();
      way.push_back(before->first);
      if (!comes_again) continue;
      way.erase(way.begin(), std::ranges::find(way, before->first));
      break;
    }
    std::string text;
    for (auto stage = way.rbegin(); stage != way.rend(); ++stage)
      text += (text.empty() ? "" : " -> ") + problem_.application.stages[*stage].name;
    return text;
  }

  // Each behind those whose files it takes, the earliest first.
  void order_stages(const StageEdges& list, const std::set<std::pair<std::size_t, std::size_t>>& files) {
    std::vector<tpn::Stage>& stages = problem_.application.stages;
    std::vector<std::size_t> missing(stages.size(), 0);
    for (const auto& [from, to] : files) ++missing[to];
    std::vector<std::size_t> order;
    std::vector<bool> is_placed(stages.size(), false);
    while (order.size() < stages.size()) {
      std::size_t next = 0;
      while (next < stages.size() && (is_placed[next] || missing[next] > 0)) ++next;
      if (next == stages.size()) {
        result_.faults.push_back(
            fmt::format("{}: found a cycle of files, {}, expected none", list.name, round_among(files, is_placed)));
        return;
      }
      is_placed[next] = true;
      order.push_back(next);
      for (const auto& [from, to] : files)
        if (from == next) --missing[to];
    }
    std::vector<std::size_t> place(stages.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
    for (const auto& [from, to] : files) {
      if (!stages[to].after) stages[to].after.emplace();
      stages[to].after->push_back(place[from]);
    }
    std::vector<tpn::Stage> sorted;
    NumberedNames names;
    for (const std::size_t k : order) {
      tpn::Stage& stage = sorted.emplace_back(std::move(stages[k]));
      names.number_of(stage.name);
      std::vector<std::size_t> after = stage.after.value_or(std::vector<std::size_t>{});
      std::ranges::sort(after);
      // The file of the stage before is nothing to say.
      const std::size_t number = sorted.size() - 1;
      const bool is_usual = number == 0 ? after.empty() : after.size() == 1 && after.front() + 1 == number;
      stage.after = is_usual ? std::nullopt : std::optional(std::move(after));
    }
    stages = std::move(sorted);
    stages_ = std::move(names);
  }

  void read_sizes(const TableText& table) {
    NamedColumns rows(table, {"stage", "output"}, 2);
    std::map<std::string, std::size_t> lines;
    for (const CsvRow& row : rows.rows()) {
      const auto name = rows.name(row, "stage", "a stage");
      const auto size = rows.number(row, "output", Quantity::size, Bound::non_negative);
      if (!name || !size) continue;
      const auto stage = stages_.find(*name);
      if (!stage && *name != kSource) {
        rows.fail(row.line, fmt::format("found the unknown stage {}, expected one of the table of times, or \"source\"",
                                        quote(*name)));
        continue;
      }
      const auto [known, is_new] = lines.try_emplace(*name, row.line);
      if (!is_new) {
        rows.fail(row.line, fmt::format("found a second size for {}, expected one: the first is in line {}",
                                        quote(*name), known->second));
        continue;
      }
      std::optional<Rational>& said = stage ? problem_.application.stages[*stage].output : problem_.application.input;
      if (said && *said != *size) {
        rows.fail(row.line, fmt::format("found the size {} of {}'s file, expected {} B, as on an edge",
                                        quote(rows.cell(row, "output")), quote(*name), said->to_string()));
        continue;
      }
      said = *size;
    }
    tell_faults(table, rows);
  }

  // Fixed times ask for no size, but a document with a source or a sink does.
  void complete_ends(const TableText& table) {
    tpn::Platform& platform = problem_.platform;
    const auto has_time = [](const auto& link) { return link.timing.time.has_value(); };
    const auto needs_none = [&](const tpn::Endpoint& end) {
      return std::ranges::all_of(end.in_turn(), [&](const tpn::Endpoint& one) {
        if (one.timing.time) return std::ranges::all_of(one.links, has_time);
        return !one.timing.bandwidth && !platform.defaults.bandwidth && std::ranges::all_of(one.links, has_time);
      });
    };
    auto& input = problem_.application.input;
    if (platform.source && !input && needs_none(*platform.source)) input = 0;
    if (platform.source && !input) {
      result_.faults.push_back(fmt::format(
          "{}: found a bandwidth from {} and no size of what it sends, expected a row \"source\" in a table of sizes",
          table.name, platform.source->named.empty() ? "the source" : "a source"));
    }
    const std::vector<bool> are_exits = tpn::exit_stages(problem_.application);
    for (std::size_t k = 0; platform.sink && k < are_exits.size(); ++k) {
      tpn::Stage& stage = problem_.application.stages[k];
      if (!are_exits[k] || stage.output) continue;
      if (needs_none(*platform.sink)) {
        stage.output = 0;
        continue;
      }
      result_.faults.push_back(
          fmt::format("{}: found a bandwidth to {} and no size of what the last stage, {}, sends, expected its "
                      "row in a table of sizes",
                      table.name, platform.sink->named.empty() ? "the sink" : "a sink", quote(stage.name)));
    }
  }

  void note_missing_times() {
    std::size_t missing = 0;
    std::string first;
    for (const tpn::Stage& stage : problem_.application.stages) {
      const std::size_t absent = processors_.size() - stage.times.size();
      missing += absent;
      if (absent == 0 || !first.empty()) continue;
      std::vector<bool> has_time(processors_.size());
      for (const tpn::StageTime& own : stage.times) has_time[own.processor] = true;
      const auto at = static_cast<std::size_t>(std::ranges::find(has_time, false) - has_time.begin());
      first = fmt::format("{} on {}", quote(stage.name), quote(problem_.platform.processors[at].name));
    }
    if (missing == 0) return;
    result_.notes.push_back(
        fmt::format("{} for stages on processors {} missing, the first of {}: those stages do not run there.",
                    missing == 1 ? "1 time" : fmt::format("{} times", missing), missing == 1 ? "is" : "are", first));
  }

  tpn::Document problem_;  // until its cores are there a processor of it is a machine
  static constexpr LinkSide kAll{LinkSide::Kind::all, 0};

  std::vector<Machine> machines_;
  NumberedNames stages_;
  NumberedNames processors_;
  std::map<std::string, std::size_t, std::less<>> first_of_host_;
  NumberedNames sources_;  // of --sources, as of --sinks
  NumberedNames sinks_;
  std::map<LinkSides, LinkRow> links_;      // by sender and receiver
  std::optional<NumberInTable> with_unit_;  // the first of either
  std::optional<NumberInTable> without_unit_;
  ImportedProblem result_;
};

}  // namespace

ImportedProblem import_tables(const MeasuredTables& tables) { return Importer().run(tables); }

}  // namespace takt::tools
