// What a test waits for: that a process has ended, that a program has come to a point, that a file has changed.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace takt::support {

/// Whether there is a process of this number that has not ended.
bool is_running(pid_t process);

/// Until there is none.
void wait_for_end(pid_t process);

/// A FIFO by which a program says that it has come to a point, or stands there until it may go on.
class Fifo {
 public:
  explicit Fifo(std::string path);
  const std::string& path() const { return path_; }

  /// What a program writes to it until it closes it (`echo $$ > PATH`, `: > PATH`); waits for that.
  std::string heard() const;
  /// Likewise, a number.
  pid_t process() const { return static_cast<pid_t>(std::stol(heard())); }
  /// Lets a program go on that stands at `read x < PATH`; waits until it is there.
  void open() const;

 private:
  std::string path_;
};

/// Until this holds, which something in the folder decides: it is asked at each change there.
void wait_in(const std::string& folder, const std::function<bool()>& holds);

}  // namespace takt::support
