// Tests of messages of shadows and of ports: there and back, and what is none.
#include "live/engine/messages.hpp"

#include <catch2/catch.hpp>

namespace takt::live {

TEST_CASE("orders and news of shadows come back as they were") {
  const auto order = decode_order(encode(OrderMessage{Order::shadow, 7, 3, "input"}));
  REQUIRE(order.has_value());
  CHECK(order->order == Order::shadow);
  CHECK(order->data_set == 7);
  CHECK(order->time == 3);
  CHECK(order->text == "input");
  const StageTimes times = {1, 0, 1'000'000'000'000};
  const auto news = decode_news(encode(NewsMessage{News::shadowed, 3, 7, 10, 9, encode_stage_times(times)}));
  REQUIRE(news.has_value());
  CHECK(news->news == News::shadowed);
  CHECK(news->end == 9);
  CHECK(decode_stage_times(news->bytes) == times);
}

TEST_CASE("messages of ports, and files that nothing waits for, come back as they were") {
  const auto port = decode_port(encode(PortMessage{7, 3, -10, 2}));
  REQUIRE(port.has_value());
  CHECK(port->data_set == 7);
  CHECK(port->column == 3);
  CHECK(port->since == -10);
  CHECK(port->segment == 2);
  CHECK(!decode_port("seven b").has_value());
  const auto sent = decode_free_file(encode(FreeFileMessage{5, {7, 3, "bytes", true}}));
  REQUIRE(sent.has_value());
  CHECK(sent->column == 5);
  CHECK(sent->file.data_set == 7);
  CHECK(sent->file.posted == 3);
  CHECK(sent->file.bytes == "bytes");
  CHECK(sent->file.has_failed);
  CHECK(!decode_free_file("seven b").has_value());
}

TEST_CASE("mappings come back with their batches") {
  const tpn::Mapping mapping = {{0, 1, {2}}, {2, 2, {0, 0, 0, 1}, {{0, 3}}}, {3, 3, {4, 4}, {{0, 2}}}};
  CHECK(decode_mapping(encode_mapping(mapping)) == mapping);
  std::string cut = encode_mapping(mapping);
  cut.pop_back();
  CHECK(!decode_mapping(cut).has_value());
}

TEST_CASE("no order, no news and no times are made of other bytes") {
  std::string order = encode(OrderMessage{Order::last, 7, 3, "", 2});
  ++order[0];
  CHECK(!decode_order(order).has_value());
  std::string news = encode(NewsMessage{News::has_file, 3, 7, 10, 9, ""});
  ++news[0];
  CHECK(!decode_news(news).has_value());
  CHECK(!decode_stage_times("seven b").has_value());
  CHECK(decode_stage_times("")->empty());
}

}  // namespace takt::live
