// Runs of experiments whose heuristics are Python functions.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/reports/chunk.hpp"
#include "experiments/studies/own_heuristics.hpp"
#include "maxplus/deadline.hpp"
#include "python/core/core.hpp"
#include "python/core/interruptible.hpp"
#include "tools/command.hpp"
#include "tools/experiment/jobs.hpp"
#include "tools/experiment/own_programs.hpp"
#include "tools/experiment/run_command.hpp"
#include "tools/experiment/run_directory.hpp"
#include "tools/own/own_heuristic.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

using experiments::ChosenHeuristic;
using experiments::OwnForm;
using experiments::OwnResult;
using experiments::OwnTask;

// By the names that the description has for them: of a problem (JSON), a model's name and a seed, the answer (JSON).
using Functions = std::map<std::string, py::function>;

class OwnFunctions : public experiments::OwnHeuristics {
 public:
  OwnFunctions(const experiments::Description& description, const Functions& functions)
      : programs_(description), functions_(functions) {}

  // With the interpreter's lock or without.
  OwnResult ask(const ChosenHeuristic& chosen, const OwnTask& task) override {
    if (chosen.own != OwnForm::function) return programs_.ask(chosen, task);
    std::string answer;
    {
      const py::gil_scoped_acquire here;
      const py::bytes problem(tpn::write_document_line(task.problem.document()));
      const std::string model(tpn::name_of(task.model));
      answer = functions_.at(chosen.command)(problem, model, task.seed).cast<std::string>();
    }
    // A function cannot be ended from outside.
    if (maxplus::has_passed(task.deadline)) return {{}, {}, "the time limit was reached"};
    tools::OwnReply reply = tools::read_own_reply(answer, "its answer", task.problem);
    if (!reply.mapping) return {{}, {}, std::move(reply.failure)};
    return {std::move(reply.mapping->mapping), std::move(reply.mapping->predicted_period), {}};
  }

 private:
  tools::OwnPrograms programs_;
  const Functions& functions_;
};

// Whether Python has a signal to answer, its exception set.
bool has_python_signal() {
  const py::gil_scoped_acquire here;
  return has_signal();
}

tools::Shard shard_of(const std::string& text) {
  const auto shard = tools::read_shard(text);
  if (!shard) throw tools::UsageError("shard: found \"" + text + "\", expected K/N");
  return *shard;
}

// Draws of functions are not timed before a run.
std::vector<std::uint64_t> chunks_by_number(const experiments::Description& description) {
  if (description.chunk && description.chunk->draws == 0) {
    throw tools::UsageError(
        "chunk: found a time, expected a number of draws: takt.experiment() does not time functions");
  }
  return {};
}

// Opens or makes the run's directory and computes the shard's chunks that are left; how many there were. Without
// a shard nothing is computed, and the files of chunks are packed.
std::size_t run_experiment(const std::string& text, const std::string& file, const std::string& path,
                           const Functions& functions, std::optional<std::uint64_t> seed,
                           std::optional<std::uint64_t> draws, const std::optional<std::string>& part) {
  const auto directory =
      tools::RunDirectory::open_for(path, text, file, {.seed = seed, .draws = draws}, chunks_by_number);
  if (!part) return tools::chunks_left(directory, directory.tidied(), {}).size();
  const std::vector<experiments::Chunk> left = tools::chunks_left(directory, directory.index(), shard_of(*part));
  OwnFunctions own(directory.description(), functions);
  std::atomic<bool> stop = false;
  {
    const py::gil_scoped_release others_go_on;
    const tools::ComputeChunk compute = [&](const experiments::Chunk& of, const experiments::ChunkWatch& watch) {
      experiments::ChunkWatch own_watch = watch;
      own_watch.own = &own;
      own_watch.stop = &stop;
      own_watch.on_draw = [&](std::uint64_t draw) {
        stop = stop || has_python_signal();
        return watch.on_draw(draw);
      };
      return experiments::compute_chunk(directory.description(), of, own_watch);
    };
    tools::ChunkWorker worker(directory, compute);
    for (const experiments::Chunk& chunk : left) {
      worker.work_on(chunk);
      if (stop) break;
    }
  }
  if (stop) throw py::error_already_set();
  return left.size();
}

}  // namespace

void define_experiments(py::module_& module) {
  module.def("run_experiment", run_experiment, py::arg("text"), py::arg("file"), py::arg("directory"),
             py::arg("functions"), py::arg("seed"), py::arg("draws"), py::arg("shard"));
}

}  // namespace takt::python
