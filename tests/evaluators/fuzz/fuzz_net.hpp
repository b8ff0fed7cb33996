// One net of the fuzzer: an instance, its model, and limits to what is under way; as a file and back.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::support {

/// Room for a processor's files of a part, by their numbers in the document.
struct FuzzBuffer {
  std::size_t processor = 0;
  std::size_t part = 0;
  tpn::BufferSide side = tpn::BufferSide::in;
  std::uint64_t room = 1;
};

/// An instance with a model; a window and rooms besides, if there are any.
struct FuzzNet {
  tpn::Document document;
  std::uint64_t window = 0;
  std::vector<FuzzBuffer> buffers;

  bool is_limited() const { return window > 0 || !buffers.empty(); }
};

/// The net's limits as those of its pipeline; places that never hold a file are left out.
tpn::Capacity capacity_of(const FuzzNet& net, const tpn::Pipeline& pipeline);

/// The folded net with its limits.
std::variant<tpn::FoldedNet, tpn::TooLarge> fold_fuzz_net(const FuzzNet& net);

/// The document with a remark: the limits, if there are any, "[window 3 in 1 P0 2]" (side, part, processor, room),
/// and the reason why it is kept.
std::string write_fuzz_net(const FuzzNet& net, const std::string& reason);

/// What write_fuzz_net wrote, without the reason; any other instance, under STRICT unless it names a model.
FuzzNet read_fuzz_net(std::string_view text, const std::string& file_name);

/// What a number of a document is: a time in time units; work or a size; or one of these per time unit.
enum class FuzzNumber { time, amount, rate };

/// Calls visit for each number of the application and the platform that a duration may depend on.
void for_each_number(tpn::Document& document, const std::function<void(maxplus::Rational&, FuzzNumber)>& visit);

/// The document with every duration multiplied by `factor` > 0.
tpn::Document stretched(tpn::Document document, const maxplus::Rational& factor);

}  // namespace takt::support
