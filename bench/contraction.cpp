// Longest token-free paths between all tokens of plain nets, values of all tokens side by side.
#include "bench/contraction.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace takt::bench {

namespace {

using tpn::Column;
using tpn::Pipeline;

// Below every path's weight, which are at least 0, whatever is added: expect_short_paths.
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min() / 2;

// All paths together weigh less than 2^62, so that kNever plus any of them is negative and nothing wraps.
void expect_short_paths(const maxplus::Integer& total) {
  maxplus::expects(total < maxplus::Integer(1) << 62, "the durations of all rows add up to less than 2^62");
}

// A column's durations in the order of data sets, without a division.
class Reader {
 public:
  explicit Reader(const Column& column) : column_(column), durations_(*column.table.narrow()) {}

  std::int64_t next() {
    const std::int64_t duration = durations_[column_.sender_offset[sender_] + column_.receiver_offset[receiver_]];
    if (++sender_ == column_.sender_offset.size()) sender_ = 0;
    if (++receiver_ == column_.receiver_offset.size()) receiver_ = 0;
    return duration;
  }

 private:
  const Column& column_;
  std::span<const std::int64_t> durations_;
  std::size_t sender_ = 0;
  std::size_t receiver_ = 0;
};

// The processors of a part in the order of data sets.
class Turn {
 public:
  explicit Turn(const tpn::NetPart& part) : sequence_(part.sequence) {}

  std::size_t next() {
    const std::size_t processor = sequence_[entry_];
    if (++entry_ == sequence_.size()) entry_ = 0;
    return processor;
  }

 private:
  const std::vector<std::size_t>& sequence_;
  std::size_t entry_ = 0;
};

// Paths from eight rows of a torus at a time.
constexpr std::size_t kLanes = 8;

// Longest paths from the entries (r, 0) of a torus's rows to all exits to the right and below, for each r:
// right(r, i, weight) for i >= r, then down(r, j, weight) for all j.
template <typename Right, typename Down>
void paths_from_rows(std::span<const std::int64_t> durations, std::size_t u, std::size_t v, Right right, Down down) {
  std::vector<std::int64_t> above(v * kLanes);
  for (std::size_t first = 0; first < u; first += kLanes) {
    const std::size_t lanes = std::min(kLanes, u - first);
    std::ranges::fill(above, kNever);
    for (std::size_t i = first; i < u; ++i) {
      std::int64_t left[kLanes];
      std::ranges::fill(left, kNever);
      if (i - first < lanes) left[i - first] = 0;
      const std::int64_t* duration = &durations[i * v];
      std::int64_t* cell = above.data();
      for (std::size_t j = 0; j < v; ++j, cell += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          left[lane] = std::max(left[lane], cell[lane]) + duration[j];
          cell[lane] = left[lane];
        }
      }
      for (std::size_t lane = 0; lane < std::min(lanes, i - first + 1); ++lane) right(first + lane, i, left[lane]);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (std::size_t j = 0; j < v; ++j) down(first + lane, j, above[j * kLanes + lane]);
    }
  }
}

}  // namespace

bool is_plain(const Pipeline& pipeline) {
  std::set<std::size_t> seen;
  for (const tpn::NetPart& part : pipeline.parts) {
    for (const std::size_t processor : part.sequence) {
      if (!seen.insert(processor).second) return false;
    }
  }
  return std::ranges::all_of(pipeline.columns, [](const Column& c) { return c.table.narrow().has_value(); });
}

maxplus::Rational computation_period(const Pipeline& pipeline) {
  maxplus::Rational largest;
  for (std::size_t c = 0; c < pipeline.columns.size(); c += 2) {
    const Column& column = pipeline.columns[c];
    const maxplus::Integer processors = column.sender_offset.size();
    largest = std::max(largest, maxplus::Rational::fraction(column.table.longest(), pipeline.scale * processors));
  }
  return largest;
}

MeanProblem contract_strict(const Pipeline& pipeline) {
  maxplus::expects(is_plain(pipeline) && pipeline.parts.size() > 1, "a plain net of several parts");
  maxplus::Integer total = 0;
  for (const Column& column : pipeline.columns) total += column.table.longest() * pipeline.rows;
  expect_short_paths(total);
  const std::size_t tokens = pipeline.processors.size();
  // clocks[p * tokens + s]: the longest path from token s to the end of p's last operation.
  std::vector<std::int64_t> clocks(tokens * tokens, kNever);
  for (std::size_t s = 0; s < tokens; ++s) clocks[s * tokens + s] = 0;

  std::vector<Reader> durations(pipeline.columns.begin(), pipeline.columns.end());
  std::vector<Turn> turns(pipeline.parts.begin(), pipeline.parts.end());
  const std::uint64_t rows = pipeline.rows.get_ui();
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::int64_t* sender = &clocks[turns[0].next() * tokens];
    const std::int64_t* latest = sender;  // plus `computation`: the end of this row's last operation
    std::int64_t computation = durations[0].next();
    for (std::size_t part = 1; part < turns.size(); ++part) {
      std::int64_t* receiver = &clocks[turns[part].next() * tokens];
      const std::int64_t transfer = durations[2 * part - 1].next();
      for (std::size_t s = 0; s < tokens; ++s) {
        sender[s] = std::max(latest[s] + computation, receiver[s]) + transfer;
      }
      latest = sender;
      sender = receiver;
      computation = durations[2 * part].next();
    }
    for (std::size_t s = 0; s < tokens; ++s) sender[s] = latest[s] + computation;
  }

  MeanProblem problem;
  problem.nodes = static_cast<int>(tokens);
  for (std::size_t s = 0; s < tokens; ++s) {
    for (std::size_t p = 0; p < tokens; ++p) {
      const std::int64_t weight = clocks[p * tokens + s];
      if (weight >= 0) problem.arcs.push_back({static_cast<int>(s), static_cast<int>(p), weight});
    }
  }
  return problem;
}

std::uint64_t turns_of(const Column& transfer) {
  return std::lcm(transfer.sender_offset.size(), transfer.receiver_offset.size());
}

std::vector<Grid> grids_of(const Column& column) {
  const std::size_t senders = column.sender_offset.size();
  const std::size_t receivers = column.receiver_offset.size();
  const std::size_t g = std::gcd(senders, receivers);
  const std::size_t u = senders / g;
  const std::size_t v = receivers / g;
  const auto durations = *column.table.narrow();
  std::vector<Grid> grids;
  for (std::size_t residue = 0; residue < g; ++residue) {
    // Blocks of one residue are contiguous, senders in order, receivers in order (tpn::Column).
    grids.push_back(grid_of(durations.subspan(residue * u * v, u * v), u, v));
  }
  return grids;
}

Grid grid_of(std::span<const std::int64_t> durations, std::size_t senders, std::size_t receivers) {
  Grid grid{senders, receivers, {}};
  grid.durations.reserve(senders * receivers);
  for (std::size_t i = 0; i < senders; ++i) {
    const std::int64_t* row = &durations[i * receivers % senders * receivers];
    for (std::size_t j = 0; j < receivers; ++j) grid.durations.push_back(row[j * senders % receivers]);
  }
  return grid;
}

MeanProblem contract_grid(const Grid& grid) {
  const std::size_t u = grid.rows;
  const std::size_t v = grid.columns;
  expect_short_paths(maxplus::Integer(*std::ranges::max_element(grid.durations)) * maxplus::Integer(u + v));
  MeanProblem problem;
  problem.nodes = static_cast<int>(u + v);
  // Arcs by source: row r's go to rows r .. u-1, then to all columns; column c's to all rows, then to columns c .. v-1.
  const auto row_arcs = [&](std::size_t r) { return r * (u + v) - r * (r - 1) / 2; };  // of rows before r
  const std::size_t from_rows = u * (u + v) - u * (u - 1) / 2;
  const auto column_arcs = [&](std::size_t c) { return from_rows + c * (u + v) - c * (c - 1) / 2; };
  problem.arcs.resize(column_arcs(v));
  const auto put = [&](std::size_t at, std::size_t from, std::size_t to, std::int64_t weight) {
    problem.arcs[at] = {static_cast<int>(from), static_cast<int>(to), weight};
  };
  paths_from_rows(
      grid.durations, u, v,
      [&](std::size_t r, std::size_t i, std::int64_t weight) { put(row_arcs(r) + i - r, r, i, weight); },
      [&](std::size_t r, std::size_t j, std::int64_t weight) { put(row_arcs(r) + u - r + j, r, u + j, weight); });
  std::vector<std::int64_t> transposed(u * v);
  for (std::size_t i = 0; i < u; ++i) {
    for (std::size_t j = 0; j < v; ++j) transposed[j * u + i] = grid.durations[i * v + j];
  }
  paths_from_rows(
      transposed, v, u,
      [&](std::size_t c, std::size_t j, std::int64_t weight) { put(column_arcs(c) + u + j - c, u + c, u + j, weight); },
      [&](std::size_t c, std::size_t i, std::int64_t weight) { put(column_arcs(c) + i, u + c, i, weight); });
  return problem;
}

}  // namespace takt::bench
