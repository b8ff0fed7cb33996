// The inputs of a stream's data sets, as they come.
#pragma once

#include <optional>
#include <string>

namespace takt::live {

class InputFeed {
 public:
  InputFeed() = default;
  InputFeed(const InputFeed&) = delete;
  InputFeed& operator=(const InputFeed&) = delete;
  virtual ~InputFeed() = default;

  /// Whether inputs come by and by, as they are made elsewhere; false: each is there when it is asked for.
  virtual bool comes_by_and_by() const { return true; }
  /// The next input, if it is there.
  virtual std::optional<std::string> next() = 0;
  /// Nothing will come any more. To be asked if there is no next one.
  virtual bool is_over() = 0;
};

}  // namespace takt::live
