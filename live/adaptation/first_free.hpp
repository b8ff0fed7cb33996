// Gives the next data set of a part to the first free processor, if its processors do not take turns.
//
// Problem. In turn, a data set that takes long holds back those behind it while other processors of its part have
// nothing to do. Where times vary much that costs more than anything else.
//
// Method. For each part, the files that wait for it, and the processors that would take one. The file of the first data
// set goes to the processor that has been free longest, of those linked with the file's sender. A processor says that
// it is free when it has nothing to compute and, where it is one resource, nothing to send; one that is alone in its
// part takes the next file while it computes, where the model lets it. A sender offers one file at a time, when its
// port is free. So both ports of a transfer are free when it is decided, and nobody waits for anybody: what is decided
// ends by itself, the last part delivers and is free again, so does each part before it, and nothing deadlocks.
//
// Trap. Pairs of processors meet here that do not in turn: their links may be absent, and then they do not.
//
// Cost. Of each file, linear in the files and the free processors of its part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "live/engine/messages.hpp"
#include "live/engine/route.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/problem_view.hpp"

namespace takt::live {

/// A data set that begins at the receiver, or a file that goes there, in `duration`.
struct FreeMove {
  std::size_t part = 0;  // the receiver's
  std::uint64_t data_set = 0;
  std::optional<std::size_t> sender;
  std::size_t receiver = 0;
  Ticks duration = 0;
};

class FirstFree {
 public:
  /// Keeps references. The pipeline is a chain, made of a mapping of the problem that can be carried out so.
  FirstFree(const tpn::ProblemView& problem, const tpn::Pipeline& pipeline, const Rational& ticks_per_unit);

  /// Why no run can carry out the mapping so, in a sentence without an end; nothing if one can.
  static std::optional<std::string> why_not(const tpn::ProblemView& problem, const tpn::Pipeline& pipeline);

  /// The data set may begin.
  void let_in(std::uint64_t data_set);
  /// The file of the data set, of this part, may be sent. The part is not the last.
  void has_file(std::size_t part, std::uint64_t data_set, std::size_t sender);
  /// The processor takes a file of this part.
  void is_free(std::size_t part, std::size_t processor);

  /// What follows, each once.
  std::vector<FreeMove> moves();

  /// What processors with mapped parts have computed, from the records of all by processor.
  ComputationShares shares(std::span<const std::vector<Record>> records) const;

 private:
  std::optional<Ticks> duration(std::size_t part, std::size_t sender, std::size_t receiver) const;
  std::optional<FreeMove> next_move(std::size_t part);

  struct Waiting {
    std::map<std::uint64_t, std::optional<std::size_t>> files;  // senders, by data set
    std::vector<std::size_t> free;                              // since when, the longest first
  };

  const tpn::ProblemView& problem_;
  const tpn::Pipeline& pipeline_;
  Rational ticks_per_unit_;
  std::vector<Waiting> waiting_;  // by receiving part
};

}  // namespace takt::live
