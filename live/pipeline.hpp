// A pipeline of one's own: functions as stages of a program that `takt run --executable` starts.
//
//   #include <takt/live/pipeline.hpp>
//
//   void shout(takt::live::Packet& packet) { for (char& c : packet.bytes) c = std::toupper(c); }
//
//   int main(int argc, char** argv) { return takt::live::run(argc, argv, {{"shout", shout}}); }
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "live/engine/packet.hpp"

namespace takt::live {

/// Puts a stage's result in place of its input. Called by one thread of each process; what it throws ends the run. It
/// must be pure: after a failure a data set may be computed again.
using StageFunction = std::function<void(Packet& packet)>;

/// A stage of the instance, by its name.
struct NamedStage {
  std::string name;
  StageFunction function;
};

/// The whole program of one process of a run; returns its exit status. Every stage of the instance must be among these.
/// Link takt::live_mpi.
int run(int argc, char** argv, const std::vector<NamedStage>& stages);

}  // namespace takt::live
