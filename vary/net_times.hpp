// The durations of a net as laws around means: what a play draws.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "maxplus/deadline.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"
#include "vary/draws.hpp"
#include "vary/law.hpp"

namespace takt::vary {

/// A mean times a factor that is drawn.
struct TimeTerm {
  std::size_t stream = 0;           // an index into ColumnTimes::streams
  std::size_t law = 0;              // an index into NetTimes::laws
  bool grows_with_data_set = true;  // whether the factor of the data set multiplies it, too
  double mean = 0;                  // in time units, above 0
};

/// The durations of a column: that of entry i of Column::table is the sum of the terms first_term[i] to
/// first_term[i + 1] - 1, and 0 without any.
struct ColumnTimes {
  std::vector<DrawStream> streams{};
  std::vector<TimeTerm> terms{};
  std::vector<std::size_t> first_term{};
};

struct NetTimes {
  std::vector<Law> laws{};
  std::vector<ColumnTimes> columns{};
  std::optional<std::size_t> data_set_law{};  // of the factor of each data set; an index into `laws`
};

/// The durations of a document's net by the laws that it has; a number without one does not vary. A part's computation
/// is a sum over its stages, each drawn by itself; on a processor with a fixed time, one draw, of its first stage. A
/// transfer is a sum over its files and of what does not grow with these. The factor of a data set multiplies all but
/// latencies and what a stage takes once for all that it computes at once. Nothing if the deadline passes.
std::optional<NetTimes> times_of(const tpn::Document& document, const tpn::FoldedNet& net,
                                 const maxplus::Deadline& deadline = {});

/// By one law in place of the document's, or by these.
std::optional<NetTimes> times_of(const tpn::Document& document, const tpn::FoldedNet& net,
                                 const std::optional<Law>& law, const maxplus::Deadline& deadline);
std::optional<NetTimes> times_of(const tpn::Document& document, const tpn::Pipeline& pipeline,
                                 const maxplus::Deadline& deadline = {});

/// All durations by one law in place of the document's: a draw for each stage, and for each transfer.
NetTimes times_of(const tpn::Document& document, const tpn::FoldedNet& net, const Law& law);
NetTimes times_of(const tpn::Document& document, const tpn::Pipeline& pipeline, const Law& law);

/// Whether any number of the document has a law, or its data sets have.
bool has_laws(const tpn::Document& document);

}  // namespace takt::vary
