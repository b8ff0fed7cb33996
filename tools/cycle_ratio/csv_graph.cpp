// Graphs as tables: a header with the names of the columns, then an arc per row.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/cycle_ratio/graph_builder.hpp"
#include "tools/cycle_ratio/graph_lines.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/words/csv.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

// Columns, by place in a table of all that there may be.
constexpr std::size_t kFrom = 0;
constexpr std::size_t kTo = 1;
constexpr std::size_t kWeight = 2;
constexpr std::size_t kTokens = 3;
constexpr std::size_t kCsvColumns = 4;

// What a column may be called.
std::optional<std::size_t> csv_column(std::string_view name) {
  if (name == "from" || name == "source") return kFrom;
  if (name == "to" || name == "target") return kTo;
  if (name == "weight") return kWeight;
  if (name == "tokens") return kTokens;
  return std::nullopt;
}

class CsvGraphReader {
 public:
  CsvGraphReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : text_(text), path_(path), builder_(path, is_over, text.size(), count_lines(text)) {}

  RatioGraph read() {
    read_csv(
        text_,
        [this](CsvRow& row) {
          if (has_header_) {
            read_row(row);
          } else {
            read_header(row);
          }
        },
        [this](const CsvFault& fault) {
          fail_at(path_, {fault.line, 1}, "a row that cannot be split", fault.message);
        });
    return std::move(builder_.graph());
  }

 private:
  void read_header(const CsvRow& row) {
    has_header_ = true;
    fields_ = row.fields.size();
    for (std::size_t i = 0; i < fields_; ++i) {
      const auto column = csv_column(row.fields[i]);
      if (!column) {
        fail(row, fmt::format("the column {}", tpn::json::quote(row.fields[i])), "from, to, weight and perhaps tokens");
      }
      if (place_[*column]) fail(row, fmt::format("a second column {}", tpn::json::quote(row.fields[i])), "each once");
      place_[*column] = i;
    }
    if (!place_[kWeight]) fail(row, "no column weight", "from, to, weight and perhaps tokens");
  }

  void read_row(const CsvRow& row) {
    if (row.fields.size() != fields_) {
      fail(row, plural(row.fields.size(), "field"), fmt::format("{}, as in the header", fields_));
    }
    std::uint64_t tokens = kUnsaidTokens;
    if (place_[kTokens]) {
      const std::string& text = row.fields[*place_[kTokens]];
      const auto said = read_tokens(text);
      if (!said) fail(row, tpn::json::quote(text), kExpectedTokens);
      tokens = *said;
    }
    const std::size_t from = builder_.vertex(row.fields[*place_[kFrom]]);
    const std::size_t to = builder_.vertex(row.fields[*place_[kTo]]);
    const std::string& weight = row.fields[*place_[kWeight]];
    if (const auto expected = builder_.add(from, to, weight, tokens)) fail(row, tpn::json::quote(weight), *expected);
  }

  [[noreturn]] void fail(const CsvRow& row, const std::string& found, const std::string& expected) const {
    fail_at(path_, {row.line, 1}, found, expected);
  }

  std::string_view text_;
  const std::string& path_;
  GraphBuilder builder_;
  bool has_header_ = false;
  std::size_t fields_ = 0;
  std::array<std::optional<std::size_t>, kCsvColumns> place_;
};

}  // namespace

bool is_csv_graph(std::string_view text) {
  const std::size_t first = text.find_first_not_of("\r\n");
  if (first == std::string_view::npos) return false;
  const std::string_view line = text.substr(first, text.find_first_of("\r\n", first) - first);
  if (line.find(',') == std::string_view::npos) return false;
  const CsvTable header = read_csv(line);
  if (header.rows.size() != 1) return false;
  std::array<bool, kCsvColumns> has{};
  for (const std::string& name : header.rows.front().fields) {
    if (const auto column = csv_column(name)) has[*column] = true;
  }
  return has[kFrom] && has[kTo];
}

RatioGraph read_csv_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over) {
  require_text(text, path);
  return CsvGraphReader(text, path, is_over).read();
}

}  // namespace takt::tools
