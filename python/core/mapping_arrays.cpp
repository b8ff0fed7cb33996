// All places are counted from the arrays once, so that nothing is read beyond them whatever becomes of them.
#include "python/core/mapping_arrays.hpp"

#include <limits>
#include <string>

#include "python/core/described.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

using Int32Array = py::array_t<std::int32_t>;

void require_dimension(const py::array& array, const char* name) {
  if (array.ndim() == 1) return;
  throw py::value_error(std::string(name) + ": found an array of " + std::to_string(array.ndim()) +
                        " dimensions, expected one");
}

// A contiguous copy, of values that fit.
Int32Array narrowed(const py::array& array, const char* name) {
  const auto wide = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!wide) throw py::error_already_set();
  Int32Array result(wide.size());
  const std::int64_t* const from = wide.data();
  std::int32_t* const to = result.mutable_data();
  for (py::ssize_t i = 0; i < wide.size(); ++i) {
    if (from[i] < std::numeric_limits<std::int32_t>::min() || from[i] > std::numeric_limits<std::int32_t>::max()) {
      throw py::value_error(std::string(name) + ": found " + std::to_string(from[i]) + " as number " +
                            std::to_string(i) + ", expected an integer of 32 bits");
    }
    to[i] = static_cast<std::int32_t>(from[i]);
  }
  return result;
}

Int32Array int32_array(py::handle value, const char* name) {
  const auto array = py::array::ensure(value);
  if (!array) {
    throw py::type_error(std::string(name) + ": found " + described(value) + ", expected an array of integers");
  }
  require_dimension(array, name);
  if (array.size() == 0) return Int32Array(0);
  const char kind = array.dtype().kind();
  if (kind != 'i' && kind != 'u') {
    throw py::type_error(std::string(name) + ": found an array of " + text_of(py::str(array.dtype())) +
                         ", expected int32");
  }
  constexpr int kPlain = int{py::array::c_style} | int{py::detail::npy_api::NPY_ARRAY_ALIGNED_};
  const bool is_plain = py::isinstance<Int32Array>(array) && (array.flags() & kPlain) == kPlain;
  return is_plain ? py::reinterpret_borrow<Int32Array>(array) : narrowed(array, name);
}

}  // namespace

MappingArrays::MappingArrays(py::handle offsets, py::handle counts, py::handle widths, py::handle processors)
    : counts_(int32_array(counts, "counts")), processors_(int32_array(processors, "processors")) {
  const Integers all_widths = int32_array(widths, "widths");
  if (all_widths.size() != counts_.size()) {
    throw py::value_error("widths: found " + std::to_string(all_widths.size()) + " numbers, expected one for each of " +
                          std::to_string(counts_.size()) + " counts");
  }
  add_parts(int32_array(offsets, "offsets"));
  add_entries(all_widths);
}

void MappingArrays::add_parts(const Integers& offsets) {
  if (offsets.size() == 0) throw py::value_error("offsets: found no number, expected one more than there are mappings");
  std::int64_t last = 0;
  for (py::ssize_t i = 0; i < offsets.size(); ++i) {
    const std::int64_t offset = offsets.data()[i];
    if (offset < last || offset > counts_.size() || (i == 0 && offset != 0)) {
      throw py::value_error((i == 0 ? std::string() : "mapping " + std::to_string(i - 1) + ": ") + "found offset " +
                            std::to_string(offset) + ", expected " +
                            (i == 0 ? "0" : std::to_string(last) + " to " + std::to_string(counts_.size())));
    }
    part_ends_.push_back(static_cast<std::size_t>(offset));
    last = offset;
  }
  if (last != counts_.size()) {
    throw py::value_error("offsets: found " + std::to_string(last) + " as the last, expected the number of counts, " +
                          std::to_string(counts_.size()));
  }
}

void MappingArrays::add_entries(const Integers& widths) {
  entry_ends_.reserve(static_cast<std::size_t>(widths.size()) + 1);
  entry_ends_.push_back(0);
  const auto entries = static_cast<std::size_t>(processors_.size());
  for (std::size_t mapping = 0; mapping < mappings(); ++mapping) {
    for (std::size_t part = part_ends_[mapping]; part < part_ends_[mapping + 1]; ++part) {
      const std::int32_t width = widths.data()[part];
      const std::size_t left = entries - entry_ends_.back();
      if (width < 1 || static_cast<std::size_t>(width) > left) {
        throw py::value_error("mapping " + std::to_string(mapping) + ": part " +
                              std::to_string(part - part_ends_[mapping]) + ": found a width of " +
                              std::to_string(width) + ", expected 1 to the " + std::to_string(left) +
                              " processors that are left");
      }
      entry_ends_.push_back(entry_ends_.back() + static_cast<std::size_t>(width));
    }
  }
  if (entry_ends_.back() != entries) {
    throw py::value_error("processors: found " + std::to_string(entries) +
                          " numbers, expected the sum of the widths, " + std::to_string(entry_ends_.back()));
  }
}

void MappingArrays::read(std::size_t mapping, CheckedMapping& into) const {
  const std::int32_t* const counts = counts_.data();
  const std::int32_t* const processors = processors_.data();
  into.begin();
  for (std::size_t part = part_ends_[mapping]; part < part_ends_[mapping + 1]; ++part) {
    into.begin_part(counts[part]);
    for (std::size_t entry = entry_ends_[part]; entry < entry_ends_[part + 1]; ++entry) {
      into.add_processor(processors[entry]);
    }
    into.end_part();
  }
  into.end();
}

}  // namespace takt::python
