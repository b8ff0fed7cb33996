// The status of a run as a page for its operator, in one file that needs nothing else.
#pragma once

#include <string>

#include "tools/status/run_status.hpp"

namespace takt::tools {

/// What a page is made of besides markup.
struct StatusTexts {
  const char* style;
  const char* script;
};

/// In the program itself; the build puts them there.
const StatusTexts& status_texts();

/// HTML. While the run goes on the page reloads itself. Every text is escaped; none becomes part of style or script.
std::string status_page(const LiveStatus& status);

}  // namespace takt::tools
