// Mappings as four arrays of integers.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "python/core/checked_mapping.hpp"

namespace takt::python {

/// offsets[i] to offsets[i + 1] - 1 are the parts of mapping i; a part has counts[part] stages and the next
/// widths[part] processors of the last array. Where arrays change meanwhile, answers are those of some mapping.
class MappingArrays {
 public:
  /// Integers of any width, but of values of 32 bits. Throws pybind11::type_error and value_error where the arrays do
  /// not fit together.
  MappingArrays(pybind11::handle offsets, pybind11::handle counts, pybind11::handle widths,
                pybind11::handle processors);

  std::size_t mappings() const { return part_ends_.size() - 1; }
  /// Throws pybind11::value_error, which names the part. Needs no lock of the interpreter.
  void read(std::size_t mapping, CheckedMapping& into) const;

 private:
  using Integers = pybind11::array_t<std::int32_t>;

  void add_parts(const Integers& offsets);
  void add_entries(const Integers& widths);

  Integers counts_;
  Integers processors_;
  std::vector<std::size_t> part_ends_;   // of the mapping before, by mapping and one more
  std::vector<std::size_t> entry_ends_;  // of the part before, by part and one more
};

}  // namespace takt::python
