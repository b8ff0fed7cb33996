// Tables of values between commas, as RFC 4180 has them, with the line of each row.
//
// Problem. People measure, and put what they measured into tables. After a mistake they want to know the line,
// of all mistakes at once.
//
// Method. Rows are split by hand: the one CSV library of the distribution reads files on its own (with a thread), has
// fixed buffers for messages and no line breaks within quotes. Fields in double quotes are taken as they are, with ""
// for a quote and line breaks and commas as text; around others, spaces and tabs do not count. Lines end with LF, CRLF
// or CR. A byte order mark, and rows of nothing but empty fields, are skipped. A row that cannot be split is a fault,
// and reading goes on behind it.
//
// Cost. Linear in the text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::tools {

struct CsvRow {
  std::size_t line = 1;  // where it begins, from 1
  std::vector<std::string> fields;
};

/// What is wrong with a line of a table.
struct CsvFault {
  std::size_t line = 1;
  std::string message;  // "found F, expected E"
};

struct CsvTable {
  std::vector<CsvRow> rows;
  std::vector<CsvFault> faults;
};

CsvTable read_csv(std::string_view text);

/// The same row by row, for tables that are too long to be kept: hands over each row or fault, in order. A visitor may
/// throw.
void read_csv(std::string_view text, const std::function<void(CsvRow&)>& on_row,
              const std::function<void(CsvFault)>& on_fault);

/// A text as a field of a row, which a terminal may show (tpn::visible): in quotes where it must be.
std::string csv_field(std::string_view text);
/// Whether a field that was read is this text, or what csv_field makes of it.
bool stands_for(std::string_view field, std::string_view text);
/// Fields with commas between them; the end of the line is the caller's.
std::string csv_row(const std::vector<std::string>& fields);

}  // namespace takt::tools
