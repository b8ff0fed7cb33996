// Names joined, shortened and counted.
#include "tools/drawing/words.hpp"

#include <fmt/format.h>

#include "tools/drawing/layout.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;
using tpn::ColumnKind;
using tpn::PartRole;

std::string brief(const Rational& value) {
  std::string exact = value.to_string();
  if (exact.size() <= 11) return exact;
  if (const auto decimal = value.to_double()) return fmt::format("≈ {:.5g}", *decimal);
  return fmt::format("about 1e{}", Integer(value.numerator() / value.denominator()).get_str().size() - 1);
}

Words::Words(const Subject& subject) : document_(subject.document), pipeline_(subject.net.pipeline) {}

const std::string& Words::processor(std::size_t index) const { return pipeline_.processors[index]; }

std::string Words::stages(const tpn::NetPart& part) const {
  if (part.role == PartRole::source) return "source";
  if (part.role == PartRole::sink) return "sink";
  const auto& all = document_.application.stages;
  if (part.first_stage == part.last_stage) return all[part.first_stage].name;
  return all[part.first_stage].name + "–" + all[part.last_stage].name;
}

std::string Words::operation(std::size_t column) const {
  const tpn::NetPart& part = pipeline_.parts[pipeline_.columns[column].part];
  if (pipeline_.columns[column].kind == ColumnKind::compute) return stages(part);
  if (part.role == PartRole::source) return "input file";
  return document_.application.stages[part.last_stage].name + "'s file";
}

std::string Words::processors(std::size_t column, std::uint64_t data_set) const {
  const std::size_t part = pipeline_.columns[column].part;
  const std::string& first = processor(pipeline_.parts[part].processor_at(data_set));
  if (pipeline_.columns[column].kind == ColumnKind::compute) {
    return pipeline_.parts[part].role == PartRole::mapped ? "on " + first : "";
  }
  if (pipeline_.is_internal(column, data_set)) return "stays on " + first;
  return first + " → " + processor(pipeline_.parts[part + 1].processor_at(data_set));
}

std::string Words::all_processors(std::size_t column) const {
  const std::size_t part = pipeline_.columns[column].part;
  if (pipeline_.columns[column].kind == ColumnKind::compute) {
    return pipeline_.parts[part].role == PartRole::mapped ? "on " + sequence(part) : "";
  }
  return sequence(part) + " → " + sequence(part + 1);
}

std::string Words::all_processors(std::size_t column, double font_size, double width) const {
  std::string all = all_processors(column);
  if (text_width(all, font_size) <= width) return all;
  const std::size_t part = pipeline_.columns[column].part;
  const auto both = [&](const auto& name_part) {
    if (pipeline_.columns[column].kind == ColumnKind::compute) return "on " + name_part(part);
    return name_part(part) + " → " + name_part(part + 1);
  };
  const auto first_and_number = [&](std::size_t p) {
    const auto& sequence = pipeline_.parts[p].sequence;
    const std::string& first = processor(sequence.front());
    return sequence.size() == 1 ? first : fmt::format("{}, … ({})", first, sequence.size());
  };
  const auto number = [&](std::size_t p) {
    const auto& sequence = pipeline_.parts[p].sequence;
    return sequence.size() == 1 ? processor(sequence.front()) : fmt::format("({})", sequence.size());
  };
  const std::string shorter = both(first_and_number);
  return text_width(shorter, font_size) <= width ? shorter : fitted(both(number), font_size, width);
}

std::string Words::sequence(std::size_t part) const {
  std::string list;
  for (const std::size_t p : pipeline_.parts[part].sequence) list += (list.empty() ? "" : ", ") + processor(p);
  return list;
}

}  // namespace takt::tools
