// Stages that are programs.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "live/engine/kernel.hpp"
#include "live/process/keeper.hpp"
#include "live/process/stage_program.hpp"

namespace takt::live {

/// Runs the programs of stages. One for all data sets of its stage is a filter: it reads a data set's bytes from
/// standard input, one by one, and answers each with one record on standard output before it gets the next. It is
/// started at its first data set, or by `start` before.
class FilterKernel final : public Kernel {
 public:
  /// Keeps the keeper.
  FilterKernel(Keeper& keeper, const std::vector<StageCommand>& commands, ProgramOptions options);
  ~FilterKernel() override;

  /// Starts the program of a stage that has one for all data sets. Throws std::system_error.
  void start(std::size_t stage);

  /// Throws StageFailed if a program ends, closes its output, says too much or nothing in time, with the last that
  /// it has written to standard error. It is killed, and the next data set starts another.
  void run(const StageCall& call, Packet& packet) override;

  CoreTime time_outside(std::size_t stage) const override;

 private:
  ProgramOptions options_;
  std::map<std::size_t, std::unique_ptr<StageProgram>> programs_;  // by stage
};

}  // namespace takt::live
