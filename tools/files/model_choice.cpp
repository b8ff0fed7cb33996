// What was chosen, what the document says, and what holds where neither says anything.
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

void tell_one_model(const std::string& file, const tpn::Document& document, const ModelChoice& choice,
                    Streams& streams) {
  const std::string remark = other_model_remark(document, choice);
  if (remark.empty()) return;
  fmt::print(streams.err, "takt: {}: under {}{}\n", display_name(file), tpn::title_of(one_model_of(document, choice)),
             remark);
}

std::string path_of_model(const std::string& output, const tpn::Model& model, std::size_t models) {
  if (models == 1) return output;
  const std::size_t ending = output.rfind('.');
  return output.substr(0, ending) + "-" + std::string(tpn::name_of(model)) + output.substr(ending);
}

}  // namespace takt::tools
