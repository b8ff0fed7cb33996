// Loads the shared object whose path is given, and asks it for a period; it knows nothing else of takt.
#include <dlfcn.h>

#include <array>
#include <cstdio>

int main(int argc, char** argv) {
  using Period = bool (*)(const char*, char*, std::size_t);
  void* library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  if (library == nullptr) {
    std::fputs(argc == 2 ? dlerror() : "usage: main LIBRARY", stderr);
    return 2;
  }
  const auto period = reinterpret_cast<Period>(dlsym(library, "takt_period"));
  std::array<char, 64> answer{};
  // The sender is busy for (2 + 4 + 2 + 6) / 2 = 7 time units per data set.
  const bool is_answered = period != nullptr && period(R"({
        "application": {"stages": [{"name": "split"}, {"name": "work"}]},
        "platform": {
          "processors": [{"name": "P0", "time": 2}, {"name": "P1", "time": 5}, {"name": "P2", "time": "7/2"}],
          "links": [{"from": "P0", "to": "P1", "time": 4}, {"from": "P0", "to": "P2", "time": 6}]
        },
        "mapping": [{"stages": ["split"], "processors": ["P0"]}, {"stages": ["work"], "processors": ["P1", "P2"]}]
      })",
                                                       answer.data(), answer.size());
  std::printf("%s\n", is_answered ? answer.data() : "no answer");
  return 0;
}
