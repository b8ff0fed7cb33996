// Labels of nets, and what two documents must have in common.
#include "tools/vary/net_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "tools/command.hpp"
#include "tools/files/files.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/capacity.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

const std::string kNoLimit = "no limit";

// Under whatever has rooms: the chosen model, else the document's own, else that of --rooms.
tpn::Model model_with_rooms(const std::string& chosen, const std::optional<tpn::Model>& own) {
  if (const auto model = tpn::find_model(chosen)) {
    if (!(*model)->has_rooms) throw UsageError("--rooms goes with --model bounded");
    return *model;
  }
  return own && (*own)->has_rooms ? *own : tpn::bounded_model(1);
}

void require_same_stages(const std::string& file, const tpn::Document& document, const std::string& other_file,
                         const tpn::Document& other) {
  const auto& stages = document.application.stages;
  const auto& others = other.application.stages;
  for (std::size_t k = 0; k < std::min(stages.size(), others.size()); ++k) {
    if (stages[k].name == others[k].name) continue;
    throw UsageError(fmt::format("--beside: found {} as stage {} of {}, expected {}, as in {}",
                                 tpn::json::quote(others[k].name), k + 1, display_name(other_file),
                                 tpn::json::quote(stages[k].name), display_name(file)));
  }
  if (stages.size() != others.size()) {
    throw UsageError(fmt::format("--beside: found {} in {}, expected {}, as in {}", plural(others.size(), "stage"),
                                 display_name(other_file), stages.size(), display_name(file)));
  }
}

void require_same_units_of(const std::string& file, const tpn::Document& document, const std::string& other_file,
                           const tpn::Document& other) {
  if (document.time_unit == other.time_unit) return;
  const bool has = other.time_unit == tpn::TimeUnit::second;
  throw UsageError(fmt::format("--beside: found numbers {} units in {}, expected them {}, as in {}",
                               has ? "with" : "without", display_name(other_file), has ? "without" : "with",
                               display_name(file)));
}

// The model that a document names, if they do not name two.
std::optional<tpn::Model> common_model(const std::string& file, const tpn::Document& document,
                                       const std::string& other_file, const tpn::Document& other,
                                       const ModelChoice& choice) {
  if (choice.name.empty() && document.model && other.model && *document.model != *other.model) {
    throw UsageError(fmt::format("--beside: found {} in {} and {} in {}, expected --model to say which",
                                 tpn::label_of(*document.model), display_name(file), tpn::label_of(*other.model),
                                 display_name(other_file)));
  }
  return document.model ? document.model : other.model;
}

}  // namespace

NetChoices choices_of_rooms(const std::string& file, const tpn::Document& document, const std::string& model,
                            const std::vector<std::uint64_t>& rooms) {
  if (rooms.back() > tpn::kMostRooms) {
    throw UsageError(fmt::format("--rooms: found {}, expected at most {}", rooms.back(), tpn::kMostRooms));
  }
  const tpn::Model bounded = model_with_rooms(model, document.model);
  NetChoices choices{fmt::format("{}, {}", display_name(file), bounded->title), std::string(bounded->name), {}};
  for (const std::uint64_t room : rooms) {
    choices.nets.push_back({.label = "room for " + plural(room, "file"),
                            .file = file,
                            .document = &document,
                            .model = tpn::with_rooms(bounded, room)});
  }
  choices.nets.push_back({.label = kNoLimit, .file = file, .document = &document, .model = tpn::Model::kOverlap});
  return choices;
}

std::vector<NetChoices> choices_of_windows(const std::string& file, const tpn::Document& document,
                                           const std::vector<tpn::Model>& models,
                                           const std::vector<std::uint64_t>& windows) {
  if (windows.back() > tpn::kMostWindow) {
    throw UsageError(fmt::format("--windows: found {}, expected at most {}", windows.back(), tpn::kMostWindow));
  }
  std::vector<NetChoices> all;
  for (const tpn::Model& model : models) {
    NetChoices& choices = all.emplace_back();
    choices.title = fmt::format("{}, {}", display_name(file), tpn::title_of(model));
    choices.label = tpn::label_of(model);
    for (const std::uint64_t window : windows) {
      choices.nets.push_back({.label = fmt::format("window of {}", window),
                              .file = file,
                              .document = &document,
                              .model = model,
                              .window = window});
    }
    choices.nets.push_back({.label = kNoLimit, .file = file, .document = &document, .model = model});
  }
  return all;
}

std::vector<NetChoices> choices_beside(const std::string& file, const tpn::Document& document,
                                       const std::string& other_file, const tpn::Document& other,
                                       const ModelChoice& model) {
  require_same_stages(file, document, other_file, other);
  require_same_units_of(file, document, other_file, other);
  const auto own = common_model(file, document, other_file, other, model);
  const auto chosen = chosen_model(model, own);
  const auto all = tpn::default_models();
  std::vector<NetChoices> result;
  for (const tpn::Model& here : chosen ? std::vector<tpn::Model>{*chosen} : std::vector(all.begin(), all.end())) {
    NetChoices& choices = result.emplace_back();
    choices.title = fmt::format("{} beside {}, {}", display_name(file), display_name(other_file), tpn::title_of(here));
    choices.label = tpn::label_of(here);
    choices.nets.push_back({.label = display_name(file), .file = file, .document = &document, .model = here});
    choices.nets.push_back({.label = display_name(other_file), .file = other_file, .document = &other, .model = here});
  }
  return result;
}

}  // namespace takt::tools
