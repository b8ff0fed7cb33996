// Square sparse matrices in NIST's Matrix Market form: entry i j w is an arc from i to j.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "tools/cycle_ratio/graph_builder.hpp"
#include "tools/cycle_ratio/graph_lines.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

constexpr std::string_view kBanner = "%%matrixmarket";

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return result;
}

class MatrixReader : GraphLineReader {
 public:
  MatrixReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : GraphLineReader(text, path, is_over) {}

  RatioGraph read() {
    std::size_t start = words_.cut(text_, 0, '\0');
    read_banner();
    while (start < text_.size()) {
      ++line_;
      start = words_.cut(text_, start, '%');
      if (words_.size() == 0) continue;
      if (is_sized_) {
        read_entry();
      } else {
        read_size();
      }
    }
    if (!is_sized_) fail_at(path_, {}, "no line with the size", "ROWS COLUMNS ENTRIES");
    if (read_ != entries_) {
      fail_at(path_, {}, fmt::format("{} entries", read_), fmt::format("the {} that the size says", entries_));
    }
    return std::move(builder_.graph());
  }

 private:
  void read_banner() {
    constexpr const char* kExpected = "%%MatrixMarket matrix coordinate integer (or real) general (or symmetric)";
    constexpr std::size_t kWords = 5;
    if (words_.size() != kWords) fail_at(path_, {1, 1}, plural(words_.size(), "word"), kExpected);
    const auto require = [&](std::size_t word, std::initializer_list<std::string_view> known) {
      std::string text = lower_case(words_[word].text);
      if (std::ranges::find(known, text) == known.end()) fail(words_[word], kExpected);
      return text;
    };
    require(1, {"matrix"});
    require(2, {"coordinate"});
    require(3, {"integer", "real"});
    const std::string symmetry = require(4, {"general", "symmetric", "skew-symmetric"});
    is_mirrored_ = symmetry != "general";
    is_skew_ = symmetry == "skew-symmetric";
  }

  void read_size() {
    constexpr std::size_t kWords = 3;
    if (words_.size() != kWords) fail_line("ROWS COLUMNS ENTRIES");
    size_ = whole(words_[0]);
    if (whole(words_[1]) != size_) fail(words_[1], fmt::format("as many columns as rows, {}", size_));
    entries_ = whole(words_[2]);
    is_sized_ = true;
  }

  void read_entry() {
    constexpr std::size_t kWords = 3;
    if (words_.size() != kWords) fail_line("ROW COLUMN WEIGHT");
    const std::size_t from = numbered_vertex(words_[0], size_, "an index");
    const std::size_t to = numbered_vertex(words_[1], size_, "an index");
    const std::string_view weight = words_[2].text;
    if (const auto expected = builder_.add(from, to, weight, kUnsaidTokens)) fail(words_[2], *expected);
    ++read_;
    if (!is_mirrored_ || from == to) return;
    const std::string mirrored = !is_skew_                 ? std::string(weight)
                                 : weight.starts_with('-') ? std::string(weight.substr(1))
                                                           : "-" + std::string(weight);
    builder_.add(to, from, mirrored, kUnsaidTokens);
  }

  std::uint64_t whole(const GraphWord& word) const {
    const auto number = read_tokens(word.text);
    if (!number) fail(word, "a whole number");
    return *number;
  }

  [[noreturn]] void fail_line(const std::string& expected) const {
    fail_at(path_, {line_, words_[0].column}, plural(words_.size(), "word"), expected);
  }

  GraphLine words_;
  bool is_sized_ = false;
  bool is_mirrored_ = false;
  bool is_skew_ = false;
  std::uint64_t size_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t read_ = 0;
};

}  // namespace

bool is_matrix_market(std::string_view text) { return lower_case(text.substr(0, kBanner.size())) == kBanner; }

RatioGraph read_matrix_market(std::string_view text, const std::string& path, const std::function<bool()>& is_over) {
  require_text(text, path);
  return MatrixReader(text, path, is_over).read();
}

}  // namespace takt::tools
