// Stages that do what their input says: throw, exit, crash, hang, or hand it on.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "live/pipeline.hpp"

namespace {

void obey(takt::live::Packet& packet) {
  const std::string& word = packet.bytes;
  if (word == "throw") throw std::runtime_error("no more\nof this");
  if (word == "throw a number") throw 42;
  if (word == "exit") std::exit(0);
  if (word == "crash") std::raise(SIGSEGV);
  if (word == "abort") std::abort();
  while (word == "hang") pause();
  packet.bytes += '!';
}

void pass(takt::live::Packet& packet) {
  // Nobody minds what a stage makes of the number.
  packet.data_set = 77;
}

}  // namespace

int main(int argc, char** argv) { return takt::live::run(argc, argv, {{"first", pass}, {"second", obey}}); }
