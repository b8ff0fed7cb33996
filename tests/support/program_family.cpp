// Places are levels (which two parts) and data sets. A step of a walk costs where it comes to a place that is not free;
// the free ones make paths, one for each outcome of each test, and tracks on level 0 that lead from path to path.
#include "tests/support/program_family.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "tests/support/draw.hpp"
#include "tests/support/timed_parts.hpp"

namespace takt::support {

namespace {

using maxplus::Rational;

/// What a level knows of a data set: its residue modulo the window, or modulo one of the two clock primes alone; a
/// level of tests knows the first one and the window's number modulo a prime.
enum class Known { window, first, second, test };

struct Place {
  std::size_t level = 0;
  std::uint64_t data_set = 0;  // of window 0

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// Free places from level 0 up to a test, and down to level 0, in this order.
struct ProgramPath {
  std::vector<Place> places;
  std::size_t test = 0;               // which of the places
  std::vector<bool> window_is_taken;  // where the test's place is free, by window
  bool is_rewarded = false;
};

using Turn = std::pair<std::size_t, std::uint64_t>;  // a test's modulus, and the tracks to go on by, modulo `second`

/// Parts and levels, level t between parts t and t + 1, and which places are free.
struct ProgramLayout {
  std::uint64_t first = 0;  // clock primes
  std::uint64_t second = 0;
  std::vector<std::uint64_t> tracks;  // residues modulo `second`, that of each track
  std::vector<std::uint64_t> sizes;
  std::vector<Known> levels;
  std::map<Turn, std::size_t> tests;  // their levels
  std::vector<ProgramPath> paths;
  std::vector<std::set<std::uint64_t>> used;  // by level: what it knows of its free places
  std::set<std::uint64_t> gates;              // places of level 0 that are on a track and not free

  std::uint64_t window() const { return first * second; }
  std::uint64_t idle() const { return second - 1; }
  std::uint64_t known(const Place& place) const {
    switch (levels[place.level]) {
      case Known::window:
        return place.data_set % window();
      case Known::second:
        return place.data_set % second;
      default:
        return place.data_set % first;
    }
  }
  bool is_used(const Place& place) const { return used[place.level].contains(known(place)); }
  bool is_on_track(std::uint64_t data_set) const {
    const std::uint64_t residue = data_set % second;
    return residue == idle() || std::ranges::find(tracks, residue) != tracks.end();
  }
  std::uint64_t height() const { return std::accumulate(sizes.begin() + 1, sizes.end(), std::uint64_t{0}); }
};

std::size_t tracks_of(const WindowProgram& program) { return program.front().size(); }

// How many data sets on a track leads to another one.
std::uint64_t turn_between(const ProgramLayout& layout, std::size_t from, std::size_t to) {
  return (layout.tracks[to] + layout.second - layout.tracks[from]) % layout.second;
}

void append_levels(ProgramLayout& layout, const std::vector<std::uint64_t>& sizes, const std::vector<Known>& levels) {
  layout.sizes.insert(layout.sizes.end(), sizes.begin(), sizes.end());
  layout.levels.insert(layout.levels.end(), levels.begin(), levels.end());
}

// Long enough to go down that nobody is back before all tests of a step are over; then for each kind of test a part
// whose processors bring who comes down to the track wanted, and one for its prime.
ProgramLayout bare_layout(const WindowProgram& program, std::uint64_t least) {
  ProgramLayout layout;
  layout.first = prime_from(least);
  layout.second = prime_from(layout.first + 1);
  const std::uint64_t first = layout.first;
  const std::uint64_t second = layout.second;
  for (std::size_t track = 0; track < tracks_of(program); ++track) {
    layout.tracks.push_back(3 + second / (tracks_of(program) + 1) * track);
  }
  append_levels(layout, {second, first}, {Known::window});
  for (std::size_t k = 0; k < 5 * tracks_of(program) + 3; ++k) {
    append_levels(layout, {second, first}, {Known::window, Known::window});
  }
  for (const std::vector<TrackTest>& step : program) {
    for (std::size_t track = 0; track < step.size(); ++track) {
      for (const std::size_t to : {step[track].if_taken, step[track].otherwise}) {
        layout.tests[{step[track].taken.size(), turn_between(layout, track, to)}] = 0;
      }
    }
  }
  for (auto& [turn, level] : layout.tests) {
    const std::uint64_t so_far = (layout.height() + first) % second;
    const std::uint64_t pad = 1 + (turn.second + 2 * second - so_far - 1) % second;
    append_levels(layout, {pad, second, first}, {Known::first, Known::second, Known::window, Known::test});
    level = layout.levels.size() - 1;
    append_levels(layout, {turn.first, second, first}, {Known::second, Known::window});
  }
  layout.used.resize(layout.levels.size());
  return layout;
}

ProgramPath path_of(const ProgramLayout& layout, std::uint64_t start, std::size_t test) {
  ProgramPath path;
  for (std::size_t level = 1; level <= test; ++level) path.places.push_back({level, start});
  path.test = path.places.size() - 1;
  for (std::size_t level = test; level > 1; --level) {
    start += layout.sizes[level];
    path.places.push_back({level - 1, start});
  }
  return path;
}

// Whether a path has places that no other one has, nor itself twice, and can be entered at its start alone.
bool is_apart(const ProgramLayout& layout, const ProgramPath& path) {
  std::set<std::pair<std::size_t, std::uint64_t>> own;
  for (std::size_t k = 0; k < path.places.size(); ++k) {
    const Place& place = path.places[k];
    if (k > 0 && place.level == 1 && layout.is_on_track(place.data_set)) return false;
    if (layout.levels[place.level] == Known::second) continue;
    if (layout.is_used(place) || !own.insert({place.level, layout.known(place)}).second) return false;
  }
  return true;
}

void keep(ProgramLayout& layout, ProgramPath path) {
  for (const Place& place : path.places) layout.used[place.level].insert(layout.known(place));
  layout.paths.push_back(std::move(path));
}

std::uint64_t longest_tests(const ProgramLayout& layout) { return 10 * layout.second * layout.tracks.size(); }
std::uint64_t length_of_step(const ProgramLayout& layout) {
  return layout.height() + longest_tests(layout) + 3 * layout.second;
}

// The start of a path by which a track's walk takes one outcome, from `earliest` on; nothing where none was free.
std::optional<std::uint64_t> lay_path(ProgramLayout& layout, const TrackTest& test, std::size_t track, bool taken,
                                      std::uint64_t earliest, std::uint64_t latest, Draw& draw) {
  const std::size_t to = taken ? test.if_taken : test.otherwise;
  const std::size_t level = layout.tests.at({test.taken.size(), turn_between(layout, track, to)});
  const std::uint64_t second = layout.second;
  earliest += (layout.tracks[track] + second - earliest % second) % second;
  std::vector<std::uint64_t> laps;
  for (int k = 0; k < 12; ++k) laps.push_back(draw.index(4 * layout.tracks.size()));
  std::ranges::sort(laps);
  for (const std::uint64_t lap : laps) {
    ProgramPath path = path_of(layout, earliest + lap * second, level);
    if (earliest + lap * second > latest || !is_apart(layout, path)) continue;
    for (const bool one : test.taken) path.window_is_taken.push_back(one == taken);
    path.is_rewarded = taken && test.is_rewarded;
    keep(layout, std::move(path));
    return earliest + lap * second;
  }
  return std::nullopt;
}

bool lay_paths(ProgramLayout& layout, const WindowProgram& program, Draw& draw) {
  for (std::size_t s = 0; s < program.size(); ++s) {
    const std::uint64_t begin = s * length_of_step(layout) + layout.second;
    for (std::size_t track = 0; track < program[s].size(); ++track) {
      std::uint64_t earliest = begin;
      for (const bool taken : {true, false}) {
        const auto start =
            lay_path(layout, program[s][track], track, taken, earliest, begin + longest_tests(layout), draw);
        if (!start) return false;
        earliest = *start + 2 * layout.second;
      }
      layout.gates.insert(earliest - layout.second);
    }
  }
  return true;
}

// Where a walk can go from a place: up, or down.
std::vector<Place> ways_on(const ProgramLayout& layout, const Place& place) {
  std::vector<Place> ways = {{place.level - 1, place.data_set + layout.sizes[place.level]}};
  if (place.level + 1 < layout.levels.size()) ways.push_back({place.level + 1, place.data_set});
  return ways;
}

// Whether a walk that leaves the path can come to free places of which its level knows all: then it would not have
// paid.
bool leaks(const ProgramLayout& layout, const ProgramPath& path) {
  constexpr std::size_t kMostPlaces = 4000;
  const std::set<Place> own(path.places.begin(), path.places.end());
  std::set<Place> seen = own;
  std::vector<Place> open = path.places;
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    for (const Place& next : ways_on(layout, place)) {
      if (seen.contains(next)) continue;
      if (next.level == 0) {
        if (place == path.places.back()) continue;
        if (!own.contains(place) || layout.is_on_track(next.data_set)) return true;
        continue;
      }
      if (!layout.is_used(next)) continue;
      if (layout.levels[next.level] == Known::window || seen.size() > kMostPlaces) return true;
      seen.insert(next);
      open.push_back(next);
    }
  }
  return false;
}

std::optional<ProgramLayout> layout_of(const WindowProgram& program, std::uint64_t seed) {
  Draw draw(seed);
  for (std::uint64_t attempt = 0; attempt < 400; ++attempt) {
    ProgramLayout layout = bare_layout(program, 61 + 2 * draw.index(18) + attempt / 10 * 4);
    if (program.size() * length_of_step(layout) + 3 * layout.second > layout.window()) continue;
    if (!lay_paths(layout, program, draw)) continue;
    if (std::ranges::none_of(layout.paths, [&](const ProgramPath& path) { return leaks(layout, path); })) return layout;
  }
  return std::nullopt;
}

// Least common multiple of the moduli of the tests.
std::uint64_t windows_of(const WindowProgram& program) {
  std::uint64_t windows = 1;
  for (const std::vector<TrackTest>& step : program) {
    for (const TrackTest& test : step) windows = std::lcm(windows, test.taken.size());
  }
  return windows;
}

// Free places take as much longer as a walk pays for one that is not free.
class FreePlaces {
 public:
  FreePlaces(const ProgramLayout& layout, std::uint64_t price) : layout_(layout), price_(price) {
    for (std::uint64_t data_set = 0; data_set < layout.window(); ++data_set) {
      if (layout.is_on_track(data_set) && !layout.gates.contains(data_set)) {
        set_free(0, data_set % layout.sizes[0], data_set % layout.sizes[1]);
      }
    }
    for (const ProgramPath& path : layout.paths) {
      for (std::size_t k = 0; k < path.places.size(); ++k) {
        if (k == path.test) {
          set_test_free(path);
        } else {
          set_free(path.places[k]);
        }
      }
    }
  }

  void add_links(tpn::Document& document) const {
    for (const auto& [ends, time] : times_) {
      const auto& [level, from, to] = ends;
      add_link(document, (*document.mapping)[level].processors[from], (*document.mapping)[level + 1].processors[to],
               time);
    }
  }

 private:
  void set_free(std::size_t level, std::uint64_t from, std::uint64_t to, std::uint64_t reward = 0) {
    times_[{level, from, to}] = 1 + price_ + reward;
  }
  // Whatever the residues are that the level does not know.
  void set_free(const Place& place) {
    const std::uint64_t from = layout_.sizes[place.level];
    const std::uint64_t to = layout_.sizes[place.level + 1];
    const bool knows_from = place_knows(place, from);
    const bool knows_to = place_knows(place, to);
    for (std::uint64_t a = 0; a < (knows_from ? 1 : from); ++a) {
      for (std::uint64_t b = 0; b < (knows_to ? 1 : to); ++b) {
        set_free(place.level, knows_from ? place.data_set % from : a, knows_to ? place.data_set % to : b);
      }
    }
  }
  bool place_knows(const Place& place, std::uint64_t size) const {
    switch (layout_.levels[place.level]) {
      case Known::window:
        return true;
      case Known::second:
        return size == layout_.second;
      default:
        return size == layout_.first;
    }
  }
  void set_test_free(const ProgramPath& path) {
    const Place& place = path.places[path.test];
    const std::uint64_t modulus = path.window_is_taken.size();
    for (std::uint64_t window = 0; window < modulus; ++window) {
      if (!path.window_is_taken[window]) continue;
      const std::uint64_t data_set = window * layout_.window() + place.data_set;
      set_free(place.level, place.data_set % layout_.first, data_set % modulus, path.is_rewarded ? 1 : 0);
    }
  }

  const ProgramLayout& layout_;
  std::uint64_t price_;
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, std::uint64_t> times_;
};

}  // namespace

WindowProgram random_program(std::uint64_t seed) {
  Draw draw(seed);
  const std::vector<std::vector<std::size_t>> moduli = {{2}, {3}, {2, 3}, {5}, {2, 5}};
  const std::vector<std::size_t>& primes = moduli[draw.index(moduli.size())];
  const std::size_t tracks = draw.count(2, 3);
  WindowProgram program(draw.count(1, 2));
  for (std::vector<TrackTest>& step : program) {
    for (std::size_t track = 0; track < tracks; ++track) {
      TrackTest& test = step.emplace_back();
      test.taken.assign(primes[draw.index(primes.size())], false);
      for (std::size_t residue = 0; residue < test.taken.size(); ++residue) test.taken[residue] = draw.coin();
      test.if_taken = draw.index(tracks);
      test.otherwise = draw.index(tracks);
      test.is_rewarded = draw.coin();
    }
  }
  return program;
}

Rational best_mean_reward(const WindowProgram& program) {
  const std::uint64_t windows = windows_of(program);
  Rational best = 0;
  for (std::size_t begin = 0; begin < tracks_of(program); ++begin) {
    std::map<std::size_t, std::pair<std::uint64_t, std::uint64_t>> seen;  // track at window 0: laps and rewards so far
    std::size_t track = begin;
    std::uint64_t rewards = 0;
    for (std::uint64_t lap = 0;; ++lap) {
      const auto [first, is_new] = seen.insert({track, {lap, rewards}});
      if (!is_new) {
        const auto [from, had] = first->second;
        best = std::max(
            best, Rational::fraction(maxplus::integer_of(rewards - had), maxplus::integer_of((lap - from) * windows)));
        break;
      }
      for (std::uint64_t window = 0; window < windows; ++window) {
        for (const std::vector<TrackTest>& step : program) {
          const TrackTest& test = step[track];
          const bool taken = test.taken[window % test.taken.size()];
          if (taken && test.is_rewarded) ++rewards;
          track = taken ? test.if_taken : test.otherwise;
        }
      }
    }
  }
  return best;
}

std::optional<CountingInstance> program_instance(const WindowProgram& program, std::uint64_t seed) {
  const std::optional<ProgramLayout> layout = layout_of(program, seed);
  if (!layout) return std::nullopt;
  // More than a walk that has paid can get before it is where another one would be for nothing.
  const std::uint64_t price = 2 + program.size() * (tracks_of(program) * windows_of(program) + 2);
  const std::uint64_t candidate = 2 * (1 + price);
  CountingInstance instance;
  instance.candidate = candidate;
  instance.data_sets = maxplus::integer_of(layout->window());
  const std::vector<std::uint64_t>& sizes = layout->sizes;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    const std::uint64_t less = part == 0 ? 1 + price : candidate;
    const std::uint64_t time = part + 1 == sizes.size() ? 0 : candidate * sizes[part] - less;
    add_timed_part(instance.document, std::vector<std::uint64_t>(sizes[part], time));
  }
  FreePlaces(*layout, price).add_links(instance.document);
  return instance;
}

}  // namespace takt::support
