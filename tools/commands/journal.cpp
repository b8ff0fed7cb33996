// takt journal: is the journal of a run whole, and what results are in it?
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "live/process/journal_file.hpp"
#include "tools/files/files.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

using live::JournalInput;
using live::JournalRecord;
using live::JournalScan;

struct JournalCommandOptions {
  std::string file;
  bool json = false;
  std::optional<std::string> folder;
  bool cat = false;
  bool lines = false;
  std::optional<std::uint64_t> first;
  std::optional<std::uint64_t> count;
};

void require_sense(const JournalCommandOptions& options) {
  if (options.file == "-") throw UsageError("found standard input, expected a file: the journal of a run");
  if (options.lines && !options.cat) throw UsageError("--lines goes with --cat");
  const bool extracts = options.folder || options.cat;
  if ((options.first || options.count) && !extracts) {
    throw UsageError("--first and --count say what is extracted; they go with --extract or --cat");
  }
}

bool is_wanted(const JournalCommandOptions& options, std::uint64_t number) {
  const std::uint64_t first = options.first.value_or(0);
  return number >= first && number - first < options.count.value_or(std::numeric_limits<std::uint64_t>::max());
}

// The scan has verified what is copied here.
void copy_result(const JournalInput& journal, const JournalRecord& record, std::ostream& out) {
  std::vector<char> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(record.length, 1 << 18)));
  for (std::uint64_t done = 0; done < record.length && out;) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), record.length - done));
    if (journal.read(record.offset + done, std::span(buffer).first(size)) < size) {
      throw FileError("the journal became shorter while it was read");
    }
    out.write(buffer.data(), static_cast<std::streamsize>(size));
    done += size;
  }
}

// Where the results that are asked for go, while the journal is read.
class ResultOutput {
 public:
  ResultOutput(const JournalCommandOptions& options, const JournalInput& journal, Streams& streams)
      : options_(options), journal_(journal), streams_(streams) {
    if (!options.folder) return;
    std::error_code error;
    std::filesystem::create_directories(*options.folder, error);
    if (error) throw FileError(fmt::format("{}: cannot be made: {}", *options.folder, error.message()));
  }

  std::uint64_t written() const { return written_; }

  // False where nothing more can be written.
  bool take(const JournalRecord& record) {
    if (!is_wanted(options_, record.number)) return true;
    if (options_.folder) {
      const std::filesystem::path path = std::filesystem::path(*options_.folder) / fmt::format("{:08}", record.number);
      write_file(path.string(), [&](std::ostream& file) { copy_result(journal_, record, file); });
    } else if (options_.cat) {
      copy_result(journal_, record, streams_.out);
      if (options_.lines) streams_.out << '\n';
    } else {
      return true;
    }
    ++written_;
    return static_cast<bool>(streams_.out);
  }

 private:
  const JournalCommandOptions& options_;
  const JournalInput& journal_;
  Streams& streams_;
  std::uint64_t written_ = 0;
};

std::string_view word_of(const JournalScan& scan) {
  if (scan.damage) return "damaged";
  return scan.torn > 0 ? "torn" : "whole";
}

std::string torn_words(const JournalScan& scan) {
  return fmt::format("{} at its end {} of a record that is not all there; the next run cuts {} off",
                     plural(scan.torn, "byte"), scan.torn == 1 ? "is" : "are", scan.torn == 1 ? "it" : "them");
}

void write_json(const JournalCommandOptions& options, const JournalScan& scan, const ResultOutput& output,
                std::ostream& out) {
  JsonResults results(JsonResults::Form::object, out);
  tpn::JsonWriter& json = results.next();
  json.begin_object();
  json.member("file", options.file);
  json.member("state", word_of(scan));
  json.member("pipeline", scan.fingerprint);
  json.member("data_sets", scan.records);
  json.member("result_bytes", scan.result_bytes);
  json.member("torn_bytes", scan.torn);
  if (scan.damage) {
    json.key("damage");
    json.begin_object(tpn::JsonLayout::line);
    json.member("data_set", scan.damage->record);
    json.member("byte", scan.damage->offset);
    json.member("what", scan.damage->what);
    json.end();
  }
  if (options.folder) {
    json.member("folder", *options.folder);
    json.member("extracted", output.written());
  }
  json.end();
  results.finish();
}

void write_text(const JournalCommandOptions& options, const JournalScan& scan, const ResultOutput& output,
                std::ostream& out) {
  constexpr std::size_t kShown = 300;
  const std::string range = scan.records > 0 ? fmt::format(", 0 to {},", scan.records - 1) : "";
  fmt::print(out, "{}: {} in order{} with {} of results\n", display_name(options.file),
             plural(scan.records, "data set"), range, plural(scan.result_bytes, "byte"));
  if (scan.fingerprint) fmt::print(out, "  of {}\n", tpn::visible(*scan.fingerprint, kShown));
  if (scan.torn > 0) fmt::print(out, "  {}\n", torn_words(scan));
  if (scan.damage) fmt::print(out, "  {}\n", live::damage_words(*scan.damage));
  if (options.folder) {
    fmt::print(out, "wrote {} into {}\n", plural(output.written(), "result"), tpn::visible(*options.folder));
  }
}

// Standard output has the results alone.
void tell_of_cat(const JournalCommandOptions& options, const JournalScan& scan, Streams& streams) {
  if (scan.torn > 0) tell(streams, fmt::format("{}: {}", display_name(options.file), torn_words(scan)));
  if (scan.damage) tell(streams, fmt::format("{}: {}", display_name(options.file), live::damage_words(*scan.damage)));
}

int read_journal(const JournalCommandOptions& options, Streams& streams) {
  require_sense(options);
  try {
    const JournalInput journal(options.file);
    ResultOutput output(options, journal, streams);
    const JournalScan scan = journal.scan([&](const JournalRecord& record) { return output.take(record); });
    if (options.cat) {
      tell_of_cat(options, scan, streams);
    } else if (options.json) {
      write_json(options, scan, output, streams.out);
    } else {
      write_text(options, scan, output, streams.out);
    }
    return scan.damage ? kNo : kAnswered;
  } catch (const live::JournalError& error) {
    throw FileError(error.what());
  }
}

}  // namespace

Action define_journal(CommandLine& line) {
  auto options = std::make_shared<JournalCommandOptions>();
  line.positional("FILE", options->file, "the journal of a run (takt run --journal)");
  CommandOption json = line.flag("--json", options->json, "print JSON: an object");
  CommandOption folder =
      line.option("--extract", options->folder, "write each result into a file of this folder, named by its data set")
          .check(output_name())
          .type_name("FOLDER");
  CommandOption cat = line.flag("--cat", options->cat, "write the results to standard output, and nothing else");
  cat.excludes(json);
  cat.excludes(folder);
  line.flag("--lines", options->lines, "with --cat: a line feed behind each result, for records that are lines");
  line.option("--first", options->first, "extract from this data set on; default: 0")
      .check(whole_number())
      .type_name("A");
  line.option("--count", options->count, "extract at most N data sets").check(positive_integer()).type_name("N");
  line.footer(
      "Reads all of the journal and verifies each checksum. A record at the end that is not all there comes from a "
      "run\n"
      "that broke off, and is no mistake. Exit status: 0 right, 1 damaged (what is before the damage is told and\n"
      "extracted all the same), 3 no journal.\n"
      "\n"
      "Examples:\n"
      "  takt journal examples/greetings.journal\n"
      "  takt journal examples/greetings.journal --cat --lines --first 1");
  return [options](Streams& streams) { return read_journal(*options, streams); };
}

}  // namespace takt::tools
