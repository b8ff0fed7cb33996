// Tables of text, as wide as their cells, which may hold any text whatever: it is shown as tpn::visible says.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace takt::tools {

enum class Align { left, right };

struct TableColumn {
  std::string heading;
  Align align = Align::left;
};

/// Takes the cells of a row, one per column.
using RowVisitor = std::function<void(const std::vector<std::string>& cells)>;
/// Hands the rows of a table to a visitor, in order; the same each time it is asked.
using RowSource = std::function<void(const RowVisitor& visit)>;

/// The same lines as those of a Table, for rows that are too many to be kept: the source is asked twice, for the widths
/// and for the text.
void write_table(std::ostream& out, const std::vector<TableColumn>& columns, const RowSource& rows);

/// Lines of cells below headings, indented by two; a column without cells is left out.
struct Table {
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> rows;  // one cell per column

  void write(std::ostream& out) const;
};

}  // namespace takt::tools
