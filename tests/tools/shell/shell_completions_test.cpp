// Completions: each shell is asked, where it is installed, what it would offer.
#include "tools/shell/shell_completions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/draws/generator.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

bool has_shell(const std::string& shell) { return std::system((shell + " --version > /dev/null 2>&1").c_str()) == 0; }

// What a shell prints that runs this, in a folder with the files "a file.json" and "table.csv".
std::string run_by(const std::string& shell, const std::string& text) {
  const TemporaryFolder folder;
  const std::string script = folder.write("script", text);
  std::filesystem::create_directory(folder.path("here"));
  folder.write("here/a file.json", "");
  folder.write("here/table.csv", "");
  const std::string out = folder.path("out");
  REQUIRE(std::system(("cd '" + folder.path("here") + "' && " + shell + " '" + script + "' > '" + out + "'").c_str()) ==
          0);
  return text_of(out);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += tools::single_quoted(word) + " ";
  return text;
}

// What bash offers for each of these lists of words, the last of which is being typed: a set for each.
std::vector<std::set<std::string>> bash_offers(const std::vector<std::vector<std::string>>& asked) {
  std::string script = takt({"completion", "bash"}).out;
  for (const auto& words : asked) {
    script += "COMP_WORDS=(" + joined(words) + ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) + "\n_takt\n" +
              "printf '%s\\n' \"${COMPREPLY[@]}\"\necho ==\n";
  }
  std::vector<std::set<std::string>> offers(1);
  for (const std::string& line : lines_of(run_by("bash", script))) {
    if (line == "==") {
      offers.emplace_back();
    } else if (!line.empty()) {
      offers.back().insert(line);
    }
  }
  offers.pop_back();
  return offers;
}

// A command's words behind "takt", and its options: those that its --help lists, and the parameters of generators.
struct Helped {
  std::vector<std::string> words;
  std::set<std::string> options;
};

std::set<std::string> options_in(const std::string& help) {
  std::set<std::string> options;
  for (const std::string& line : lines_of(help)) {
    if (line.rfind("  -", 0) != 0) continue;
    std::string names = line.substr(2, line.find(' ', 2) - 2);
    std::ranges::replace(names, ',', ' ');
    std::istringstream words(names);
    for (std::string word; words >> word;) options.insert(word);
  }
  return options;
}

// The help of a generator lists them, that of the command does not.
void add_parameters(std::set<std::string>& options) {
  for (const experiments::Generator& generator : experiments::generators()) {
    for (const auto& parameter : generator.parameters) options.insert("--" + std::string(parameter.name));
  }
}

// Each command, and each within one, by what the help texts say.
std::vector<Helped> all_helped() {
  std::vector<Helped> all;
  std::vector<std::vector<std::string>> pending = {{}};
  while (!pending.empty()) {
    const std::vector<std::string> words = pending.back();
    pending.pop_back();
    std::vector<std::string> asked = words;
    asked.emplace_back("--help");
    const std::string help = takt(asked).out;
    all.push_back({words, options_in(help)});
    if (words == std::vector<std::string>{"generate"} || words == std::vector<std::string>{"compare"}) {
      add_parameters(all.back().options);
    }
    bool is_list = false;
    for (const std::string& line : lines_of(help)) {
      // Those of the program stand in groups; those within a command under "Commands".
      const bool is_heading = !line.empty() && line.front() != ' ' && line.back() == ':';
      const bool is_group = words.empty() && is_heading && line != "Options:" && line != "To start with:";
      if (line.empty() || is_heading) is_list = is_group || line == "Commands:";
      if (!is_list || line.rfind("  ", 0) != 0 || line[2] == ' ') continue;
      pending.push_back(words);
      pending.back().push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return all;
}

struct Offered {
  std::vector<std::string> words;
  std::set<std::string> offers;
};

TEST_CASE("bash completes commands, options, their values and files") {
  const std::set<std::string> files = {"a file.json", "table.csv"};
  const std::vector<Offered> cases = {
      {{"takt", "eval"}, {"evaluate"}},
      {{"takt", "experiment", "st"}, {"status"}},
      {{"takt", "help", "gene"}, {"generate", "generators"}},
      {{"takt", "tab"}, {"table.csv"}},
      {{"takt", "--v"}, {"--version"}},
      {{"takt", "evaluate", "--mo"}, {"--model"}},
      {{"takt", "evaluate", "--model", ""}, {"overlap", "strict", "bounded"}},
      {{"takt", "evaluate", "--model", "=", "st"}, {"strict"}},
      {{"takt", "evaluate", "--model", "="}, {"overlap", "strict", "bounded"}},
      {{"takt", "evaluate", "--max-rows", ""}, {}},
      {{"takt", "evaluate", "--certificate", ""}, files},
      {{"takt", "evaluate", ""}, files},
      {{"takt", "a file.json", "--met"}, {"--method"}},
      {{"takt", "a file.json", "--method", "s"}, {"sweep", "simulate"}},
      {{"takt", "map", "--heuristic", "pol"}, {"polish"}},
      {{"takt", "map", "table.csv", "--reading", ""}, {"default", "paper"}},
      {{"takt", "map", "--weighted", ""}, {"yes", "no"}},
      {{"takt", "plan", "--among", "w"}, {"weighted"}},
      {{"takt", "import", "--times", "t"}, {"table.csv"}},
      {{"takt", "generate", "repl"}, {"replicated-mapping"}},
      {{"takt", "experiment", "show", "replicated-table-2"}, {"replicated-table-2"}},
      {{"takt", "experiment", "run", "ta"}, {"table.csv"}},
      {{"takt", "experiment", "run", "--ou"}, {"--output"}},
      {{"takt", "experiment", "report", "--format", ""}, {"md", "latex", "csv", "json"}},
      {{"takt", "completion", ""}, {"bash", "zsh", "fish"}},
  };
  std::vector<std::vector<std::string>> asked;
  for (const Offered& one : cases) asked.push_back(one.words);
  const auto offers = bash_offers(asked);
  REQUIRE(offers.size() == cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO(joined(cases[i].words));
    CHECK(offers[i] == cases[i].offers);
  }
}

TEST_CASE("every option of every help is offered, and no other") {
  const std::vector<Helped> all = all_helped();
  REQUIRE(all.size() > tools::commands().size() + 8);
  std::vector<std::vector<std::string>> asked;
  for (const Helped& helped : all) {
    asked.push_back({"takt"});
    asked.back().insert(asked.back().end(), helped.words.begin(), helped.words.end());
    asked.back().emplace_back("-");
  }
  const auto offers = bash_offers(asked);
  REQUIRE(offers.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO(joined(asked[i]));
    CHECK(all[i].options.size() >= 2);
    CHECK(offers[i] == all[i].options);
  }
}

TEST_CASE("zsh and fish have every option of every help, in its command") {
  const std::string zsh = takt({"completion", "zsh"}).out;
  const std::string fish = takt({"completion", "fish"}).out;
  for (const Helped& helped : all_helped()) {
    std::string function = "\n_takt";
    std::string rule = "complete -c takt -n '__takt_at takt";
    for (const std::string& word : helped.words) {
      function += "_" + word;
      rule += " " + word;
    }
    const std::size_t begin = zsh.find(function + "() {\n");
    REQUIRE(begin != std::string::npos);
    const std::string body = zsh.substr(begin, zsh.find("\n}\n", begin) - begin);
    for (const std::string& option : helped.options) {
      INFO(function << " " << option);
      CHECK((body.find(option + "[") != std::string::npos || body.find(option + "=[") != std::string::npos ||
             body.find(option + "+[") != std::string::npos));
      const bool is_long = option.starts_with("--");
      const std::string name = (is_long ? " -l " : " -s ") + option.substr(is_long ? 2 : 1) + " ";
      const std::vector<std::string> rules = lines_of(fish);
      CHECK(std::ranges::any_of(rules, [&](const std::string& line) {
        return line.starts_with(rule + "'") && line.find(name) != std::string::npos;
      }));
    }
  }
}

TEST_CASE("zsh and fish read their scripts, where they are installed") {
  if (has_shell("zsh")) run_by("zsh -n", takt({"completion", "zsh"}).out);
  if (!has_shell("fish")) return;
  const std::string fish = takt({"completion", "fish"}).out;
  const auto offers = [&](const std::string& line) {
    return run_by("fish", fish + "complete -C \"" + line + "\" | string replace -r '\\t.*' ''\ntrue\n");
  };
  CHECK(offers("takt evaluate --mo") == "--model\n");
  CHECK(offers("takt evaluate --model ") == "bounded\noverlap\nstrict\n");
  CHECK(offers("takt x.json --model s") == "strict\n");
  CHECK(offers("takt import --times t") == "table.csv\n");
  CHECK(offers("takt evaluate --max-rows ").empty());
  CHECK(offers("takt experiment st") == "status\n");
}

TEST_CASE("a text between single quotes may have some") {
  CHECK(tools::single_quoted("it's") == R"('it'\''s')");
  CHECK(tools::single_quoted("") == "''");
}

}  // namespace
}  // namespace takt::testing
