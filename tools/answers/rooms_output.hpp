// The rooms of a pipeline in a sentence, as tables and as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "evaluators/insight/rooms.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// "P0's out-room"; of a processor in several parts, "P0's out-room of part 2".
std::string room_name(const tpn::Buffer& buffer, const tpn::Pipeline& pipeline);

/// "The period is 189 with room for two, 211 with one; only P0's out-room needs two.", or what is known of it.
std::string rooms_sentence(const evaluators::RoomsInsight& insight, const tpn::Pipeline& pipeline,
                           const TimeWords& times);

/// The periods by room for all, and the rooms of each buffer.
void write_rooms(std::ostream& out, const evaluators::RoomsInsight& insight, const tpn::Pipeline& pipeline,
                 const TimeWords& times);

/// The same as members of an object that is open.
void write_rooms(tpn::JsonWriter& json, const evaluators::RoomsInsight& insight, const tpn::Pipeline& pipeline);

}  // namespace takt::tools
