// Documents that are refused, each for one reason.
#pragma once

#include <string>
#include <vector>

namespace takt::support {

struct BadDocument {
  std::string message;  // behind the name of the file, "12:47: ..."
  std::string text;
};

/// One or more for each rule of docs/formats.md, and for each way not to be JSON.
std::vector<BadDocument> bad_documents();

}  // namespace takt::support
