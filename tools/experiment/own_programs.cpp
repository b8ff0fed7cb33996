// Programs by their commands, the same one for all labels.
#include "tools/experiment/own_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "tools/command.hpp"

namespace takt::tools {

using experiments::ChosenHeuristic;
using experiments::OwnForm;
using experiments::OwnResult;
using experiments::OwnTask;

namespace {

std::string key_of(const ChosenHeuristic& chosen) {
  return (chosen.own == OwnForm::server ? "s" : "c") + chosen.command;
}

std::vector<ChosenHeuristic> own_of(const experiments::Description& description) {
  std::vector<ChosenHeuristic> found;
  for (const auto* list : {&description.heuristics, &description.references}) {
    std::ranges::copy_if(*list, std::back_inserter(found),
                         [](const ChosenHeuristic& one) { return one.own != OwnForm::none; });
  }
  return found;
}

}  // namespace

OwnPrograms::OwnPrograms(const experiments::Description& description) {
  for (const ChosenHeuristic& chosen : own_of(description)) {
    if (chosen.own == OwnForm::function) continue;
    const ProgramForm form = chosen.own == OwnForm::server ? ProgramForm::server : ProgramForm::command;
    programs_.try_emplace(key_of(chosen), form, chosen.command, folder_);
  }
}

OwnResult OwnPrograms::ask(const ChosenHeuristic& chosen, const OwnTask& task) {
  using Clock = maxplus::SearchClock;
  const auto end = task.deadline.time().value_or(Clock::time_point::max());
  OwnReply reply = programs_.at(key_of(chosen))
                       .ask({.problem = task.problem,
                             .model = task.model,
                             .seed = task.seed,
                             .time_limit = std::chrono::duration<double>(end - Clock::now()).count(),
                             .deadline = end});
  if (!reply.mapping) return {{}, {}, std::move(reply.failure)};
  return {std::move(reply.mapping->mapping), std::move(reply.mapping->predicted_period), {}};
}

std::shared_ptr<OwnPrograms> own_programs_of(const experiments::Description& description) {
  const std::vector<ChosenHeuristic> own = own_of(description);
  if (own.empty()) return nullptr;
  const auto function = std::ranges::find(own, OwnForm::function, &ChosenHeuristic::own);
  if (function != own.end()) {
    throw UsageError(fmt::format(
        "the heuristic \"{}\" is the function {} of a Python program, expected a command or server; takt.experiment() "
        "runs it in that program",
        function->label, function->command));
  }
  return std::make_shared<OwnPrograms>(description);
}

}  // namespace takt::tools
