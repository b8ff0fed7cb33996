// What the tests of `takt evaluate` share: instances, and answers as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/command.hpp"

namespace takt::testing {

/// A processor computes a, whose file of 1/3 goes to two that compute b; no transfer takes time but to Q.
inline constexpr const char* kSmall = R"({
  "application": {"stages": [{"name": "a", "work": 2, "output": "1/3"}, {"name": "b", "work": 6}]},
  "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 2}, {"name": "R", "speed": 1}],
               "time": 0, "links": [{"from": "P", "to": "Q", "bandwidth": 1}]},
  "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q", "R"]}]})";

/// What `takt evaluate` answers to these arguments and --json, ending with that status.
nlohmann::ordered_json json_of(const std::vector<std::string>& arguments, int status = tools::kAnswered,
                               const std::string& input = "");

}  // namespace takt::testing
