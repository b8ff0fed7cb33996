// Files, tidied and compressed: four stages for takt run. Each puts its result in place of its input and keeps nothing,
// so that a data set can be computed again.
#include <zlib.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <takt/live/pipeline.hpp>

namespace {

using takt::live::Packet;

constexpr int kGzip = 15 + 16;  // zlib's word for a window of 2^15 bytes in a gzip file

Bytef* bytes_of(std::string& text) { return reinterpret_cast<Bytef*>(text.data()); }

// From the name of a file, a line of --input, to what is in it.
void read_file(Packet& packet) {
  std::ifstream file(packet.bytes, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read '" + packet.bytes + "', a line of --input");
  packet.bytes.assign(std::istreambuf_iterator<char>(file), {});
}

// No blanks at the ends of lines.
void tidy_lines(Packet& packet) {
  std::istringstream lines(packet.bytes);
  std::string tidied;
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    tidied += line + '\n';
  }
  packet.bytes = tidied;
}

void compress_bytes(Packet& packet) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib cannot begin");
  }
  std::string compressed(deflateBound(&stream, packet.bytes.size()), '\0');
  stream.next_in = bytes_of(packet.bytes);
  stream.avail_in = static_cast<uInt>(packet.bytes.size());
  stream.next_out = bytes_of(compressed);
  stream.avail_out = static_cast<uInt>(compressed.size());
  const bool is_whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  compressed.resize(stream.total_out);
  deflateEnd(&stream);
  if (!is_whole) throw std::runtime_error("zlib did not compress all of it");
  packet.bytes = compressed;
}

// Unpacks it again: zlib holds length and checksum against those in the file. What goes on is the file as it came.
void verify_file(Packet& packet) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzip) != Z_OK) throw std::runtime_error("zlib cannot begin");
  std::string unpacked(1 << 16, '\0');
  stream.next_in = bytes_of(packet.bytes);
  stream.avail_in = static_cast<uInt>(packet.bytes.size());
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = bytes_of(unpacked);
    stream.avail_out = static_cast<uInt>(unpacked.size());
    state = inflate(&stream, Z_NO_FLUSH);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || stream.avail_in > 0) throw std::runtime_error("what was compressed is damaged");
}

}  // namespace

int main(int argc, char** argv) {
  return takt::live::run(
      argc, argv, {{"read", read_file}, {"tidy", tidy_lines}, {"compress", compress_bytes}, {"verify", verify_file}});
}
