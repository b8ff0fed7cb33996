// In the order of --help.
#include "tools/live/stage_options.hpp"

#include "tools/frame/options.hpp"

namespace takt::tools {

void add_stage_options(CommandLine& line, RunChoices& choices) {
  line.option("--program", choices.programs,
              "a program as a stage, for each stage: a filter that reads data sets and writes results "
              "(docs/formats.md)")
      .type_name("STAGE=COMMAND")
      .group("Stages");
  line.option("--records", choices.records,
              "how programs tell data sets apart: sized (8 bytes of length before each) or lines")
      .check(one_of({"sized", "lines"}))
      .type_name("FORM")
      .shows_default()
      .group("Stages");
  line.option(
          "--stage-limit", [&choices](const std::string& text) { choices.stage_limit = read_seconds(text); },
          "a program that takes longer for a data set has failed: 5s, 2min; default: any time")
      .check(positive_seconds())
      .type_name("TIME")
      .group("Stages");
  line.option("--executable", choices.executable, "an MPI program with functions as stages, made with takt::live")
      .offers_files()
      .type_name("PROGRAM")
      .group("Stages");
  line.option("--input", choices.input, "a file whose lines are what the first stage gets")
      .offers_files()
      .type_name("FILE")
      .group("Stages");
  line.option("--bytes", choices.bytes, "size of the files of emulated stages")
      .check(positive_integer())
      .type_name("B")
      .shows_default()
      .group("Stages");
}

}  // namespace takt::tools
