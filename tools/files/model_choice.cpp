// What was chosen, what the document says, and what holds if neither says anything.
#include "tools/files/model_choice.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "tools/files/files.hpp"

namespace takt::tools {

std::optional<tpn::Model> chosen_model(const ModelChoice& choice, const std::optional<tpn::Model>& own) {
  auto model = tpn::find_model(choice.name);
  if (!model || (own && own->definition().name == choice.name)) model = own ? own : model;
  if (!choice.rooms) return model;
  if (!model || !(*model)->has_rooms) throw UsageError("--rooms goes with --model bounded");
  if (*choice.rooms > tpn::kMostRooms) {
    throw UsageError(fmt::format("--rooms: found {}, expected at most {}", *choice.rooms, tpn::kMostRooms));
  }
  return tpn::with_rooms(*model, *choice.rooms);
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& model : tpn::communication_models()) names.emplace_back(model.name);
  return names;
}

std::vector<tpn::Model> models_of(const tpn::Document& document, const ModelChoice& choice) {
  if (const auto model = chosen_model(choice, document.model)) return {*model};
  const auto models = tpn::default_models();
  return {models.begin(), models.end()};
}

tpn::Model one_model_of(const tpn::Document& document, const ModelChoice& choice) {
  return chosen_model(choice, document.model).value_or(tpn::default_models().front());
}

std::string other_model_remark(const tpn::Document& document, const ModelChoice& choice) {
  if (chosen_model(choice, document.model)) return "";
  return fmt::format(" (default; --model {} for the other)", tpn::name_of(tpn::default_models().back()));
}

tpn::Model tell_one_model(const std::string& file, const tpn::Document& document, const ModelChoice& choice,
                          Streams& streams) {
  const tpn::Model model = one_model_of(document, choice);
  const std::string remark = other_model_remark(document, choice);
  if (!remark.empty())
    fmt::print(streams.err, "takt: {}: under {}{}\n", display_name(file), tpn::title_of(model), remark);
  return model;
}

std::string path_of_model(const std::string& output, const tpn::Model& model, std::size_t models) {
  if (models == 1) return output;
  const std::size_t ending = output.rfind('.');
  return output.substr(0, ending) + "-" + std::string(tpn::name_of(model)) + output.substr(ending);
}

std::vector<std::string> paths_of_models(const std::string& input, const std::string& output,
                                         const std::vector<tpn::Model>& models) {
  std::vector<std::string> paths;
  paths.reserve(models.size());
  for (const tpn::Model& model : models) paths.push_back(path_of_model(output, model, models.size()));
  require_apart({input}, paths);
  for (const std::string& path : paths) require_writable(path);
  return paths;
}

ModelOutputs model_outputs(const std::string& input, const std::string& output, const tpn::Document& document,
                           const ModelChoice& choice, Streams& streams) {
  std::vector<tpn::Model> models = models_of(document, choice);
  if (output.empty()) return {{tell_one_model(input, document, choice, streams)}, {""}};
  std::vector<std::string> paths = paths_of_models(input, output, models);
  return {std::move(models), std::move(paths)};
}

}  // namespace takt::tools
