// Splits a text character by character.
#include "tools/words/csv.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "tpn/json.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

class CsvSplitter {
 public:
  CsvSplitter(std::string_view text, const std::function<void(CsvRow&)>& on_row,
              const std::function<void(CsvFault)>& on_fault)
      : rest_(text), on_row_(on_row), on_fault_(on_fault) {
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }

  void split() {
    while (!rest_.empty()) read_row();
  }

 private:
  bool is_at_end_of_line() const { return rest_.empty() || rest_.front() == '\n' || rest_.front() == '\r'; }

  // One of CRLF, LF and CR, if there is any.
  void skip_end_of_line() {
    if (rest_.empty()) return;
    rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : 1);
    ++line_;
  }

  void read_row() {
    CsvRow row{line_, {}};
    std::optional<std::string> fault;
    do {
      row.fields.emplace_back();
      fault = read_field(row.fields.back());
    } while (!fault && skip_comma());
    if (fault) {
      on_fault_({row.line, std::move(*fault)});
      while (!is_at_end_of_line()) rest_.remove_prefix(1);
    } else if (std::ranges::any_of(row.fields, [](const std::string& field) { return !field.empty(); })) {
      on_row_(row);
    }
    skip_end_of_line();
  }

  bool skip_comma() {
    if (!rest_.starts_with(',')) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Up to the comma or the end of line behind it; what is wrong with it.
  std::optional<std::string> read_field(std::string& field) {
    const std::size_t begin = std::min(rest_.find_first_not_of(" \t"), rest_.size());
    if (rest_.substr(begin).starts_with('"')) {
      rest_.remove_prefix(begin + 1);
      return read_quoted(field);
    }
    const std::string_view text = rest_.substr(0, rest_.find_first_of(",\r\n"));
    rest_.remove_prefix(text.size());
    field = trimmed(text);
    if (field.find('"') == std::string::npos) return std::nullopt;
    return "found a quote within " + tpn::json::quote(field) +
           ", expected quotes around the whole field, and \"\" for one within";
  }

  // Behind the opening quote.
  std::optional<std::string> read_quoted(std::string& field) {
    while (true) {
      const std::size_t end = rest_.find('"');
      if (end == std::string_view::npos) {
        rest_ = {};
        return "found a quote that opens a field, expected one that closes it";
      }
      append_lines(field, rest_.substr(0, end));
      rest_.remove_prefix(end + 1);
      if (!rest_.starts_with('"')) break;
      field += '"';
      rest_.remove_prefix(1);
    }
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    if (is_at_end_of_line() || rest_.front() == ',') return std::nullopt;
    return "found text behind the quoted field " + tpn::json::quote(field) +
           ", expected a comma or the end of the line";
  }

  void append_lines(std::string& field, std::string_view text) {
    field += text;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
      if (!is_pair && (text[i] == '\n' || text[i] == '\r')) ++line_;
    }
  }

  std::string_view rest_;
  std::size_t line_ = 1;
  const std::function<void(CsvRow&)>& on_row_;
  const std::function<void(CsvFault)>& on_fault_;
};

}  // namespace

void read_csv(std::string_view text, const std::function<void(CsvRow&)>& on_row,
              const std::function<void(CsvFault)>& on_fault) {
  CsvSplitter(text, on_row, on_fault).split();
}

CsvTable read_csv(std::string_view text) {
  CsvTable table;
  read_csv(
      text, [&](CsvRow& row) { table.rows.push_back(std::move(row)); },
      [&](CsvFault fault) { table.faults.push_back(std::move(fault)); });
  return table;
}

std::string csv_field(std::string_view text) {
  const std::string shown = tpn::visible(text);
  if (shown.find_first_of(",\"") == std::string::npos && trimmed(shown) == shown) return shown;
  std::string quoted = "\"";
  for (const char c : shown) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

bool stands_for(std::string_view field, std::string_view text) { return field == text || field == tpn::visible(text); }

std::string csv_row(const std::vector<std::string>& fields) {
  std::string row;
  for (const std::string& field : fields) row += (&field == &fields.front() ? "" : ",") + csv_field(field);
  return row;
}

}  // namespace takt::tools
