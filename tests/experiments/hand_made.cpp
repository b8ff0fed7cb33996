// Puts a check sum behind rows.
#include "tests/experiments/hand_made.hpp"

#include <boost/crc.hpp>
#include <cstdio>

namespace takt::experiments {

HandMadeRun hand_made_run(const std::string& description, const std::vector<HandMadeCell>& cells) {
  HandMadeRun run;
  run.description = std::make_unique<const Description>(read_description(description, "hand-made"));
  run.summary = std::make_unique<Summary>(*run.description);
  for (const HandMadeCell& cell : cells) {
    std::string text;
    for (const std::string& row : cell.rows) text += row + "\n";
    boost::crc_32_type crc;
    crc.process_bytes(text.data(), text.size());
    char sum[9];
    std::snprintf(sum, sizeof sum, "%08x", crc.checksum());
    const std::uint64_t draws = run.description->cells[cell.cell].draws;
    text += "{\"cell\": " + std::to_string(cell.cell) + ", \"first\": 0, \"draws\": " + std::to_string(draws) +
            ", \"crc32\": \"" + sum + "\"}\n";
    run.summary->add({cell.cell, 0, 0, draws}, text, "hand-made rows");
  }
  return run;
}

}  // namespace takt::experiments
