// In the order of --help.
#include "tools/live/stage_options.hpp"

#include "tools/frame/options.hpp"

namespace takt::tools {

void add_stage_options(CommandLine& line, RunChoices& choices) {
  line.option("--program", choices.programs,
              "a program as a stage: a filter that reads data sets and writes a result for each (docs/formats.md)")
      .type_name("STAGE=COMMAND")
      .group("Stages");
  line.option("--each", choices.each,
              "a program to start for each data set: it reads standard input and writes the result. {} stands for a "
              "file with the data set, in the first stage for its line or number; {NAME} for the file of stage NAME, "
              "if there are several")
      .type_name("STAGE=COMMAND")
      .group("Stages");
  line.option("--records", choices.records,
              "how data sets are separated: sized (8 bytes of length before each) or lines")
      .check(one_of({"sized", "lines"}))
      .type_name("FORM")
      .shows_default()
      .group("Stages");
  line.option(
          "--stage-limit", [&choices](const std::string& text) { choices.stage_limit = read_seconds(text); },
          "longest time of a program for a data set, without its start, such as 5s or 2min; beyond it, the program has "
          "failed; default: no limit")
      .check(positive_seconds())
      .type_name("TIME")
      .group("Stages");
  line.option("--executable", choices.executable, "an MPI program with functions as stages, built with takt::live")
      .offers_files()
      .type_name("PROGRAM")
      .group("Stages");
  line.option("--input", choices.input,
              "a file whose lines go to the first stage; a FIFO or - (standard input) as they come; a folder: the "
              "names of its files, as they appear")
      .offers_files()
      .type_name("FILE")
      .group("Stages");
  line.option("--bytes", choices.bytes, "size in bytes of the files of emulated stages")
      .check(positive_integer())
      .type_name("B")
      .shows_default()
      .group("Stages");
}

}  // namespace takt::tools
