// A document that several calls share, none of which changes it.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "tpn/document.hpp"

namespace takt::python {

struct SharedDocument {
  std::shared_ptr<const tpn::Document> document;
  std::string name;  // in results and messages: the path of a file, or "document"
};

/// The names of stages or processors, in order.
template <typename Items>
pybind11::list names_of_items(const Items& items) {
  pybind11::list names;
  for (const auto& item : items) names.append(item.name);
  return names;
}

}  // namespace takt::python
