// A mapping in batches for the tests of measurement and explanation.
#pragma once

#include "tpn/reader.hpp"

namespace takt::live {

/// B computes two data sets at once, in 3 and 1 for each; A takes 1, and transfers take no time.
inline tpn::Document document_of_pairs() {
  return tpn::read_document(R"({
    "application": {"stages": [{"name": "A", "time": {"P": 1}, "output": 0},
                               {"name": "B", "time": {"Q": {"fixed": 3, "each": 1}}}]},
    "platform": {"processors": [{"name": "P"}, {"name": "Q"}], "bandwidth": 1},
    "mapping": [{"stages": ["A"], "processors": ["P"]},
                {"stages": ["B"], "processors": [{"processor": "Q", "batch": 2}]}]})",
                            "pairs");
}

}  // namespace takt::live
