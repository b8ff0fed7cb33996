// A stack on which recursion as deep as an input is long ends the program, though the input be of moderate length.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <exception>
#include <functional>

namespace takt::support {

/// Runs it in a thread with a stack of 256 KiB, and throws what it throws.
inline void on_small_stack(const std::function<void()>& run) {
  struct Task {
    const std::function<void()>& run;
    std::exception_ptr thrown;
  } task{run, nullptr};
  const auto start = [](void* argument) -> void* {
    Task& given = *static_cast<Task*>(argument);
    try {
      given.run();
    } catch (...) {
      given.thrown = std::current_exception();
    }
    return nullptr;
  };
  constexpr std::size_t kStack = 256 * 1024;
  pthread_attr_t attributes;
  pthread_t thread{};
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  const int failed = pthread_create(&thread, &attributes, start, &task);
  pthread_attr_destroy(&attributes);
  if (failed != 0) std::terminate();
  pthread_join(thread, nullptr);
  if (task.thrown) std::rethrow_exception(task.thrown);
}

}  // namespace takt::support
