// Tables of text, as wide as their cells.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace takt::tools {

enum class Align { left, right };

struct TableColumn {
  std::string heading;
  Align align = Align::left;
};

/// Lines of cells below headings, indented by two; a column without cells is left out.
struct Table {
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> rows;  // one cell per column

  void write(std::ostream& out) const;
};

}  // namespace takt::tools
