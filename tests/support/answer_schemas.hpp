// The JSON of commands, judged by the schemas of docs/schemas and an independent validator.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace takt::testing::schemas {

/// Whether an answer is as NAME.schema.json of the folder says; if not, `why` gets a line for each fault. Throws where
/// there is no such schema.
bool accepts(const std::filesystem::path& folder, const std::string& name, const nlohmann::json& answer,
             std::string& why);

}  // namespace takt::testing::schemas
