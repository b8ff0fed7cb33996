// The words of a drawing: what operations are called, their processors, times short enough for a box.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/drawing/drawing.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

/// The names of a net's parts and operations, in the words of its document. Names are cut to kMostCharacters, so that
/// those that differ stay apart where that can be; lists of more than kMostNames end in an ellipsis after as many: a
/// picture has a text for each box and each place, and Graphviz takes its time for long ones. Keeps a reference to the
/// subject's net.
class Words {
 public:
  static constexpr std::size_t kMostCharacters = 100;
  static constexpr std::size_t kMostNames = 100;

  explicit Words(const Subject& subject);

  const std::string& processor(std::size_t index) const;
  /// "S1", "S1–S3", "source".
  std::string stages(const tpn::NetPart& part) const;
  /// What a column does: "S1", or "S0's file".
  std::string operation(tpn::ColumnIndex column) const;
  /// The processors of one data set's operation: "on P1", "P0 → P2".
  std::string processors(tpn::ColumnIndex column, std::uint64_t data_set) const;
  /// The processors of all data sets' operations, in turn: "on P1, P2", "P0 → P1, P2".
  std::string all_processors(tpn::ColumnIndex column) const;
  /// Like all_processors, with the first and the number of them, or the number alone, where all do not fit.
  std::string all_processors(tpn::ColumnIndex column, double font_size, double width) const;
  const TimeWords& times() const { return times_; }

 private:
  std::string sequence(std::size_t part) const;

  const tpn::Pipeline& pipeline_;
  TimeWords times_;
  std::vector<std::string> stages_;
  std::vector<std::string> processors_;
};

}  // namespace takt::tools
