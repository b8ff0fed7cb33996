// From text to lists, from names to numbers, from fractions to ticks.
#include "tpn/plain_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "maxplus/rational.hpp"

namespace takt::tpn {

namespace {

using maxplus::Int128;

// Whole numbers of a fraction stay below this, so that a product of two of them is below 2^106.
constexpr std::int64_t kMostWhole = std::int64_t{1} << 53;

// The same number in lowest terms; none if that needs more digits.
PlainNumber reduced(Int128 numerator, Int128 denominator) {
  if (denominator != 1 && numerator < kMostWhole && denominator < kMostWhole) {
    const std::int64_t common = std::gcd(static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator));
    numerator /= common;
    denominator /= common;
  } else if (denominator != 1) {
    Int128 a = numerator;
    for (Int128 b = denominator; b != 0; std::swap(a, b)) a %= b;
    numerator /= a;
    denominator /= a;
  }
  if (numerator >= kMostWhole || denominator >= kMostWhole) return {};
  return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

PlainNumber product(const PlainNumber& a, std::int64_t numerator, std::int64_t denominator) {
  if (!a.exists()) return {};
  return reduced(static_cast<Int128>(a.numerator) * numerator, static_cast<Int128>(a.denominator) * denominator);
}

PlainNumber quotient(const PlainNumber& a, const PlainNumber& b) { return product(a, b.denominator, b.numerator); }

PlainNumber sum(const PlainNumber& a, const PlainNumber& b) {
  if (!a.exists() || !b.exists()) return {};
  if (a.denominator == b.denominator) return reduced(Int128{a.numerator} + b.numerator, a.denominator);
  return reduced(static_cast<Int128>(a.numerator) * b.denominator + static_cast<Int128>(b.numerator) * a.denominator,
                 static_cast<Int128>(a.denominator) * b.denominator);
}

bool is_positive(const PlainNumber& number) { return number.numerator > 0; }

constexpr std::array<std::string_view, 2> kRemarkKeys = {"//", "$schema"};
bool is_remark(std::string_view key) { return std::ranges::find(kRemarkKeys, key) != kRemarkKeys.end(); }

}  // namespace

// Reads JSON as long as it is plain; every function says whether it was.
class PlainReader::Scan {
 public:
  Scan(PlainReader& into, const char* text) : into_(into), at_(text) {}

  bool document() {
    static constexpr std::array<std::string_view, 6> kKeys = {"application", "platform",         "mapping",
                                                              "model",       "predicted_period", "heuristic"};
    unsigned found = 0;
    const bool is_plain = object(kKeys, [&](std::size_t key) {
      found |= 1U << key;
      switch (key) {
        case 0:
          return application();
        case 1:
          return platform();
        case 2:
          return array([&] { return part(); });
        case 3:
          return model();
        case 4:
          into_.predicted_.emplace();
          return number(*into_.predicted_);
        default:
          return heuristic();
      }
    });
    skip();
    return is_plain && (found & 7U) == 7U;
  }

  const char* end() const { return at_; }

 private:
  void skip() {
    while (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r') ++at_;
  }

  bool take_here(char c) {
    if (*at_ != c) return false;
    ++at_;
    return true;
  }

  bool take(char c) {
    skip();
    return take_here(c);
  }

  bool take_word(std::string_view word) {
    skip();
    if (std::strncmp(at_, word.data(), word.size()) != 0) return false;
    at_ += word.size();
    return true;
  }

  // ASCII that prints, without escapes.
  bool text(std::string_view& found) {
    if (!take('"')) return false;
    const char* const begin = at_;
    while (' ' <= *at_ && *at_ <= '~' && *at_ != '"' && *at_ != '\\') ++at_;
    found = {begin, static_cast<std::size_t>(at_ - begin)};
    return take_here('"');
  }

  bool name(std::string_view& found) { return text(found) && !found.empty(); }

  template <typename Item>
  bool array(Item item) {
    if (!take('[')) return false;
    do {
      if (!item()) return false;
    } while (take(','));
    return take(']');
  }

  // member(k) reads the value behind the k-th key. Keys mostly come in one order: the search begins behind the last.
  template <std::size_t kCount, typename Member>
  bool object(const std::array<std::string_view, kCount>& keys, Member member) {
    if (!take('{')) return false;
    if (take('}')) return true;
    unsigned seen = 0;
    std::size_t next = 0;
    do {
      std::string_view key;
      if (!text(key) || !take(':')) return false;
      std::size_t found = 0;
      while (found < kCount && keys[(next + found) % kCount] != key) ++found;
      std::string_view ignored;
      if (found == kCount) {
        // A second remark of a kind cannot be told here.
        if ((seen >> kCount) != 0 || !is_remark(key) || !text(ignored)) return false;
        seen |= 1U << kCount;
        continue;
      }
      found = (next + found) % kCount;
      if ((seen >> found & 1U) != 0 || !member(found)) return false;
      seen |= 1U << found;
      next = found + 1;
    } while (take(','));
    return take('}');
  }

  // Up to 15 digits, which are below 2^53.
  bool digits(std::int64_t& value, int& count) {
    const char* const begin = at_;
    while (maxplus::is_digit(*at_) && at_ - begin <= kMostDigits) value = value * 10 + (*at_++ - '0');
    count += static_cast<int>(at_ - begin);
    return at_ != begin && count <= kMostDigits;
  }

  bool whole(std::int64_t& value) {
    int count = 0;
    return maxplus::is_digit(*at_) && *at_ != '0' && digits(value, count);
  }

  // 12, 0.5, "7/2"
  bool number(PlainNumber& found) {
    if (take('"')) {
      std::int64_t numerator = 0;
      std::int64_t denominator = 0;
      if (!whole(numerator) || !take_here('/') || !whole(denominator) || !take_here('"')) return false;
      found = reduced(numerator, denominator);
      return true;
    }
    std::int64_t value = 0;
    int count = 0;
    const bool has_zero = *at_ == '0';
    if (!digits(value, count) || (has_zero && count > 1)) return false;
    if (*at_ != '.') {
      found = {value, 1};
      return *at_ != 'e' && *at_ != 'E';
    }
    ++at_;
    const int before = count;
    if (!digits(value, count) || *at_ == 'e' || *at_ == 'E') return false;
    static constexpr auto kPowers = [] {
      std::array<std::int64_t, kMostDigits + 1> powers{1};
      for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = powers[k - 1] * 10;
      return powers;
    }();
    found = reduced(value, kPowers[static_cast<std::size_t>(count - before)]);
    return true;
  }

  bool positive(PlainNumber& found) { return number(found) && is_positive(found); }

  bool one() {
    PlainNumber found;
    return number(found) && found.numerator == 1 && found.denominator == 1;
  }

  bool boolean(bool& found) {
    found = take_word("true");
    return found || take_word("false");
  }

  bool application() {
    static constexpr std::array<std::string_view, 3> kKeys = {"name", "input", "stages"};
    return object(kKeys, [&](std::size_t key) {
      std::string_view ignored;
      if (key == 0) return text(ignored);
      return key == 1 ? number(into_.input_) : array([&] { return stage(into_.stages_.emplace_back()); });
    });
  }

  bool stage(Stage& stage) {
    static constexpr std::array<std::string_view, 6> kKeys = {"name",       "work",     "output",
                                                              "replicable", "consumes", "produces"};
    const bool is_plain = object(kKeys, [&](std::size_t key) {
      switch (key) {
        case 0:
          return name(stage.name);
        case 1:
          return number(stage.work);
        case 2:
          return number(stage.output);
        case 3:
          return boolean(stage.replicable);
        default:
          return one();
      }
    });
    return is_plain && !stage.name.empty();
  }

  bool platform() {
    static constexpr std::array<std::string_view, 7> kKeys = {"processors", "bandwidth", "latency", "time",
                                                              "links",      "source",    "sink"};
    const bool is_plain = object(kKeys, [&](std::size_t key) {
      switch (key) {
        case 0:
          return array([&] { return processor(into_.processors_.emplace_back()); });
        case 4:
          return links(into_.links_, [&](Link& link) { return this->link(link); });
        case 5:
          return end(into_.source_);
        case 6:
          return end(into_.sink_);
        default:
          return timing(into_.defaults_, key - 1);
      }
    });
    return is_plain && fits(into_.defaults_);
  }

  // The keys "bandwidth", "latency" and "time".
  bool timing(Timing& timing, std::size_t key) {
    if (key == 0) return positive(timing.bandwidth);
    return number(key == 1 ? timing.latency : timing.time);
  }

  static bool fits(const Timing& timing) {
    return !timing.time.exists() || !(timing.bandwidth.exists() || timing.latency.exists());
  }

  template <typename Links, typename Read>
  bool links(Links& list, Read read) {
    const char* const before = at_;
    if (take('[') && take(']')) return true;  // no link
    at_ = before;
    return array([&] { return read(list.emplace_back()); });
  }

  bool processor(Processor& processor) {
    static constexpr std::array<std::string_view, 3> kKeys = {"name", "speed", "time"};
    const bool is_plain = object(kKeys, [&](std::size_t key) {
      if (key == 0) return name(processor.name);
      return key == 1 ? positive(processor.speed) : number(processor.time);
    });
    return is_plain && !processor.name.empty() && processor.speed.exists() != processor.time.exists();
  }

  bool link(Link& link) {
    static constexpr std::array<std::string_view, 6> kKeys = {"from", "to", "bandwidth", "latency", "time", "directed"};
    const bool is_plain = object(kKeys, [&](std::size_t key) {
      if (key < 2) return text(key == 0 ? link.from : link.to);
      return key == 5 ? boolean(link.directed) : timing(link.timing, key - 2);
    });
    return is_plain && fits(link.timing);
  }

  bool end(End& end) {
    static constexpr std::array<std::string_view, 4> kKeys = {"bandwidth", "latency", "time", "links"};
    end.exists = true;
    const bool is_plain = object(kKeys, [&](std::size_t key) {
      return key < 3 ? timing(end.timing, key) : links(end.links, [&](EndLink& link) { return end_link(link); });
    });
    return is_plain && fits(end.timing);
  }

  bool end_link(EndLink& link) {
    static constexpr std::array<std::string_view, 4> kKeys = {"processor", "bandwidth", "latency", "time"};
    const bool is_plain =
        object(kKeys, [&](std::size_t key) { return key == 0 ? text(link.processor) : timing(link.timing, key - 1); });
    return is_plain && fits(link.timing);
  }

  bool part() {
    static constexpr std::array<std::string_view, 2> kKeys = {"stages", "processors"};
    PlainPart& part = into_.parts_.emplace_back();
    part.first_stage = into_.part_stages_.size();
    part.first_entry = into_.part_entries_.size();
    const bool is_plain = object(kKeys, [&](std::size_t key) {
      auto& names = key == 0 ? into_.part_stages_ : into_.part_entries_;
      return array([&] { return text(names.emplace_back()); });
    });
    part.last_stage = into_.part_stages_.size() - 1;
    part.length = into_.part_entries_.size() - part.first_entry;
    return is_plain && into_.part_stages_.size() > part.first_stage && part.length > 0;
  }

  bool model() {
    std::string_view name;
    if (!text(name)) return false;
    if (name == "overlap") into_.model_ = Model::kOverlap;
    if (name == "strict") into_.model_ = Model::kStrict;
    return into_.model_.has_value();
  }

  bool heuristic() {
    static constexpr std::array<std::string_view, 3> kKeys = {"name", "seed", "options"};
    std::string_view found;
    const bool is_plain = object(kKeys, [&](std::size_t key) {
      PlainNumber seed;
      if (key == 0) return name(found);
      return key == 1 ? number(seed) && seed.denominator == 1 : options();
    });
    into_.heuristic_ = found;
    return is_plain && !found.empty();
  }

  // Of any names, each once.
  bool options() {
    auto& names = into_.option_names_;
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      std::string_view key;
      if (!text(key) || !take(':') || is_remark(key)) return false;
      if (std::ranges::find(names, key) != names.end()) return false;
      names.push_back(key);
      if (!option()) return false;
    } while (take(','));
    return take('}');
  }

  bool option() {
    std::string_view ignored;
    bool flag = false;
    PlainNumber value;
    skip();
    if (*at_ == '"') return text(ignored);
    if (*at_ == 't' || *at_ == 'f') return boolean(flag);
    return number(value);
  }

  static constexpr int kMostDigits = 15;

  PlainReader& into_;
  const char* at_;
};

// Names by hash, in the slots of the reader.
class PlainReader::Naming {
 public:
  explicit Naming(PlainReader& reader) : reader_(reader), slots_(reader.slots_) {}

  bool resolve() { return stages() && processors() && links() && end(reader_.source_) && end(reader_.sink_); }

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  static std::uint64_t hash(std::string_view name) {
    std::uint64_t value = name.size();
    while (!name.empty()) {
      std::uint64_t word = 0;
      const std::size_t count = std::min<std::size_t>(name.size(), sizeof word);
      std::memcpy(&word, name.data(), count);
      value = (value ^ word) * 0x9E3779B97F4A7C15U;
      name.remove_prefix(count);
    }
    return value ^ value >> 32;
  }

  // False if a name stands twice.
  template <typename Named>
  bool list(const std::vector<Named>& all) {
    mask_ = std::bit_ceil(2 * all.size() + 1) - 1;
    slots_.assign(mask_ + 1, 0);
    for (std::size_t k = 0; k < all.size(); ++k) {
      std::size_t slot = hash(all[k].name) & mask_;
      for (; slots_[slot] != 0; slot = (slot + 1) & mask_) {
        if (all[slots_[slot] - 1].name == all[k].name) return false;
      }
      slots_[slot] = static_cast<std::uint32_t>(k + 1);
    }
    return true;
  }

  template <typename Named>
  std::uint32_t find(const std::vector<Named>& all, std::string_view name) const {
    for (std::size_t slot = hash(name) & mask_; slots_[slot] != 0; slot = (slot + 1) & mask_) {
      if (all[slots_[slot] - 1].name == name) return slots_[slot] - 1;
    }
    return kUnknown;
  }

  std::uint32_t processor(std::string_view name) const { return find(reader_.processors_, name); }

  // The parts hold all stages in their order: nothing is to be looked up but their names.
  bool stages() {
    const auto& stages = reader_.stages_;
    if (!list(stages) || reader_.part_stages_.size() != stages.size()) return false;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      if (reader_.part_stages_[k] != stages[k].name) return false;
    }
    return true;
  }

  bool processors() {
    if (reader_.processors_.size() > kMostProcessors || !list(reader_.processors_)) return false;
    if (reader_.source_.exists && processor("source") != kUnknown) return false;
    if (reader_.sink_.exists && processor("sink") != kUnknown) return false;
    reader_.part_of_.assign(reader_.processors_.size(), 0);
    for (std::size_t i = 0; i < reader_.parts_.size(); ++i) {
      if (!entries(i)) return false;
    }
    return true;
  }

  bool entries(std::size_t i) {
    const PlainPart& part = reader_.parts_[i];
    bool moves = false;
    for (std::size_t k = 0; k < part.length; ++k) {
      const std::uint32_t p = processor(reader_.part_entries_[part.first_entry + k]);
      if (p == kUnknown) return false;
      std::uint32_t& of = reader_.part_of_[p];
      if (of != 0 && of != i + 1) return false;
      reader_.repeats_ = reader_.repeats_ || of != 0;
      of = static_cast<std::uint32_t>(i + 1);
      reader_.entries_.push_back(p);
      moves = moves || p != reader_.entries_[part.first_entry];
    }
    return !moves || std::all_of(reader_.stages_.begin() + static_cast<std::ptrdiff_t>(part.first_stage),
                                 reader_.stages_.begin() + static_cast<std::ptrdiff_t>(part.last_stage) + 1,
                                 [](const Stage& stage) { return stage.replicable; });
  }

  bool links() {
    reader_.linked_.clear();
    if (reader_.links_.empty()) return true;
    const std::size_t count = reader_.processors_.size();
    reader_.linked_.resize(count * count);
    std::string_view last;
    std::uint32_t from = kUnknown;
    for (std::size_t k = 0; k < reader_.links_.size(); ++k) {
      const Link& link = reader_.links_[k];
      if (link.from != last || from == kUnknown) from = processor(link.from);
      last = link.from;
      const std::uint32_t to = processor(link.to);
      if (from == kUnknown || to == kUnknown || from == to) return false;
      Linked& forth = reader_.linked_[from * count + to];
      std::uint32_t& number = link.directed ? forth.directed : forth.undirected;
      if (number != 0) return false;
      number = static_cast<std::uint32_t>(k + 1);
      if (!link.directed) reader_.linked_[to * count + from].undirected = number;
    }
    return true;
  }

  bool end(const End& end) const {
    for (std::size_t k = 0; k < end.links.size(); ++k) {
      if (processor(end.links[k].processor) == kUnknown) return false;
      for (std::size_t other = 0; other < k; ++other) {
        if (end.links[other].processor == end.links[k].processor) return false;
      }
    }
    return true;
  }

  PlainReader& reader_;
  std::vector<std::uint32_t>& slots_;
  std::size_t mask_ = 0;
};

// Times as fractions, then as integers over their common denominator.
class PlainReader::Times {
 public:
  explicit Times(PlainReader& reader) : reader_(reader) {}

  bool fill() {
    reader_.times_.clear();
    for (const PlainPart& part : reader_.parts_) {
      if (!add_computations(part)) return false;
    }
    const std::size_t transfers = reader_.times_.size();
    for (std::size_t i = 0; i + 1 < reader_.parts_.size(); ++i) {
      if (!add_transfers(reader_.parts_[i], reader_.parts_[i + 1])) return false;
    }
    const std::size_t from_source = reader_.times_.size();
    const auto& last = reader_.stages_.back();
    if (reader_.source_.exists && !add_end(reader_.source_, reader_.parts_.front(), reader_.input_)) return false;
    const std::size_t to_sink = reader_.times_.size();
    if (reader_.sink_.exists && !add_end(reader_.sink_, reader_.parts_.back(), last.output)) return false;
    if (!find_scale()) return false;
    return scale_into(reader_.computations_, 0, transfers) && scale_into(reader_.transfers_, transfers, from_source) &&
           scale_into(reader_.from_source_, from_source, to_sink) &&
           scale_into(reader_.to_sink_, to_sink, reader_.times_.size());
  }

 private:
  bool add(const PlainNumber& time) {
    reader_.times_.push_back(time);
    return time.exists();
  }

  // The works of a part count only where some processor has a speed.
  bool add_computations(const PlainPart& part) {
    PlainNumber work{0, 1};
    for (std::size_t s = part.first_stage; s <= part.last_stage; ++s) work = sum(work, reader_.stages_[s].work);
    for (std::size_t k = 0; k < part.length; ++k) {
      const Processor& on = reader_.processors_[reader_.entries_[part.first_entry + k]];
      if (!add(on.time.exists() ? on.time : quotient(work, on.speed))) return false;
    }
    return true;
  }

  // The layers of tpn/timing.cpp, the most particular first.
  struct Resolved {
    const PlainNumber* time = nullptr;
    const PlainNumber* bandwidth = nullptr;
    const PlainNumber* latency = nullptr;
    bool ends = false;

    void fill_in(const Timing& layer) {
      if (ends) return;
      if (layer.time.exists()) {
        if (bandwidth == nullptr && latency == nullptr) time = &layer.time;
        ends = true;
        return;
      }
      if (bandwidth == nullptr && layer.bandwidth.exists()) bandwidth = &layer.bandwidth;
      if (latency == nullptr && layer.latency.exists()) latency = &layer.latency;
    }

    PlainNumber of(const PlainNumber& size) const {
      if (time != nullptr) return *time;
      if (bandwidth == nullptr) return {};
      const PlainNumber moved = quotient(size, *bandwidth);
      return latency == nullptr ? moved : sum(moved, *latency);
    }
  };

  PlainNumber transfer(const PlainNumber& size, std::size_t from, std::size_t to) const {
    Resolved resolved;
    if (!reader_.linked_.empty()) {
      const Linked& linked = reader_.linked_[from * reader_.processors_.size() + to];
      const std::uint32_t number = linked.directed != 0 ? linked.directed : linked.undirected;
      if (number != 0) resolved.fill_in(reader_.links_[number - 1].timing);
    }
    resolved.fill_in(reader_.defaults_);
    return resolved.of(size);
  }

  bool add_transfers(const PlainPart& senders, const PlainPart& receivers) {
    const std::size_t classes = std::gcd(senders.length, receivers.length);
    const std::size_t first = reader_.times_.size();
    if (first + senders.length * receivers.length > kMostTransfers) return false;
    reader_.times_.resize(first + senders.length * receivers.length, {0, 1});
    const PlainNumber& size = reader_.stages_[senders.last_stage].output;
    for (std::size_t a = 0; a < senders.length; ++a) {
      const std::uint32_t from = reader_.entries_[senders.first_entry + a];
      for (std::size_t b = a % classes; b < receivers.length; b += classes) {
        PlainNumber& time = reader_.times_[first + a * receivers.length + b];
        time = transfer(size, from, reader_.entries_[receivers.first_entry + b]);
        if (!time.exists()) return false;
      }
    }
    return true;
  }

  // The size must be known, though it may not count.
  bool add_end(const End& end, const PlainPart& part, const PlainNumber& size) {
    if (!size.exists()) return false;
    for (std::size_t k = 0; k < part.length; ++k) {
      const std::string_view name = reader_.processors_[reader_.entries_[part.first_entry + k]].name;
      const auto own = std::ranges::find(end.links, name, &EndLink::processor);
      Resolved resolved;
      if (own != end.links.end()) resolved.fill_in(own->timing);
      resolved.fill_in(end.timing);
      resolved.fill_in(reader_.defaults_);
      if (!add(resolved.of(size))) return false;
    }
    return true;
  }

  bool find_scale() {
    std::int64_t scale = 1;
    for (const PlainNumber& time : reader_.times_) {
      if (time.denominator == 1 || scale % time.denominator == 0) continue;
      const Int128 common = Int128{scale / std::gcd(scale, time.denominator)} * time.denominator;
      if (common > kMostTicks) return false;
      scale = static_cast<std::int64_t>(common);
    }
    reader_.scale_ = scale;
    return true;
  }

  bool scale_into(std::vector<std::int64_t>& ticks, std::size_t first, std::size_t end) const {
    ticks.clear();
    for (std::size_t k = first; k < end; ++k) {
      const PlainNumber& time = reader_.times_[k];
      const Int128 scaled = static_cast<Int128>(time.numerator) * (reader_.scale_ / time.denominator);
      if (scaled > kMostTicks) return false;
      ticks.push_back(static_cast<std::int64_t>(scaled));
    }
    return true;
  }

  PlainReader& reader_;
};

void PlainReader::clear() {
  input_ = {};
  stages_.clear();
  processors_.clear();
  defaults_ = {};
  links_.clear();
  for (End* end : {&source_, &sink_}) {
    end->exists = false;
    end->timing = {};
    end->links.clear();
  }
  part_stages_.clear();
  part_entries_.clear();
  option_names_.clear();
  parts_.clear();
  model_.reset();
  predicted_.reset();
  heuristic_.reset();
  entries_.clear();
  repeats_ = false;
}

bool PlainReader::read(std::string_view text) {
  clear();
  text_.assign(text);
  Scan scan(*this, text_.c_str());
  // A zero within the text ends it early.
  if (!scan.document() || scan.end() != text_.c_str() + text_.size()) return false;
  if (stages_.empty() || processors_.empty()) return false;
  return Naming(*this).resolve() && Times(*this).fill();
}

}  // namespace takt::tpn
