// Datagrams over a pair of sockets; descriptors go with the request that wants them.
#include "live/process/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

#include "live/process/keeper_messages.hpp"
#include "maxplus/deadline.hpp"

namespace takt::live {

namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

bool is_program(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// Where the shell would find a program; empty if there is none.
std::string path_of(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(candidate)) return candidate;
  }
  return "";
}

}  // namespace

std::vector<std::string> plain_words(const std::string& command) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./- ";
  // Programs that shells do themselves, in their own way.
  constexpr std::array<std::string_view, 8> kOfShells = {"echo", "printf", "test", "kill",
                                                         "pwd",  "time",   "true", "false"};
  if (command.find_first_not_of(kPlain) != std::string::npos) return {};
  std::vector<std::string> words;
  std::istringstream text(command);
  for (std::string word; text >> word;) words.push_back(std::move(word));
  if (words.empty() || std::ranges::find(kOfShells, words.front()) != kOfShells.end()) return {};
  words.front() = path_of(words.front());
  if (words.front().empty()) return {};
  return words;
}

Keeper::Keeper() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
  // Out of the way of standard streams that are closed.
  for (int& end : ends) {
    if (end > STDERR_FILENO) continue;
    const int high = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (high < 0) fail("fcntl");
    close(end);
    end = high;
  }
  socket_ = OwnedDescriptor(ends[0]);
  OwnedDescriptor theirs(ends[1]);
  const pid_t group = getpgrp() == getpid() ? getpid() : 0;
  keeper_ = fork();
  if (keeper_ < 0) fail("fork");
  if (keeper_ > 0) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return;
  }
  socket_.reset();
  keep_programs(theirs.number(), group);
  _exit(0);
}

Keeper::~Keeper() {
  try {
    send({KeeperOrder::farewell, 0, {}});
  } catch (const std::system_error&) {
    // It is gone already.
  }
  socket_.reset();
  while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Keeper::has_ended() const {
  pollfd end{socket_.number(), 0, 0};
  return poll(&end, 1, 0) > 0;
}

void Keeper::fail_without_keeper() {
  end_descendants();
  throw std::system_error(ESRCH, std::generic_category(), "the keeper of programs has ended");
}

// Descriptors go with it if there are any.
void Keeper::send(const KeeperRequest& request, const ChildStreams* streams) {
  std::string bytes = encode(request);
  iovec piece{bytes.data(), bytes.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  const std::array<int, 3> descriptors =
      streams == nullptr ? std::array<int, 3>{} : std::array<int, 3>{streams->in, streams->out, streams->err};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptors)> control{};
  if (streams != nullptr) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptors);
    std::memcpy(CMSG_DATA(head), descriptors.data(), sizeof descriptors);
  }
  while (sendmsg(socket_.number(), &message, MSG_NOSIGNAL) < 0) {
    if (errno == EPIPE || errno == ECONNRESET) fail_without_keeper();
    if (errno != EINTR) fail("the keeper of programs");
  }
}

std::uint64_t Keeper::start(const std::string& command, const std::vector<std::string>& variables,
                            const ChildStreams& streams) {
  const std::uint64_t number = next_++;
  KeeperRequest request{KeeperOrder::start, number, {command}};
  request.texts.insert(request.texts.end(), variables.begin(), variables.end());
  processes_[number] = {};
  send(request, &streams);
  while (processes_[number].id < 0) hear(true);
  return number;
}

// One answer, if there is one; false if there is none.
bool Keeper::hear(bool waits) {
  KeeperAnswer answer;
  const ssize_t count = recv(socket_.number(), &answer, sizeof answer, waits ? 0 : MSG_DONTWAIT);
  if (count < 0 && errno == EINTR) return true;
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
  if (count != sizeof answer) fail_without_keeper();
  const auto process = processes_.find(answer.number);
  if (process == processes_.end()) return true;
  switch (answer.news) {
    case KeeperNews::started:
      process->second.id = static_cast<pid_t>(answer.value);
      break;
    case KeeperNews::failed:
      processes_.erase(process);
      throw std::system_error(static_cast<int>(answer.value), std::generic_category(), "fork");
    case KeeperNews::ended:
      process->second.end = {static_cast<int>(answer.value),
                             {std::chrono::nanoseconds(answer.processor), std::nullopt}};
      if (answer.waiting >= 0) process->second.end->core.waiting = std::chrono::nanoseconds(answer.waiting);
      break;
  }
  return true;
}

void Keeper::hear_all() {
  while (hear(false)) {
  }
}

std::optional<KeptEnd> Keeper::end_of(std::uint64_t number, std::chrono::milliseconds patience) {
  const auto until = maxplus::SearchClock::now() + patience;
  hear_all();
  while (!processes_.at(number).end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - maxplus::SearchClock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd answer{socket_.number(), POLLIN, 0};
    poll(&answer, 1, static_cast<int>(std::min<std::chrono::milliseconds::rep>(left.count(), 1'000'000)));
    hear_all();
  }
  return processes_.at(number).end;
}

KeptEnd Keeper::end(std::uint64_t number) {
  hear_all();
  if (!processes_.at(number).end) {
    send({KeeperOrder::end, number, {}});
    while (!processes_.at(number).end) hear(true);
  }
  return *processes_.extract(number).mapped().end;
}

void Keeper::remove_at_end(const std::string& folder) { send({KeeperOrder::folder, 0, {folder}}); }

}  // namespace takt::live
