// Files in and out, "-" for standard input; instances read and folded for the commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command.hpp"
#include "tpn/document.hpp"
#include "tpn/errors.hpp"

namespace takt::tools {

/// The whole text of a file or, for "-", of `streams.in`. Throws FileError.
std::string read_text(const std::string& path, Streams& streams);

/// The same of the document that what follows is about: Streams::document.
std::string read_document_text(const std::string& path, Streams& streams);

/// What is wrong with a document, with its file's name before it if it has no place yet; the name may be empty.
tpn::InvalidInstance placed(const tpn::InvalidInstance& error, const std::string& name);

/// A file or, for "-", `streams.in`, as pieces of text while they come. Throws FileError.
class ByteSource {
 public:
  /// The streams must outlive it.
  ByteSource(const std::string& path, Streams& streams);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  /// Waits for some bytes, at most `size`, and puts them there; how many, 0 at the end.
  std::size_t read(char* to, std::size_t size);

 private:
  std::string path_;
  Streams& streams_;
  int descriptor_ = -1;  // none for a stream of a program that calls this one in-process
};

/// Throws FileError if a file of that path could not be written, before what is to be written costs time.
void require_writable(const std::string& path);

/// That an option's file, if it names one, can be written beside a result on standard output: it is not "-" (else
/// UsageError), none of the inputs, and writable (else FileError).
void require_beside_result(std::string_view option, const std::string& path, const std::vector<std::string>& inputs);

/// Writes a file whole; nothing is left behind where that fails. Throws FileError.
void write_file(const std::string& path, std::string_view text);

/// The same for what `write` puts into the stream it is given.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

/// What a command made: into the file, and "wrote PATH: WHAT" on standard output; without a path, onto that itself.
void hand_out(Streams& streams, const std::string& path, std::string_view what,
              const std::function<void(std::ostream&)>& write);

/// The document of a file, which must have a mapping. Throws FileError, tpn::ParseError or
/// tpn::InvalidInstance.
tpn::Document read_instance(const std::string& path, Streams& streams);
/// The same of a text that was read from there: all of it, or the line of that number, from 1.
tpn::Document parse_instance(std::string_view text, const std::string& path,
                             std::optional<std::size_t> line = std::nullopt);
/// Throws tpn::InvalidInstance, which names the file, where a document that was read from there has no mapping.
void require_mapping(const tpn::Document& document, const std::string& path,
                     std::optional<std::size_t> line = std::nullopt);

/// The document of a file. A catalogue, whose types must all have a count, has that many processors of each then, at
/// most kMostCatalogued of all. Throws as read_instance.
tpn::Document read_problem(const std::string& path, Streams& streams);
inline constexpr std::uint64_t kMostCatalogued = 100'000;

/// Throws FileError if an output is an input, or two outputs are one file, by whatever names and links; standard
/// input, "-", may be a file as well. Outputs need not exist.
void require_apart(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

/// Throws UsageError if "-", standard input, is named more than once.
void require_one_stdin(const std::vector<std::string>& files);

/// The name of an input for people: the path as tpn::visible shows it, or "standard input".
std::string display_name(const std::string& path);

/// An input as a word of a command line that can be typed: quoted where a shell would read it otherwise.
std::string shell_word(const std::string& file);

}  // namespace takt::tools
