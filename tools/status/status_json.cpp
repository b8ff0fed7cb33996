// What is not known is null; a number of data sets or a window that does not exist is left out.
#include "tools/status/status_json.hpp"

#include "tpn/json_writer.hpp"

namespace takt::tools {

namespace {

void write_holds(tpn::JsonWriter& json, const std::vector<StatusHolding>& holds) {
  json.key("holding");
  json.begin_array();
  for (const StatusHolding& holding : holds) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("data_set", holding.data_set);
    json.member("stage_names", holding.stages);
    json.key("receiver");
    holding.receiver.empty() ? json.value(nullptr) : json.value(holding.receiver);
    json.member("for_seconds", holding.seconds);
    json.end();
  }
  json.end();
}

void write_processor(tpn::JsonWriter& json, const StatusProcessor& processor) {
  json.begin_object();
  json.member("name", processor.name);
  json.member("left_out", processor.is_left_out);
  json.member("stage_names", processor.stages);
  const auto share = [&](const char* key, double ActivityShares::*of) {
    json.key(key);
    processor.shares ? json.value(*processor.shares.*of) : json.value(nullptr);
  };
  share("computing", &ActivityShares::computing);
  share("transferring", &ActivityShares::transferring);
  share("blocked", &ActivityShares::blocked);
  share("starved", &ActivityShares::starved);
  json.member("queue", processor.queue);
  json.member("slowdown", processor.slowdown);
  json.member("believed_slowdown", processor.believed);
  write_holds(json, processor.holds);
  json.end();
}

void write_restarts(tpn::JsonWriter& json, const std::vector<StatusRestart>& restarts) {
  json.key("restarts");
  json.begin_array();
  for (const StatusRestart& restart : restarts) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("at", restart.seconds);
    json.member("failure", restart.failure);
    json.key("processor");
    restart.processor.empty() ? json.value(nullptr) : json.value(restart.processor);
    json.member("data_sets", restart.delivered);
    json.end();
  }
  json.end();
}

void write_pace(tpn::JsonWriter& json, const LiveStatus& status) {
  json.member("rate_last_minute", status.rate);
  json.member("rate_window_seconds", status.rate_seconds);
  json.member("rate_last_5_seconds", status.now_rate);
  json.member("predicted_rate", predicted_rate(status));
  json.member("rate_limit", status.max_rate);
  json.member("predicted_period_seconds", status.predicted_period);
  json.member("seconds_left", status.seconds_left);
  json.member("seconds_since_delivery", status.seconds_since_delivery);
}

void write_events(tpn::JsonWriter& json, const LiveStatus& status) {
  json.member("earlier_events", status.earlier_events);
  json.key("events");
  json.begin_array();
  for (const StatusEvent& event : status.events) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("at", event.seconds);
    json.member("words", event.words);
    json.end();
  }
  json.end();
}

void write_time(tpn::JsonWriter& json, const char* key, std::int64_t time) {
  json.key(key);
  time > 0 ? json.value(static_cast<std::uint64_t>(time)) : json.value(nullptr);
}

}  // namespace

std::string status_json(const LiveStatus& status) {
  std::string text;
  tpn::JsonWriter json(text, tpn::IllFormed::replaced);
  json.begin_object(tpn::JsonLayout::block);
  json.member("file", status.file);
  json.member("model", status.model);
  json.member("rehearsal", status.is_rehearsal);
  json.member("phase", name_of(status.phase));
  write_time(json, "begun", status.begun);
  write_time(json, "written", status.written);
  json.member("elapsed_seconds", status.seconds);
  if (status.data_sets) json.member("data_sets", *status.data_sets);
  json.member("first_data_set", status.first_data_set);
  json.member("delivered", status.delivered);
  json.member("failed", status.failed);
  json.member("under_way", status.under_way);
  if (status.window > 0) json.member("window", status.window);
  write_pace(json, status);
  json.member("present_mapping", status.mapping);
  json.member("from_data_set", status.mapping_from);
  json.member("mappings", status.mappings);
  json.member("decisions", status.decisions);
  write_restarts(json, status.restarts);
  json.key("processor_states");
  json.begin_array();
  for (const StatusProcessor& processor : status.processors) write_processor(json, processor);
  json.end();
  write_events(json, status);
  json.end();
  return text += '\n';
}

}  // namespace takt::tools
