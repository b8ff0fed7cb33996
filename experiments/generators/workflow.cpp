// workflow: a workflow of a shape, each stage a part on processors of its own, its graph and all numbers random.
//
// What is drawn. The graph, works, sizes of files, replicas, speeds and bandwidths, each uniform in its range. Stages
// stand in a topological order, so a heuristic may take the document for a problem: the mapping is one of many.
//
// Shapes, of n stages.
//   chain            each stage takes the file of the one before.
//   fork-join        a first stage, `width` branches (fewer if there are not as many stages), a last stage. How many
//                    stages each branch has is uniform among the ways to share out n - 2.
//   out-tree         each stage but the first takes the file of an earlier one, uniform among those whose files fewer
//                    than `degree` take.
//   in-tree          an out-tree whose edges are turned: stage k is its stage n - 1 - k.
//   layered          `width` stages a layer, the last layer the rest. Each takes the files of 1 to `degree` stages of
//   the
//                    layer before, their number uniform, then which. A stage of another layer than the last whose file
//                    nobody took has it taken by one of the next layer, which may then take more than `degree`.
//   series-parallel  a block of n: one stage; or two blocks in a row, the size of the first uniform; or, with
//                    probability 1/2 from n = 4 on, a stage, 2 to `width` blocks beside each other, a stage.
// Shortcuts. So many edges more, each from a stage to one that other stages lead to from there, uniform among all such
// pairs without an edge; all pairs if there are not as many. In chains and series-parallel graphs they are files
// that pass over stages, as a frame beside what was found in it. None of that is from a paper; the mappings are those
// of random replication as in [benoit2009throughput, section 5], with works, sizes and speeds in place of times.
//
// Ends. A source sends the application's input to each stage that takes no file, a sink takes the files that nobody
// else takes.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/draws/chain_problem.hpp"
#include "experiments/draws/generator.hpp"
#include "experiments/draws/workflow_mapping.hpp"
#include "tpn/workflow.hpp"

namespace takt::experiments {

namespace {

// By stage, the earlier ones whose files it takes, ascending.
using StageGraph = std::vector<std::vector<std::size_t>>;

StageGraph chain(std::size_t stages) {
  StageGraph graph(stages);
  for (std::size_t k = 1; k < stages; ++k) graph[k] = {k - 1};
  return graph;
}

StageGraph fork_join(std::size_t stages, std::size_t width, Stream& stream) {
  std::vector<std::uint64_t> lengths(std::min(width, stages - 2));
  draw_composition(lengths, stages - 2, stream);
  StageGraph graph(1);
  std::vector<std::size_t> ends;
  for (const std::uint64_t length : lengths) {
    for (std::uint64_t i = 0; i < length; ++i) graph.push_back({i == 0 ? std::size_t{0} : graph.size() - 1});
    ends.push_back(graph.size() - 1);
  }
  graph.push_back(std::move(ends));
  return graph;
}

StageGraph out_tree(std::size_t stages, std::size_t degree, Stream& stream) {
  StageGraph graph(stages);
  std::vector<std::size_t> takers(stages, 0);
  std::vector<std::size_t> open = {0};
  for (std::size_t k = 1; k < stages; ++k) {
    const std::size_t place = stream.below(open.size());
    const std::size_t parent = open[place];
    graph[k] = {parent};
    if (++takers[parent] == degree) open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
    open.push_back(k);
  }
  return graph;
}

StageGraph turned(const StageGraph& graph) {
  const std::size_t last = graph.size() - 1;
  StageGraph result(graph.size());
  for (std::size_t k = graph.size(); k-- > 0;) {
    for (const std::size_t before : graph[k]) result[last - before].push_back(last - k);
  }
  return result;
}

StageGraph layered(std::size_t stages, std::size_t width, std::size_t degree, Stream& stream) {
  StageGraph graph(stages);
  for (std::size_t first = width; first < stages; first += width) {
    const std::size_t end = std::min(first + width, stages);
    std::vector<bool> is_taken(width, false);
    for (std::size_t k = first; k < end; ++k) {
      std::vector<std::size_t> before(width);
      std::iota(before.begin(), before.end(), first - width);
      shuffle(std::span(before), stream);
      before.resize(1 + stream.below(std::min(degree, width)));
      std::ranges::sort(before);
      for (const std::size_t taken : before) is_taken[taken + width - first] = true;
      graph[k] = std::move(before);
    }
    for (std::size_t i = 0; i < width; ++i) {
      if (is_taken[i]) continue;
      auto& taker = graph[first + stream.below(end - first)];
      const std::size_t left = first - width + i;
      taker.insert(std::ranges::upper_bound(taker, left), left);
    }
  }
  return graph;
}

// Blocks one after the other, without recursion: a block of one size is one stage, and blocks may be a thousand deep.
class SeriesParallel {
 public:
  SeriesParallel(std::size_t width, Stream& stream) : width_(width), stream_(stream) {}

  StageGraph draw(std::size_t stages) {
    waiting_.push_back({.size = stages, .join = std::nullopt});
    std::vector<std::size_t> last;  // whose files the next stage takes
    while (!waiting_.empty()) {
      const Task task = waiting_.back();
      waiting_.pop_back();
      if (task.join) {
        last = std::move(ends_[*task.join]);
      } else if (task.fork) {
        ends_[*task.fork].push_back(last.front());
        last = {starts_[*task.fork]};
      } else if (task.size == 1) {
        graph_.push_back(std::exchange(last, {graph_.size()}));
      } else if (task.size >= 4 && stream_.below(2) == 1) {
        // The fork; what is to come is put the other way round.
        graph_.push_back(std::exchange(last, {graph_.size()}));
        divide(task.size - 2, last.front());
      } else {
        const std::size_t first = 1 + stream_.below(task.size - 1);
        waiting_.push_back({.size = task.size - first});
        waiting_.push_back({.size = first});
      }
    }
    return std::move(graph_);
  }

 private:
  // A block of `size` stages; or the end of a branch of split number `fork`; or that of all branches of split `join`.
  struct Task {
    std::size_t size = 0;
    std::optional<std::size_t> fork{};
    std::optional<std::size_t> join{};
  };

  void divide(std::size_t stages, std::size_t start) {
    std::vector<std::uint64_t> sizes(2 + stream_.below(std::min(width_, stages) - 1));
    draw_composition(sizes, stages, stream_);
    const std::size_t split = starts_.size();
    starts_.push_back(start);
    ends_.emplace_back();
    waiting_.push_back({.size = 1});
    waiting_.push_back({.join = split});
    for (const std::uint64_t size : sizes) {
      waiting_.push_back({.fork = split});
      waiting_.push_back({.size = size});
    }
  }

  std::size_t width_;
  Stream& stream_;
  StageGraph graph_;
  std::vector<Task> waiting_;
  std::vector<std::size_t> starts_;             // by split, the stage that forks
  std::vector<std::vector<std::size_t>> ends_;  // by split, the last stages of its branches
};

// From a stage to another that others lead to from there, without an edge of their own.
std::vector<std::pair<std::size_t, std::size_t>> open_shortcuts(const StageGraph& graph) {
  std::vector<std::pair<std::size_t, std::size_t>> open;
  std::vector<std::vector<bool>> leads(graph.size(), std::vector<bool>(graph.size(), false));  // to a stage, from each
  for (std::size_t k = 0; k < graph.size(); ++k) {
    for (const std::size_t before : graph[k]) {
      leads[k][before] = true;
      for (std::size_t from = 0; from < before; ++from) leads[k][from] = leads[k][from] || leads[before][from];
    }
    for (std::size_t from = 0; from < k; ++from) {
      if (leads[k][from] && !std::ranges::binary_search(graph[k], from)) open.emplace_back(from, k);
    }
  }
  return open;
}

void add_shortcuts(StageGraph& graph, std::size_t count, Stream& stream) {
  if (count == 0) return;
  auto open = open_shortcuts(graph);
  for (; count > 0 && !open.empty(); --count) {
    std::swap(open[stream.below(open.size())], open.back());
    const auto [from, to] = open.back();
    open.pop_back();
    graph[to].insert(std::ranges::upper_bound(graph[to], from), from);
  }
}

StageGraph shape_of(const Arguments& arguments, Stream& stream) {
  const std::string& shape = arguments.choice("shape");
  const std::size_t stages = arguments.count("stages");
  const std::size_t width = arguments.count("width");
  const std::size_t degree = arguments.count("degree");
  if (shape == "fork-join") return fork_join(stages, width, stream);
  if (shape == "out-tree") return out_tree(stages, degree, stream);
  if (shape == "in-tree") return turned(out_tree(stages, degree, stream));
  if (shape == "layered") return layered(stages, width, degree, stream);
  if (shape == "series-parallel") return SeriesParallel(width, stream).draw(stages);
  return chain(stages);
}

StageGraph graph_of(const Arguments& arguments, const DrawKey& key) {
  Stream stream(key, Purpose::shape);
  StageGraph graph = shape_of(arguments, stream);
  add_shortcuts(graph, arguments.count("shortcuts"), stream);
  return graph;
}

void choose_replicable(tpn::Document& document, const std::string& replicable, const DrawKey& key) {
  Stream stream(key, Purpose::choice);
  for (tpn::Stage& stage : document.application.stages) {
    const bool heads = stream.below(2) == 1;
    stage.replicable = replicable == "all" || (replicable == "half" && heads);
  }
}

tpn::Document draw_workflow(const Arguments& arguments, const DrawKey& key) {
  Stream works(key, Purpose::works);
  const StageGraph graph = graph_of(arguments, key);
  tpn::Document document = chain_problem(draw_all(arguments.range("works"), graph.size(), works), {});
  auto& stages = document.application.stages;
  for (std::size_t k = 0; k < graph.size(); ++k) take_from(stages[k], k, graph[k]);

  Stream sizes(key, Purpose::sizes);
  add_ends(document, arguments.choice("ends"), arguments.range("sizes").draw(sizes));
  for (tpn::Stage& stage : stages) stage.output = arguments.range("sizes").draw(sizes);
  const std::vector<bool> is_exit = tpn::exit_stages(document.application);
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (is_exit[k] && !document.platform.sink) stages[k].output.reset();
  }

  choose_replicable(document, arguments.choice("replicable"), key);
  add_mapping(document, arguments, key);
  return document;
}

std::optional<std::string> objection_of_workflow(const Arguments& arguments) {
  if (arguments.choice("shape") == "fork-join" && arguments.count("stages") < 3) {
    return "a fork-join has at least three \"stages\"";
  }
  return objection_of_mapping(arguments, arguments.count("stages"));
}

bool forks_or_joins(const Arguments& arguments) {
  return (arguments.choice("shape") != "chain" || arguments.count("shortcuts") > 0) && arguments.count("stages") > 1;
}

GeneratorParameter range_parameter(std::string_view name, std::string_view help) {
  return {
      .name = name, .help = help, .kind = ParameterKind::range, .standard = "1..20", .least = 0, .most = 1'000'000'000};
}

std::vector<GeneratorParameter> workflow_parameters() {
  std::vector<GeneratorParameter> all = {
      {.name = "shape",
       .help = "shape of the graph",
       .kind = ParameterKind::choice,
       .standard = "layered",
       .choices = {"chain", "fork-join", "in-tree", "out-tree", "layered", "series-parallel"}},
      {.name = "stages", .help = "number of stages", .standard = "10", .most = 1000},
      {.name = "width",
       .help = "stages per layer, branches of a fork-join, or most branches of a series-parallel fork",
       .standard = "3",
       .least = 2,
       .most = 1000},
      {.name = "degree",
       .help = "most receivers of a file in an out-tree, or most files that a stage of an in-tree or layer takes",
       .standard = "3",
       .least = 2,
       .most = 1000},
      {.name = "shortcuts",
       .help = "number of extra edges, each from a stage to an indirect successor",
       .standard = "0",
       .least = 0,
       .most = 1000},
      range_parameter("works", "range of works"),
      range_parameter("sizes", "range of file sizes")};
  for (GeneratorParameter& parameter : mapping_parameters("5..15", "5..15")) all.push_back(std::move(parameter));
  all.push_back({.name = "replicable",
                 .help = "which stages are replicable; half: each with probability 1/2",
                 .kind = ParameterKind::choice,
                 .standard = "all",
                 .choices = {"all", "half", "none"}});
  all.push_back({.name = "ends",
                 .help = "has it a source, a sink?",
                 .kind = ParameterKind::choice,
                 .standard = "none",
                 .choices = {"both", "source", "sink", "none"}});
  return all;
}

}  // namespace

Generator workflow() {
  return {.name = "workflow",
          .summary = "a workflow of a given shape, with stages replicated at random",
          .source = "takt",
          .kind = DrawnKind::instance,
          .parameters = workflow_parameters(),
          .objection = objection_of_workflow,
          .draw = draw_workflow,
          .forks_or_joins = forks_or_joins};
}

}  // namespace takt::experiments
