// takt journal: is the journal of a run whole, and what results are in it?
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
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
  bool failed = false;
  std::optional<std::uint64_t> first;
  std::optional<std::uint64_t> count;
};

void require_sense(const JournalCommandOptions& options) {
  if (options.file == "-") throw UsageError("found standard input, expected a file: the journal of a run");
  if (options.lines && !options.cat) throw UsageError("--lines goes with --cat");
  const bool extracts = options.folder || options.cat;
  if ((options.first || options.count) && !extracts) {
    throw UsageError("--first and --count go with --extract or --cat");
  }
  if (options.failed && options.cat)
    throw UsageError("--cat does not go with --failed: data sets that failed have no result");
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

std::string content_of(const JournalInput& journal, const JournalRecord& record) {
  std::string content(static_cast<std::size_t>(record.length), '\0');
  if (journal.read(record.offset, content) < content.size()) {
    throw FileError("the journal became shorter while it was read");
  }
  return content;
}

// Where the results that are asked for go, while the journal is read. From the first failure on they wait for the end:
// its data set may have a result further behind.
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

  // False if nothing more can be written.
  bool take(const JournalRecord& record) {
    if (options_.failed || !is_wanted(options_, record.number)) return true;
    if (record.kind == live::RecordKind::result && waiting_.empty()) return write(record);
    waiting_[record.number] = record;
    return true;
  }

  // The journal has been read.
  void finish(const JournalScan& scan) {
    if (options_.failed) {
      for (const auto& [number, record] : scan.failed) {
        if (options_.folder && is_wanted(options_, number)) write_input(record);
      }
    }
    for (const auto& [number, record] : waiting_) {
      if (record.kind != live::RecordKind::failure) {
        if (!write(record)) return;
      } else if (options_.cat && options_.lines) {
        streams_.out << '\n';
      }
    }
  }

 private:
  std::string path_of(std::uint64_t number) const {
    return (std::filesystem::path(*options_.folder) / fmt::format("{:08}", number)).string();
  }

  // What the stage got that failed.
  void write_input(const JournalRecord& record) {
    const auto failure = live::decode_failure(content_of(journal_, record));
    write_file(path_of(record.number), [&](std::ostream& file) {
      if (failure) file << failure->input;
    });
    ++written_;
  }

  bool write(const JournalRecord& record) {
    if (options_.folder) {
      write_file(path_of(record.number), [&](std::ostream& file) { copy_result(journal_, record, file); });
    } else if (options_.cat) {
      copy_result(journal_, record, streams_.out);
      if (options_.lines) streams_.out << '\n';
    } else {
      return true;
    }
    ++written_;
    return static_cast<bool>(streams_.out);
  }

  const JournalCommandOptions& options_;
  const JournalInput& journal_;
  Streams& streams_;
  std::uint64_t written_ = 0;
  std::map<std::uint64_t, JournalRecord> waiting_;  // from the first failure on, the last of each data set
};

std::string_view word_of(const JournalScan& scan) {
  if (scan.damage) return "damaged";
  return scan.torn > 0 ? "torn" : "whole";
}

std::string torn_words(const JournalScan& scan) {
  return fmt::format("{} at its end {} of a record that is not all there; the next run cuts {} off",
                     plural(scan.torn, "byte"), scan.torn == 1 ? "is" : "are", scan.torn == 1 ? "it" : "them");
}

// Journals of version 1 do not say.
void write_programs_json(tpn::JsonWriter& json, const JournalScan& scan) {
  if (scan.version < live::kJournalVersion) return;
  json.member("programs", scan.fingerprint->programs);
  json.key("program_changes");
  json.begin_array();
  for (const live::ProgramsChange& change : scan.changes) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("data_set", change.data_set);
    json.member("programs", change.programs);
    json.end();
  }
  json.end();
}

// Failures as they stand, in order.
void for_failures(const JournalInput& journal, const JournalScan& scan,
                  const std::function<void(std::uint64_t, const live::StageFailure&)>& tell) {
  for (const auto& [number, record] : scan.failed) {
    if (const auto failure = live::decode_failure(content_of(journal, record))) tell(number, *failure);
  }
}

void write_failures_json(tpn::JsonWriter& json, const JournalInput& journal, const JournalScan& scan) {
  json.key("failures");
  json.begin_array();
  for_failures(journal, scan, [&](std::uint64_t number, const live::StageFailure& failure) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("data_set", number);
    json.member("stage", failure.stage);
    json.member("words", failure.words);
    json.member("input_bytes", failure.input.size());
    json.end();
  });
  json.end();
}

// What is gone; nothing of a journal that is one file.
void write_segments_json(tpn::JsonWriter& json, const JournalScan& scan) {
  if (!scan.segment) return;
  json.member("segment_data_sets", scan.segment->data_sets);
  json.key("dropped_segments");
  json.begin_array();
  for (const live::DroppedSegments& gap : scan.dropped) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("from_data_set", gap.first);
    json.member("data_sets", gap.count);
    json.end();
  }
  json.end();
}

void write_json(const JournalCommandOptions& options, const JournalInput& journal, const JournalScan& scan,
                const ResultOutput& output, std::ostream& out) {
  JsonResults results(JsonResults::Form::object, out);
  tpn::JsonWriter& json = results.next();
  json.begin_object();
  json.member("file", options.file);
  json.member("state", word_of(scan));
  json.key("pipeline");
  scan.fingerprint ? json.value(scan.fingerprint->pipeline) : json.value(nullptr);
  write_programs_json(json, scan);
  json.member("data_sets", scan.records);
  write_segments_json(json, scan);
  json.member("failed", scan.failed.size());
  if (options.failed) write_failures_json(json, journal, scan);
  json.member("result_bytes", scan.result_bytes);
  json.member("torn_bytes", scan.torn);
  if (scan.damage) {
    json.key("damage");
    json.begin_object(tpn::JsonLayout::line);
    json.member("data_set", scan.damage->record);
    json.member("byte", scan.damage->offset);
    json.member("what", scan.damage->what);
    if (!scan.damage->file.empty()) json.member("segment_file", scan.damage->file);
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
  if (scan.segment) fmt::print(out, "  in segments of {}\n", plural(scan.segment->data_sets, "data set"));
  for (const live::DroppedSegments& gap : scan.dropped) {
    fmt::print(out, "  without {} to {}, whose segments are gone\n", gap.first, gap.first + gap.count - 1);
  }
  if (!scan.failed.empty()) {
    fmt::print(out, "  {} of them failed and {} no result; --failed says why\n", scan.failed.size(),
               scan.failed.size() == 1 ? "has" : "have");
  }
  if (scan.fingerprint) {
    fmt::print(out, "  of {}\n", tpn::visible(scan.fingerprint->pipeline, kShown));
    if (scan.version >= live::kJournalVersion) {
      fmt::print(out, "  run by {}\n", tpn::visible(scan.fingerprint->programs, kShown));
    }
  }
  for (const live::ProgramsChange& change : scan.changes) {
    fmt::print(out, "  from data set {} on by {}\n", change.data_set, tpn::visible(change.programs, kShown));
  }
  if (scan.torn > 0) fmt::print(out, "  {}\n", torn_words(scan));
  if (scan.damage) fmt::print(out, "  {}\n", live::damage_words(*scan.damage));
  if (options.folder) {
    fmt::print(out, "wrote {} into {}\n", plural(output.written(), "result"), tpn::visible(*options.folder));
  }
}

// A line for each data set without a result.
void write_failed(const JournalCommandOptions& options, const JournalInput& journal, const JournalScan& scan,
                  const ResultOutput& output, std::ostream& out) {
  constexpr std::size_t kShownWords = 500;
  fmt::print(out, "{}: {} of {} failed\n", display_name(options.file), scan.failed.size(),
             plural(scan.records, "data set"));
  for_failures(journal, scan, [&](std::uint64_t number, const live::StageFailure& failure) {
    fmt::print(out, "data set {}, stage {}: {} (input of {})\n", number, tpn::visible(failure.stage),
               tpn::visible(failure.words, kShownWords), plural(failure.input.size(), "byte"));
  });
  if (options.folder) {
    fmt::print(out, "wrote {} into {}\n", plural(output.written(), "input"), tpn::visible(*options.folder));
  }
}

// Standard output has the results alone.
void tell_of_cat(const JournalCommandOptions& options, const JournalScan& scan, Streams& streams) {
  if (scan.torn > 0) tell(streams, fmt::format("{}: {}", display_name(options.file), torn_words(scan)));
  if (scan.damage) tell(streams, fmt::format("{}: {}", display_name(options.file), live::damage_words(*scan.damage)));
  for (const live::DroppedSegments& gap : scan.dropped) {
    tell(streams, fmt::format("{}: {} to {} are not here: their segments are gone", display_name(options.file),
                              gap.first, gap.first + gap.count - 1));
  }
  const auto missing = std::ranges::count_if(scan.failed, [&](const auto& of) { return is_wanted(options, of.first); });
  if (missing == 0) return;
  tell(streams, fmt::format("{}: {} failed and {} no result here{}; --failed says why", display_name(options.file),
                            plural(static_cast<std::uint64_t>(missing), "data set"), missing == 1 ? "has" : "have",
                            options.lines ? ", but an empty line" : ""));
}

int read_journal(const JournalCommandOptions& options, Streams& streams) {
  require_sense(options);
  try {
    const JournalInput journal(options.file);
    ResultOutput output(options, journal, streams);
    const JournalScan scan = journal.scan([&](const JournalRecord& record) { return output.take(record); });
    output.finish(scan);
    if (options.cat) {
      tell_of_cat(options, scan, streams);
    } else if (options.json) {
      write_json(options, journal, scan, output, streams.out);
    } else if (options.failed) {
      write_failed(options, journal, scan, output, streams.out);
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
      line.option("--extract", options->folder, "write each result into a file in this folder, named by its data set")
          .check(output_name())
          .type_name("FOLDER");
  CommandOption cat = line.flag("--cat", options->cat, "write only the results to standard output");
  cat.excludes(json);
  cat.excludes(folder);
  line.flag("--lines", options->lines, "with --cat: write a line feed after each result, for records that are lines");
  line.flag(
          "--failed", options->failed,
          "list the data sets that failed: number, stage, message; with --extract, write the bytes that the stage got")
      .excludes(cat);
  line.option("--first", options->first, "start at this data set; default: 0").check(whole_number()).type_name("A");
  line.option("--count", options->count, "stop after N data sets; default: no limit")
      .check(positive_integer())
      .type_name("N");
  line.footer(
      "takt reads the whole journal and verifies each checksum. An incomplete last record comes from a run that broke\n"
      "off, and is no error. A data set that failed has no result: --cat leaves it out (with --lines: writes an empty\n"
      "line) and says so on standard error; --extract writes no file.\n"
      "Exit status: 0 right, 1 damaged (takt reports and extracts what is before the damage), 3 no journal.\n"
      "\n"
      "Examples:\n"
      "  takt journal examples/greetings.journal\n"
      "  takt journal examples/greetings.journal --cat --lines --first 1");
  return [options](Streams& streams) { return read_journal(*options, streams); };
}

}  // namespace takt::tools
