// Polls all servers until none can proceed: an operation that ends on one may be what another waits for.
#include "live/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "live/engine/kernel.hpp"
#include "maxplus/contract.hpp"
#include "tpn/chain.hpp"
#include "tpn/models.hpp"

namespace takt::live {

namespace {

enum class TaskKind { receive, compute, send, shadow };

// Of inputs that are kept for others.
constexpr std::size_t kMostLent = std::size_t{16} << 20;

enum class Phase { idle, posted, held };

}  // namespace

// An operation as this processor sees it.
struct Engine::Task {
  std::uint64_t data_set = 0;
  std::size_t column = 0;
  TaskKind kind = TaskKind::compute;
  std::size_t peer = 0;  // of a transfer
  Ticks duration = 0;    // by the instance

  std::size_t part() const { return tpn::chain_part(column); }  // the computing, or the sending one
};

// A resource: it handles these kinds of operations, one at a time.
struct Engine::Server {
  bool receives = false;
  bool computes = false;
  bool sends = false;
  std::deque<Task> tasks;
  std::uint64_t next_data_set = 0;  // whose tasks are not generated yet
  Phase phase = Phase::idle;
  bool is_cold = false;  // a shadow whose stages start first
  bool is_open = false;  // held, and its end is not known
  Ticks free = 0;        // since when
  Ticks posted = 0;
  Ticks start = 0;
  Ticks end = 0;
  std::uint64_t message = 0;
  Packet packet;  // received

  bool handles(TaskKind kind) const {
    return kind == TaskKind::receive ? receives : kind == TaskKind::compute ? computes : sends;
  }
};

bool can_run(const tpn::Model& model) {
  return tpn::is_resources_only(model) && (tpn::shares_processors(model) || tpn::separates_operations(model));
}

Engine::Engine(std::size_t processor, const tpn::Model& model, EngineTerms terms, Transport& transport,
               Computer& computer, EngineObserver& observer)
    : processor_(processor), terms_(terms), transport_(transport), computer_(computer), observer_(observer) {
  maxplus::expects(can_run(model), "the model can be run");
  for (const tpn::ConstraintKind kind : model->resources) {
    Server& server = servers_.emplace_back();
    server.receives = tpn::handles_receptions(kind);
    server.computes = tpn::handles_computations(kind);
    server.sends = tpn::handles_sendings(kind);
  }
}

Engine::~Engine() = default;

void Engine::add_route(std::uint64_t first_data_set, std::shared_ptr<const Route> route) {
  maxplus::expects(routes_.empty() || first_data_set >= std::max(horizon_, routes_.back().first),
                   "a route begins with data sets that are not granted");
  if (routes_.empty()) {
    horizon_ = first_data_set;
    for (Server& server : servers_) server.next_data_set = first_data_set;
    since_ = transport_.now();
  }
  if (!is_in_turn()) set_own_part(*route);
  routes_.emplace_back(first_data_set, std::move(route));
}

void Engine::set_own_part(const Route& route) {
  maxplus::expects(routes_.empty(), "who is free takes the next data set of one mapping");
  for (std::size_t i = 0; i < route.parts(); ++i) {
    const std::vector<std::size_t>& processors = route.part(i).sequence;
    if (std::ranges::find(processors, processor_) == processors.end()) continue;
    maxplus::expects(!own_part_, "a processor serves one part");
    own_part_ = i;
    shares_part_ = std::ranges::any_of(processors, [&](std::size_t other) { return other != processor_; });
  }
}

Engine::Server& Engine::server_for(bool Server::*handles) { return *std::ranges::find_if(servers_, handles); }

// Nothing waits here to be computed; and, unless the part has no other processor, nothing is computed: who is done
// first takes the file.
bool Engine::can_take() {
  if (!inputs_.empty()) return false;
  Server& computing = server_for(&Server::computes);
  if (computing.sends) return computing.tasks.empty() && outputs_.empty();
  if (*own_part_ > 0 && !server_for(&Server::receives).tasks.empty()) return false;
  return computing.tasks.empty() || (*own_part_ > 0 && !shares_part_);
}

// Whether there was something to tell.
bool Engine::tell_turns() {
  if (!own_part_) return false;
  bool has_told = false;
  if (!has_said_free_ && can_take()) {
    has_said_free_ = has_told = true;
    observer_.is_free(*own_part_);
  }
  if (!has_said_file_ && !outputs_.empty() && server_for(&Server::sends).tasks.empty()) {
    has_said_file_ = has_told = true;
    observer_.has_file(*own_part_, outputs_.begin()->first.first);
  }
  return has_told;
}

void Engine::begin(std::uint64_t data_set, std::string input, Ticks time) {
  maxplus::expects(own_part_ == std::size_t{0} && has_said_free_, "a data set begins where one is wanted");
  has_said_free_ = false;
  inputs_[{data_set, 0}] = {{data_set, std::move(input)}, time};
  server_for(&Server::computes)
      .tasks.push_back({data_set, tpn::chain_computation(0), TaskKind::compute, processor_,
                        routes_.back().second->computation(0, processor_)});
}

void Engine::pass(std::uint64_t data_set, std::size_t receiver, Ticks duration) {
  maxplus::expects(has_said_file_ && outputs_.contains({data_set, *own_part_}), "who sends a file has it");
  has_said_file_ = false;
  server_for(&Server::sends)
      .tasks.push_back({data_set, tpn::chain_transfer(*own_part_), TaskKind::send, receiver, duration});
}

void Engine::take(std::uint64_t data_set, std::size_t sender, Ticks duration) {
  maxplus::expects(has_said_free_ && *own_part_ > 0, "a file goes where one is wanted");
  has_said_free_ = false;
  server_for(&Server::receives)
      .tasks.push_back({data_set, tpn::chain_transfer(*own_part_ - 1), TaskKind::receive, sender, duration});
}

void Engine::give(std::uint64_t data_set, std::string input) {
  maxplus::expects(data_set >= horizon_, "an input comes before its data set is granted");
  given_[data_set] = std::move(input);
}

void Engine::grant(std::uint64_t horizon, Ticks time) {
  maxplus::expects(!routes_.empty(), "there is a route");
  for (std::uint64_t j = horizon_; j < horizon; ++j) {
    if (route_of(j).processor_at(0, j) != processor_) continue;
    auto given = given_.extract(j);
    inputs_[{j, 0}] = {{j, given ? std::move(given.mapped()) : std::string()}, time};
  }
  horizon_ = std::max(horizon_, horizon);
}

void Engine::grant_all() {
  maxplus::expects(!routes_.empty() && !routes_.back().second->begins_at(processor_),
                   "whoever begins data sets is granted each");
  // Whoever has no turn would look for the next one for ever; so would a port that sends or computes nothing. There is
  // always a next reception, for the first part that the processor serves has another before it.
  if (!routes_.back().second->serves(processor_)) return;
  received_ = horizon_;
  horizon_ = kAll;
}

void Engine::end_at(std::uint64_t data_sets) {
  if (!is_in_turn()) return;
  horizon_ = data_sets;
  received_ = kAll;
  for (Server& server : servers_) {
    while (!server.tasks.empty() && server.tasks.back().data_set >= data_sets) server.tasks.pop_back();
    // It had posted a reception of what never comes.
    if (server.tasks.empty()) server.phase = Phase::idle;
  }
}

const Route& Engine::route_of(std::uint64_t data_set) const {
  const auto after = std::ranges::upper_bound(routes_, data_set, {}, [](const auto& route) { return route.first; });
  return *std::prev(after)->second;
}

void Engine::generate(Server& server, std::uint64_t data_set) {
  const Route& route = route_of(data_set);
  for (std::size_t i = 0; i < route.parts(); ++i) {
    const std::size_t here = route.processor_at(i, data_set);
    const auto add = [&](std::size_t column, TaskKind kind, std::size_t peer) {
      server.tasks.push_back({data_set, column, kind, peer, route.duration(column, data_set)});
    };
    if (here == processor_ && server.computes) add(tpn::chain_computation(i), TaskKind::compute, here);
    if (i + 1 == route.parts()) break;
    const std::size_t next = route.processor_at(i + 1, data_set);
    if (here == next) continue;
    if (here == processor_ && server.sends) add(tpn::chain_transfer(i), TaskKind::send, next);
    if (next == processor_ && server.receives) add(tpn::chain_transfer(i), TaskKind::receive, here);
  }
}

void Engine::shadow(Shadow shadow) {
  const auto server = std::ranges::find_if(servers_, &Server::computes);
  maxplus::expects(server != servers_.end() && !routes_.empty(), "a processor computes, by a route");
  // Behind what is in hand and the shadows that wait, before all else: a shadow waits for nothing.
  const auto behind =
      std::ranges::find_if(server->tasks.begin() + (server->phase == Phase::idle ? 0 : 1), server->tasks.end(),
                           [](const Task& task) { return task.kind != TaskKind::shadow; });
  server->tasks.insert(behind, {shadow.data_set, tpn::chain_computation(shadow.part), TaskKind::shadow, processor_});
  shadows_.push_back(std::move(shadow));
}

bool Engine::has_task(Server& server) {
  const std::uint64_t end = server.receives ? horizon_ : std::min(horizon_, received_);
  while (server.tasks.empty() && server.next_data_set < end) generate(server, server.next_data_set++);
  return !server.tasks.empty();
}

bool Engine::is_idle() const {
  return std::ranges::all_of(
      servers_, [&](const Server& server) { return server.tasks.empty() && server.next_data_set >= horizon_; });
}

std::vector<Holding> Engine::holdings() const {
  std::vector<Holding> all;
  for (const Server& server : servers_) {
    if (server.tasks.empty() || server.phase == Phase::idle) continue;
    const Task& task = server.tasks.front();
    if (task.kind == TaskKind::receive || task.kind == TaskKind::shadow) continue;
    Holding& holding = all.emplace_back();
    holding.data_set = task.data_set;
    const tpn::NetPart& part = route_of(task.data_set).part(task.part());
    if (part.role == tpn::PartRole::mapped) {
      holding.first_stage = part.first_stage;
      holding.last_stage = part.last_stage;
    }
    if (task.kind == TaskKind::send) holding.receiver = task.peer;
    holding.since = server.phase == Phase::posted ? server.posted : server.start;
  }
  return all;
}

// The first activity that holds.
Activity Engine::activity() const {
  Activity found = Activity::starved;
  for (const Server& server : servers_) {
    if (server.tasks.empty() || server.phase == Phase::idle) continue;
    const TaskKind kind = server.tasks.front().kind;
    if (kind == TaskKind::shadow) continue;
    if (server.phase == Phase::held) {
      found = std::min(found, kind == TaskKind::compute ? Activity::computing : Activity::transferring);
    } else if (kind == TaskKind::send) {
      found = std::min(found, Activity::blocked);
    }
  }
  // First free, files wait for somebody to take them.
  if (!is_in_turn() && !outputs_.empty()) found = std::min(found, Activity::blocked);
  return found;
}

void Engine::account() {
  const Activity now_at = activity();
  if (now_at == activity_) return;
  const Ticks now = transport_.now();
  past_.times[static_cast<std::size_t>(activity_)] += now - since_;
  activity_ = now_at;
  since_ = now;
}

RankState Engine::state() const {
  RankState state = past_;
  if (!routes_.empty()) state.times[static_cast<std::size_t>(activity_)] += transport_.now() - since_;
  state.queue = inputs_.size() + outputs_.size();
  state.holdings = holdings();
  return state;
}

// Since when what a task needs of its own processor is there, if it is.
std::optional<Ticks> Engine::ready_since(const Task& task) const {
  if (task.kind == TaskKind::receive || task.kind == TaskKind::shadow) return 0;
  const auto& files = task.kind == TaskKind::compute ? inputs_ : outputs_;
  const auto file = files.find({task.data_set, task.part()});
  if (file == files.end()) return std::nullopt;
  return file->second.since;
}

bool Engine::post(Server& server) {
  const Task& task = server.tasks.front();
  const std::optional<Ticks> since = ready_since(task);
  if (!since) return false;
  server.posted = terms_.anchor == Anchor::logical ? std::max(server.free, *since) : transport_.now();
  server.phase = Phase::posted;
  const FileKey key{task.data_set, task.part()};
  if (task.kind == TaskKind::shadow) {
    begin_shadow(server);
  } else if (task.kind == TaskKind::compute) {
    auto input = inputs_.extract(key);
    compute(server, std::move(input.mapped().packet));
  } else if (task.kind == TaskKind::send) {
    auto output = outputs_.extract(key);
    server.message = transport_.send(
        task.peer, file_tag(task.column),
        encode(FileMessage{task.data_set, server.posted, std::move(output.mapped().packet.bytes),
                           output.mapped().packet.has_failed}),
        terms_.links == LinkUse::real || terms_.anchor == Anchor::observed ? Delivery::watched : Delivery::prompt);
  }
  return true;
}

void Engine::compute(Server& server, Packet packet) {
  const Task& task = server.tasks.front();
  if (packet.has_failed) {
    server.packet = std::move(packet);
    server.start = server.end = server.posted;
    server.phase = Phase::held;
    return;
  }
  const Route& route = route_of(task.data_set);
  const tpn::NetPart& part = route.part(task.part());
  PartCall call{.part = task.part(), .is_first = task.part() == 0, .start = server.posted};
  call.nominal = task.duration;
  if (part.role == tpn::PartRole::mapped) {
    call.first_stage = part.first_stage;
    call.last_stage = part.last_stage;
    observer_.begun(call.part, task.data_set, call.start);
    if (keeps_inputs_) latest_input_.reset();
    if (keeps_inputs_ && packet.bytes.size() <= kMostLent) latest_input_ = {task.data_set, call.part, packet.bytes};
  }
  server.start = server.posted;
  const std::optional<Ticks> end = computer_.begin(call, std::move(packet));
  server.is_open = !end;
  server.end = end.value_or(server.start);
  server.phase = Phase::held;
}

void Engine::begin_shadow(Server& server) {
  Shadow& shadow = shadows_.front();
  const tpn::NetPart& part = route_of(shadow.data_set).part(shadow.part);
  PartCall call{.part = shadow.part, .is_first = shadow.part == 0, .start = server.posted};
  call.first_stage = part.first_stage;
  call.last_stage = part.last_stage;
  call.nominal = shadow.nominal;
  server.is_cold = !computer_.is_warm(part.first_stage, part.last_stage);
  server.start = server.posted;
  const std::optional<Ticks> end = computer_.begin(call, Packet{shadow.data_set, std::move(shadow.input)});
  server.is_open = !end;
  server.end = end.value_or(server.start);
  server.phase = Phase::held;
}

bool Engine::match_sending(Server& server) {
  const Task& task = server.tasks.front();
  if (terms_.links == LinkUse::real || terms_.anchor == Anchor::observed) {
    if (!transport_.is_taken(server.message)) return false;
    server.start = terms_.links == LinkUse::real ? server.posted : transport_.now();
    return true;
  }
  const std::optional<std::string> bytes = transport_.receive(task.peer, answer_tag(task.column));
  if (!bytes) return false;
  const std::optional<AnswerMessage> answer = decode_answer(*bytes);
  if (!answer || answer->data_set != task.data_set) {
    throw std::runtime_error(fmt::format("data set {}: an answer to another file", task.data_set));
  }
  server.start = answer->start;
  return true;
}

bool Engine::match_reception(Server& server) {
  const Task& task = server.tasks.front();
  const std::optional<std::string> bytes = transport_.receive(task.peer, file_tag(task.column));
  if (!bytes) return false;
  std::optional<FileMessage> file = decode_file(*bytes);
  if (!file || file->data_set != task.data_set) {
    throw std::runtime_error(fmt::format("column {}: found {}, expected the file of data set {}", task.column,
                                         file ? fmt::format("that of data set {}", file->data_set) : "no file",
                                         task.data_set));
  }
  const bool is_observed = terms_.links == LinkUse::emulated && terms_.anchor == Anchor::observed;
  server.start = is_observed ? transport_.now() : std::max(server.posted, file->posted);
  server.packet = {task.data_set, std::move(file->bytes), file->has_failed};
  if (terms_.links == LinkUse::emulated && !is_observed) {
    transport_.send(task.peer, answer_tag(task.column), encode(AnswerMessage{task.data_set, server.start}),
                    Delivery::prompt);
  }
  return true;
}

bool Engine::match(Server& server) {
  const Task& task = server.tasks.front();
  if (!(task.kind == TaskKind::send ? match_sending(server) : match_reception(server))) return false;
  server.end = server.start;
  if (terms_.links == LinkUse::emulated) server.end += task.duration;
  server.phase = Phase::held;
  return true;
}

// Whether a held task is done; its end is then the one that is told.
bool Engine::is_over(Server& server, StepResult& result) {
  if (server.is_open) {
    if (!computer_.is_done()) return false;
    server.is_open = false;
    server.end = transport_.now();
    return true;
  }
  const Ticks now = transport_.now();
  if (now < server.end) {
    result.wait_for(server.end);
    return false;
  }
  if (terms_.anchor != Anchor::logical) server.end = now;
  return true;
}

void Engine::finish(Server& server) {
  const Task task = server.tasks.front();
  server.tasks.pop_front();
  server.phase = Phase::idle;
  server.free = server.end;
  if (task.kind == TaskKind::shadow) return finish_shadow(server);
  observer_.recorded({task.data_set, task.column, server.start, server.end, task.kind == TaskKind::send});
  if (task.kind == TaskKind::receive) {
    received_ = std::max(received_, task.data_set + 1);
    inputs_[{task.data_set, task.part() + 1}] = {std::exchange(server.packet, {}), server.end};
    if (!is_in_turn()) {
      server_for(&Server::computes)
          .tasks.push_back({task.data_set, tpn::chain_computation(*own_part_), TaskKind::compute, processor_,
                            routes_.back().second->computation(*own_part_, processor_)});
    }
  } else if (task.kind == TaskKind::compute && server.packet.has_failed) {
    finish_computation(task, std::exchange(server.packet, {}), server.end);
  } else if (task.kind == TaskKind::compute) {
    Packet packet = computer_.take();
    if (route_of(task.data_set).part(task.part()).role == tpn::PartRole::mapped) {
      observer_.computed(task.part(), task.data_set, server.start, server.end);
      past_.computed += server.end - server.start;
      past_.nominal += task.duration;
    }
    finish_computation(task, std::move(packet), server.end);
  }
}

// A stage that fails here fails where its data set is computed, too, or has by chance: that is not for a shadow to say.
void Engine::finish_shadow(Server& server) {
  const Shadow shadow = std::move(shadows_.front());
  shadows_.pop_front();
  bool counts = !server.is_cold;
  try {
    if (computer_.take().has_failed) counts = false;
  } catch (const StageFailed&) {
    counts = false;
  }
  observer_.shadowed(shadow.part, shadow.data_set, server.start, counts ? std::optional(server.end) : std::nullopt);
}

void Engine::finish_computation(const Task& task, Packet packet, Ticks end) {
  const Route& route = route_of(task.data_set);
  const std::size_t next = task.part() + 1;
  if (next == route.parts()) {
    observer_.delivered(std::move(packet), end);
  } else if (is_in_turn() && route.processor_at(next, task.data_set) == processor_) {
    observer_.recorded({task.data_set, tpn::chain_transfer(task.part()), end, end, false});
    inputs_[{task.data_set, next}] = {std::move(packet), end};
  } else {
    outputs_[{task.data_set, task.part()}] = {std::move(packet), end};
  }
}

StepResult Engine::advance(Server& server) {
  StepResult result;
  while (has_task(server)) {
    if (server.phase == Phase::idle) {
      if (!post(server)) break;
      result.has_moved = true;
    }
    if (server.phase == Phase::posted) {
      if (!match(server)) break;
      result.has_moved = true;
    }
    if (!is_over(server, result)) break;
    finish(server);
    result.has_moved = true;
  }
  return result;
}

StepResult Engine::step() {
  StepResult all;
  for (bool moves = true; moves;) {
    StepResult round;
    for (Server& server : servers_) round.add(advance(server));
    if (tell_turns()) round.has_moved = true;
    moves = round.has_moved;
    all.has_moved = all.has_moved || moves;
    all.next = round.next;
  }
  account();
  return all;
}

}  // namespace takt::live
