// A document that several calls share, none of which changes it.
#pragma once

#include <memory>
#include <string>

#include "tpn/document.hpp"

namespace takt::python {

struct SharedDocument {
  std::shared_ptr<const tpn::Document> document;
  std::string name;  // in results and messages: the path of a file, or "document"
};

}  // namespace takt::python
