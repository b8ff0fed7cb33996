// One object, every key in it.
#include "live/files/run_result.hpp"

#include "tpn/json.hpp"
#include "tpn/json_writer.hpp"

namespace takt::live {

namespace json = tpn::json;

namespace {

void write_mapping(tpn::JsonWriter& writer, const MappingFrom& from) {
  writer.begin_object(tpn::JsonLayout::line);
  writer.member("data_set", from.data_set);
  writer.key("parts");
  writer.begin_array();
  for (const tpn::Part& part : from.mapping) {
    writer.begin_object();
    writer.member("first", part.first_stage);
    writer.member("last", part.last_stage);
    writer.key("processors");
    writer.value(part.processors);
    writer.end();
  }
  writer.end();
  writer.end();
}

void write_work(tpn::JsonWriter& writer, std::size_t processor, const StageWork& work) {
  writer.begin_object(tpn::JsonLayout::line);
  writer.member("processor", processor);
  writer.member("stage", work.stage);
  writer.member("calls", work.calls);
  writer.member("wall", static_cast<std::uint64_t>(work.wall));
  writer.member("running", static_cast<std::uint64_t>(work.running));
  writer.key("waiting");
  work.waiting ? writer.value(static_cast<std::uint64_t>(*work.waiting)) : writer.value(nullptr);
  writer.end();
}

class ResultReader {
 public:
  explicit ResultReader(const json::Tree& tree) : tree_(tree) {}

  std::uint64_t count(const json::Value& object, std::string_view key) const {
    return count(json::required(tree_, object, "a result", key));
  }
  bool flag(const json::Value& object, std::string_view key) const {
    return json::as_boolean(tree_, json::required(tree_, object, "a result", key));
  }
  MappingFrom mapping(const json::Value& value) const {
    MappingFrom from{count(value, "data_set"), {}};
    for (const json::Value& part : items(value, "parts")) {
      tpn::Part& made = from.mapping.emplace_back();
      made.first_stage = count(part, "first");
      made.last_stage = count(part, "last");
      for (const json::Value& processor : items(part, "processors")) made.processors.push_back(count(processor));
    }
    return from;
  }
  StageWork work(const json::Value& value) const {
    StageWork work{count(value, "stage"), count(value, "calls"), static_cast<std::int64_t>(count(value, "wall")),
                   static_cast<std::int64_t>(count(value, "running")), std::nullopt};
    const json::Value& waiting = json::required(tree_, value, "a result", "waiting");
    if (waiting.kind != json::Kind::null) work.waiting = static_cast<std::int64_t>(count(waiting));
    return work;
  }
  const std::vector<json::Value>& items(const json::Value& object, std::string_view key) const {
    return json::as_array(tree_, json::required(tree_, object, "a result", key), "a list");
  }

 private:
  std::uint64_t count(const json::Value& value) const {
    const Rational number = json::as_number(tree_, value, json::Bound::whole);
    if (!number.numerator().fits_ulong_p()) json::fail(tree_, value, json::describe(value), "a smaller number");
    return number.numerator().get_ui();
  }

  const json::Tree& tree_;
};

}  // namespace

std::string write_run_result(const RunResult& result) {
  std::string text;
  tpn::JsonWriter writer(text, tpn::IllFormed::replaced);
  writer.begin_object(tpn::JsonLayout::block);
  writer.member("first_data_set", result.first_data_set);
  writer.member("delivered", result.delivered);
  writer.member("failed", result.failed);
  writer.member("wrong", result.wrong);
  writer.member("begin", static_cast<std::uint64_t>(result.begin));
  writer.member("end", static_cast<std::uint64_t>(result.end));
  writer.member("has_real_time", result.has_real_time);
  writer.member("has_bells", result.has_bells);
  writer.member("cpu_nanoseconds", result.cpu_nanoseconds);
  writer.member("cores", result.cores);
  writer.member("machines", result.machines);
  writer.member("clock_error", result.clock_error);
  writer.key("work");
  writer.begin_array();
  for (const auto& [processor, stages] : result.work) {
    for (const StageWork& work : stages) write_work(writer, processor, work);
  }
  writer.end();
  writer.key("computed");
  writer.begin_array();
  for (const auto& [processor, share] : result.computed) {
    writer.begin_object(tpn::JsonLayout::line);
    writer.member("processor", processor);
    writer.member("data_sets", share.data_sets);
    writer.member("time", static_cast<std::uint64_t>(share.time));
    writer.end();
  }
  writer.end();
  writer.key("mappings");
  writer.begin_array();
  for (const MappingFrom& from : result.mappings) write_mapping(writer, from);
  writer.end();
  writer.end();
  return text += '\n';
}

RunResult read_run_result(std::string_view text, const std::string& file) {
  const json::Tree tree = json::parse(text, file);
  const json::Value& root = json::as_object(tree, tree.root, "a result");
  const ResultReader reader(tree);
  RunResult result;
  result.first_data_set = reader.count(root, "first_data_set");
  result.delivered = reader.count(root, "delivered");
  result.failed = reader.count(root, "failed");
  result.wrong = reader.count(root, "wrong");
  result.begin = static_cast<Ticks>(reader.count(root, "begin"));
  result.end = static_cast<Ticks>(reader.count(root, "end"));
  result.has_real_time = reader.flag(root, "has_real_time");
  result.has_bells = reader.flag(root, "has_bells");
  result.cpu_nanoseconds = reader.count(root, "cpu_nanoseconds");
  result.cores = reader.count(root, "cores");
  result.machines = reader.count(root, "machines");
  result.clock_error = reader.count(root, "clock_error");
  for (const json::Value& work : reader.items(root, "work")) {
    result.work[reader.count(work, "processor")].push_back(reader.work(work));
  }
  for (const json::Value& share : reader.items(root, "computed")) {
    result.computed[reader.count(share, "processor")] = {reader.count(share, "data_sets"),
                                                         static_cast<Ticks>(reader.count(share, "time"))};
  }
  for (const json::Value& from : reader.items(root, "mappings")) result.mappings.push_back(reader.mapping(from));
  return result;
}

}  // namespace takt::live
