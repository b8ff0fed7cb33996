// Polls all servers until none can proceed: an operation that ends on one may be what another waits for.
#include "live/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "live/engine/kernel.hpp"
#include "live/engine/stage_files.hpp"
#include "maxplus/contract.hpp"
#include "tpn/models.hpp"

namespace takt::live {

namespace {

enum class TaskKind { receive, compute, send, shadow };

// Of inputs that are kept for others.
constexpr std::size_t kMostLent = std::size_t{16} << 20;

enum class Phase { idle, posted, held };

// Who sends in a transfer, or receives.
std::size_t turn_taker(const Route& route, const tpn::Operation& transfer, bool sends) {
  const std::size_t column = transfer.column;
  return route.processor_at(sends ? route.sender(column) : route.receiver(column), transfer.data_set);
}

// What a part that gets the application's input takes of it.
Packet input_packet(const Route& route, std::uint64_t data_set, std::string input) {
  if (!route.has_file_lists()) return {data_set, std::move(input)};
  const StageFile file{kInputFile, std::move(input)};
  return {data_set, encode_files({&file, 1})};
}

}  // namespace

// An operation as this processor sees it.
struct Engine::Task {
  std::uint64_t data_set = 0;
  std::size_t column = 0;
  std::size_t part = 0;  // the computing, or the sending one
  TaskKind kind = TaskKind::compute;
  std::size_t peer = 0;     // of a transfer
  Ticks duration = 0;       // by the instance
  std::uint64_t first = 0;  // of a batch, which ends with `data_set`; of another computation that one
  bool fills = false;       // it only fills a batch, at whose end it is computed

  tpn::Operation operation() const { return {data_set, tpn::ColumnIndex(column)}; }
  bool is_transfer() const { return kind == TaskKind::receive || kind == TaskKind::send; }
};

// A resource: it handles these kinds of operations, one at a time.
struct Engine::Server {
  bool receives = false;
  bool computes = false;
  bool sends = false;
  std::deque<Task> tasks;
  std::uint64_t next_round = 0;  // whose tasks are not generated yet
  Phase phase = Phase::idle;
  bool is_cold = false;  // a shadow whose stages start first
  bool is_open = false;  // held, and its end is not known
  Ticks free = 0;        // since when
  Ticks posted = 0;
  Ticks start = 0;
  Ticks end = 0;
  std::uint64_t message = 0;
  Packet packet;                // received, or computed as a failure
  bool has_computed = false;    // not all members had failed before
  std::deque<Packet> members;   // of a batch, that are not computed yet
  std::vector<Ticks> since;     // when what each member needs was there
  std::vector<Packet> results;  // of its members, in order

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
    for (Server& server : servers_) server.next_round = first_data_set;
    since_ = transport_.now();
  }
  if (!is_in_turn()) set_own_part(*route);
  routes_.emplace_back(first_data_set, std::move(route));
}

void Engine::add_route(std::uint64_t first_data_set, std::shared_ptr<const Route> route, HostPorts ports,
                       std::uint64_t end) {
  maxplus::expects(routes_.empty() && is_in_turn(), "turns at shared ports are those of one mapping");
  add_route(first_data_set, std::move(route));
  ports_ = std::move(ports);
  turns_end_ = end;
  // What would come later is waited for by nobody, whatever the window has let in.
  end_ = std::min(end_, end);
  if (ports_->use() == PortUse::ports) {
    for (Server& server : servers_) server.receives = server.sends = false;
    std::erase_if(servers_, [](const Server& server) { return !server.computes; });
  }
  const auto open_first = [&](const Place& place) {
    const PortTurns* const turns = turns_at(place);
    if (turns == nullptr) return;
    for (const tpn::Operation& turn : turns->first(first_data_set))
      if (turn_taker(*routes_.back().second, turn, place.sends) == processor_) open_turn(place, turn, 0);
  };
  for (const bool sends : {false, true}) open_first({0, sends});
  for (std::size_t k = 1; k <= ports_->segments(); ++k) open_first({k, true});
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
  const Route& route = *routes_.back().second;
  add_input(data_set, 0, {data_set, std::move(input)}, time);
  server_for(&Server::computes)
      .tasks.push_back({data_set, route.part(0).computation, 0, TaskKind::compute, processor_,
                        route.computation(0, processor_), data_set});
}

void Engine::pass(std::uint64_t data_set, std::size_t receiver, Ticks duration) {
  const std::size_t column = routes_.back().second->part(*own_part_).sendings.front();
  maxplus::expects(has_said_file_ && outputs_.contains({data_set, column}), "who sends a file has it");
  has_said_file_ = false;
  server_for(&Server::sends).tasks.push_back({data_set, column, *own_part_, TaskKind::send, receiver, duration});
}

void Engine::take(std::uint64_t data_set, std::size_t sender, Ticks duration) {
  maxplus::expects(has_said_free_ && *own_part_ > 0, "a file goes where one is wanted");
  has_said_free_ = false;
  const Route& route = *routes_.back().second;
  const std::size_t column = route.part(*own_part_).receptions.front();
  server_for(&Server::receives)
      .tasks.push_back({data_set, column, route.sender(column), TaskKind::receive, sender, duration});
}

void Engine::give(std::uint64_t data_set, std::string input) {
  maxplus::expects(data_set >= horizon_, "an input comes before its data set is granted");
  given_[data_set] = std::move(input);
}

void Engine::grant(std::uint64_t horizon, Ticks time) {
  maxplus::expects(!routes_.empty(), "there is a route");
  for (std::uint64_t j = horizon_; j < horizon; ++j) begin_here(j, time);
  horizon_ = std::max(horizon_, horizon);
}

// The application's input goes to each part that takes it.
void Engine::begin_here(std::uint64_t data_set, Ticks time) {
  const Route& route = route_of(data_set);
  const auto given = given_.extract(data_set);
  for (std::size_t i = 0; i < route.parts(); ++i) {
    if (!route.takes_input(i) || route.processor_at(i, data_set) != processor_) continue;
    add_input(data_set, i, input_packet(route, data_set, given ? given.mapped() : std::string()), time);
  }
}

void Engine::add_input(std::uint64_t data_set, std::size_t part, Packet packet, Ticks since) {
  Inputs& inputs = inputs_[{data_set, part}];
  inputs.packets.push_back(std::move(packet));
  inputs.since = std::max(inputs.since, since);
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
  horizon_ = std::min(horizon_, data_sets);
  end_ = data_sets;
  received_ = kAll;
  for (Server& server : servers_) {
    cut_batches(server);
    // It had posted a reception of what never comes.
    if (!server.tasks.empty() && server.tasks.front().data_set >= data_sets) server.phase = Phase::idle;
    std::erase_if(server.tasks, [&](const Task& task) { return task.data_set >= data_sets; });
  }
  turns_end_ = std::min(turns_end_, data_sets);
  if (ports_) pass_turns_beyond();
}

// Batches end with the last data set.
void Engine::cut_batches(Server& server) const {
  for (Task& task : server.tasks) {
    if (task.kind != TaskKind::compute || task.data_set < end_ || task.first >= end_) continue;
    task.data_set = end_ - 1;
    task.duration = route_of(task.data_set).batch_time(task.part, task.data_set, end_ - task.first);
  }
}

const Route& Engine::route_of(std::uint64_t data_set) const {
  const auto after = std::ranges::upper_bound(routes_, data_set, {}, [](const auto& route) { return route.first; });
  return *std::prev(after)->second;
}

// If nothing is ahead a round is a data set.
void Engine::generate(Server& server, std::uint64_t round) {
  const Route& route = route_of(round);
  for (std::size_t column = 0; column < route.columns(); ++column) {
    if (round < routes_.front().first + route.shift(column)) continue;  // that one is before the first
    const std::uint64_t data_set = round - route.shift(column);
    if (route.computes(column)) {
      if (server.computes) generate_computation(server, column, data_set);
      continue;
    }
    if (data_set >= end_) continue;
    const std::size_t part = route.sender(column);
    const std::size_t here = route.processor_at(part, data_set);
    const auto add = [&](TaskKind kind, std::size_t peer) {
      server.tasks.push_back({data_set, column, part, kind, peer, route.duration(column, data_set)});
    };
    if (is_internal(route, column, data_set)) continue;
    const std::size_t next = route.processor_at(route.receiver(column), data_set);
    if (here == processor_ && server.sends) add(TaskKind::send, next);
    if (next == processor_ && server.receives) add(TaskKind::receive, here);
  }
}

// The data set may be behind the last one: of a batch that is cut.
void Engine::generate_computation(Server& server, std::size_t column, std::uint64_t data_set) {
  const Route& route = route_of(data_set);
  const std::size_t index = route.sender(column);
  const tpn::NetPart& part = route.part(index);
  if (part.processor_at(data_set) != processor_) return;
  Task task{data_set, column, index, TaskKind::compute, processor_, 0, data_set};
  const std::uint64_t computed = part.computed_at(data_set);
  if (computed == 0) {
    // Where the part receives files, what only fills a batch belongs to no resource.
    task.fills = true;
    if (part.receptions.empty() && data_set < end_) server.tasks.push_back(task);
    return;
  }
  task.first = std::max(data_set + 1 - computed, routes_.front().first);
  if (task.first >= end_) return;
  task.data_set = std::min(data_set, end_ - 1);
  task.duration = route.batch_time(index, task.data_set, task.data_set + 1 - task.first);
  server.tasks.push_back(task);
}

// Whether the file stays where it is.
bool Engine::is_internal(const Route& route, std::size_t column, std::uint64_t data_set) const {
  const std::size_t here = route.processor_at(route.sender(column), data_set);
  const std::size_t next = route.processor_at(route.receiver(column), data_set);
  return here == next || (ports_ && ports_->is_free_between(here, next));
}

// Which file of its column the processor receives, from 0.
std::uint64_t Engine::place_number(const Task& reception) {
  const Route& route = route_of(reception.data_set);
  Places& places = places_[reception.column];
  places.next_data_set = std::max(places.next_data_set, routes_.front().first);
  for (; places.next_data_set <= reception.data_set; ++places.next_data_set) {
    const std::uint64_t j = places.next_data_set;
    const bool is_here = route.processor_at(route.receiver(reception.column), j) == processor_;
    if (is_here && !is_internal(route, reception.column, j)) places.numbers[j] = places.next_number++;
  }
  return places.numbers.at(reception.data_set);
}

// Since when there is room for the file, if there is.
std::optional<Ticks> Engine::place_since(const Task& reception) {
  const std::uint64_t room = route_of(reception.data_set).room(reception.column);
  if (room == 0) return 0;
  const std::uint64_t number = place_number(reception);
  if (number < room) return 0;
  const Places& places = places_[reception.column];
  const auto freed = places.freed.find(number - room);
  return freed == places.freed.end() ? std::nullopt : std::optional(freed->second);
}

void Engine::take_place(const Task& reception) {
  const std::uint64_t room = route_of(reception.data_set).room(reception.column);
  if (room == 0) return;
  const std::uint64_t number = place_number(reception);
  Places& places = places_[reception.column];
  places.numbers.erase(reception.data_set);
  if (number >= room) places.freed.erase(number - room);
}

void Engine::free_places(const Task& computation, Ticks end) {
  const Route& route = route_of(computation.data_set);
  for (const tpn::ColumnIndex column : route.part(computation.part).receptions) {
    if (route.room(column) == 0) continue;
    Places& places = places_[column];
    for (std::uint64_t j = computation.first; j <= computation.data_set; ++j)
      if (!is_internal(route, column, j)) places.freed[places.computed++] = end;
  }
}

void Engine::shadow(Shadow shadow) {
  const auto server = std::ranges::find_if(servers_, &Server::computes);
  maxplus::expects(server != servers_.end() && !routes_.empty(), "a processor computes, by a route");
  // Behind what is in hand and the shadows that wait, before all else: a shadow waits for nothing.
  const auto behind =
      std::ranges::find_if(server->tasks.begin() + (server->phase == Phase::idle ? 0 : 1), server->tasks.end(),
                           [](const Task& task) { return task.kind != TaskKind::shadow; });
  const std::size_t column = route_of(shadow.data_set).part(shadow.part).computation;
  server->tasks.insert(behind, {shadow.data_set, column, shadow.part, TaskKind::shadow, processor_});
  shadows_.push_back(std::move(shadow));
}

bool Engine::has_task(Server& server) {
  const std::uint64_t end = last_round(std::min(end_, server.receives ? horizon_ : std::min(horizon_, received_)));
  while (server.tasks.empty() && server.next_round < end) generate(server, server.next_round++);
  return !server.tasks.empty();
}

// Rounds before this one have a column that is on a data set before that one. Others wait in them for theirs.
std::uint64_t Engine::last_round(std::uint64_t data_set) const {
  const std::uint64_t shift = routes_.empty() ? 0 : routes_.back().second->largest_shift();
  return data_set < kAll - shift ? data_set + shift : data_set;
}

bool Engine::is_idle() const {
  if (!transfers_.empty() || (ports_ && !outputs_.empty())) return false;
  return std::ranges::all_of(servers_, [&](const Server& server) {
    return server.tasks.empty() && server.next_round >= last_round(horizon_);
  });
}

template <typename Visit>
void Engine::for_each_server(Visit visit) const {
  std::ranges::for_each(servers_, visit);
  std::ranges::for_each(transfers_, visit);
}

std::vector<Holding> Engine::holdings() const {
  std::vector<Holding> all;
  for_each_server([&](const Server& server) {
    if (server.tasks.empty() || server.phase == Phase::idle) return;
    const Task& task = server.tasks.front();
    if (task.kind == TaskKind::receive || task.kind == TaskKind::shadow) return;
    Holding& holding = all.emplace_back();
    holding.data_set = task.data_set;
    const tpn::NetPart& part = route_of(task.data_set).part(task.part);
    if (part.role == tpn::PartRole::mapped) {
      holding.first_stage = part.first_stage;
      holding.last_stage = part.last_stage;
    }
    if (task.kind == TaskKind::send) holding.receiver = task.peer;
    holding.since = server.phase == Phase::posted ? server.posted : server.start;
  });
  return all;
}

// The first activity that holds.
Activity Engine::activity() const {
  Activity found = Activity::starved;
  for_each_server([&](const Server& server) {
    if (server.tasks.empty() || server.phase == Phase::idle) return;
    const TaskKind kind = server.tasks.front().kind;
    if (kind == TaskKind::shadow) return;
    if (server.phase == Phase::held) {
      found = std::min(found, kind == TaskKind::compute ? Activity::computing : Activity::transferring);
    } else if (kind == TaskKind::send) {
      found = std::min(found, Activity::blocked);
    }
  });
  // First free, files wait for somebody to take them; at ports that are shared, for a turn.
  if ((!is_in_turn() || ports_) && !outputs_.empty()) found = std::min(found, Activity::blocked);
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
  state.queue = outputs_.size();
  for (const auto& [key, inputs] : inputs_) state.queue += inputs.packets.size();
  state.holdings = holdings();
  return state;
}

// Since when what a task needs of its own processor is there, if it is.
std::optional<Ticks> Engine::ready_since(const Task& task) {
  const std::optional<Ticks> turn = turn_from(task);
  if (!turn || task.kind == TaskKind::shadow) return turn;
  if (task.kind == TaskKind::receive) {
    const std::optional<Ticks> place = place_since(task);
    return place ? std::optional(std::max(*turn, *place)) : std::nullopt;
  }
  if (task.kind == TaskKind::send) {
    const auto output = outputs_.find({task.data_set, task.column});
    if (output == outputs_.end()) return std::nullopt;
    return std::max(*turn, output->second.since);
  }
  Ticks since = *turn;
  for (std::uint64_t j = task.fills ? task.data_set : task.first; j <= task.data_set; ++j) {
    const auto inputs = inputs_.find({j, task.part});
    if (inputs == inputs_.end()) return std::nullopt;
    if (inputs->second.packets.size() < route_of(j).inputs(task.part)) return std::nullopt;
    since = std::max(since, inputs->second.since);
  }
  return since;
}

// From when on the ports and segments beside what the processor has of its own are free for a task, if that is known.
std::optional<Ticks> Engine::turn_from(const Task& task) const {
  if (!ports_ || !task.is_transfer()) return 0;
  const bool sends = task.kind == TaskKind::send;
  Ticks since = 0;
  bool is_known = true;
  const auto wait_for = [&](const Place& place) {
    const auto turn = open_.find({place, task.operation()});
    is_known = is_known && turn != open_.end();
    if (is_known) since = std::max(since, turn->second);
  };
  if (ports_->use() == PortUse::own_and_ports && ports_->turns(sends, task.peer) != nullptr) wait_for({0, sends});
  for (std::size_t k = 0; k < ports_->segments() && sends; ++k)
    if (ports_->waits_at(k, task.peer)) wait_for({k + 1, true});
  return is_known ? std::optional(since) : std::nullopt;
}

// Who has the next turn at a port is told beforehand when that begins, where it is known: it need not wait for a
// message then.
bool Engine::knows_ends() const { return terms_.links == LinkUse::emulated && terms_.anchor != Anchor::observed; }

bool Engine::post(Server& server) {
  const Task& task = server.tasks.front();
  const std::optional<Ticks> since = ready_since(task);
  if (!since) return false;
  server.posted = terms_.anchor == Anchor::logical ? std::max(server.free, *since) : transport_.now();
  server.phase = Phase::posted;
  if (task.kind == TaskKind::receive) take_place(task);
  if (task.kind == TaskKind::shadow) {
    begin_shadow(server);
  } else if (task.kind == TaskKind::compute) {
    compute(server);
  } else if (task.kind == TaskKind::send) {
    auto output = outputs_.extract({task.data_set, task.column});
    send_file(server, std::move(output.mapped().packet));
  }
  return true;
}

void Engine::send_file(Server& server, Packet packet) {
  const Task& task = server.tasks.front();
  FileMessage file{task.data_set, server.posted, std::move(packet.bytes), packet.has_failed};
  if (ports_ && ports_->is_taken_at_once(task.peer)) {
    const bool is_real = terms_.links == LinkUse::real;
    server.message = transport_.send(task.peer, kFreeFileTag, encode(FreeFileMessage{task.column, std::move(file)}),
                                     is_real ? Delivery::watched : Delivery::prompt);
    if (!is_real) hold(server, server.posted);
    return;
  }
  server.message = transport_.send(task.peer, file_tag(task.column), encode(file),
                                   waits_for_answer(task) ? Delivery::prompt : Delivery::watched);
}

// Several ports may take files of one sender in another order than it has sent them: that a message is taken says
// nothing then.
bool Engine::waits_for_answer(const Task& task) const {
  if (ports_) return !ports_->is_taken_at_once(task.peer);
  return terms_.links == LinkUse::emulated && terms_.anchor != Anchor::observed;
}

void Engine::hold(Server& server, Ticks start) {
  server.start = start;
  server.end = start;
  if (terms_.links == LinkUse::emulated) server.end += server.tasks.front().duration;
  server.phase = Phase::held;
  if (ports_ && knows_ends()) pass_turns_of(server.tasks.front(), server.end);
}

void Engine::compute(Server& server) {
  const Task& task = server.tasks.front();
  server.start = server.end = server.posted;
  server.phase = Phase::held;
  if (task.fills) return;
  server.since.clear();
  for (std::uint64_t j = task.first; j <= task.data_set; ++j) {
    auto inputs = inputs_.extract({j, task.part});
    std::vector<Packet>& packets = inputs.mapped().packets;
    server.members.push_back(packets.size() == 1 ? std::move(packets.front()) : joined(std::move(packets)));
    server.since.push_back(inputs.mapped().since);
  }
  server.has_computed = false;
  begin_member(server, server.posted);
  if (!server.is_open) compute_next(server);
}

// Whether there is another member of a batch, which it begins; others behind it as well where ends are known.
bool Engine::compute_next(Server& server) {
  if (server.members.empty()) return false;
  do {
    server.results.push_back(member_result(server));
    begin_member(server, server.end);
  } while (!server.is_open && !server.members.empty());
  return true;
}

void Engine::begin_member(Server& server, Ticks start) {
  const Task& task = server.tasks.front();
  Packet packet = std::move(server.members.front());
  server.members.pop_front();
  if (packet.has_failed) {
    server.packet = std::move(packet);
    server.end = start;
    return;
  }
  const Route& route = route_of(task.data_set);
  const tpn::NetPart& part = route.part(task.part);
  PartCall call{.part = task.part, .is_first = route.takes_input(task.part), .nominal = task.duration, .start = start};
  if (!part.to_batch_end.empty()) {
    const std::uint64_t number = server.results.size() + 1;
    call.nominal = route.batch_time(task.part, task.data_set, number);
    if (number > 1) call.nominal -= route.batch_time(task.part, task.data_set, number - 1);
  }
  if (part.role == tpn::PartRole::mapped) {
    call.first_stage = part.first_stage;
    call.last_stage = part.last_stage;
    observer_.begun(call.part, packet.data_set, call.start);
    if (keeps_inputs_) latest_input_.reset();
    if (keeps_inputs_ && packet.bytes.size() <= kMostLent) latest_input_ = {packet.data_set, call.part, packet.bytes};
  }
  server.has_computed = true;
  const std::optional<Ticks> end = computer_.begin(call, std::move(packet));
  server.is_open = !end;
  server.end = end.value_or(start);
}

// Of what was begun last.
Packet Engine::member_result(Server& server) {
  return server.packet.has_failed ? std::exchange(server.packet, {}) : computer_.take();
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
  std::optional<AnswerMessage> answer;
  if (waits_for_answer(task)) {
    answer = take_answer(task);
    if (!answer) return false;
  } else if (!transport_.is_taken(server.message)) {
    return false;
  }
  const bool is_observed = !answer || terms_.anchor == Anchor::observed;
  hold(server, terms_.links == LinkUse::real ? server.posted : is_observed ? transport_.now() : answer->start);
  return true;
}

std::optional<AnswerMessage> Engine::take_answer(const Task& task) {
  if (auto early = early_answers_.extract(task.operation())) return early.mapped();
  while (const auto bytes = transport_.receive(task.peer, answer_tag(task.column))) {
    const std::optional<AnswerMessage> answer = decode_answer(*bytes);
    if (answer && answer->data_set == task.data_set) return answer;
    if (!answer || !ports_) {
      throw std::runtime_error(fmt::format("data set {}: an answer to another file", task.data_set));
    }
    early_answers_[{answer->data_set, tpn::ColumnIndex(task.column)}] = *answer;
  }
  return std::nullopt;
}

std::optional<FileMessage> Engine::take_file(const Task& task) {
  if (auto early = early_files_.extract(task.operation())) return std::move(early.mapped());
  while (const auto bytes = transport_.receive(task.peer, file_tag(task.column))) {
    std::optional<FileMessage> file = decode_file(*bytes);
    if (file && file->data_set == task.data_set) return file;
    if (!file || !ports_) {
      throw std::runtime_error(fmt::format("column {}: found {}, expected the file of data set {}", task.column,
                                           file ? fmt::format("that of data set {}", file->data_set) : "no file",
                                           task.data_set));
    }
    early_files_[{file->data_set, tpn::ColumnIndex(task.column)}] = std::move(*file);
  }
  return std::nullopt;
}

bool Engine::match_reception(Server& server) {
  const Task& task = server.tasks.front();
  std::optional<FileMessage> file = take_file(task);
  if (!file) return false;
  const bool is_observed = terms_.links == LinkUse::emulated && terms_.anchor == Anchor::observed;
  hold(server, is_observed ? transport_.now() : std::max(server.posted, file->posted));
  server.packet = {task.data_set, std::move(file->bytes), file->has_failed, {}};
  if (ports_ || (terms_.links == LinkUse::emulated && !is_observed)) {
    transport_.send(task.peer, answer_tag(task.column), encode(AnswerMessage{task.data_set, server.start}),
                    Delivery::prompt);
  }
  return true;
}

bool Engine::match(Server& server) {
  return server.tasks.front().kind == TaskKind::send ? match_sending(server) : match_reception(server);
}

const PortTurns* Engine::turns_at(const Place& place) const {
  return place.segment > 0 ? ports_->segment(place.segment - 1) : ports_->turns(place.sends);
}

void Engine::open_turn(const Place& place, const tpn::Operation& turn, Ticks since) {
  if (turn.data_set >= turns_end_) return pass_turn(place, turn, since);
  if (place.segment > 0 || ports_->use() == PortUse::own_and_ports) {
    open_[{place, turn}] = since;
  } else {
    add_transfer(turn, since);
  }
}

// The port goes to whoever has its next turn.
void Engine::pass_turn(const Place& place, const tpn::Operation& turn, Ticks since) {
  const auto next = turns_at(place)->behind(turn, turns_end_);
  if (!next) return;
  const std::size_t taker = turn_taker(route_of(next->data_set), *next, place.sends);
  if (taker == processor_) return open_turn(place, *next, since);
  transport_.send(taker, kPortTag, encode(PortMessage{next->data_set, next->column.value(), since, place.segment}),
                  Delivery::prompt);
}

void Engine::pass_turns_of(const Task& task, Ticks end) {
  const auto pass = [&](const Place& place) {
    open_.erase({place, task.operation()});
    pass_turn(place, task.operation(), end);
  };
  const bool sends = task.kind == TaskKind::send;
  if (ports_->turns(sends, task.peer) != nullptr) pass({0, sends});
  for (std::size_t k = 0; k < ports_->segments() && sends; ++k)
    if (ports_->waits_at(k, task.peer)) pass({k + 1, true});
}

// Those of data sets that there are none of, which others may wait behind.
void Engine::pass_turns_beyond() {
  std::map<std::pair<Place, tpn::Operation>, Ticks> beyond;
  std::erase_if(open_, [&](const auto& turn) {
    if (turn.first.second.data_set < turns_end_) return false;
    beyond.insert(turn);
    return true;
  });
  std::erase_if(transfers_, [&](const Server& transfer) {
    const Task& task = transfer.tasks.front();
    if (task.data_set < turns_end_) return false;
    const bool sends = task.kind == TaskKind::send;
    if (ports_->turns(sends, task.peer) != nullptr) beyond[{{0, sends}, task.operation()}] = transfer.free;
    return true;
  });
  for (const auto& [turn, since] : beyond) pass_turn(turn.first, turn.second, since);
}

Engine::Server& Engine::add_transfer(const tpn::Operation& operation, Ticks since) {
  const auto [data_set, column] = operation;
  const Route& route = route_of(data_set);
  const std::size_t sender = turn_taker(route, operation, true);
  const bool sends = sender == processor_;
  const std::size_t peer = sends ? turn_taker(route, operation, false) : sender;
  Server& server = transfers_.emplace_back();
  server.receives = !sends;
  server.sends = sends;
  server.next_round = kAll;
  server.free = since;
  server.tasks.push_back({data_set, column.value(), route.sender(column), sends ? TaskKind::send : TaskKind::receive,
                          peer, route.duration(column.value(), data_set)});
  return server;
}

void Engine::receive_free_file(FreeFileMessage message) {
  FileMessage& file = message.file;
  Server& server = add_transfer({file.data_set, tpn::ColumnIndex(message.column)}, file.posted);
  server.posted = file.posted;
  const bool is_observed = terms_.links == LinkUse::emulated && terms_.anchor == Anchor::observed;
  hold(server, is_observed ? transport_.now() : file.posted);
  server.packet = {file.data_set, std::move(file.bytes), file.has_failed, {}};
}

// Whether others have told of ports or sent files.
bool Engine::hear_ports() {
  if (!ports_) return false;
  bool has_heard = false;
  while (const auto said = transport_.receive_any(kPortTag)) {
    const std::optional<PortMessage> port = decode_port(said->second);
    if (!port || port->column >= routes_.back().second->columns() || port->segment > ports_->segments())
      throw std::runtime_error("a processor sent an unreadable message about a port");
    const tpn::Operation turn{port->data_set, tpn::ColumnIndex(port->column)};
    const bool sends = turn_taker(*routes_.back().second, turn, true) == processor_;
    open_turn({port->segment, sends}, turn, port->since);
    has_heard = true;
  }
  while (const auto sent = transport_.receive_any(kFreeFileTag)) {
    std::optional<FreeFileMessage> file = decode_free_file(sent->second);
    if (!file || file->column >= routes_.back().second->columns()) throw std::runtime_error("a file cannot be read");
    receive_free_file(std::move(*file));
    has_heard = true;
  }
  return has_heard;
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
  if (ports_ && task.is_transfer() && !knows_ends()) pass_turns_of(task, server.end);
  if (task.kind == TaskKind::receive) {
    received_ = std::max(received_, task.data_set + 1);
    const Route& route = route_of(task.data_set);
    add_input(task.data_set, route.receiver(task.column), std::exchange(server.packet, {}), server.end);
    if (!is_in_turn()) {
      server_for(&Server::computes)
          .tasks.push_back({task.data_set, route.part(*own_part_).computation, *own_part_, TaskKind::compute,
                            processor_, route.computation(*own_part_, processor_), task.data_set});
    }
    return;
  }
  if (task.kind == TaskKind::compute && !task.fills) finish_batch(server, task);
}

void Engine::finish_batch(Server& server, const Task& task) {
  free_places(task, server.end);
  server.results.push_back(member_result(server));
  const tpn::NetPart& part = route_of(task.data_set).part(task.part);
  if (part.role == tpn::PartRole::mapped && server.has_computed) {
    observer_.computed(task.part, task.data_set, server.start, server.end);
    past_.computed += server.end - server.start;
    past_.nominal += task.duration;
  }
  std::vector<Packet> results = std::exchange(server.results, {});
  for (std::uint64_t j = task.first; j <= task.data_set; ++j) {
    // What filled the batch was there when its files were.
    const Ticks since = server.since[j - task.first];
    if (j < task.data_set && !part.receptions.empty()) observer_.recorded({j, task.column, since, since, false});
    Task one = task;
    one.data_set = j;
    finish_computation(one, std::move(results[j - task.first]), server.end);
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

// Each receiver gets what it takes; the last of them, or the coordinator, what there is.
void Engine::finish_computation(const Task& task, Packet packet, Ticks end) {
  const Route& route = route_of(task.data_set);
  const std::vector<tpn::ColumnIndex>& sendings = route.part(task.part).sendings;
  if (!route.has_file_lists()) {
    if (route.delivers(task.part)) return observer_.delivered(task.part, std::move(packet), end);
    return pass_on(route, task.data_set, sendings.front(), std::move(packet), end);
  }
  for (const tpn::ColumnIndex column : sendings)
    pass_on(route, task.data_set, column, selected(packet, route.files(column)), end);
  if (!route.delivers(task.part)) return;
  const std::vector<std::size_t>& exits = route.exits(task.part);
  observer_.delivered(task.part, exits.empty() ? std::move(packet) : selected(packet, exits), end);
}

// To a computation here, or to be sent.
void Engine::pass_on(const Route& route, std::uint64_t data_set, std::size_t column, Packet packet, Ticks end) {
  const std::size_t receiver = route.receiver(column);
  const std::size_t next = route.processor_at(receiver, data_set);
  if (is_in_turn() && next == processor_) {
    observer_.recorded({data_set, column, end, end, false});
    return add_input(data_set, receiver, std::move(packet), end);
  }
  outputs_[{data_set, column}] = {std::move(packet), end};
  if (ports_ && ports_->sends_freely(next)) add_transfer({data_set, tpn::ColumnIndex(column)}, end);
}

StepResult Engine::advance(Server& server) {
  StepResult result;
  while (has_task(server)) {
    if (server.phase == Phase::idle) {
      const Ticks free = std::max(server.free, turn_from(server.tasks.front()).value_or(0));
      if (free > transport_.now() && terms_.anchor != Anchor::logical) {
        result.wait_for(free);
        break;
      }
      if (!post(server)) break;
      result.has_moved = true;
    }
    if (server.phase == Phase::posted) {
      if (!match(server)) break;
      result.has_moved = true;
    }
    if (!is_over(server, result)) break;
    result.has_moved = true;
    if (compute_next(server)) continue;
    finish(server);
  }
  return result;
}

// More may be added meanwhile.
StepResult Engine::advance_transfers() {
  StepResult result;
  for (auto transfer = transfers_.begin(); transfer != transfers_.end();) {
    result.add(advance(*transfer));
    transfer = transfer->tasks.empty() ? transfers_.erase(transfer) : std::next(transfer);
  }
  return result;
}

StepResult Engine::step() {
  StepResult all;
  for (bool moves = true; moves;) {
    StepResult round;
    round.has_moved = hear_ports();
    for (Server& server : servers_) round.add(advance(server));
    round.add(advance_transfers());
    if (tell_turns()) round.has_moved = true;
    moves = round.has_moved;
    all.has_moved = all.has_moved || moves;
    all.next = round.next;
  }
  account();
  return all;
}

}  // namespace takt::live
