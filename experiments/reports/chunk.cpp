// Chunks: computed, checked, read back into summaries.
#include "experiments/reports/chunk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <charconv>
#include <chrono>
#include <iterator>
#include <system_error>

#include "maxplus/contract.hpp"
#include "tpn/json_writer.hpp"

namespace takt::experiments {

namespace json = tpn::json;

namespace {

std::uint32_t crc_of(std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return crc.checksum();
}

std::string quoted(std::string_view text) { return *tpn::json_string(text, tpn::IllFormed::replaced); }

std::string head_of_last_line(const Chunk& chunk) {
  return fmt::format("{{\"cell\": {}, \"first\": {}, \"draws\": {}, ", chunk.cell, chunk.first, chunk.draws);
}

constexpr std::string_view kBeginOfLastLine = "{\"cell\": ";

// Takes a number off the front of the text, and what stands behind it; false if they are not there.
template <typename Number>
bool take(std::string_view& text, Number& number, std::string_view behind) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  if (!text.starts_with(behind)) return false;
  text.remove_prefix(behind.size());
  return true;
}

std::string last_line(const Chunk& chunk, std::string_view before) {
  return fmt::format("{}\"crc32\": \"{:08x}\"}}\n", head_of_last_line(chunk), crc_of(before));
}

// The rows of a chunk; the keys of series and measures are made into JSON once.
class RowWriter {
 public:
  RowWriter(const Description& description, const std::vector<SeriesKeys>& series) {
    for (const SeriesKeys& keys : series) {
      std::string text;
      for (const auto& [key, value] : keys) text += fmt::format(", {}: {}", quoted(key), quoted(value));
      series_.push_back(std::move(text));
    }
    for (const std::string& measure : description.measures) measures_.push_back(quoted(measure));
  }

  void write(std::string& text, std::uint64_t draw, std::size_t series, const SeriesResult& result) const {
    fmt::format_to(std::back_inserter(text), "{{\"draw\": {}{}", draw, series_[series]);
    if (!result.failure.empty()) {
      text += ", \"failed\": " + quoted(result.failure);
    } else {
      for (std::size_t m = 0; m < measures_.size(); ++m) {
        if (!result.values[m]) continue;
        fmt::format_to(std::back_inserter(text), ", {}: \"{}\"", measures_[m],
                       result.values[m]->rational().to_string());
      }
    }
    text += "}\n";
  }

 private:
  std::vector<std::string> series_;
  std::vector<std::string> measures_;
};

bool is_kept(const Description& description, const SeriesResult& result) {
  if (description.keep == Keep::all || !result.failure.empty()) return true;
  return description.keep == Keep::some && description.keep_where->holds(result.values);
}

maxplus::Deadline deadline_of(const Description& description) {
  using Seconds = std::chrono::duration<double>;
  return maxplus::Deadline::Clock::now() +
         std::chrono::duration_cast<maxplus::Deadline::Clock::duration>(Seconds(description.seconds_per_draw));
}

// What all series of a draw make of it.
void compute_draw(const Description& description, const ExperimentCell& cell, const ChunkWatch& watch, Study& study,
                  std::uint64_t draw, DrawResult& result) {
  for (SeriesResult& one : result) one.failure.clear();
  if (watch.on_draw != nullptr && watch.on_draw(draw)) {
    for (SeriesResult& one : result) one.fail("it ended the process, three times");
  } else {
    study.run(key_of(description, cell, draw), deadline_of(description), result);
  }
}

}  // namespace

std::optional<std::string> compute_chunk(const Description& description, const Chunk& chunk, const ChunkWatch& watch) {
  const ExperimentCell& cell = description.cells[chunk.cell];
  const std::unique_ptr<Study> study = description.study->prepare(description, cell);
  if (watch.own != nullptr) study->use(*watch.own);
  const auto& series = study->series();
  const RowWriter rows(description, series);
  std::vector<Tally> tallies(series.size(), Tally(description, false));
  DrawResult result(series.size());
  for (SeriesResult& one : result) one.values.resize(description.measures.size());
  std::string text;
  for (std::uint64_t draw = chunk.first; draw < chunk.first + chunk.draws; ++draw) {
    compute_draw(description, cell, watch, *study, draw, result);
    for (std::size_t s = 0; s < series.size(); ++s) {
      if (description.keep != Keep::all) tallies[s].add(draw, result[s]);
      if (is_kept(description, result[s])) rows.write(text, draw, s, result[s]);
    }
    if (watch.stop != nullptr && watch.stop->load(std::memory_order_relaxed)) return std::nullopt;
  }
  if (description.keep != Keep::all) {
    for (std::size_t s = 0; s < series.size(); ++s) tallies[s].write(text, series[s]);
  }
  return text + last_line(chunk, text);
}

std::optional<std::string> damage_of(std::string_view text, const Chunk& chunk) {
  const std::size_t end = text.size() < 2 ? std::string_view::npos : text.rfind('\n', text.size() - 2);
  const std::size_t begin = end == std::string_view::npos ? 0 : end + 1;
  if (text.substr(begin) == last_line(chunk, text.substr(0, begin))) return std::nullopt;
  if (!text.substr(begin).starts_with(kBeginOfLastLine)) return "it breaks off";
  if (!text.substr(begin).starts_with(head_of_last_line(chunk))) return "it is of other draws";
  return "its check sum differs";
}

std::vector<ChunkPlace> places_of(std::string_view text) {
  std::vector<ChunkPlace> places;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(kBeginOfLastLine)) continue;
    line.remove_prefix(kBeginOfLastLine.size());
    ChunkPlace place{.begin = begin, .size = at - begin};
    begin = at;
    const bool is_read = take(line, place.cell, ", \"first\": ") && take(line, place.first, ", \"draws\": ") &&
                         take(line, place.draws, ", \"crc32\": ");
    if (is_read) places.push_back(place);
  }
  return places;
}

void for_each_line(std::string_view text, const std::string& file,
                   const std::function<void(const json::Tree&)>& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    visit(json::parse(text.substr(at, end - at), file));
    at = end + 1;
  }
}

bool is_row(const json::Tree& line) {
  return json::find(line.root, "tally") == nullptr && json::find(line.root, "crc32") == nullptr;
}

bool is_row(std::string_view line) { return line.starts_with("{\"draw\": "); }

Summary::Summary(const Description& description) : description_(&description) {
  for (const ExperimentCell& cell : description.cells) {
    CellSummary summary;
    summary.series = description.study->prepare(description, cell)->series();
    summary.tallies.assign(summary.series.size(), Tally(description, description.keep == Keep::all));
    cells_.push_back(std::move(summary));
  }
}

void Summary::add(const Chunk& chunk, std::string_view text, const std::string& file) {
  maxplus::expects(!damage_of(text, chunk), "a summary is of chunks that are whole");
  for_each_line(text, file, [&](const json::Tree& line) { add_line(chunk, line); });
}

std::size_t Summary::series_index(const Chunk& chunk, const json::Tree& tree, const json::Value& keys) const {
  const auto& series = cells_[chunk.cell].series;
  const auto found = std::ranges::find_if(series, [&](const SeriesKeys& wanted) {
    return std::ranges::all_of(wanted, [&](const auto& pair) {
      const json::Value* const value = json::find(keys, pair.first);
      return value != nullptr && value->text == pair.second;
    });
  });
  if (found == series.end()) json::fail(tree, keys, "a series", "one of the description's");
  return static_cast<std::size_t>(found - series.begin());
}

void Summary::add_line(const Chunk& chunk, const json::Tree& tree) {
  if (is_row(tree)) return add_row(chunk, tree);
  const json::Value* const tally = json::find(tree.root, "tally");
  if (tally == nullptr) return;
  const std::size_t series = series_index(chunk, tree, *tally);
  cells_[chunk.cell].tallies[series].add(Tally::read(*description_, tree, tree.root));
}

void Summary::add_row(const Chunk& chunk, const json::Tree& tree) {
  const std::size_t series = series_index(chunk, tree, tree.root);
  const Rational number = json::as_number(tree, json::required(tree, tree.root, "a row", "draw"), json::Bound::whole);
  const std::uint64_t draw = number.numerator().get_ui();
  SeriesResult result;
  result.values.resize(description_->measures.size());
  if (const json::Value* const failed = json::find(tree.root, "failed")) {
    result.failure = json::as_string(tree, *failed, "a reason");
    ++failed_;
    failures_[{chunk.cell, draw}].push_back({chunk.cell, draw, cells_[chunk.cell].series[series], result.failure});
  }
  if (description_->keep != Keep::all) return;
  for (std::size_t m = 0; m < result.values.size(); ++m) {
    if (const json::Value* const value = json::find(tree.root, description_->measures[m])) {
      result.values[m] = json::as_number(tree, *value, json::Bound::any);
    }
  }
  cells_[chunk.cell].tallies[series].add(draw, result);
}

std::vector<FailedDraw> Summary::failures() const {
  std::vector<FailedDraw> result;
  std::map<std::size_t, std::size_t> counts;
  for (const auto& [key, failures] : failures_) {
    for (const FailedDraw& failure : failures) {
      if (counts[key.first]++ < kMostFailures) result.push_back(failure);
    }
  }
  return result;
}

}  // namespace takt::experiments
