// Long calls: other Python threads go on meanwhile, and Ctrl-C ends them.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <future>
#include <type_traits>
#include <utility>

#include "tools/files/signals.hpp"

namespace takt::python {

/// Called, with the interpreter's lock, every few times a second while a call goes on: whether Python has a signal to
/// answer. Its exception is then set.
bool has_signal();

/// What `call` returns or throws. It runs in a thread of its own without the interpreter's lock, so it must not touch
/// Python; on Ctrl-C its searches are interrupted, and Python's exception comes in place of what they found.
template <typename Call>
std::invoke_result_t<Call> interruptibly(Call&& call) {
  std::atomic<bool> request = false;
  const pybind11::gil_scoped_release others_go_on;
  auto running = std::async(std::launch::async, [&] {
    const tools::InterruptedBy heard(request);
    return std::forward<Call>(call)();
  });
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  while (running.wait_for(kBetweenLooks) != std::future_status::ready) {
    if (request) continue;
    const pybind11::gil_scoped_acquire here;
    request = has_signal();
  }
  if (request) {
    running.wait();
    const pybind11::gil_scoped_acquire here;
    throw pybind11::error_already_set();
  }
  return running.get();
}

}  // namespace takt::python
