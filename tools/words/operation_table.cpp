// Fields quoted where they must be; decimals beside exact times.
#include "tools/words/operation_table.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <string>

#include "tools/words/csv.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

void write_csv_fields(std::ostream& out, const tpn::Model& model, const TimedOperation& operation) {
  const OperationWords& words = operation.words;
  std::string stages;
  const bool computes = words.kind == tpn::ColumnKind::compute;
  if (computes || words.receiver != nullptr) {
    for (const std::string& stage : computes ? words.stages : words.files)
      stages += (stages.empty() ? "" : ";") + stage;
  }
  fmt::print(out, "{},{},{},{},{},{},{},{},{},{},{}", tpn::name_of(model), operation.data_set.get_str(),
             operation_name(words), part_name(words), csv_field(stages), csv_field(words.processor),
             csv_field(words.peer), operation.start.to_string(), operation.end.to_string(),
             nearest_decimal(operation.start), nearest_decimal(operation.end));
}

void write_members(tpn::JsonWriter& json, const TimedOperation& operation) {
  write_members(json, operation.words, operation.data_set);
  write_exact(json, "start", operation.start);
  write_exact(json, "end", operation.end);
}

}  // namespace takt::tools
