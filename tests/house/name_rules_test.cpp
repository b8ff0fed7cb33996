// No type name means two things in this repository, and a test that finds one.
#include "tests/house/name_rules.hpp"

#include <catch2/catch.hpp>

namespace takt::house {

namespace {

using Lines = std::vector<std::string>;

Lines names_with(const std::string& text) {
  return name_violations(
      {{"tpn/a.hpp", "// A file.\nstruct Column {\n  struct Entry {};\n};\nenum class Kind { a };\n"},
       {"tools/b.cpp", text},
       {"tests/c.cpp", "struct Column {};\n"}});
}

Lines models_with(const std::string& path, const std::string& line) {
  return model_violations({{path, "// A file.\n" + line + "\n"}});
}

Lines indices_with(const std::string& path, const std::string& line) {
  return index_violations({{path, "// A file.\n" + line + "\n"}});
}

const Lines kComputed = {"evaluators/a.cpp:2: only tpn/chain.* computes with indices"};
const Lines kFound = {"evaluators/a.cpp:2: only tpn/models.cpp asks which"};

}  // namespace

TEST_CASE("no two types of the house have one name") {
  CHECK(name_violations(read_sources(TAKT_SOURCE_DIR)) == Lines{});
}

TEST_CASE("a type with another's name is found, whatever kind of type it is and wherever it stands") {
  CHECK(names_with("// A file.\nstruct Column {};\n") ==
        Lines{"tools/b.cpp:2: Column is another type's name, of tpn/a.hpp:2"});
  CHECK(names_with("class Column final : public Base {\n").size() == 1);
  CHECK(names_with("using Kind = int;\n") == Lines{"tools/b.cpp:1: Kind is another type's name, of tpn/a.hpp:5"});
  CHECK(names_with("enum class Column { x };\nenum Kind : int {\n").size() == 2);
  CHECK(names_with("template <typename T>\nclass Column {\n").size() == 1);
}

TEST_CASE("types to come, specializations, names brought in and types within classes are no second types") {
  CHECK(names_with("struct Column;\nclass Kind;\nusing tpn::Column;\n") == Lines{});
  CHECK(names_with("template <>\nstruct Column<int> {\n};\n") == Lines{});
  CHECK(names_with("struct Column::Entry {\n};\nclass Kind::Column {\n};\n") == Lines{});
  CHECK(names_with("class Table {\n  struct Column {};\n  using Kind = int;\n};\nstruct Entry {};\n") == Lines{});
  CHECK(names_with("// struct Column {};\nstructure Column {\nusing namespace Column;\n") == Lines{});
}

TEST_CASE("nobody but the table of models asks which model it is") {
  CHECK(model_violations(read_sources(TAKT_SOURCE_DIR)) == Lines{});
}

TEST_CASE("a comparison with a model, or a case of one, is found outside the table of models") {
  CHECK(models_with("evaluators/a.cpp", "if (model == tpn::Model::kStrict) return;") == kFound);
  CHECK(models_with("evaluators/a.cpp", "return model != Model::kOverlap;") == kFound);
  CHECK(models_with("evaluators/a.cpp", "    case tpn::Model::bounded:") == kFound);
  CHECK(models_with("evaluators/a.cpp", "if (takt::tpn::Model::kStrict == model) return;") == kFound);
  CHECK(models_with("tpn/models.cpp", "if (model == Model::kStrict) return;") == Lines{});
  CHECK(models_with("tests/a.cpp", "CHECK(model == Model::kStrict);") == Lines{});
  CHECK(models_with("evaluators/a.cpp", ".model = tpn::Model::kStrict, // == Model::kStrict") == Lines{});
  CHECK(models_with("evaluators/a.cpp", "if (a == CommunicationModel::any) f(x == 1, Model::kStrict);") == Lines{});
}

TEST_CASE("nobody but the chain's file computes with indices of parts and columns") {
  CHECK(index_violations(read_sources(TAKT_SOURCE_DIR)) == Lines{});
}

TEST_CASE("a computation with an index is found outside the chain's file") {
  CHECK(indices_with("evaluators/a.cpp", "f(net.pipeline.parts[part + 1]);") == kComputed);
  CHECK(indices_with("evaluators/a.cpp", "f(pipeline_.columns[2 * part].table);") == kComputed);
  CHECK(indices_with("evaluators/a.cpp", "f(pipeline().parts[i - 1]);") == kComputed);
  CHECK(indices_with("evaluators/a.cpp", "const auto& next = columns[2 * i + 1];") == kComputed);
  CHECK(indices_with("evaluators/a.cpp", "g(column.part.value() + 1);") == kComputed);
  CHECK(indices_with("evaluators/a.cpp", "g(2 * d.to.value());") == kComputed);
  CHECK(indices_with("evaluators/a.cpp", "operations.push_back({j, ColumnIndex(2 * part)});") == kComputed);
  CHECK(indices_with("evaluators/a.cpp", "f(tpn::PartIndex(i + 1));") == kComputed);
  CHECK(indices_with("evaluators/a.cpp", "route.duration(2 * part, data_set);") == kComputed);
  CHECK(indices_with("evaluators/a.cpp", "record({task.data_set, task.column + 1, end});") == kComputed);
  CHECK(indices_with("evaluators/a.cpp", "std::size_t part() const { return column / 2; }") == kComputed);
  CHECK(indices_with("live/a.cpp", "f(tpn::PartIndex(i + 1));") ==
        Lines{"live/a.cpp:2: only tpn/chain.* computes with indices"});
  CHECK(indices_with("tpn/chain.cpp", "f(tpn::PartIndex(i + 1));") == Lines{});
  CHECK(indices_with("tests/a.cpp", "f(tpn::PartIndex(i + 1));") == Lines{});
  CHECK(indices_with("evaluators/a.cpp", "f(pipeline.parts[column.receiver]);  // not part + 1") == Lines{});
  CHECK(indices_with("evaluators/a.cpp", "f(row * columns + c.value(), tpn::ColumnIndex(v % columns));") == Lines{});
}

}  // namespace takt::house
