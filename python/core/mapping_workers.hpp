// Workers that evaluate mappings of one problem: each keeps its memory for the next call.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "python/core/checked_mapping.hpp"
#include "python/core/shared_document.hpp"
#include "tpn/problem_view.hpp"

namespace takt::python {

/// What evaluators of one problem share.
struct EvaluatedProblem {
  EvaluatedProblem(const SharedDocument& source, const tpn::Model& chosen);

  SharedDocument source;
  tpn::Model model;
  MappingRules rules;
  tpn::ProblemView view;
};

/// Reads the mapping of that number, and checks it; throws where it is none.
using ReadMapping = std::function<void(std::size_t, CheckedMapping&)>;
/// Takes the answer for the mapping of that number.
using TakeAnswer = std::function<void(std::size_t, const evaluators::MappingEvaluation&)>;
using AskedCutoff = std::optional<evaluators::Cutoff>;

/// For one thread at a time.
class MappingWorker {
 public:
  explicit MappingWorker(const EvaluatedProblem& problem);

  /// For a mapping alone, to be read into and then evaluated.
  CheckedMapping& mapping() { return block_.front(); }
  evaluators::MappingEvaluation evaluate(const CheckedMapping& mapping, const AskedCutoff& cutoff);
  std::optional<evaluators::Period> largest_cycle_time(const CheckedMapping& mapping);

  /// A block of a batch: these mappings, which are then read and evaluated, all or each. What is thrown is kept until
  /// the answers before it were taken.
  void begin(std::size_t first, std::size_t count);
  void read(const ReadMapping& read);
  void evaluate(const AskedCutoff& cutoff);
  void evaluate(const ReadMapping& read, const AskedCutoff& cutoff);
  /// Throws what was kept, with the mapping's number.
  void take(const TakeAnswer& take) const;

 private:
  template <typename Work>
  void for_block(const Work& work);

  std::size_t first_ = 0;
  std::size_t count_ = 0;  // up to the first that failed
  std::exception_ptr failure_;
  std::vector<CheckedMapping> block_;
  std::vector<evaluators::MappingEvaluation> answers_;
  evaluators::MappingEvaluator evaluator_;
  const EvaluatedProblem& problem_;
};

/// The workers that nobody has. To be asked with the interpreter's lock held, which is all that keeps callers apart: no
/// one waits for another.
class IdleWorkers {
 public:
  /// Workers for one call, given back at its end; the lock is held then as well.
  class Borrowed {
   public:
    Borrowed(IdleWorkers& from, std::size_t count);
    ~Borrowed();
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    std::vector<std::unique_ptr<MappingWorker>>& all() { return workers_; }

   private:
    IdleWorkers& from_;
    std::vector<std::unique_ptr<MappingWorker>> workers_;
  };

  /// Keeps a reference to the problem.
  explicit IdleWorkers(const EvaluatedProblem& problem) : problem_(problem) {}

  /// One for a call that takes microseconds.
  std::unique_ptr<MappingWorker> take();
  void give_back(std::unique_ptr<MappingWorker> worker) { idle_.push_back(std::move(worker)); }

 private:
  const EvaluatedProblem& problem_;
  std::vector<std::unique_ptr<MappingWorker>> idle_;
};

/// How the mappings of a batch are read: by the thread that holds the interpreter's lock, or by each worker without it.
enum class BatchReading { locked, free };

/// Mappings in blocks, one for each worker: read, evaluated without the interpreter's lock, taken with it in the order
/// of their numbers; then Python may raise what a signal asks for. `count` is asked again for each block. Throws what
/// the mapping of the least number throws, which is named.
void evaluate_batch(std::vector<std::unique_ptr<MappingWorker>>& workers, const std::function<std::size_t()>& count,
                    BatchReading reading, const ReadMapping& read, const AskedCutoff& cutoff, const TakeAnswer& take);

}  // namespace takt::python
