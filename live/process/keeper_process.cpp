// One thread that waits for orders and for the ends of its children, and the sweep at its own end.
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "live/process/core_time.hpp"
#include "live/process/keeper.hpp"
#include "live/process/keeper_messages.hpp"

namespace takt::live {

namespace {

constexpr const char* kKeeperName = "takt-keeper";
constexpr std::size_t kMostRequest = std::size_t{1} << 18;

// Parents of all processes, as /proc shows them now.
std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  constexpr std::size_t kMostStat = 4096;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (std::isdigit(static_cast<unsigned char>(name.front())) == 0) continue;
    // A process that ends meanwhile is an error of reading.
    std::ifstream file(entry->path() / "stat", std::ios::binary);
    std::string text(kMostStat, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    // "17 (any name) S 4 ...": the state and the parent stand behind the last parenthesis.
    const std::size_t close = text.rfind(") ");
    if (close == std::string::npos) continue;
    const long parent = std::strtol(text.c_str() + std::min(close + 4, text.size()), nullptr, 10);
    children.emplace(static_cast<pid_t>(parent), static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10)));
  }
  return children;
}

// Each parent before its children.
std::vector<pid_t> descendants_of(pid_t root) {
  const std::multimap<pid_t, pid_t> children = children_by_parent();
  std::vector<pid_t> all = {root};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto [first, last] = children.equal_range(all[k]);
    for (auto child = first; child != last; ++child) all.push_back(child->second);
  }
  all.erase(all.begin());
  return all;
}

bool is_keeper(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/comm", std::ios::binary);
  std::string name;
  return std::getline(file, name) && name == kKeeperName;
}

std::int64_t nanoseconds_of(const timeval& time) { return time.tv_sec * 1'000'000'000LL + time.tv_usec * 1'000LL; }

// Shell words, or the shell itself.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words = plain_words(command);
  if (words.empty()) words = {"/bin/sh", "-c", command};
  return words;
}

class KeeperProcess {
 public:
  KeeperProcess(int socket, int signals, pid_t group) : socket_(socket), signals_(signals), group_(group) {}

  void run() {
    while (!is_over_) {
      std::array<pollfd, 2> ends = {pollfd{socket_, POLLIN, 0}, pollfd{signals_, POLLIN, 0}};
      if (poll(ends.data(), ends.size(), -1) < 0) continue;
      if (ends[1].revents != 0) take_signal();
      if (ends[0].revents != 0) take_order();
    }
    end_all();
  }

 private:
  void take_signal() {
    signalfd_siginfo signal{};
    if (read(signals_, &signal, sizeof signal) != sizeof signal) return;
    if (signal.ssi_signo != SIGCHLD) is_over_ = true;
    reap();
  }

  void reap() {
    for (;;) {
      // Its number stays taken until its group has been killed.
      siginfo_t found{};
      if (waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT) != 0 || found.si_pid == 0) return;
      const auto kept = running_.find(found.si_pid);
      if (kept != running_.end()) kill(-found.si_pid, SIGKILL);
      const auto waiting = waiting_of(found.si_pid);
      int status = 0;
      rusage usage{};
      if (wait4(found.si_pid, &status, 0, &usage) != found.si_pid || kept == running_.end()) continue;
      tell({KeeperNews::ended, kept->second, status, nanoseconds_of(usage.ru_utime) + nanoseconds_of(usage.ru_stime),
            waiting ? waiting->count() : -1});
      running_.erase(kept);
    }
  }

  void take_order() {
    std::string bytes(kMostRequest, '\0');
    std::array<int, 3> streams = {-1, -1, -1};
    iovec piece{bytes.data(), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof streams)> control{};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t count = recvmsg(socket_, &message, MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) {
      is_over_ = true;
      return;
    }
    const cmsghdr* const head = CMSG_FIRSTHDR(&message);
    if (head != nullptr && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof streams)) {
      std::memcpy(streams.data(), CMSG_DATA(head), sizeof streams);
    }
    bytes.resize(static_cast<std::size_t>(count));
    follow(decode_request(bytes), streams);
    for (const int stream : streams) {
      if (stream >= 0) close(stream);
    }
  }

  void follow(const KeeperRequest& request, const std::array<int, 3>& streams) {
    switch (request.order) {
      case KeeperOrder::start:
        start(request, streams);
        break;
      case KeeperOrder::end:
        for (const auto& [id, number] : running_) {
          if (number != request.number) continue;
          kill_descendants(id);
          kill(-id, SIGKILL);
        }
        break;
      case KeeperOrder::folder:
        folders_.push_back(request.texts.front());
        break;
      case KeeperOrder::farewell:
        group_ = 0;
        break;
    }
  }

  void start(const KeeperRequest& request, const std::array<int, 3>& streams) {
    const std::vector<std::string> variables(request.texts.begin() + 1, request.texts.end());
    try {
      const pid_t id =
          start_process(words_of(request.texts.front()), variables, {streams[0], streams[1], streams[2]}, SIGKILL);
      running_[id] = request.number;
      tell({KeeperNews::started, request.number, id, 0});
    } catch (const std::system_error& error) {
      tell({KeeperNews::failed, request.number, error.code().value(), 0});
    }
  }

  void tell(const KeeperAnswer& answer) { send(socket_, &answer, sizeof answer, MSG_NOSIGNAL); }

  void end_all() {
    if (group_ > 0) kill(-group_, SIGKILL);
    end_descendants();
    std::error_code ignored;
    for (const std::string& folder : folders_) std::filesystem::remove_all(folder, ignored);
  }

  int socket_;
  int signals_;
  pid_t group_;
  std::map<pid_t, std::uint64_t> running_;
  std::vector<std::string> folders_;
  bool is_over_ = false;
};

// Nothing of the rank's is kept open but the socket.
void leave_rank(int& socket) {
  setsid();
  prctl(PR_SET_NAME, kKeeperName);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  socket = dup2(socket, STDERR_FILENO + 1);
  close_range(static_cast<unsigned>(socket) + 1, ~0U, 0);
  fcntl(socket, F_SETFD, FD_CLOEXEC);
}

}  // namespace

void kill_descendants(pid_t root) {
  for (const pid_t process : descendants_of(root)) kill(process, SIGKILL);
}

// Until none is left that runs: what is stopped makes no others. What waits for a device may take its time.
void stop_all(pid_t root) {
  constexpr int kMostLooks = 200;
  for (int look = 0; look < kMostLooks; ++look) {
    bool is_done = true;
    std::vector<pid_t> all = descendants_of(root);
    all.insert(all.begin(), root);
    for (const pid_t process : all) {
      const char state = process_state(process);
      if (state == 'T' || state == 'Z' || state == 'X' || state == '\0' || is_keeper(process)) continue;
      kill(process, SIGSTOP);
      is_done = false;
    }
    if (is_done) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void continue_all(pid_t root) {
  for (const pid_t process : descendants_of(root)) kill(process, SIGCONT);
  kill(root, SIGCONT);
}

// What leaves its parent comes to this process, so that there is something to wait for until all are gone.
void end_descendants() {
  constexpr std::chrono::seconds kMost{10};
  const auto until = std::chrono::steady_clock::now() + kMost;
  while (std::chrono::steady_clock::now() < until) {
    kill_descendants(getpid());
    pid_t gone = 0;
    while ((gone = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (gone < 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string encode(const KeeperRequest& request) {
  std::string bytes(1, static_cast<char>(request.order));
  bytes.append(reinterpret_cast<const char*>(&request.number), sizeof request.number);
  for (const std::string& text : request.texts) bytes.append(text.c_str(), text.size() + 1);
  return bytes;
}

KeeperRequest decode_request(std::string_view bytes) {
  KeeperRequest request;
  request.order = static_cast<KeeperOrder>(bytes.front());
  std::memcpy(&request.number, bytes.data() + 1, sizeof request.number);
  bytes.remove_prefix(1 + sizeof request.number);
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    request.texts.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return request;
}

void keep_programs(int socket, pid_t group) {
  leave_rank(socket);
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGCHLD);
  sigaddset(&heard, SIGTERM);
  sigprocmask(SIG_SETMASK, &heard, nullptr);
  const int signals = signalfd(-1, &heard, SFD_CLOEXEC);
  KeeperProcess(socket, signals, group).run();
}

}  // namespace takt::live
