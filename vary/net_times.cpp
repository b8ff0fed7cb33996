// Means from the net, or its document's numbers; laws from the document.
#include "vary/net_times.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "maxplus/contract.hpp"
#include "tpn/timing.hpp"

namespace takt::vary {

namespace {

using maxplus::Rational;

double in_units(const Rational& number) { return number.to_double().value_or(0); }

// Laws by number, each once as far as its parameter says.
class LawList {
 public:
  LawList() : laws_(1) { known_.emplace(std::pair(LawKind::constant, Rational()), 0); }

  // None: constant, which is the first.
  std::size_t number(const Law* law) {
    if (law == nullptr) return 0;
    if (law->kind == LawKind::samples) return add(samples_, law, *law);
    return add(known_, std::pair(law->kind, law->parameter), *law);
  }

  std::vector<Law> take() { return std::move(laws_); }

 private:
  template <typename Known, typename Key>
  std::size_t add(Known& known, const Key& key, const Law& law) {
    const auto [at, is_new] = known.try_emplace(key, laws_.size());
    if (is_new) laws_.push_back(law);
    return at->second;
  }

  std::vector<Law> laws_;
  std::map<std::pair<LawKind, Rational>, std::size_t> known_;
  std::map<const Law*, std::size_t> samples_;
};

// The terms of a column, entry by entry.
class ColumnTerms {
 public:
  explicit ColumnTerms(const tpn::Column& column) : terms_(column.table.size()) {}

  bool has(std::size_t entry) const { return !terms_[entry].empty(); }

  void add(std::size_t entry, DrawStream stream, std::size_t law, bool grows, const Rational& mean) {
    if (mean.sign() == 0) return;
    const auto [at, is_new] = streams_.try_emplace(stream.number, times_.streams.size());
    if (is_new) times_.streams.push_back(stream);
    terms_[entry].push_back({at->second, law, grows, in_units(mean)});
  }

  ColumnTimes take() {
    times_.first_term.push_back(0);
    for (const std::vector<TimeTerm>& terms : terms_) {
      times_.terms.insert(times_.terms.end(), terms.begin(), terms.end());
      times_.first_term.push_back(times_.terms.size());
    }
    return std::move(times_);
  }

 private:
  ColumnTimes times_;
  std::vector<std::vector<TimeTerm>> terms_;  // by entry of the table
  std::map<std::uint64_t, std::size_t> streams_;
};

class TermMaker {
 public:
  // A law in place of all, or none: the document's.
  TermMaker(const tpn::Document& document, const tpn::Pipeline& net, const Law* of_all)
      : document_(document), net_(net), timing_(document), of_all_(of_all) {}

  std::optional<NetTimes> make(const maxplus::Deadline& deadline) {
    NetTimes times;
    maxplus::DeadlineWatch watch(deadline);
    const tpn::SharedLaw& of_data_sets = document_.application.data_set_law;
    if (of_all_ == nullptr && of_data_sets) times.data_set_law = laws_.number(of_data_sets.get());
    for (const tpn::ColumnIndex index : net_.all_columns()) {
      const tpn::Column& column = net_.columns[index];
      ColumnTerms terms(column);
      const bool is_done = column.kind == tpn::ColumnKind::compute ? add_computations(index, terms, watch)
                                                                   : add_transfers(index, terms, watch);
      if (!is_done) return std::nullopt;
      times.columns.push_back(terms.take());
    }
    times.laws = laws_.take();
    return times;
  }

 private:
  static constexpr double kStepsOfTerm = 1000;  // exact arithmetic

  std::size_t law(const Law* own) { return laws_.number(of_all_ == nullptr ? own : of_all_); }

  Rational duration(const tpn::Column& column, std::size_t entry) const {
    return Rational::fraction(column.table[entry], net_.scale);
  }

  bool add_computations(tpn::ColumnIndex index, ColumnTerms& terms, maxplus::DeadlineWatch& watch) {
    const tpn::Column& column = net_.columns[index];
    const tpn::NetPart& part = net_.parts[column.part];
    if (part.role != tpn::PartRole::mapped) {
      // The ends of the world compute nothing.
      for (std::size_t entry = 0; entry < column.table.size(); ++entry)
        terms.add(entry, DrawStream::of_stage(DrawStream::kOutside), law(nullptr), false, duration(column, entry));
      return true;
    }
    for (std::size_t round = 0; round < column.sender_offset.size(); ++round) {
      const std::size_t entry = column.sender_offset[round];
      const std::uint64_t size = part.computed_at(net_.data_set_of({round, index}, part.sequence.size()));
      if (terms.has(entry) || size == 0) continue;
      const std::size_t processor = net_.sender_of({round, index});
      const tpn::Processor& on = document_.platform.processors[processor];
      if (on.time) {
        terms.add(entry, DrawStream::of_stage(part.first_stage), law(on.time_law.get()), true, duration(column, entry));
        continue;
      }
      for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) {
        if (watch.has_passed(kStepsOfTerm)) return false;
        add_stage(entry, stage, processor, size, terms);
      }
    }
    return true;
  }

  void add_stage(std::size_t entry, std::size_t stage, std::size_t processor, std::uint64_t size, ColumnTerms& terms) {
    const DrawStream stream = DrawStream::of_stage(stage);
    const Rational whole = timing_.stage_time(stage, processor, size).value_or(0);
    const tpn::StageTime* const own = timing_.own_time(stage, processor);
    if (own == nullptr) {
      return terms.add(entry, stream, law(document_.application.stages[stage].work_law.get()), true, whole);
    }
    const Rational once = own->fixed * timing_.gain(stage);
    terms.add(entry, stream, law(own->law.get()), false, once);
    terms.add(entry, stream, law(own->law.get()), true, whole - once);
  }

  bool add_transfers(tpn::ColumnIndex index, ColumnTerms& terms, maxplus::DeadlineWatch& watch) {
    const tpn::Column& column = net_.columns[index];
    const auto& senders = column.sender_offset;
    const auto& receivers = column.receiver_offset;
    const std::size_t residues = std::gcd(senders.size(), receivers.size());
    for (std::size_t residue = 0; residue < residues; ++residue) {
      // Processors that stand in the sequence several times have one row, or one cell.
      std::map<std::size_t, std::size_t> from;
      std::map<std::size_t, std::size_t> to;
      for (std::size_t a = residue; a < senders.size(); a += residues)
        from.try_emplace(senders[a], net_.sender_of({a, index}));
      for (std::size_t b = residue; b < receivers.size(); b += residues)
        to.try_emplace(receivers[b], net_.receiver_of({b, index}));
      for (const auto& [row, sender] : from) {
        for (const auto& [cell, receiver] : to) {
          if (watch.has_passed(kStepsOfTerm)) return false;
          add_transfer(column, row + cell, sender, receiver, terms);
        }
      }
    }
    return true;
  }

  void add_transfer(const tpn::Column& column, std::size_t entry, std::size_t from, std::size_t to,
                    ColumnTerms& terms) {
    const Rational whole = duration(column, entry);
    const tpn::NetPart& sender = net_.parts[column.part];
    const tpn::NetPart& receiver = net_.parts[column.receiver];
    const bool is_input = sender.role != tpn::PartRole::mapped;
    const std::size_t needed_by = receiver.role == tpn::PartRole::mapped ? receiver.first_stage : DrawStream::kOutside;
    std::vector<std::size_t> files = column.files;
    if (files.empty()) files.push_back(is_input ? DrawStream::kOutside : sender.last_stage);
    const std::size_t first_file = std::ranges::min(files);
    if (of_all_ != nullptr || whole.sign() == 0)
      return terms.add(entry, DrawStream::of_transfer(first_file, needed_by), law(nullptr), true, whole);

    const auto link = link_of(sender, receiver, from, to);
    maxplus::expects(link.time.has_value(), "a transfer takes a link");
    const bool has_fixed_time = !link.time->per_unit.has_value();
    terms.add(entry, DrawStream::of_latency(first_file, needed_by), law(link.law), has_fixed_time, link.time->fixed);
    if (has_fixed_time) return;
    const tpn::Application& application = document_.application;
    for (const std::size_t file : files) {
      const bool is_output = file != DrawStream::kOutside;
      const Rational amount =
          is_output ? application.stages[file].output.value_or(0) * timing_.gain(file) : application.input.value_or(0);
      const tpn::SharedLaw& own = is_output ? application.stages[file].output_law : application.input_law;
      terms.add(entry, DrawStream::of_transfer(file, needed_by), law(own.get()), true, amount * *link.time->per_unit);
    }
  }

  struct VariedLink {
    std::optional<tpn::LinearTime> time;
    const Law* law = nullptr;
  };

  VariedLink link_of(const tpn::NetPart& sender, const tpn::NetPart& receiver, std::size_t from, std::size_t to) const {
    if (sender.role == tpn::PartRole::source) {
      const std::size_t which = from - sender.sequence.front();
      return {timing_.source_link(to, which), timing_.source_link_law(to, which)};
    }
    if (receiver.role == tpn::PartRole::sink) {
      const std::size_t which = to - receiver.sequence.front();
      return {timing_.sink_link(from, which), timing_.sink_link_law(from, which)};
    }
    return {timing_.link(from, to), timing_.link_law(from, to)};
  }

  const tpn::Document& document_;
  const tpn::Pipeline& net_;
  tpn::Timing timing_;
  const Law* of_all_;
  LawList laws_;
};

bool has_law(const tpn::LinkTiming& timing) { return static_cast<bool>(timing.fixed_law); }

bool has_law(const std::optional<tpn::Endpoint>& endpoint) {
  if (!endpoint) return false;
  return std::ranges::any_of(endpoint->in_turn(), [](const tpn::Endpoint& one) {
    return has_law(one.timing) ||
           std::ranges::any_of(one.links, [](const tpn::EndpointLink& link) { return has_law(link.timing); });
  });
}

bool has_law(const tpn::Stage& stage) {
  const auto varies = [](const auto& own) { return static_cast<bool>(own.law); };
  return stage.work_law || stage.output_law || std::ranges::any_of(stage.times, varies) ||
         std::ranges::any_of(stage.type_times, varies);
}

}  // namespace

std::optional<NetTimes> times_of(const tpn::Document& document, const tpn::FoldedNet& net,
                                 const maxplus::Deadline& deadline) {
  return times_of(document, net.pipeline, deadline);
}

std::optional<NetTimes> times_of(const tpn::Document& document, const tpn::Pipeline& pipeline,
                                 const maxplus::Deadline& deadline) {
  return TermMaker(document, pipeline, nullptr).make(deadline);
}

NetTimes times_of(const tpn::Document& document, const tpn::FoldedNet& net, const Law& law) {
  return times_of(document, net.pipeline, law);
}

NetTimes times_of(const tpn::Document& document, const tpn::Pipeline& pipeline, const Law& law) {
  return TermMaker(document, pipeline, &law).make({}).value();
}

std::optional<NetTimes> times_of(const tpn::Document& document, const tpn::FoldedNet& net,
                                 const std::optional<Law>& law, const maxplus::Deadline& deadline) {
  return law ? times_of(document, net, *law) : times_of(document, net, deadline);
}

bool has_laws(const tpn::Document& document) {
  const tpn::Application& application = document.application;
  const tpn::Platform& platform = document.platform;
  const auto has = [](const auto& one) { return has_law(one); };
  const auto has_of_link = [](const auto& link) { return has_law(link.timing); };
  const auto has_of_time = [](const auto& machine) { return static_cast<bool>(machine.time_law); };
  return application.input_law || application.data_set_law || std::ranges::any_of(application.stages, has) ||
         has_law(platform.defaults) || std::ranges::any_of(platform.links, has_of_link) ||
         std::ranges::any_of(platform.type_links, has_of_link) || has_law(platform.source) || has_law(platform.sink) ||
         std::ranges::any_of(platform.types, has_of_time) || std::ranges::any_of(platform.processors, has_of_time);
}

}  // namespace takt::vary
