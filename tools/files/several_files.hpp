// Several files in one run: what is wrong with one of them, and the exit status of all.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tools/command.hpp"

namespace takt::tools {

/// A file that has no answer: the message, and the status that it deserves.
struct FileFailure {
  int status = kBadInput;
  std::string message;
};

/// Does the work on one file; what was wrong where that threw because of the file (FileError, tpn::ParseError,
/// tpn::InvalidInstance), of what the command line wants of it (UsageError), or for want of memory. The message names
/// the file: by `name` where nothing else did.
std::optional<FileFailure> failure_of(const std::string& name, const std::function<void()>& work);

/// One message on standard error, after the results that were there before it.
void tell(Streams& streams, const std::string& message);

/// The status of several answers: bad input, else the answer no, else a limit, else answered.
int worse_status(int a, int b);

}  // namespace takt::tools
