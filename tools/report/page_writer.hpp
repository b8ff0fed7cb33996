// From what a page says to its HTML: the template page.html with style and script of their own, all in one file.
#pragma once

#include <string>

#include "tools/report/page.hpp"

namespace takt::tools {

/// The files that a page is made of, as they stand beside this one.
struct PageTemplate {
  const char* html;
  const char* style;
  const char* script;
};

/// In the program itself; the build puts them there.
const PageTemplate& page_template();

/// The page as HTML. Every text is escaped; none becomes part of style or script.
std::string write_page(const ReportPage& page);

}  // namespace takt::tools
