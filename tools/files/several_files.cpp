// From exceptions to failures of single files; statuses by how bad they are.
#include "tools/files/several_files.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <ostream>

#include "tools/files/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

std::optional<FileFailure> failure_of(const std::string& name, const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const tpn::ParseError& error) {
    return FileFailure{kBadInput, error.what()};
  } catch (const tpn::InvalidInstance& error) {
    return FileFailure{kBadInput, placed(error, name).what()};
  } catch (const FileError& error) {
    return FileFailure{kBadInput, error.what()};
  } catch (const UsageError& error) {
    const std::string message = error.what();
    return FileFailure{kBadInput, message.find(name) == std::string::npos ? name + ": " + message : message};
  } catch (const std::bad_alloc&) {
    return FileFailure{kLimit, name + ": out of memory: this instance is too large for this machine"};
  }
}

void tell(Streams& streams, const std::string& message) {
  streams.out.flush();
  streams.err << "takt: " << tpn::visible(message) << '\n';
  streams.err.flush();
}

int worse_status(int a, int b) {
  constexpr std::array kFromBestToWorst = {kAnswered, kLimit, kNo, kBadInput};
  return *std::max(std::ranges::find(kFromBestToWorst, a), std::ranges::find(kFromBestToWorst, b));
}

}  // namespace takt::tools
