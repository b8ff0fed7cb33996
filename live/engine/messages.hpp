// What ranks and the coordinator of a run tell each other, as bytes.
//
// All ranks of a run are one program on machines of one kind: numbers stand as they are in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/engine/route.hpp"
#include "tpn/document.hpp"

namespace takt::live {

/// A file on its way, from the sender of a column to its receiver.
struct FileMessage {
  std::uint64_t data_set = 0;
  Ticks posted = 0;  // when the sender was ready
  std::string bytes;
  bool has_failed = false;  // as that of Packet
};

/// The receiver's answer: the transfer has begun.
struct AnswerMessage {
  std::uint64_t data_set = 0;
  Ticks start = 0;
};

/// A file that no resource of the receiver waits for: its transfer begins when the sender is ready.
struct FreeFileMessage {
  std::uint64_t column = 0;
  FileMessage file;
};

/// A port is free for the transfer of `column` and `data_set`, whose turn it is: of its sender's or receiver's machine,
/// whichever is told; or a segment, whose sender is.
struct PortMessage {
  std::uint64_t data_set = 0;
  std::uint64_t column = 0;
  Ticks since = 0;
  std::uint64_t segment = 0;  // from 1; 0: a machine's port
};

/// What the coordinator says to all.
enum class Order : std::uint8_t {
  route,   // from `data_set` on the mapping is `text`
  grant,   // data sets below `data_set` may begin, from `time` on
  end,     // there is nothing more; send what you have recorded
  input,   // that of `data_set`, which is to begin at the receiver, is `text`
  report,  // say what you are at
  look,    // say what you have been at: RankState
  lend,    // the input of your latest computation, for the processor of index `data_set`
  shadow,  // compute part `time` of `data_set` from the input `text`, and throw the result away
  // TurnOrder::first_free: `data_set` begins at the receiver, not before `time`, with the input `text`; it sends the
  // file of `data_set` to `peer`, or takes it from there, in `time`.
  begin,
  pass,
  take,
  last  // there are no data sets from `data_set` on; those before it have been granted
};
struct OrderMessage {
  Order order = Order::grant;
  std::uint64_t data_set = 0;
  Ticks time = 0;
  std::string text;
  std::uint64_t peer = 0;
};

/// What a rank says to the coordinator.
enum class News : std::uint8_t {
  begun,      // `data_set` in part `part`, at `start`
  computed,   // likewise, until `end`
  delivered,  // `bytes` is the result of `data_set`, done at `end`; of a workflow the files that part `part` delivers
  worked,     // `bytes` are what the rank's stages took in all
  said,       // `bytes` is a sentence about the stage of index `part`
  recorded,   // `bytes` are the rank's records; it has ended
  failed,     // `data_set` has no result, done at `end`: `bytes` say why
  holding,    // `bytes` are the operations that the rank is at: the answer to a report
  state,      // `bytes` are a RankState: the answer to a look
  lent,  // `bytes` are the input of part `part` of `data_set`, for the processor of index `start`; none if `end` < 0
  shadowed,  // as computed, of a shadow; `end` < `start`: there is no time that counts
  // TurnOrder::first_free: the rank takes the next file of part `part`; the file of `data_set` is there, of part `part`
  is_free,
  has_file
};
struct NewsMessage {
  News news = News::begun;
  std::uint64_t part = 0;
  std::uint64_t data_set = 0;
  Ticks start = 0;
  Ticks end = 0;
  std::string bytes;
};

/// What stages of a part took, in order, in nanoseconds: for the bytes of News::computed and News::shadowed, empty
/// where the computer does not know.
using StageTimes = std::vector<std::int64_t>;

/// A computation, or one side of a transfer, as it took place.
struct Record {
  std::uint64_t data_set = 0;
  std::uint64_t column = 0;
  Ticks start = 0;
  Ticks end = 0;
  bool is_sender = false;  // of a transfer

  friend bool operator==(const Record&, const Record&) = default;
};

/// What a processor is at, and with which data set: a computation that has not ended, or a file that its receiver has
/// not taken.
struct Holding {
  std::uint64_t data_set = 0;
  std::uint64_t first_stage = 1;  // of the part; none if first > last: the outside world's
  std::uint64_t last_stage = 0;
  std::optional<std::uint64_t> receiver;  // the processor whose turn it is; nothing: it computes
  Ticks since = 0;

  friend bool operator==(const Holding&, const Holding&) = default;
};

/// The present activity of a processor, for display: the first of these that holds.
enum class Activity : std::uint8_t {
  computing,
  transferring,  // it receives or sends
  blocked,       // a file of its waits for the receiver
  starved        // it waits for a file, or for a data set to be let in
};
inline constexpr std::size_t kActivities = 4;

/// What a processor has been at since the run began, and is at now.
struct RankState {
  std::array<Ticks, kActivities> times{};  // by activity; they add up to the time since the run began
  Ticks computed = 0;                      // by computations that have ended
  Ticks nominal = 0;                       // what the instance says of these
  std::uint64_t queue = 0;                 // files here that wait to be computed or sent
  std::vector<Holding> holdings;

  friend bool operator==(const RankState&, const RankState&) = default;
};

/// What the calls of a stage took on a processor, in all, in nanoseconds.
struct StageWork {
  std::uint64_t stage = 0;  // index into the application's stages
  std::uint64_t calls = 0;
  std::int64_t wall = 0;
  std::int64_t running = 0;             // on cores, of all threads and processes that worked for it
  std::optional<std::int64_t> waiting;  // for cores, likewise; nothing if the system does not say

  friend bool operator==(const StageWork&, const StageWork&) = default;
};

/// What a processor has computed.
struct ComputationShare {
  std::uint64_t data_sets = 0;
  Ticks time = 0;

  friend bool operator==(const ComputationShare&, const ComputationShare&) = default;
};

/// By processor.
using ComputationShares = std::map<std::size_t, ComputationShare>;

std::string encode(const FileMessage& message);
std::string encode(const AnswerMessage& message);
std::string encode(const FreeFileMessage& message);
std::string encode(const PortMessage& message);
std::string encode(const OrderMessage& message);
std::string encode(const NewsMessage& message);
std::string encode_records(const std::vector<Record>& records);
std::string encode_work(const std::vector<StageWork>& work);
std::string encode_holdings(const std::vector<Holding>& holdings);
std::string encode_state(const RankState& state);
std::string encode_stage_times(const StageTimes& times);

/// Each is nothing if the bytes are not such a message.
std::optional<FileMessage> decode_file(std::string_view bytes);
std::optional<AnswerMessage> decode_answer(std::string_view bytes);
std::optional<FreeFileMessage> decode_free_file(std::string_view bytes);
std::optional<PortMessage> decode_port(std::string_view bytes);
std::optional<OrderMessage> decode_order(std::string_view bytes);
std::optional<NewsMessage> decode_news(std::string_view bytes);
std::optional<std::vector<Record>> decode_records(std::string_view bytes);
std::optional<std::vector<StageWork>> decode_work(std::string_view bytes);
std::optional<std::vector<Holding>> decode_holdings(std::string_view bytes);
std::optional<RankState> decode_state(std::string_view bytes);
std::optional<StageTimes> decode_stage_times(std::string_view bytes);

/// A mapping for the text of an order, and back; nothing if the bytes are no mapping.
std::string encode_mapping(const tpn::Mapping& mapping);
std::optional<tpn::Mapping> decode_mapping(std::string_view bytes);

/// Tags: of orders, of news, of a column's files and of the answers to them.
inline constexpr int kOrderTag = 0;
inline constexpr int kNewsTag = 1;
constexpr int file_tag(std::size_t column) { return static_cast<int>(2 * column + 2); }
constexpr int answer_tag(std::size_t column) { return static_cast<int>(2 * column + 3); }
/// Tags above those of columns: of ports that are free, and of files that nothing of the receiver waits for; of
/// questions for rank 0's clock, and its answers.
inline constexpr int kPortTag = 32763;
inline constexpr int kFreeFileTag = 32764;
inline constexpr int kClockTag = 32765;
inline constexpr int kClockAnswerTag = 32766;

}  // namespace takt::live
