// Which nets takt vary compares: those of several rooms, of several windows, or of two files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/files/model_choice.hpp"
#include "tools/vary/vary_comparison.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// Nets that stand in one answer.
struct NetChoices {
  std::string title;  // "a.json, BOUNDED ONE-PORT"
  std::string label;  // of the model, for messages: "strict"
  std::vector<NetChoice> nets;
};

/// Each of these rooms, in files, and then no limit. Throws UsageError if `model` names one without rooms, or a
/// room is beyond tpn::kMostRooms.
NetChoices choices_of_rooms(const std::string& file, const tpn::Document& document, const std::string& model,
                            const std::vector<std::uint64_t>& rooms);

/// Each of these windows, in data sets, and then none, under each of these models. Throws UsageError if a window is
/// beyond tpn::kMostWindow.
std::vector<NetChoices> choices_of_windows(const std::string& file, const tpn::Document& document,
                                           const std::vector<tpn::Model>& models,
                                           const std::vector<std::uint64_t>& windows);

/// The mappings of two files under the models that are chosen, that either names, or that are there without both.
/// Throws UsageError if they have other stages, other units, or name two models.
std::vector<NetChoices> choices_beside(const std::string& file, const tpn::Document& document,
                                       const std::string& other_file, const tpn::Document& other,
                                       const ModelChoice& model);

}  // namespace takt::tools
