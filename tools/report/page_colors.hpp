// The colors of a report's page.
#pragma once

#include <string>

namespace takt::tools {

/// Rules that give the variables of the page's style sheet their colors in both schemes: "--bg: #fff".
std::string page_colors();

}  // namespace takt::tools
