// Widths are those of a terminal, whatever the characters.
#include "tools/words/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

// Columns a terminal takes for a text: what {fmt} does not pad of as many as the text has bytes.
std::size_t display_width(const std::string& text) {
  return 2 * text.size() - fmt::format("{:<{}}", text, text.size()).size();
}

std::size_t shown_width(const std::string& cell) { return display_width(tpn::visible(cell)); }

void write_line(std::ostream& out, const std::vector<TableColumn>& columns, const std::vector<std::string>& cells,
                const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (widths[i] == 0) continue;
    const std::string cell = tpn::visible(cells[i]);
    const std::string padding(widths[i] - display_width(cell), ' ');
    line += "  " + (columns[i].align == Align::right ? padding + cell : cell + padding);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

}  // namespace

void write_table(std::ostream& out, const std::vector<TableColumn>& columns, const RowSource& rows) {
  std::vector<std::size_t> widths(columns.size(), 0);
  rows([&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], shown_width(row[i]));
  });
  std::vector<std::string> headings;
  bool is_headed = false;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    headings.push_back(columns[i].heading);
    if (widths[i] > 0) widths[i] = std::max(widths[i], shown_width(columns[i].heading));
    is_headed = is_headed || !columns[i].heading.empty();
  }
  if (is_headed) write_line(out, columns, headings, widths);
  rows([&](const std::vector<std::string>& row) { write_line(out, columns, row, widths); });
}

void Table::write(std::ostream& out) const {
  write_table(out, columns, [this](const RowVisitor& visit) { std::ranges::for_each(rows, visit); });
}

}  // namespace takt::tools
