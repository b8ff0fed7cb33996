// Tests of files between the parts of a workflow: who gets which, and what becomes of failures.
#include "live/engine/stage_files.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace takt::live {

namespace {

// decode -> {detect, thumbnail} -> overlay, which takes decode's file, too; and a second entry and exit, log.
tpn::Application forked() {
  tpn::Application application;
  const std::vector<std::pair<std::string, std::optional<std::vector<std::size_t>>>> stages = {{"decode", std::nullopt},
                                                                                               {"detect", std::nullopt},
                                                                                               {"thumbnail", {{0}}},
                                                                                               {"overlay", {{2, 0, 1}}},
                                                                                               {"log", {{}}}};
  for (const auto& [name, after] : stages) {
    tpn::Stage& stage = application.stages.emplace_back();
    stage.name = name;
    stage.after = after;
  }
  return application;
}

Packet packet_of(std::vector<StageFile> files) { return {7, encode_files(files), false, {}}; }

Packet failed_at(std::size_t stage) {
  const StageFile failure{stage, "failure of " + std::to_string(stage)};
  return {7, encode_files({&failure, 1}), true, {}};
}

// Each stage writes what it took.
void tell(std::size_t stage, Packet& packet) {
  std::string text = std::to_string(stage) + "(" + packet.bytes;
  for (const InputFile& input : packet.inputs) text += input.stage + "=" + input.bytes + ";";
  packet.bytes = text + ")";
}

}  // namespace

TEST_CASE("a flow says whose files stages take, and who takes the input and whose file nobody takes") {
  const StageFlow flow(forked());
  REQUIRE(!flow.is_chain());
  CHECK(flow.takes_input(0));
  CHECK(!flow.takes_input(1));
  CHECK(flow.takes_input(4));
  CHECK(std::vector<std::size_t>(flow.before(3).begin(), flow.before(3).end()) == std::vector<std::size_t>{0, 1, 2});
  CHECK(flow.exits() == std::vector<std::size_t>{3, 4});
  CHECK(flow.is_wanted_behind(0, 2));
  CHECK(!flow.is_wanted_behind(0, 3));
  tpn::Application chain;
  chain.stages.resize(3);
  CHECK(StageFlow(chain).is_chain());
  CHECK(StageFlow(chain).takes_input(0));
  CHECK(!StageFlow(chain).takes_input(1));
}

TEST_CASE("stages of a part get each its own files, by name where there are several, however parts are cut") {
  const StageFlow flow(forked());
  const std::string decoded = "0(x)";
  const std::string overlaid = "3(decode=0(x);detect=1(0(x));thumbnail=2(0(x));)";
  const Packet input = packet_of({{kInputFile, "x"}});

  Packet whole = input;
  run_stages(flow, 0, 4, whole, tell);
  CHECK(decode_files(whole.bytes) == std::vector<StageFile>{{3, overlaid}, {4, "4(x)"}});

  Packet first = input;
  run_stages(flow, 0, 1, first, tell);
  CHECK(decode_files(first.bytes) == std::vector<StageFile>{{0, decoded}, {1, "1(0(x))"}});
  Packet second = selected(first, std::vector<std::size_t>{0});
  CHECK(decode_files(second.bytes) == std::vector<StageFile>{{0, decoded}});
  run_stages(flow, 2, 2, second, tell);
  CHECK(decode_files(second.bytes) == std::vector<StageFile>{{2, "2(0(x))"}});  // of decode's nothing is left
  std::vector<Packet> packets;
  packets.push_back(std::move(second));
  packets.push_back(first);
  Packet third = joined(std::move(packets));
  run_stages(flow, 3, 3, third, tell);
  CHECK(decode_files(third.bytes) == std::vector<StageFile>{{3, overlaid}});
  CHECK(third.data_set == 7);
}

TEST_CASE("a chain's stages get the packet itself") {
  Packet packet{3, "x", false, {}};
  run_stages(StageFlow(), 1, 2, packet, tell);
  CHECK(packet.bytes == "2(1(x))");
}

TEST_CASE("a packet without a file that is wanted, or cut short, is refused") {
  const StageFlow flow(forked());
  Packet packet = packet_of({{0, "x"}});
  CHECK_THROWS_AS(run_stages(flow, 3, 3, packet, tell), std::runtime_error);
  CHECK_THROWS_AS(selected(packet, std::vector<std::size_t>{1}), std::runtime_error);
  packet.bytes.pop_back();
  CHECK_THROWS_AS(decode_files(packet.bytes), std::runtime_error);
  CHECK_THROWS_AS(decode_files("half"), std::runtime_error);
  packet = packet_of({{kInputFile, "x"}});
  set_input(packet, "longer");
  CHECK(decode_files(packet.bytes) == std::vector<StageFile>{{kInputFile, "longer"}});
}

TEST_CASE("of failures the first stage's stays, in whatever order they come, and nothing runs behind one") {
  const StageFlow flow(forked());
  for (const bool is_turned : {false, true}) {
    std::vector<Packet> packets = {packet_of({{0, "x"}}), failed_at(2), failed_at(1)};
    if (is_turned) std::swap(packets.front(), packets.back());
    const Packet all = joined(std::move(packets));
    CHECK(all.has_failed);
    CHECK(result_of(flow, all, TextForm::sized) == "failure of 1");
    CHECK(selected(all, std::vector<std::size_t>{3}).has_failed);
  }
  Packet packet = packet_of({{kInputFile, "x"}});
  std::vector<std::size_t> run;
  run_stages(flow, 0, 4, packet, [&](std::size_t stage, Packet& one) {
    run.push_back(stage);
    one.has_failed = stage == 1;
    one.bytes = "why";
  });
  CHECK(run == std::vector<std::size_t>{0, 1});
  CHECK(packet.has_failed);
  CHECK(decode_files(packet.bytes) == std::vector<StageFile>{{1, "why"}});
}

TEST_CASE("a result is the file of the only exit, or names and files of all") {
  tpn::Application diamond = forked();
  diamond.stages.pop_back();
  CHECK(result_of(StageFlow(diamond), packet_of({{3, "both"}}), TextForm::sized) == "both");
  const StageFlow flow(forked());
  const Packet delivered = packet_of({{4, "l"}, {3, "both"}});
  const auto sized = [](const std::string& text) {
    return std::string(1, static_cast<char>(text.size())) + std::string(7, '\0') + text;
  };
  CHECK(result_of(flow, delivered, TextForm::sized) == sized("overlay") + sized("both") + sized("log") + sized("l"));
  CHECK(result_of(flow, delivered, TextForm::lines) == "overlay\nboth\nlog\nl");
}

}  // namespace takt::live
