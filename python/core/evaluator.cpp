// Evaluator: periods of many mappings of one problem, from loops that are written in Python.
//
// A period takes a microsecond or so, hence what crosses the border is read by hand and the interpreter's lock is kept;
// batches release it while they evaluate. Each call has a worker of its own (mapping_workers.hpp), so threads may share
// an Evaluator, and code of Python that runs while a mapping is read may ask it, too.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "python/core/core.hpp"
#include "python/core/described.hpp"
#include "python/core/exact.hpp"
#include "python/core/items.hpp"
#include "python/core/mapping_arrays.hpp"
#include "python/core/mapping_reader.hpp"
#include "python/core/mapping_workers.hpp"
#include "python/core/raised.hpp"
#include "python/core/shared_document.hpp"
#include "tools/command.hpp"
#include "tools/frame/options.hpp"
#include "tpn/errors.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

using evaluators::MappingAnswer;
using evaluators::MappingEvaluation;

constexpr std::size_t kMostThreads = 256;

tpn::Model model_of_evaluator(const tpn::Document& document, const std::string& model,
                              std::optional<std::int64_t> rooms) {
  const std::vector<std::string> names = tools::model_names();
  if (!model.empty() && !tpn::find_model(model)) {
    throw tools::UsageError("found the model " + tpn::json::quote(model) + ", expected " +
                            tpn::json::alternatives(names));
  }
  if (rooms && *rooms < 1) {
    throw tools::UsageError("found room for " + std::to_string(*rooms) + " files, expected at least 1");
  }
  const auto chosen = tools::chosen_model({model, rooms}, document.model);
  if (!chosen) {
    raise_model_missing("problem");
  }
  return *chosen;
}

// `where`: "" or "mapping 3: ".
[[noreturn]] void throw_interval(const MappingEvaluation& answer, const std::string& where) {
  const py::object lower = fraction_of(answer.lower);
  const py::object upper = answer.upper ? fraction_of(*answer.upper) : py::none();
  const std::string most = answer.upper ? " and at most " + text_of(py::str(upper)) : "";
  raise_limit(where + "the net is too large for an Evaluator: the period is at least " + text_of(py::str(lower)) +
                  most + "; takt.evaluate may know more",
              lower, upper);
}

// Whether a period is known that is below the cutoff; throws where it may be, or not.
bool is_answered(const MappingEvaluation& answer, const AskedCutoff& cutoff, const std::string& where) {
  if (cutoff && answer.lower >= cutoff->period) return false;
  if (answer.answer == MappingAnswer::interval) throw_interval(answer, where);
  return answer.answer == MappingAnswer::exact;
}

std::string place_in_batch(std::size_t mapping) { return "mapping " + std::to_string(mapping) + ": "; }

// What takes the answers of a batch and keeps them.
class BatchAnswers {
 public:
  BatchAnswers(bool exact, const AskedCutoff& cutoff) : exact_(exact), cutoff_(cutoff) {}

  void take(std::size_t mapping, const MappingEvaluation& answer) {
    const bool is_known =
        is_answered(answer, cutoff_, answer.answer == MappingAnswer::interval ? place_in_batch(mapping) : "");
    if (!exact_) return decimals_.push_back(is_known ? double_of(answer.lower) : std::nan(""));
    fractions_.append(is_known ? fraction_of(answer.lower) : py::none());
  }

  py::object result() const {
    if (exact_) return fractions_;
    return py::array_t<double>(static_cast<py::ssize_t>(decimals_.size()), decimals_.data());
  }

 private:
  bool exact_;
  const AskedCutoff& cutoff_;
  py::list fractions_;
  std::vector<double> decimals_;
};

class PeriodEvaluator {
 public:
  PeriodEvaluator(const SharedDocument& source, const std::string& model, std::optional<std::int64_t> rooms)
      : problem_(std::make_unique<const EvaluatedProblem>(with_processors(source),
                                                          model_of_evaluator(*source.document, model, rooms))),
        reader_(problem_->rules),
        idle_(*problem_) {}

  const EvaluatedProblem& problem() const { return *problem_; }

  py::object period(py::handle mapping, py::handle asked) {
    const AskedCutoff cutoff = cutoff_of(asked);
    const Loan worker(idle_);
    reader_.read(mapping, worker->mapping());
    const MappingEvaluation answer = evaluate_alone(*worker, cutoff);
    return is_answered(answer, cutoff, "") ? fraction_of(answer.lower) : py::none();
  }

  py::object max_cycle_time(py::handle mapping) {
    const Loan worker(idle_);
    reader_.read(mapping, worker->mapping());
    const auto time = worker->largest_cycle_time(worker->mapping());
    if (!time) raise_limit("the transfers of the mapping are too many to be listed", py::none(), py::none());
    return fraction_of(*time);
  }

  py::object periods(py::handle mappings, bool exact, std::int64_t threads, py::handle asked) {
    const AskedCutoff cutoff = cutoff_of(asked);
    IdleWorkers::Borrowed workers(idle_, thread_count(threads));
    const Items items = items_of_batch(mappings);
    const auto count = [&items] { return static_cast<std::size_t>(items.size()); };
    const auto read = [&](std::size_t i, CheckedMapping& into) {
      const auto at = static_cast<Py_ssize_t>(i);
      if (at >= items.size()) throw py::value_error("found none, expected a list that stays as long as it is");
      reader_.read(items.hold(at), into);
    };
    BatchAnswers answers(exact, cutoff);
    evaluate_batch(workers.all(), count, BatchReading::locked, read, cutoff,
                   [&](std::size_t i, const MappingEvaluation& answer) { answers.take(i, answer); });
    return answers.result();
  }

  py::object periods_of_arrays(py::handle offsets, py::handle counts, py::handle widths, py::handle processors,
                               bool exact, std::int64_t threads, py::handle asked) {
    const AskedCutoff cutoff = cutoff_of(asked);
    IdleWorkers::Borrowed workers(idle_, thread_count(threads));
    const MappingArrays arrays(offsets, counts, widths, processors);
    BatchAnswers answers(exact, cutoff);
    evaluate_batch(
        workers.all(), [&arrays] { return arrays.mappings(); }, BatchReading::free,
        [&arrays](std::size_t i, CheckedMapping& into) { arrays.read(i, into); }, cutoff,
        [&](std::size_t i, const MappingEvaluation& answer) { answers.take(i, answer); });
    return answers.result();
  }

  // The problem with this mapping, as text.
  std::string document(py::handle mapping) {
    const Loan worker(idle_);
    reader_.read(mapping, worker->mapping());
    const auto parts = worker->mapping().parts();
    tpn::Document document = *problem_->source.document;
    document.mapping.emplace(parts.begin(), parts.end());
    document.predicted_period.reset();
    document.heuristic.reset();
    tpn::validate_mapping(problem_->view, *document.mapping);
    return tpn::write_document(document);
  }

  // The mapping of a document whose processors have the same names.
  py::list parts(const SharedDocument& source) const {
    if (!source.document->mapping) throw tpn::InvalidInstance("/mapping", "no mapping", "one");
    py::list parts;
    for (const tpn::Part& part : *source.document->mapping) {
      py::list processors;
      for (const std::size_t processor : part.processors) {
        processors.append(
            reader_.processor_named(py::str(source.document->platform.processors[processor].name), parts.size()));
      }
      parts.append(py::make_tuple(part.last_stage - part.first_stage + 1, processors));
    }
    return parts;
  }

 private:
  // Operations of a net whose evaluation takes some ten microseconds, a hundred times what releasing a lock does.
  static constexpr std::size_t kLongNet = 1024;

  // Nets have a row for each data set of the least common multiple of their widths, most of which divide it.
  static bool is_long(std::span<const tpn::Part> parts) {
    std::uint32_t rows = 1;
    for (const tpn::Part& part : parts) {
      if (part.processors.size() > kLongNet) return true;
      const auto width = static_cast<std::uint32_t>(part.processors.size());
      if (rows % width == 0) continue;
      rows = std::lcm(rows, width);
      if (rows > kLongNet / parts.size()) return true;
    }
    return false;
  }

  static MappingEvaluation evaluate_alone(MappingWorker& worker, const AskedCutoff& cutoff) {
    if (!is_long(worker.mapping().parts())) return worker.evaluate(worker.mapping(), cutoff);
    const py::gil_scoped_release others_go_on;
    return worker.evaluate(worker.mapping(), cutoff);
  }

  // A worker for one call.
  class Loan {
   public:
    explicit Loan(IdleWorkers& from) : from_(from), worker_(from.take()) {}
    ~Loan() { from_.give_back(std::move(worker_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    MappingWorker* operator->() const { return worker_.get(); }
    MappingWorker& operator*() const { return *worker_; }

   private:
    IdleWorkers& from_;
    std::unique_ptr<MappingWorker> worker_;
  };

  static const SharedDocument& with_processors(const SharedDocument& source) {
    if (!source.document->platform.is_catalogue()) return source;
    throw tpn::InvalidInstance("/platform", "no processors, only types", "processors");
  }

  static Items items_of_batch(py::handle mappings) {
    PyObject* const object = mappings.ptr();
    const bool is_iterable =
        !PyUnicode_Check(object) && !PyDict_Check(object) && py::isinstance<py::iterable>(mappings);
    if (!is_iterable) throw py::type_error("found " + described(mappings) + ", expected mappings");
    if (PyList_Check(object) || PyTuple_Check(object)) return *Items::of(mappings);
    const auto list = py::reinterpret_steal<py::object>(PySequence_List(object));
    if (!list) throw py::error_already_set();
    return *Items::of(list);
  }

  static std::size_t thread_count(std::int64_t threads) {
    if (threads >= 1 && threads <= std::int64_t{kMostThreads}) return static_cast<std::size_t>(threads);
    throw py::value_error("found " + std::to_string(threads) + " threads, expected 1 to " +
                          std::to_string(kMostThreads));
  }

  // Climbers ask with the same number many times.
  AskedCutoff cutoff_of(py::handle asked) {
    if (asked.is_none()) return std::nullopt;
    if (last_asked_.is(asked)) return last_cutoff_;
    AskedCutoff cutoff;
    const bool is_endless =
        PyFloat_Check(asked.ptr()) && PyFloat_AS_DOUBLE(asked.ptr()) > std::numeric_limits<double>::max();
    if (!is_endless) cutoff = {rational_of(asked, "cutoff"), evaluators::CutoffAt::reached};
    if (is_fraction(asked)) {
      last_cutoff_ = cutoff;
      last_asked_ = py::reinterpret_borrow<py::object>(asked);
    }
    return cutoff;
  }

  std::unique_ptr<const EvaluatedProblem> problem_;
  MappingReader reader_;
  IdleWorkers idle_;
  py::object last_asked_;  // a number that cannot change
  AskedCutoff last_cutoff_;
};

// What a call in C++ throws becomes an exception of Python by way of a function that throws it.
PyObject* raise_as_python(std::exception_ptr thrown) {
  static thread_local std::exception_ptr pending;
  pending = std::move(thrown);
  try {
    py::cpp_function([] { std::rethrow_exception(std::exchange(pending, nullptr)); })();
  } catch (py::error_already_set& error) {
    error.restore();
  }
  return nullptr;
}

// The arguments of `period`, by place or by name; throws pybind11::type_error if they are others.
struct PeriodArguments {
  py::handle mapping;
  py::handle cutoff = Py_None;

  PeriodArguments(PyObject* const* given, Py_ssize_t count, PyObject* names) {
    if (count > 2) throw py::type_error("period() takes a mapping and a cutoff, found " + std::to_string(count));
    if (count > 0) mapping = given[0];
    if (count > 1) cutoff = given[1];
    const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
    for (Py_ssize_t i = 0; i < named; ++i) set(PyTuple_GET_ITEM(names, i), given[count + i], count);
    if (!mapping) throw py::type_error("period() found no mapping");
  }

 private:
  void set(PyObject* name, PyObject* value, Py_ssize_t given) {
    if (given < 2 && PyUnicode_CompareWithASCIIString(name, "cutoff") == 0) {
      cutoff = value;
    } else if (given < 1 && PyUnicode_CompareWithASCIIString(name, "mapping") == 0) {
      mapping = value;
    } else {
      throw py::type_error("period() takes a mapping and a cutoff, found " + described(name) + " as well");
    }
  }
};

// Evaluator.period by the shortest way: that of pybind11 costs as much as a third of a period.
PyObject* call_period(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  try {
    auto* const instance = reinterpret_cast<py::detail::instance*>(self);
    auto* const evaluator = static_cast<PeriodEvaluator*>(instance->get_value_and_holder().value_ptr());
    if (evaluator == nullptr) throw py::type_error("an Evaluator whose __init__ was not called");
    const PeriodArguments arguments(given, count, names);
    return evaluator->period(arguments.mapping, arguments.cutoff).release().ptr();
  } catch (...) {
    return raise_as_python(std::current_exception());
  }
}

void define_period(const py::handle& type) {
  static PyMethodDef definition = {"period", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call_period)),
                                   METH_FASTCALL | METH_KEYWORDS,
                                   "period($self, mapping, cutoff=None)\n--\n\n"
                                   "The exact period of a mapping, a Fraction; None where it is not below the cutoff."};
  const auto method =
      py::reinterpret_steal<py::object>(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &definition));
  if (!method) throw py::error_already_set();
  py::setattr(type, "period", method);
}

}  // namespace

void define_evaluator(py::module_& module) {
  using Evaluator = PeriodEvaluator;
  const auto rooms_of = [](const Evaluator& e) -> std::optional<std::uint64_t> {
    if (!e.problem().model->has_rooms) return std::nullopt;
    return e.problem().model.rooms();
  };
  py::class_<Evaluator> type(module, "Evaluator");
  define_period(type);
  type.def(py::init<const SharedDocument&, const std::string&, std::optional<std::int64_t>>(), py::arg("document"),
           py::arg("model"), py::arg("rooms") = py::none())
      .def("periods", &Evaluator::periods, py::arg("mappings"), py::arg("exact") = true, py::arg("threads") = 1,
           py::arg("cutoff") = py::none())
      .def("periods_of_arrays", &Evaluator::periods_of_arrays, py::arg("offsets"), py::arg("counts"), py::arg("widths"),
           py::arg("processors"), py::arg("exact") = false, py::arg("threads") = 1, py::arg("cutoff") = py::none())
      .def("max_cycle_time", &Evaluator::max_cycle_time, py::arg("mapping"))
      .def("document", &Evaluator::document, py::arg("mapping"))
      .def("parts", &Evaluator::parts, py::arg("document"))
      .def_property_readonly("model", [](const Evaluator& e) { return std::string(tpn::name_of(e.problem().model)); })
      .def_property_readonly("rooms", rooms_of)
      .def_property_readonly(
          "stages", [](const Evaluator& e) { return names_of_items(e.problem().source.document->application.stages); })
      .def_property_readonly("processors", [](const Evaluator& e) {
        return names_of_items(e.problem().source.document->platform.processors);
      });
}

}  // namespace takt::python
