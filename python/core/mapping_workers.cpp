// Threads for a block at a time: it takes a millisecond or more, a thread some ten microseconds.
#include "python/core/mapping_workers.hpp"

#include <pybind11/pybind11.h>

#include <algorithm>
#include <string>
#include <thread>

#include "python/core/interruptible.hpp"
#include "tpn/errors.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

constexpr std::size_t kBlock = 1024;

[[noreturn]] void rethrow_for_mapping(std::size_t number, const std::exception_ptr& failure) {
  const std::string here = "mapping " + std::to_string(number);
  try {
    std::rethrow_exception(failure);
  } catch (const py::type_error& error) {
    throw py::type_error(here + ": " + error.what());
  } catch (const py::value_error& error) {
    throw py::value_error(here + ": " + error.what());
  } catch (const tpn::InvalidInstance& error) {
    throw error.at(here);
  }
}

// Each by a thread of its own but for the first.
void for_all(std::vector<std::unique_ptr<MappingWorker>>& workers, const std::function<void(MappingWorker&)>& work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < workers.size(); ++i) threads.emplace_back([&work, &workers, i] { work(*workers[i]); });
  work(*workers.front());
}

}  // namespace

EvaluatedProblem::EvaluatedProblem(const SharedDocument& shared, const tpn::Model& chosen)
    : source(shared), model(chosen), rules(*source.document), view(*source.document) {}

MappingWorker::MappingWorker(const EvaluatedProblem& problem)
    : block_(1, CheckedMapping(problem.rules)), evaluator_(problem.view), problem_(problem) {}

evaluators::MappingEvaluation MappingWorker::evaluate(const CheckedMapping& mapping, const AskedCutoff& cutoff) {
  if (cutoff) return evaluator_.evaluate(mapping.parts(), problem_.model, *cutoff);
  return evaluator_.evaluate(mapping.parts(), problem_.model);
}

std::optional<evaluators::Period> MappingWorker::largest_cycle_time(const CheckedMapping& mapping) {
  return evaluator_.largest_cycle_time(mapping.parts(), problem_.model);
}

void MappingWorker::begin(std::size_t first, std::size_t count) {
  first_ = first;
  count_ = count;
  failure_ = nullptr;
  if (answers_.size() < count) answers_.resize(count);
}

// Up to the first that fails.
template <typename Work>
void MappingWorker::for_block(const Work& work) {
  for (std::size_t i = 0; i < count_; ++i) {
    try {
      work(i);
    } catch (...) {
      failure_ = std::current_exception();
      count_ = i;
    }
  }
}

void MappingWorker::read(const ReadMapping& read) {
  if (block_.size() < count_) block_.resize(count_, CheckedMapping(problem_.rules));
  for_block([&](std::size_t i) { read(first_ + i, block_[i]); });
}

void MappingWorker::evaluate(const AskedCutoff& cutoff) {
  for_block([&](std::size_t i) { answers_[i] = evaluate(block_[i], cutoff); });
}

void MappingWorker::evaluate(const ReadMapping& read, const AskedCutoff& cutoff) {
  for_block([&](std::size_t i) {
    read(first_ + i, mapping());
    answers_[i] = evaluate(mapping(), cutoff);
  });
}

void MappingWorker::take(const TakeAnswer& take) const {
  for (std::size_t i = 0; i < count_; ++i) take(first_ + i, answers_[i]);
  if (failure_) rethrow_for_mapping(first_ + count_, failure_);
}

IdleWorkers::Borrowed::Borrowed(IdleWorkers& from, std::size_t count) : from_(from) {
  for (std::size_t i = 0; i < count; ++i) workers_.push_back(from.take());
}

IdleWorkers::Borrowed::~Borrowed() {
  for (auto& worker : workers_) from_.give_back(std::move(worker));
}

std::unique_ptr<MappingWorker> IdleWorkers::take() {
  if (idle_.empty()) return std::make_unique<MappingWorker>(problem_);
  auto worker = std::move(idle_.back());
  idle_.pop_back();
  return worker;
}

void evaluate_batch(std::vector<std::unique_ptr<MappingWorker>>& workers, const std::function<std::size_t()>& count,
                    BatchReading reading, const ReadMapping& read, const AskedCutoff& cutoff, const TakeAnswer& take) {
  for (std::size_t done = 0; done < count();) {
    const std::size_t left = count() - done;
    const std::size_t share = std::min(kBlock, (left - 1) / workers.size() + 1);
    for (auto& worker : workers) {
      const std::size_t given = std::min(share, count() - std::min(done, count()));
      worker->begin(done, given);
      if (reading == BatchReading::locked) worker->read(read);
      done += given;
    }
    {
      const py::gil_scoped_release others_go_on;
      for_all(workers, [&](MappingWorker& worker) {
        if (reading == BatchReading::locked) return worker.evaluate(cutoff);
        worker.evaluate(read, cutoff);
      });
    }
    for (const auto& worker : workers) worker->take(take);
    if (has_signal()) throw py::error_already_set();
  }
}

}  // namespace takt::python
