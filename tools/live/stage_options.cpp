// In the order of --help.
#include "tools/live/stage_options.hpp"

#include "tools/frame/options.hpp"

namespace takt::tools {

void add_stage_options(CommandLine& line, RunChoices& choices) {
  line.option("--program", choices.programs,
              "a program as a stage: a filter that reads data sets and answers each (docs/formats.md)")
      .type_name("STAGE=COMMAND")
      .group("Stages");
  line.option("--each", choices.each,
              "a program that is started for each data set: it reads it to the end of standard input and writes the "
              "result; {} in the command is a file with the data set, in the first stage the line or number itself; "
              "where a stage "
              "takes several files {NAME} is that of stage NAME")
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
          "a program that takes longer for a data set has failed, its start not counted: 5s, 2min; default: any time")
      .check(positive_seconds())
      .type_name("TIME")
      .group("Stages");
  line.option("--executable", choices.executable, "an MPI program with functions as stages, made with takt::live")
      .offers_files()
      .type_name("PROGRAM")
      .group("Stages");
  line.option(
          "--input", choices.input,
          "a file whose lines are what the first stage gets; takt run takes them as they come from a FIFO, or - for "
          "standard input; of a folder it gets the names of files, as they appear")
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
