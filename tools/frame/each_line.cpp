// Threads take chunks of lines from a counter; the calling one prints them in order.
#include "tools/frame/each_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <ostream>
#include <span>
#include <thread>
#include <utility>

#include "tools/files/signals.hpp"
#include "tools/frame/options.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

// Lines that a thread takes at a time.
constexpr std::size_t kChunk = 16;

struct LineChunk {
  std::span<const TextLine> lines;
  LineOutput output;
  std::size_t interrupted_at = 0;  // the first line that has no answer, or 0
  std::exception_ptr bug;
  bool is_done = false;
};

void answer(LineChunk& chunk, const LineAnswerer& answerer, const std::string& file) {
  const std::string name = display_name(file);
  for (const TextLine& line : chunk.lines) {
    const LineOutput::Mark before = chunk.output.mark();
    const auto failure = failure_of(fmt::format("{}:{}", name, line.number), [&] { answerer(line, chunk.output); });
    if (interruption() || failure) chunk.output.take_back(before);
    if (interruption()) {
      chunk.interrupted_at = line.number;
      return;
    }
    if (failure) chunk.output.add_failure(file, line.number, *failure);
  }
}

class LinesRun {
 public:
  LinesRun(const std::string& file, std::vector<LineAnswerer> answerers, Streams& streams)
      : file_(file), answerers_(std::move(answerers)), streams_(streams) {}

  int run() {
    ByteSource source(file_, streams_);
    LineBlocks blocks(source);
    while (goes_on()) {
      const std::vector<TextLine>& lines = blocks.next();
      if (lines.empty()) break;
      answer_block(lines);
    }
    tell_failures();
    return total_.status();
  }

 private:
  bool goes_on() const { return interrupted_at_ == 0 && streams_.out.good(); }

  void answer_block(std::span<const TextLine> lines) {
    const InterruptibleSearch interruptible;
    std::vector<LineChunk> chunks((lines.size() + kChunk - 1) / kChunk);
    for (std::size_t k = 0; k < chunks.size(); ++k) {
      const std::size_t first = k * kChunk;
      chunks[k].lines = lines.subspan(first, std::min(kChunk, lines.size() - first));
    }
    if (answerers_.size() == 1 || chunks.size() == 1) {
      for (LineChunk& chunk : chunks) {
        if (!goes_on()) return;
        answer(chunk, answerers_.front(), file_);
        print(chunk);
      }
    } else {
      share(chunks);
    }
  }

  void share(std::vector<LineChunk>& chunks) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::condition_variable done;
    const auto work = [&](const LineAnswerer& answerer) {
      for (std::size_t k = next++; k < chunks.size(); k = next++) {
        try {
          answer(chunks[k], answerer, file_);
        } catch (...) {
          chunks[k].bug = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        chunks[k].is_done = true;
        done.notify_one();
      }
    };
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < std::min(answerers_.size(), chunks.size()); ++t) {
      threads.emplace_back([&work, &answerer = answerers_[t]] { work(answerer); });
    }
    std::exception_ptr bug;
    for (LineChunk& chunk : chunks) {
      {
        std::unique_lock lock(mutex);
        done.wait(lock, [&] { return chunk.is_done; });
      }
      bug = chunk.bug;
      if (!bug) print(chunk);
      if (bug || !goes_on()) break;
    }
    next = chunks.size();  // nobody takes a further one
    threads.clear();
    if (bug) std::rethrow_exception(bug);
  }

  void print(LineChunk& chunk) {
    std::string& text = chunk.output.text();
    streams_.out.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
    total_.add_counts(chunk.output);
    answered_ += chunk.lines.size();
    interrupted_at_ = chunk.interrupted_at;
    text = {};
  }

  void tell_failures() {
    const std::string name = display_name(file_);
    if (interrupted_at_ != 0) {
      total_.worsen(kLimit);
      tell(streams_, fmt::format("{}: it was interrupted: no results from line {} on", name, interrupted_at_));
    }
    if (total_.failures() == 0) return;
    const bool has_one_document =
        total_.failures() == answered_ && total_.first_failure().find("found the end of the line") != std::string::npos;
    tell(streams_, fmt::format("{}: {} of {} documents without an answer, the first: {}{}", name, total_.failures(),
                               answered_, total_.first_failure(),
                               has_one_document ? "; a file with one document goes without --lines" : ""));
  }

  const std::string& file_;
  std::vector<LineAnswerer> answerers_;
  Streams& streams_;
  LineOutput total_;
  std::size_t answered_ = 0;
  std::size_t interrupted_at_ = 0;
};

}  // namespace

void add_lines_options(CommandLine& line, LinesChoice& choice) {
  line.flag("--lines", choice.lines,
            "JSON Lines: FILE has one document per line; print one result, or error, per line, in order");
  line.option("--jobs", choice.jobs, "with --lines: number of threads, with no effect on the output; default: 1")
      .check(positive_integer())
      .type_name("N");
}

void require_consistent(const LinesChoice& choice, const std::vector<std::string>& files) {
  if (!choice.lines && choice.jobs != 1) throw UsageError("--jobs goes with --lines");
  if (choice.lines && files.size() != 1) {
    throw UsageError(fmt::format("--lines: found {} files, expected one, or - for standard input", files.size()));
  }
  constexpr std::uint64_t kMostJobs = 1024;
  if (choice.jobs > kMostJobs) {
    throw UsageError(fmt::format("--jobs: found {}, expected at most {}", choice.jobs, kMostJobs));
  }
}

void LineOutput::add_failure(const std::string& file, std::size_t line, const FileFailure& failure,
                             const tpn::Model* model) {
  tpn::JsonWriter json(text_, tpn::IllFormed::replaced);
  json.begin_object(tpn::JsonLayout::compact);
  json.member("file", file);
  json.member("line", line);
  if (model != nullptr) tpn::write_model(json, *model);
  json.member(failure.status == kLimit ? "limit" : "error", failure.message);
  json.end();
  text_ += '\n';
  worsen(failure.status);
  if (failures_++ == 0) first_failure_ = failure.message;
}

void LineOutput::take_back(const Mark& mark) {
  text_.resize(mark.size);
  status_ = mark.status;
  failures_ = mark.failures;
}

void LineOutput::add_counts(const LineOutput& next) {
  worsen(next.status_);
  if (failures_ == 0) first_failure_ = next.first_failure_;
  failures_ += next.failures_;
}

int answer_lines(const std::string& file, std::uint64_t jobs, const std::function<LineAnswerer()>& make_answerer,
                 Streams& streams) {
  std::vector<LineAnswerer> answerers;
  for (std::uint64_t k = 0; k < jobs; ++k) answerers.push_back(make_answerer());
  return LinesRun(file, std::move(answerers), streams).run();
}

}  // namespace takt::tools
