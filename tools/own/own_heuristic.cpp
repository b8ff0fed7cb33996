// Questions as files and as lines; answers as mappings.
#include "tools/own/own_heuristic.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "tpn/errors.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

namespace json = tpn::json;

// A name that no other thread, and no other process with the same folder, uses.
std::string new_file_name() {
  static std::atomic<std::uint64_t> count = 0;
  return fmt::format("problem-{}-{}.json", ::getpid(), ++count);
}

std::string question_line(const OwnQuestion& question) {
  std::string problem = tpn::write_document_line(question.problem.document());
  while (problem.ends_with('\n')) problem.pop_back();
  return fmt::format(R"({{"seed":{},"model":"{}","time_limit":{},"problem":{}}})", question.seed,
                     tpn::name_of(question.model), question.time_limit, problem);
}

}  // namespace

OwnReply read_own_reply(const std::string& text, const std::string& origin, const tpn::ProblemView& problem) {
  try {
    const json::Tree tree = json::parse(text, origin);
    const json::Value* const failed = json::find(tree.root, "failed");
    if (failed != nullptr) return {{}, json::as_string(tree, *failed, "a reason")};
    return {read_own_mapping(tree, problem), {}};
  } catch (const tpn::ParseError& error) {
    return {{}, error.what()};
  } catch (const tpn::InvalidInstance& error) {
    return {{}, error.what()};
  }
}

OwnHeuristic::OwnHeuristic(ProgramForm form, std::string command, const ScratchFolder& folder)
    : command_(std::move(command)), folder_(folder) {
  if (form == ProgramForm::server) server_.emplace(command_);
}

OwnReply OwnHeuristic::ask(const OwnQuestion& question) {
  const CommandOutcome outcome = outcome_of(question);
  if (outcome.failure) return {{}, *outcome.failure};
  return read_own_reply(outcome.output, "its output", question.problem);
}

CommandOutcome OwnHeuristic::outcome_of(const OwnQuestion& question) {
  if (server_) return server_->ask(question_line(question), question.deadline);
  const std::string file = folder_.write(new_file_name(), tpn::write_document(question.problem.document()));
  CommandOutcome outcome =
      run_command(command_, {.path = file,
                             .variables = {fmt::format("TAKT_SEED={}", question.seed),
                                           fmt::format("TAKT_MODEL={}", tpn::name_of(question.model)),
                                           fmt::format("TAKT_TIME_LIMIT={}", question.time_limit)},
                             .deadline = question.deadline});
  ScratchFolder::remove(file);
  return outcome;
}

}  // namespace takt::tools
