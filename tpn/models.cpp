// The table of models, their dependences, and the merging of guards.
#include "tpn/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "tpn/circuits.hpp"
#include "tpn/errors.hpp"
#include "tpn/visible.hpp"
#include "tpn/window.hpp"

namespace takt::tpn {

namespace {

// A processor receives, computes and sends at the same time, one of each. [benoit2009throughput, section 3.2]
constexpr ConstraintKind kApart[] = {ConstraintKind::compute, ConstraintKind::out_port, ConstraintKind::in_port};
// A processor receives, computes or sends. [benoit2009throughput, section 3.3]
constexpr ConstraintKind kTogether[] = {ConstraintKind::processor};

constexpr CommunicationModel kModels[] = {
    {.name = "overlap", .title = "OVERLAP ONE-PORT", .resources = kApart},
    {.name = "strict", .title = "STRICT ONE-PORT", .resources = kTogether},
    {.name = "bounded", .title = "BOUNDED ONE-PORT", .resources = kApart, .has_rooms = true},
};

auto group_key(const Dependence& d) { return std::tie(d.from, d.to, d.height, d.kind, d.segment, d.part, d.modulus); }

// Divides `modulus` as long as the residues are still a union of whole classes. Each division by f
// leaves one residue if there were f, so only factors of both counts can succeed.
void shrink_guard(std::uint64_t& modulus, std::vector<std::uint64_t>& residues) {
  for (const std::uint64_t f : maxplus::prime_factors(std::gcd(modulus, residues.size()))) {
    const std::uint64_t smaller = modulus / f;
    std::vector<std::uint64_t> folded(residues);
    for (std::uint64_t& r : folded) r %= smaller;
    std::ranges::sort(folded);
    folded.erase(std::unique(folded.begin(), folded.end()), folded.end());
    if (folded.size() * f != residues.size()) continue;
    modulus = smaller;
    residues = std::move(folded);
  }
}

// One pass over the groups of dependences that differ in their residue only; in place, for there may be millions.
void merge_once(std::vector<Dependence>& dependences) {
  std::ranges::sort(dependences, [](const Dependence& a, const Dependence& b) {
    return std::tuple_cat(group_key(a), std::tie(a.residue)) < std::tuple_cat(group_key(b), std::tie(b.residue));
  });
  dependences.erase(std::unique(dependences.begin(), dependences.end()), dependences.end());
  auto merged = dependences.begin();  // the end of what is done
  for (auto first = dependences.begin(); first != dependences.end();) {
    Dependence group = *first;
    const auto last =
        std::find_if(first, dependences.end(), [&](const Dependence& d) { return group_key(d) != group_key(group); });
    std::vector<std::uint64_t> residues;
    std::transform(first, last, std::back_inserter(residues), [](const Dependence& d) { return d.residue; });
    shrink_guard(group.modulus, residues);
    for (const std::uint64_t residue : residues) {
      *merged = group;
      merged->residue = residue;
      ++merged;
    }
    first = last;
  }
  dependences.erase(merged, dependences.end());
}

}  // namespace

DependenceList::DependenceList(const Pipeline& pipeline, std::uint64_t limit, const maxplus::Deadline& deadline)
    : pipeline_(pipeline), limit_(limit), watch_(deadline) {}

void DependenceList::add_flow() {
  const auto add_file = [&](ColumnIndex from, ColumnIndex to) {
    add({.from = from,
         .to = to,
         .height = pipeline_.columns[to].shift - pipeline_.columns[from].shift,
         .modulus = 1,
         .residue = 0,
         .kind = ConstraintKind::flow,
         .segment = 0,
         .part = {}});
  };
  for (const ColumnIndex c : pipeline_.all_columns()) {
    const Column& column = pipeline_.columns[c];
    if (column.kind != ColumnKind::transfer) continue;
    const NetPart& sender = pipeline_.parts[column.part];
    const NetPart& receiver = pipeline_.parts[column.receiver];
    if (sender.to_batch_end.empty()) {
      add_file(sender.computation, c);
    } else {
      add_files_of_batches(sender, c, false);
    }
    add_file(c, receiver.computation);
    add_files_of_batches(receiver, c, true);
  }
}

// A batch is computed once all of its files are there, and each file that it makes is there once all are computed.
void DependenceList::add_files_of_batches(const NetPart& part, ColumnIndex transfer, bool are_received) {
  const ColumnIndex from = are_received ? transfer : part.computation;
  const ColumnIndex to = are_received ? part.computation : transfer;
  const std::uint64_t length = part.to_batch_end.size();
  const std::uint64_t shift = pipeline_.columns[from].shift;
  for (std::uint64_t j = 0; j < length; ++j) {
    const std::uint64_t computed = part.computed_with(j);
    if (are_received && computed == j) continue;  // as without batches
    const std::uint64_t first = are_received ? j : computed;
    const std::uint64_t later = are_received ? computed : j;
    add({.from = from,
         .to = to,
         .height = later + pipeline_.columns[to].shift - first - shift,
         .modulus = length,
         .residue = (first + shift) % length,
         .kind = ConstraintKind::flow,
         .segment = 0,
         .part = {}});
  }
}

// There may be millions: they grow in one piece.
void DependenceList::reserve_for(const Model& model) {
  const ServiceIndex services(pipeline_);
  Integer operations = pipeline_.columns.size();
  for (const ConstraintKind kind : model->resources) {
    for (std::size_t p = 0; p < pipeline_.processors.size(); ++p) {
      if (owns(pipeline_, kind, p)) operations += most_operations(pipeline_, services, kind, p);
    }
  }
  if (operations <= limit_) dependences_.reserve(operations.get_ui());
}

void DependenceList::add_ports_beside(const Model& model) {
  if (pipeline_.ports.owner.empty()) return;
  const std::vector<ConstraintKind> kinds = ports_beside(model);
  for (const ConstraintKind kind : kinds) add_circuits(kind, CircuitsOf::ports_beside);
  if (!kinds.empty()) add_circuits(ConstraintKind::compute, CircuitsOf::open_ends);
}

void DependenceList::add_model(const Model& model) {
  reserve_for(model);
  add_flow();
  for (const ConstraintKind kind : model->resources) add_circuits(kind);
  add_ports_beside(model);
  if (!pipeline_.ports.segments.empty()) add_circuits(ConstraintKind::segment);
  if (model->has_rooms) add_rooms(model.rooms());
  if (model->further == nullptr) return;
  if (pipeline_.is_shifted()) {
    // Its dependences are by data set.
    throw InvalidInstance("/transfers", fmt::format("transfers that are ahead, under the model \"{}\"", model->name),
                          "transfers without \"ahead\", or another model");
  }
  model->further(*this, model);
}

void DependenceList::add(const Dependence& dependence) {
  maxplus::expects(dependence.from < pipeline_.columns.size() && dependence.to < pipeline_.columns.size(),
                   "a dependence joins two columns");
  maxplus::expects(dependence.height > 0 || dependence.from < dependence.to,
                   "a dependence within a data set leads to a later column");
  maxplus::expects(dependence.residue < dependence.modulus && pipeline_.rows % dependence.modulus == 0,
                   "a guard's modulus divides the number of rows");
  dependences_.push_back(dependence);
}

void DependenceList::add_circuits(ConstraintKind kind) { add_circuits(kind, CircuitsOf::all); }

namespace {

// Of the resource's operations each waits for the one that had its place before.
void add_turns(DependenceList& list, const Pipeline& pipeline, const Circuit& circuit, ConstraintKind kind,
               std::size_t owner) {
  const auto& [operations, height] = circuit;
  const std::uint64_t places = can_be_several(kind) ? pipeline.port_count(owner) : 1;
  const auto segment = kind == ConstraintKind::segment ? static_cast<std::uint32_t>(owner) : 0;
  for (std::size_t k = 0; k < operations.size(); ++k) {
    const Operation& here = operations[k];
    const std::uint64_t later = k + places;
    const Operation& next = operations[later % operations.size()];
    const std::uint64_t distance = next.data_set + later / operations.size() * height - here.data_set;
    if (pipeline.flows(here.column, next.column) &&
        distance == pipeline.columns[next.column].shift - pipeline.columns[here.column].shift)
      continue;  // the flow says so already
    list.add({.from = here.column,
              .to = next.column,
              .height = distance,
              .modulus = height,
              .residue = here.data_set,
              .kind = kind,
              .segment = segment,
              .part = part_served(pipeline, here, kind, owner)});
  }
}

// Data sets in a round of that many whose files cross a link through the buffer, in order.
std::vector<std::uint64_t> data_sets_through(const Pipeline& pipeline, const Buffer& buffer,
                                             std::span<const ServiceIndex::Service> entries, std::uint64_t round) {
  const std::size_t length = pipeline.parts[buffer.part].sequence.size();
  std::vector<std::uint64_t> data_sets;
  for (const ServiceIndex::Service& service : entries) {
    for (std::uint64_t j = service.entry; j < round; j += length) {
      if (!pipeline.is_internal(buffer.transfer, j + pipeline.columns[buffer.transfer].shift)) data_sets.push_back(j);
    }
  }
  std::ranges::sort(data_sets);
  return data_sets;
}

}  // namespace

void DependenceList::add_circuits(ConstraintKind kind, CircuitsOf which) {
  const ServiceIndex services(pipeline_);
  const std::vector<Rational> cycle_times = cycle_times_of(pipeline_, kind);
  std::size_t before = dependences_.size();
  for (std::size_t p = 0; p < pipeline_.processors.size() && !too_large_; ++p) {
    if (which != CircuitsOf::all && !pipeline_.has_ports_beside(p)) continue;
    if (which == CircuitsOf::open_ends && pipeline_.is_host(p)) continue;
    if (!owns(pipeline_, kind, p) || (can_be_several(kind) && pipeline_.port_count(p) == kUnlimitedPorts)) continue;
    if (is_out_of_time(dependences_.size() - before)) return;
    before = dependences_.size();
    auto listed = list_circuit(pipeline_, services, kind, p, limit_ - steps_);
    if (auto* too_large = std::get_if<TooLarge>(&listed)) {
      too_large->needed += steps_;
      too_large->limit = limit_;
      too_large_ = *too_large;
      return;
    }
    const auto& circuit = std::get<Circuit>(listed);
    if (circuit.operations.empty()) continue;
    steps_ += circuit.operations.size();
    const auto earliest = std::ranges::min_element(circuit.operations, {}, &Operation::column);
    resources_.push_back({kind, p, earliest->column, cycle_times[p]});
    add_turns(*this, pipeline_, circuit, kind, p);
  }
}

bool DependenceList::is_out_of_time(std::size_t steps) {
  if (!too_large_ && watch_.has_passed(static_cast<double>(steps)))
    too_large_ = TooLarge{LimitKind::building_time, 0, 0};
  return too_large_.has_value();
}

void DependenceList::add_rooms(std::uint64_t rooms) {
  maxplus::expects(rooms >= 1 && rooms <= kMostRooms, "a model with rooms has room for some files");
  std::vector<Buffer> buffers = buffers_of(pipeline_);
  for (Buffer& buffer : buffers) buffer.room = rooms;
  add_rooms(buffers);
}

void DependenceList::add_rooms(std::span<const Buffer> buffers) {
  if (buffers.empty()) return;
  const ServiceIndex services(pipeline_);
  for (const Buffer& buffer : buffers) {
    if (too_large_ || is_out_of_time(1)) return;
    add_room(services, buffer);
  }
}

namespace {

// Room that would wait for itself: a file of a transfer that is ahead, or of a batch, stays for more data sets than
// there are places. `height(n, room)` is that of the n-th file's dependence.
template <typename Height>
[[noreturn]] void refuse_room(const Pipeline& pipeline, const Buffer& buffer, std::uint64_t stays, Height height,
                              std::size_t files) {
  std::uint64_t least = buffer.room;
  const auto is_enough = [&] {
    for (std::size_t n = 0; n < files; ++n) {
      if (height(n, least) <= 0) return false;
    }
    return true;
  };
  while (!is_enough()) ++least;
  if (const std::uint64_t batch = pipeline.parts[buffer.part].largest_batch(); batch > 1) {
    throw InvalidInstance(fmt::format("/mapping/{}/processors", pipeline.parts[buffer.part].mapping_part),
                          fmt::format("a batch of {}, with room for {} file{} {} it on \"{}\"", batch, buffer.room,
                                      buffer.room == 1 ? "" : "s", buffer.side == BufferSide::in ? "before" : "behind",
                                      visible(pipeline.processors[buffer.processor])),
                          fmt::format("room for {} files, or a smaller batch", least));
  }
  const std::string machine = visible(pipeline.processors[buffer.processor]);
  const std::string transfer =
      buffer.side == BufferSide::in
          ? fmt::format("a transfer to \"{}\" that is {} ahead", machine, stays)
          : fmt::format("a transfer from \"{}\" that is {} behind its computation", machine, stays);
  throw InvalidInstance("/transfers",
                        fmt::format("{}, with room for {} file{}", transfer, buffer.room, buffer.room == 1 ? "" : "s"),
                        fmt::format("room for {} files, or fewer data sets ahead", least));
}

// A file takes its place when the one that had it leaves; `data_sets` of each `round` have files in the buffer.
void add_room_turns(DependenceList& list, const Pipeline& pipeline, const Buffer& buffer,
                    const std::vector<std::uint64_t>& data_sets, std::uint64_t round) {
  const bool receives = buffer.side == BufferSide::in;
  const NetPart& part = pipeline.parts[buffer.part];
  const ColumnIndex from = receives ? part.computation : buffer.transfer;
  const ColumnIndex to = receives ? buffer.transfer : part.computation;
  // Data sets from the n-th file to the one that takes its place, and rounds that it stays longer than it must.
  const auto distance = [&](std::size_t n, std::uint64_t room) {
    const std::uint64_t later = n + room;
    return later / data_sets.size() * round + data_sets[later % data_sets.size()] - data_sets[n];
  };
  const std::uint64_t shift = pipeline.columns[from].shift;
  const std::uint64_t stays = shift - pipeline.columns[to].shift;
  // A batch takes its places at once: each is free once the whole batch is computed, or wanted when it is.
  const auto to_batch_end = [&](std::uint64_t data_set) { return part.computed_with(data_set) - data_set; };
  const auto height_of = [&](std::size_t n, std::uint64_t room) {
    const std::uint64_t there = data_sets[(n + room) % data_sets.size()];
    return static_cast<std::int64_t>(distance(n, room) + (receives ? 0 : to_batch_end(there))) -
           static_cast<std::int64_t>(stays + (receives ? to_batch_end(data_sets[n]) : 0));
  };
  for (std::size_t n = 0; n < data_sets.size(); ++n) {
    const std::int64_t rounds = height_of(n, buffer.room);
    if (rounds <= 0) refuse_room(pipeline, buffer, stays, height_of, data_sets.size());
    const std::uint64_t begin = receives ? part.computed_with(data_sets[n]) : data_sets[n];
    list.add({.from = from,
              .to = to,
              .height = static_cast<std::uint64_t>(rounds),
              .modulus = round,
              .residue = (begin + shift) % round,
              .kind = ConstraintKind::room,
              .segment = 0,
              .part = buffer.part});
  }
}

}  // namespace

// Files of a transfer between a processor's part and another. Which of them cross a link repeats after
// the lengths of the two parts' sequences, or of its own if it does not serve the neighbor.
void DependenceList::add_room(const ServiceIndex& services, const Buffer& buffer) {
  maxplus::expects(buffer.room >= 1, "a buffer has room for some files");
  const bool receives = buffer.side == BufferSide::in;
  const NetPart& part = pipeline_.parts[buffer.part];
  const ColumnIndex transfer = buffer.transfer;
  maxplus::expects(pipeline_.is_transfer(transfer) && (receives ? pipeline_.columns[transfer].receiver
                                                                : pipeline_.columns[transfer].part) == buffer.part,
                   "a buffer holds the files of a transfer of its part, on its side");
  const PartIndex other = other_end(pipeline_.columns[transfer], buffer.part);
  const std::size_t length = part.sequence.size();
  Integer repetition(length);
  if (services.serves(pipeline_.port_owner(buffer.processor), other)) {
    repetition = lcm(repetition, pipeline_.parts[other].sequence.size());
  }
  const auto entries = services.of(buffer.processor, buffer.part);
  const Integer most = repetition / length * entries.size() + steps_;
  if (most > limit_) {
    too_large_ = TooLarge{LimitKind::circuit_operations, most, limit_};
    return;
  }
  steps_ = most.get_ui();
  const std::uint64_t height = repetition.get_ui();
  const std::vector<std::uint64_t> data_sets = data_sets_through(pipeline_, buffer, entries, height);
  add_room_turns(*this, pipeline_, buffer, data_sets, height);
}

namespace {

// A data set is delivered with its batch.
void add_window_between(DependenceList& list, const Pipeline& pipeline, std::uint64_t window, PartIndex exit,
                        PartIndex entry) {
  const NetPart& last = pipeline.parts[exit];
  const std::uint64_t length = last.sequence.size();
  const std::uint64_t own_shift = pipeline.columns[last.computation].shift;
  for (std::uint64_t k = 0; k < length; ++k) {
    for (std::uint64_t j = 0; j < (last.to_batch_end.empty() ? 1 : length); ++j) {
      const std::uint64_t end = last.computed_with(j);
      list.add({.from = last.computation,
                .to = pipeline.parts[entry].computation,
                .height = window + k - own_shift - (end - j),
                .modulus = last.to_batch_end.empty() ? 1 : length,
                .residue = last.to_batch_end.empty() ? 0 : (end + own_shift) % length,
                .kind = ConstraintKind::window,
                .segment = 0,
                .part = exit});
    }
  }
}

}  // namespace

void DependenceList::add_window(std::uint64_t window) {
  maxplus::expects(window >= 1 && window <= kMostWindow, "a window has some data sets");
  const std::uint64_t narrow = too_narrow_window(pipeline_);
  if (window <= narrow && pipeline_.has_batches()) {
    throw InvalidInstance(
        "/mapping",
        fmt::format("a window of {} data set{}, though {} have to be under way before a batch is delivered", window,
                    window == 1 ? "" : "s", narrow + 1),
        fmt::format("a window of {} or more", narrow + 1));
  }
  if (window <= narrow) {
    throw InvalidInstance("/transfers",
                          fmt::format("a window of {} data set{}, with transfers that are {} ahead in all", window,
                                      window == 1 ? "" : "s", narrow),
                          fmt::format("a window of {} or more", narrow + 1));
  }
  const std::vector<PartIndex> entries = pipeline_.entries();
  for (const PartIndex exit : pipeline_.exits()) {
    for (const PartIndex entry : entries) {
      if (too_large_ || is_out_of_time(pipeline_.parts[exit].sequence.size())) return;
      add_window_between(*this, pipeline_, window, exit, entry);
    }
  }
}

std::vector<Dependence> DependenceList::take_dependences() {
  for (std::size_t before = dependences_.size() + 1;
       dependences_.size() < before && !is_out_of_time(dependences_.size());) {
    before = dependences_.size();
    merge_once(dependences_);
  }
  std::ranges::sort(dependences_);
  dependences_.shrink_to_fit();
  return std::exchange(dependences_, {});
}

std::vector<Resource> DependenceList::take_resources() {
  std::ranges::stable_sort(resources_, [&](const Resource& a, const Resource& b) {
    if (a.first_column != b.first_column) return a.first_column < b.first_column;
    return natural_less(pipeline_.processors[a.processor], pipeline_.processors[b.processor]);
  });
  return std::exchange(resources_, {});
}

constinit const Model Model::kOverlap(kModels[0]);
constinit const Model Model::kStrict(kModels[1]);

std::span<const CommunicationModel> communication_models() { return kModels; }

std::span<const Model> default_models() {
  static constexpr std::array kDefaults = {Model(kModels[0]), Model(kModels[1])};
  return kDefaults;
}

std::string_view name_of(const Model& model) { return model->name; }

std::string label_of(const Model& model) {
  return model->has_rooms ? fmt::format("{}, room {}", model->name, model.rooms()) : std::string(model->name);
}

std::string title_of(const Model& model) {
  std::string title(model->title);
  if (model->has_rooms) title += fmt::format(", ROOM FOR {} FILE{}", model.rooms(), model.rooms() == 1 ? "" : "S");
  return title;
}

std::optional<Model> find_model(std::string_view name) {
  const auto found = std::ranges::find(kModels, name, &CommunicationModel::name);
  if (found == std::ranges::end(kModels)) return std::nullopt;
  return Model(*found, found->has_rooms ? 1 : 0);
}

Model with_rooms(const Model& model, std::uint64_t rooms) {
  maxplus::expects(model->has_rooms && rooms >= 1 && rooms <= kMostRooms, "a model with rooms has room for some files");
  return Model(model.definition(), rooms);
}

Model bounded_model(std::uint64_t rooms) { return with_rooms(Model(kModels[2]), rooms); }

bool shares_processors(const Model& model) { return std::ranges::equal(model->resources, kTogether); }

bool separates_operations(const Model& model) {
  // Asked for every mapping of millions: a list in the table's order is compared in one pass.
  return std::ranges::equal(model->resources, kApart) || std::ranges::is_permutation(model->resources, kApart);
}

Model bounding_model(const Model& model, bool do_ports_bound) {
  static constexpr ConstraintKind kComputations[] = {ConstraintKind::compute};
  static constexpr CommunicationModel kComputationsAlone{
      .name = "computations", .title = "COMPUTATIONS", .resources = kComputations};
  if (std::ranges::none_of(model->resources, is_port) || do_ports_bound) return model;
  return Model(kComputationsAlone);
}

std::vector<ConstraintKind> ports_beside(const Model& model) {
  const auto needs_port = [&](bool (*handles)(ConstraintKind)) {
    bool is_handled = false;
    for (const ConstraintKind kind : model->resources) {
      if (!handles(kind)) continue;
      if (!handles_computations(kind)) return false;
      is_handled = true;
    }
    return is_handled;
  };
  std::vector<ConstraintKind> kinds;
  if (needs_port(handles_sendings)) kinds.push_back(ConstraintKind::out_port);
  if (needs_port(handles_receptions)) kinds.push_back(ConstraintKind::in_port);
  return kinds;
}

bool is_resources_only(const Model& model) { return !model->has_rooms && model->further == nullptr; }

bool follows_cycle_times(const Model& model) { return model->further == nullptr; }

Rational lone_cycle_time(const Model& model, const Rational& receive, const Rational& compute, const Rational& send) {
  Rational longest = cycle_time(model, receive, compute, send);
  if (model->has_rooms) {
    longest = std::max(longest, (std::max(receive, send) + compute) / Rational(model.rooms()));
  }
  return longest;
}

std::vector<ExclusiveOperations> resource_operations(const Model& model) {
  std::vector<ExclusiveOperations> lists;
  for (const ConstraintKind kind : model->resources)
    lists.push_back({handles_receptions(kind), handles_computations(kind), handles_sendings(kind)});
  return lists;
}

}  // namespace takt::tpn
