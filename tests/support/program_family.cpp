// Places are levels (between which two parts) and data sets. A walk pays for each place that is not free. Free are
// tracks on level 0, and one path for each outcome of each test, which leads from track to track.
#include "tests/support/program_family.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "tests/support/draw.hpp"
#include "tests/support/timed_parts.hpp"

namespace takt::support {

namespace {

using maxplus::Rational;
using WindowPlace = std::pair<std::size_t, std::uint64_t>;  // a level, and a data set modulo the window

/// Free places from level 1 up to a test, and down to level 1 again, in this order.
struct ProgramPath {
  std::vector<WindowPlace> places;
  std::size_t test = 0;          // which of the places
  std::vector<bool> is_free_in;  // the test's place, by window
  bool is_rewarded = false;
};

/// Parts: `clock` - 1 processors, then multiples of `clock` and of `clock` - 1 in turns. Level t is between parts t and
/// t + 1, which together know a data set modulo the window.
struct ProgramLayout {
  std::uint64_t clock = 0;  // a prime
  std::vector<std::uint64_t> sizes;
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> tests;  // level by prime and by residues to go on
  std::vector<ProgramPath> paths;
  std::set<WindowPlace> free;     // of the paths
  std::set<std::uint64_t> gates;  // places of level 0 that are on a track and not free

  std::uint64_t lap() const { return clock - 1; }
  std::uint64_t window() const { return clock * lap(); }
  std::size_t levels() const { return sizes.size() - 1; }
};

std::uint64_t residue_of_track(std::size_t track) { return 2 * track + 2; }

// Parts of `clock` times some processors bring a walk that comes down as many residues on, modulo the lap. Those of a
// prime's block bring it from as far back as two tracks can be apart to as far on, one by one.
ProgramLayout bare_layout(const WindowProgram& program, std::uint64_t clock, std::uint64_t wait) {
  ProgramLayout layout;
  layout.clock = clock;
  const std::uint64_t lap = layout.lap();
  const std::uint64_t span = 2 * (program.tracks.size() - 1);
  layout.sizes = {lap, clock, lap * wait, clock, lap};
  std::uint64_t ahead = 2;
  for (std::size_t prime = 0; prime < program.primes.size(); ++prime) {
    const std::uint64_t back = (2 * lap - span - ahead % lap) % lap;
    for (std::uint64_t k = 0; k <= 2 * span; ++k) {
      const std::uint64_t times = k == 0 ? back : 1;
      ahead += times;
      layout.sizes.push_back(clock * times);
      layout.tests[{prime, ahead % lap}] = layout.sizes.size() - 1;
      layout.sizes.push_back(lap * program.primes[prime]);
    }
  }
  return layout;
}

ProgramPath path_of(const ProgramLayout& layout, std::uint64_t start, std::size_t test) {
  ProgramPath path;
  for (std::size_t level = 1; level <= test; ++level) path.places.emplace_back(level, start);
  path.test = path.places.size() - 1;
  for (std::size_t level = test; level > 1; --level) {
    start += layout.sizes[level];
    path.places.emplace_back(level - 1, start % layout.window());
  }
  return path;
}

// Where a walk can go on from a place of a path, level 0 left out.
std::vector<WindowPlace> ways_on(const ProgramLayout& layout, const WindowPlace& place) {
  const auto [level, data_set] = place;
  std::vector<WindowPlace> ways;
  if (level > 1) ways.emplace_back(level - 1, (data_set + layout.sizes[level]) % layout.window());
  if (level + 1 < layout.levels()) ways.emplace_back(level + 1, data_set);
  return ways;
}

// Whether no walk can change from one of them to the other, nor leave the new one for itself further on.
bool is_apart(const ProgramLayout& layout, const ProgramPath& path) {
  for (std::size_t k = 0; k < path.places.size(); ++k) {
    if (layout.free.contains(path.places[k])) return false;
    for (const WindowPlace& next : ways_on(layout, path.places[k])) {
      if (layout.free.contains(next)) return false;
      const auto own = std::ranges::find(path.places, next);
      if (own != path.places.end() && own != path.places.begin() + static_cast<std::ptrdiff_t>(k) + 1) return false;
    }
  }
  const std::set<WindowPlace> fresh(path.places.begin(), path.places.end());
  const auto leads_here = [&](const WindowPlace& next) { return fresh.contains(next); };
  return fresh.size() == path.places.size() && std::ranges::none_of(layout.free, [&](const WindowPlace& place) {
           return std::ranges::any_of(ways_on(layout, place), leads_here);
         });
}

// The lap from `earliest` to below `end` at which a path for an outcome of a track's test begins; `end` where none is
// left.
std::uint64_t lay_path(ProgramLayout& layout, const WindowProgram& program, std::size_t track, bool taken,
                       std::uint64_t earliest, std::uint64_t end) {
  const TrackTest& test = program.tracks[track];
  const std::uint64_t from = residue_of_track(track);
  const std::uint64_t to = residue_of_track(taken ? test.if_taken : test.otherwise);
  const std::size_t level = layout.tests.at({test.prime, (to + layout.lap() - from) % layout.lap()});
  for (; earliest < end; ++earliest) {
    ProgramPath path = path_of(layout, from + earliest * layout.lap(), level);
    if (!is_apart(layout, path)) continue;
    for (const bool one : test.taken) path.is_free_in.push_back(one == taken);
    path.is_rewarded = taken && test.is_rewarded;
    layout.free.insert(path.places.begin(), path.places.end());
    layout.paths.push_back(std::move(path));
    break;
  }
  return earliest;
}

// Both paths of each track, and a gate behind them, within these laps; whether there is room.
bool lay_paths(ProgramLayout& layout, const WindowProgram& program, std::uint64_t laps) {
  for (std::size_t track = 0; track < program.tracks.size(); ++track) {
    const std::uint64_t first = lay_path(layout, program, track, true, 0, laps);
    const std::uint64_t second = lay_path(layout, program, track, false, first + 1, laps);
    if (second + 1 >= laps) return false;
    layout.gates.insert(residue_of_track(track) + (second + 1) * layout.lap());
  }
  return true;
}

// Whether walks that begin a step in the first laps of a window come back behind these laps, prime + 1 windows later.
bool are_in_time(const ProgramLayout& layout, std::uint64_t laps) {
  const std::uint64_t zone = laps * layout.lap();
  return std::ranges::all_of(layout.tests, [&](const auto& test) {
    const auto& [asked, level] = test;
    const auto first = layout.sizes.begin() + 1;
    const std::uint64_t advance = std::accumulate(first, first + static_cast<std::ptrdiff_t>(level), std::uint64_t{0});
    const std::uint64_t whole = (asked.first + 1) * layout.window();
    return advance >= whole + zone && advance + zone < whole + layout.window();
  });
}

std::optional<ProgramLayout> layout_within(const WindowProgram& program, std::uint64_t clock, std::uint64_t laps) {
  const std::uint64_t lap = clock - 1;
  const std::uint64_t wait = laps + 2 * program.tracks.size();
  if (wait >= clock || 4 * program.tracks.size() >= lap) return std::nullopt;
  for (const std::uint64_t prime : program.primes) {
    if (clock == prime) return std::nullopt;  // a level would not know the window modulo this prime
  }
  ProgramLayout layout = bare_layout(program, clock, wait);
  if (!are_in_time(layout, laps) || !lay_paths(layout, program, laps)) return std::nullopt;
  return layout;
}

ProgramLayout layout_of(const WindowProgram& program) {
  for (std::uint64_t clock = 11;; clock = prime_from(clock + 1)) {
    for (std::uint64_t laps = 4; laps < clock; laps += 4) {
      if (std::optional<ProgramLayout> layout = layout_within(program, clock, laps)) return std::move(*layout);
    }
  }
}

std::uint64_t windows_of(const WindowProgram& program) {
  return std::accumulate(program.primes.begin(), program.primes.end(), std::uint64_t{1}, std::multiplies<>());
}

/// The links that take longer because their places are free.
class FreeLinks {
 public:
  FreeLinks(const ProgramLayout& layout, std::uint64_t time) : layout_(layout), time_(time) {}

  void add_tracks(std::size_t tracks) {
    std::vector<std::uint64_t> residues = {layout_.lap() - 1};  // a track that nothing leads to or from
    for (std::size_t track = 0; track < tracks; ++track) residues.push_back(residue_of_track(track));
    for (const std::uint64_t residue : residues) {
      for (std::uint64_t data_set = residue; data_set < layout_.window(); data_set += layout_.lap()) {
        if (!layout_.gates.contains(data_set)) add({0, data_set}, {true}, 0);
      }
    }
  }
  void add_path(const ProgramPath& path) {
    for (std::size_t k = 0; k < path.places.size(); ++k) {
      const bool is_test = k == path.test;
      add(path.places[k], is_test ? path.is_free_in : std::vector<bool>{true}, is_test && path.is_rewarded ? 1 : 0);
    }
  }
  void write_to(tpn::Document& document) const {
    for (const auto& [ends, time] : times_) {
      const auto& [level, from, to] = ends;
      const tpn::Mapping& mapping = *document.mapping;
      add_link(document, mapping[level].processors[from], mapping[level + 1].processors[to], time);
    }
  }

 private:
  // In all windows J with is_free_in[J modulo its size], as far as the level knows J.
  void add(const WindowPlace& place, const std::vector<bool>& is_free_in, std::uint64_t reward) {
    const auto [level, data_set] = place;
    const std::uint64_t from = layout_.sizes[level];
    const std::uint64_t to = layout_.sizes[level + 1];
    const std::uint64_t windows = std::lcm(from, to) / layout_.window();
    for (std::uint64_t window = 0; window < windows; ++window) {
      const std::uint64_t shifted = data_set + window * layout_.window();
      if (is_free_in[window % is_free_in.size()]) times_[{level, shifted % from, shifted % to}] = time_ + reward;
    }
  }

  const ProgramLayout& layout_;
  std::uint64_t time_;
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, std::uint64_t> times_;
};

/// Where a program is: a track, and a window modulo the product of its primes.
using ProgramState = std::pair<std::size_t, std::uint64_t>;

struct ProgramStep {
  ProgramState next;
  std::uint64_t windows = 0;
  std::uint64_t rewards = 0;
};

ProgramStep step_from(const WindowProgram& program, const ProgramState& state) {
  const auto [track, window] = state;
  const TrackTest& test = program.tracks[track];
  const bool taken = test.taken[window % test.taken.size()];
  const std::uint64_t windows = test.prime + 2;
  return {{taken ? test.if_taken : test.otherwise, (window + windows) % windows_of(program)},
          windows,
          taken && test.is_rewarded ? 1U : 0U};
}

}  // namespace

WindowProgram random_program(std::uint64_t seed) {
  Draw draw(seed);
  const std::vector<std::vector<std::uint64_t>> primes = {{3}, {5}, {3, 5}, {5, 3}, {7}};
  WindowProgram program{primes[draw.index(primes.size())], {}};
  program.tracks.resize(draw.count(2, program.primes.size() == 1 ? 3 : 2));
  for (TrackTest& test : program.tracks) {
    test.prime = draw.index(program.primes.size());
    test.taken.assign(program.primes[test.prime], false);
    for (std::size_t residue = 0; residue < test.taken.size(); ++residue) test.taken[residue] = draw.coin();
    test.if_taken = draw.index(program.tracks.size());
    test.otherwise = draw.index(program.tracks.size());
    test.is_rewarded = draw.coin();
  }
  return program;
}

Rational best_mean_reward(const WindowProgram& program) {
  Rational best = 0;
  for (std::size_t track = 0; track < program.tracks.size(); ++track) {
    for (std::uint64_t window = 0; window < windows_of(program); ++window) {
      std::map<ProgramState, std::pair<std::uint64_t, std::uint64_t>> seen;  // windows and rewards before
      ProgramState state{track, window};
      std::pair<std::uint64_t, std::uint64_t> so_far{0, 0};
      while (seen.try_emplace(state, so_far).second) {
        const ProgramStep step = step_from(program, state);
        so_far.first += step.windows;
        so_far.second += step.rewards;
        state = step.next;
      }
      const auto [windows, rewards] = seen.at(state);
      best = std::max(best, Rational::fraction(maxplus::integer_of(so_far.second - rewards),
                                               maxplus::integer_of(so_far.first - windows)));
    }
  }
  return best;
}

CountingInstance program_instance(const WindowProgram& program) {
  const ProgramLayout layout = layout_of(program);
  // More than a walk that has paid can get before it is where it has been.
  const std::uint64_t price = program.tracks.size() * windows_of(program) + 2;
  const std::uint64_t candidate = 2 * (1 + price);
  CountingInstance instance;
  instance.candidate = candidate;
  instance.data_sets = maxplus::integer_of(layout.window());
  for (std::size_t part = 0; part < layout.sizes.size(); ++part) {
    const std::uint64_t size = layout.sizes[part];
    const std::uint64_t busy = part == 0 ? candidate * size - 1 - price : candidate * (size - 1);
    add_timed_part(instance.document, std::vector<std::uint64_t>(size, part == layout.levels() ? 0 : busy));
  }
  FreeLinks links(layout, 1 + price);
  links.add_tracks(program.tracks.size());
  for (const ProgramPath& path : layout.paths) links.add_path(path);
  links.write_to(instance.document);
  return instance;
}

}  // namespace takt::support
