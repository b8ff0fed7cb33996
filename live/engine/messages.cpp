// Fields one after the other; texts last, as long as the rest.
#include "live/engine/messages.hpp"

#include <cstring>
#include <type_traits>
#include <utility>

namespace takt::live {

namespace {

constexpr std::size_t kRecordBytes = 4 * sizeof(std::uint64_t) + 1;
constexpr std::int64_t kUnknown = -1;  // in place of a time

template <typename Number>
void put(std::string& bytes, Number number) {
  static_assert(std::is_trivially_copyable_v<Number>);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Takes fields off the front; all that follows a missing one is missing.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : left_(bytes) {}

  template <typename Number>
  Number take() {
    Number number{};
    if (left_.size() < sizeof number) {
      is_whole_ = false;
      left_ = {};
      return number;
    }
    std::memcpy(&number, left_.data(), sizeof number);
    left_.remove_prefix(sizeof number);
    return number;
  }
  std::string rest() { return std::string(std::exchange(left_, {})); }
  bool is_whole() const { return is_whole_; }
  bool ends_here() const { return is_whole_ && left_.empty(); }

 private:
  std::string_view left_;
  bool is_whole_ = true;
};

template <typename Message>
std::optional<Message> if_whole(const Fields& fields, Message message) {
  if (!fields.ends_here()) return std::nullopt;
  return message;
}

}  // namespace

std::string encode(const FileMessage& message) {
  std::string bytes;
  bytes.reserve(2 * sizeof(std::uint64_t) + 1 + message.bytes.size());
  put(bytes, message.data_set);
  put(bytes, message.posted);
  put(bytes, static_cast<std::uint8_t>(message.has_failed));
  return bytes += message.bytes;
}

std::optional<FileMessage> decode_file(std::string_view bytes) {
  Fields fields(bytes);
  FileMessage message;
  message.data_set = fields.take<std::uint64_t>();
  message.posted = fields.take<Ticks>();
  message.has_failed = fields.take<std::uint8_t>() != 0;
  message.bytes = fields.rest();
  return if_whole(fields, std::move(message));
}

std::string encode(const AnswerMessage& message) {
  std::string bytes;
  put(bytes, message.data_set);
  put(bytes, message.start);
  return bytes;
}

std::optional<AnswerMessage> decode_answer(std::string_view bytes) {
  Fields fields(bytes);
  AnswerMessage message;
  message.data_set = fields.take<std::uint64_t>();
  message.start = fields.take<Ticks>();
  return if_whole(fields, message);
}

std::string encode(const FreeFileMessage& message) {
  std::string bytes;
  put(bytes, message.column);
  return bytes += encode(message.file);
}

std::optional<FreeFileMessage> decode_free_file(std::string_view bytes) {
  Fields fields(bytes);
  FreeFileMessage message;
  message.column = fields.take<std::uint64_t>();
  auto file = decode_file(fields.rest());
  if (!file) return std::nullopt;
  message.file = std::move(*file);
  return message;
}

std::string encode(const PortMessage& message) {
  std::string bytes;
  put(bytes, message.data_set);
  put(bytes, message.column);
  put(bytes, message.since);
  put(bytes, message.segment);
  return bytes;
}

std::optional<PortMessage> decode_port(std::string_view bytes) {
  Fields fields(bytes);
  PortMessage message;
  message.data_set = fields.take<std::uint64_t>();
  message.column = fields.take<std::uint64_t>();
  message.since = fields.take<Ticks>();
  message.segment = fields.take<std::uint64_t>();
  return if_whole(fields, message);
}

std::string encode(const OrderMessage& message) {
  std::string bytes;
  put(bytes, message.order);
  put(bytes, message.data_set);
  put(bytes, message.time);
  put(bytes, message.peer);
  return bytes += message.text;
}

std::optional<OrderMessage> decode_order(std::string_view bytes) {
  Fields fields(bytes);
  OrderMessage message;
  message.order = fields.take<Order>();
  message.data_set = fields.take<std::uint64_t>();
  message.time = fields.take<Ticks>();
  message.peer = fields.take<std::uint64_t>();
  message.text = fields.rest();
  if (message.order > Order::last) return std::nullopt;
  return if_whole(fields, std::move(message));
}

std::string encode(const NewsMessage& message) {
  std::string bytes;
  put(bytes, message.news);
  put(bytes, message.part);
  put(bytes, message.data_set);
  put(bytes, message.start);
  put(bytes, message.end);
  return bytes += message.bytes;
}

std::optional<NewsMessage> decode_news(std::string_view bytes) {
  Fields fields(bytes);
  NewsMessage message;
  message.news = fields.take<News>();
  message.part = fields.take<std::uint64_t>();
  message.data_set = fields.take<std::uint64_t>();
  message.start = fields.take<Ticks>();
  message.end = fields.take<Ticks>();
  message.bytes = fields.rest();
  if (message.news > News::has_file) return std::nullopt;
  return if_whole(fields, std::move(message));
}

std::string encode_records(const std::vector<Record>& records) {
  std::string bytes;
  for (const Record& record : records) {
    put(bytes, record.data_set);
    put(bytes, record.column);
    put(bytes, record.start);
    put(bytes, record.end);
    put(bytes, static_cast<std::uint8_t>(record.is_sender));
  }
  return bytes;
}

std::optional<std::vector<Record>> decode_records(std::string_view bytes) {
  if (bytes.size() % kRecordBytes != 0) return std::nullopt;
  std::vector<Record> records;
  records.reserve(bytes.size() / kRecordBytes);
  for (Fields fields(bytes); !fields.ends_here();) {
    Record& record = records.emplace_back();
    record.data_set = fields.take<std::uint64_t>();
    record.column = fields.take<std::uint64_t>();
    record.start = fields.take<Ticks>();
    record.end = fields.take<Ticks>();
    record.is_sender = fields.take<std::uint8_t>() != 0;
  }
  return records;
}

std::string encode_stage_times(const StageTimes& times) {
  std::string bytes;
  for (const std::int64_t time : times) put(bytes, time);
  return bytes;
}

std::optional<StageTimes> decode_stage_times(std::string_view bytes) {
  if (bytes.size() % sizeof(std::int64_t) != 0) return std::nullopt;
  StageTimes times;
  for (Fields fields(bytes); !fields.ends_here();) times.push_back(fields.take<std::int64_t>());
  return times;
}

std::string encode_work(const std::vector<StageWork>& work) {
  std::string bytes;
  for (const StageWork& of : work) {
    put(bytes, of.stage);
    put(bytes, of.calls);
    put(bytes, of.wall);
    put(bytes, of.running);
    put(bytes, of.waiting.value_or(kUnknown));
  }
  return bytes;
}

std::optional<std::vector<StageWork>> decode_work(std::string_view bytes) {
  std::vector<StageWork> work;
  Fields fields(bytes);
  while (!fields.ends_here()) {
    StageWork& of = work.emplace_back();
    of.stage = fields.take<std::uint64_t>();
    of.calls = fields.take<std::uint64_t>();
    of.wall = fields.take<std::int64_t>();
    of.running = fields.take<std::int64_t>();
    const auto waiting = fields.take<std::int64_t>();
    if (waiting != kUnknown) of.waiting = waiting;
    if (!fields.is_whole()) return std::nullopt;
  }
  return work;
}

std::string encode_holdings(const std::vector<Holding>& holdings) {
  std::string bytes;
  for (const Holding& holding : holdings) {
    put(bytes, holding.data_set);
    put(bytes, holding.first_stage);
    put(bytes, holding.last_stage);
    put(bytes, static_cast<std::uint8_t>(holding.receiver.has_value()));
    put(bytes, holding.receiver.value_or(0));
    put(bytes, holding.since);
  }
  return bytes;
}

std::optional<std::vector<Holding>> decode_holdings(std::string_view bytes) {
  std::vector<Holding> holdings;
  Fields fields(bytes);
  while (!fields.ends_here()) {
    Holding& holding = holdings.emplace_back();
    holding.data_set = fields.take<std::uint64_t>();
    holding.first_stage = fields.take<std::uint64_t>();
    holding.last_stage = fields.take<std::uint64_t>();
    const bool has_receiver = fields.take<std::uint8_t>() != 0;
    const auto receiver = fields.take<std::uint64_t>();
    if (has_receiver) holding.receiver = receiver;
    holding.since = fields.take<Ticks>();
    if (!fields.is_whole()) return std::nullopt;
  }
  return holdings;
}

std::string encode_state(const RankState& state) {
  std::string bytes;
  for (const Ticks time : state.times) put(bytes, time);
  put(bytes, state.computed);
  put(bytes, state.nominal);
  put(bytes, state.queue);
  return bytes += encode_holdings(state.holdings);
}

std::optional<RankState> decode_state(std::string_view bytes) {
  Fields fields(bytes);
  RankState state;
  for (Ticks& time : state.times) time = fields.take<Ticks>();
  state.computed = fields.take<Ticks>();
  state.nominal = fields.take<Ticks>();
  state.queue = fields.take<std::uint64_t>();
  if (!fields.is_whole()) return std::nullopt;
  auto holdings = decode_holdings(fields.rest());
  if (!holdings) return std::nullopt;
  state.holdings = std::move(*holdings);
  return state;
}

std::string encode_mapping(const tpn::Mapping& mapping) {
  std::string bytes;
  for (const tpn::Part& part : mapping) {
    put<std::uint64_t>(bytes, part.first_stage);
    put<std::uint64_t>(bytes, part.last_stage);
    put<std::uint64_t>(bytes, part.processors.size());
    for (const std::size_t processor : part.processors) put<std::uint64_t>(bytes, processor);
    put<std::uint64_t>(bytes, part.batches.size());
    for (const tpn::Batch& batch : part.batches) {
      put<std::uint64_t>(bytes, batch.first);
      put<std::uint64_t>(bytes, batch.size);
    }
  }
  return bytes;
}

std::optional<tpn::Mapping> decode_mapping(std::string_view bytes) {
  tpn::Mapping mapping;
  Fields fields(bytes);
  while (!fields.ends_here()) {
    tpn::Part& part = mapping.emplace_back();
    part.first_stage = fields.take<std::uint64_t>();
    part.last_stage = fields.take<std::uint64_t>();
    const auto processors = fields.take<std::uint64_t>();
    if (processors > bytes.size() || !fields.is_whole()) return std::nullopt;
    for (std::uint64_t k = 0; k < processors; ++k) part.processors.push_back(fields.take<std::uint64_t>());
    const auto batches = fields.take<std::uint64_t>();
    if (batches > bytes.size() || !fields.is_whole()) return std::nullopt;
    for (std::uint64_t k = 0; k < batches; ++k) {
      tpn::Batch& batch = part.batches.emplace_back();
      batch.first = fields.take<std::uint64_t>();
      batch.size = fields.take<std::uint64_t>();
    }
    if (!fields.is_whole()) return std::nullopt;
  }
  return mapping;
}

}  // namespace takt::live
