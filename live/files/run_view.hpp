// The state and the events of a run, as files that its coordinator writes for observers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "live/adaptation/coordinator.hpp"
#include "live/adaptation/run_log.hpp"
#include "tpn/document.hpp"

namespace takt::live {

/// One object, as JSON on a line.
std::string write_run_view(const RunView& view);

/// Throws tpn::ParseError.
RunView read_run_view(std::string_view text, const std::string& file);

/// Something that happened while a run went on.
struct RunEvent {
  Ticks time = 0;                    // since it began
  std::string words{};               // a sentence on one line, without its period
  std::optional<Ticks> predicted{};  // per data set, where a new mapping is taken up
  bool is_failure = false;           // of a data set
  bool is_decision = false;          // whether another mapping is taken up
};

/// A line, which ends in a line feed.
std::string write_run_event(const RunEvent& event);

/// Throws tpn::ParseError.
RunEvent read_run_event(std::string_view line, const std::string& file);

/// A decision of a run that adapts, as an event for observers; nothing if the entry is no decision. A tick is a
/// nanosecond.
std::optional<RunEvent> event_of(const RunLogEntry& entry, const tpn::Document& problem);

/// An entry of a run's log on a line of its own, its time in milliseconds first. A tick is a nanosecond.
std::string log_line(const RunLogEntry& entry, const tpn::Document& problem);

/// A mapping on one line: "s0 on p0; s1..s3 on p1 p2".
std::string mapping_words(const tpn::Mapping& mapping, const tpn::Document& problem);

}  // namespace takt::live
