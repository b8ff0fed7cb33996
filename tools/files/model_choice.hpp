// The communication model that a command works under.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/command.hpp"
#include "tpn/document.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

/// What a command line says of the communication model.
struct ModelChoice {
  std::string name;  // or empty
  std::optional<std::uint64_t> rooms;
};

/// The model that was chosen, else the document's own, if any. Rooms are those of the option, else the document's own
/// where its model is that one, else 1. Throws UsageError if there are rooms and no model that has some.
std::optional<tpn::Model> chosen_model(const ModelChoice& choice, const std::optional<tpn::Model>& own);

/// The names of the communication models.
std::vector<std::string> model_names();

/// The models to work under: the one chosen, else the document's own, else tpn::default_models().
std::vector<tpn::Model> models_of(const tpn::Document& document, const ModelChoice& choice);

/// The model of an answer that has room for one: the one chosen, else the document's own, else OVERLAP.
tpn::Model one_model_of(const tpn::Document& document, const ModelChoice& choice);
/// The text after the name of such a model: " (default; --model strict for the other)" where neither the command
/// line nor the document chose it; "" otherwise.
std::string other_model_remark(const tpn::Document& document, const ModelChoice& choice);
/// That model, for an answer without a heading. Where nobody chose it a line on standard error says so: "takt: FILE:
/// under OVERLAP ONE-PORT (default; --model strict for the other)".
tpn::Model tell_one_model(const std::string& file, const tpn::Document& document, const ModelChoice& choice,
                          Streams& streams);

/// The path of a model's output: of several models, each has its name put in, so that "a.svg" is "a-strict.svg". The
/// path has an ending.
std::string path_of_model(const std::string& output, const tpn::Model& model, std::size_t models);
/// Those of all models, checked before anything is made: none is `input`, no two are one file, and all are writable
/// (else FileError).
std::vector<std::string> paths_of_models(const std::string& input, const std::string& output,
                                         const std::vector<tpn::Model>& models);

/// The models of an answer that takes a file for each, and these files.
struct ModelOutputs {
  std::vector<tpn::Model> models;
  std::vector<std::string> paths;  // one for each model
};
/// models_of and paths_of_models; without an output the one model (tell_one_model), on standard output: "".
ModelOutputs model_outputs(const std::string& input, const std::string& output, const tpn::Document& document,
                           const ModelChoice& choice, Streams& streams);

}  // namespace takt::tools
