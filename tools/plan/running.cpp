// Machines are hosts: cores are one.
#include "tools/plan/running.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "tools/files/files.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/hosts.hpp"

namespace takt::tools {

namespace {

using RunningNames = std::vector<std::string>;

void require_same_stages(const tpn::Document& running, const std::string& file, const plan::Catalogue& catalogue) {
  const auto names = [](const auto& stages) {
    RunningNames result;
    for (const auto& stage : stages) result.push_back(printable(stage.name));
    return result;
  };
  const RunningNames found = names(running.application.stages);
  const RunningNames expected = names(catalogue.stages);
  if (found == expected) return;
  constexpr std::size_t kNamed = 8;
  throw FileError(fmt::format("{}: /application/stages: found {}, expected the stages of the problem: {}",
                              display_name(file), listing(found, kNamed), listing(expected, kNamed)));
}

// By processor its catalogue's type; nothing if the catalogue lacks it.
std::vector<std::optional<std::size_t>> types_of(const tpn::Document& running, const std::string& file,
                                                 const plan::Catalogue& catalogue) {
  std::vector<std::optional<std::size_t>> result;
  for (const tpn::Processor& processor : running.platform.processors) {
    if (!processor.type) {
      throw FileError(fmt::format("{}: /platform/processors: {} has no type, expected one of the problem's",
                                  display_name(file), printable(tpn::host_name(processor))));
    }
    const std::string& name = running.platform.types[*processor.type].name;
    const auto known = std::ranges::find(catalogue.types, name, &plan::MachineType::name);
    result.emplace_back();
    if (known != catalogue.types.end()) result.back() = static_cast<std::size_t>(known - catalogue.types.begin());
  }
  return result;
}

// Machines by name that are handed out once.
class Pool {
 public:
  explicit Pool(const RunningMachines& running) : running_(running), left_(running.all) {
    for (const RunningNames& names : running.all) taken_.insert(names.begin(), names.end());
  }

  // Those that serve these stages.
  RunningNames staying(const plan::TypedPart& part) {
    for (const RunningMachines::Part& now : running_.parts) {
      if (now.first_stage != part.first_stage || now.last_stage != part.last_stage || now.type != part.type) continue;
      RunningNames names = now.names;
      names.resize(std::min<std::size_t>(names.size(), part.machines));
      for (const std::string& name : names) std::erase(left_[part.type], name);
      return names;
    }
    return {};
  }

  // One that has nothing to do any more, or a new one, named like this one.
  std::string other(std::size_t type, std::string_view like) {
    RunningNames& left = left_[type];
    if (!left.empty()) {
      std::string name = std::move(left.front());
      left.erase(left.begin());
      return name;
    }
    const std::string_view prefix = like.substr(0, like.find_last_not_of("0123456789") + 1);
    for (std::size_t& number = numbers_[std::string(prefix)];;) {
      std::string name = fmt::format("{}{}", prefix, ++number);
      if (taken_.insert(name).second) return name;
    }
  }

 private:
  const RunningMachines& running_;
  std::vector<RunningNames> left_;
  std::set<std::string> taken_;
  std::map<std::string, std::size_t> numbers_;
};

// The machines of each part, and by type those that stand by, as they are named now.
std::vector<RunningNames> names_by_part(const tpn::Document& document) {
  std::vector<RunningNames> result;
  for (const tpn::Part& part : *document.mapping) {
    RunningNames& names = result.emplace_back();
    std::set<std::string> seen;
    for (const std::size_t p : part.processors) {
      const std::string& name = tpn::host_name(document.platform.processors[p]);
      if (seen.insert(name).second) names.push_back(name);
    }
  }
  return result;
}

void rename(tpn::Document& mapped, const std::map<std::string, std::string>& names) {
  for (tpn::Processor& processor : mapped.platform.processors) {
    const std::string& name = names.at(tpn::host_name(processor));
    processor.name = processor.core > 0 ? tpn::core_name(name, processor.core) : name;
    if (!processor.host.empty()) processor.host = name;
  }
}

}  // namespace

RunningPlan RunningMachines::plan(const plan::Catalogue& catalogue) const {
  RunningPlan result;
  for (const RunningNames& names : all) result.machines.push_back(names.size());
  std::vector<std::uint64_t> left = idle;
  std::vector<std::uint64_t> alone(all.size());  // parts that compute on one machine
  for (const Part& part : parts) {
    if (!catalogue.is_replicable(part.first_stage, part.last_stage)) ++alone[part.type];
  }
  for (const Part& part : parts) {
    const std::size_t t = part.type;
    plan::TypedPart& made = result.parts.emplace_back(
        plan::TypedPart{part.first_stage, part.last_stage, t, std::uint64_t{part.names.size()}});
    if (catalogue.is_replicable(part.first_stage, part.last_stage)) continue;
    // Machines that serve none stand by for these, equally many for each.
    made.standby = (left[t] + alone[t] - 1) / alone[t];
    left[t] -= made.standby;
    --alone[t];
  }
  return result;
}

RunningMachines running_machines(const tpn::Document& document, const std::string& file,
                                 const plan::Catalogue& catalogue) {
  require_same_stages(document, file, catalogue);
  const auto types = types_of(document, file, catalogue);
  RunningMachines result;
  result.all.resize(catalogue.types.size());
  std::map<std::string, std::size_t> type_of_machine;
  for (std::size_t p = 0; p < types.size(); ++p) {
    const std::string& name = tpn::host_name(document.platform.processors[p]);
    if (types[p] && type_of_machine.emplace(name, *types[p]).second) result.all[*types[p]].push_back(name);
  }
  const std::vector<RunningNames> by_part = names_by_part(document);
  std::map<std::string, std::size_t> served;  // how many parts
  for (const RunningNames& names : by_part)
    for (const std::string& name : names) ++served[name];
  for (const RunningNames& names : result.all)
    result.idle.push_back(static_cast<std::size_t>(
        std::ranges::count_if(names, [&](const std::string& name) { return !served.contains(name); })));
  for (std::size_t i = 0; i < by_part.size(); ++i) {
    const tpn::Part& part = (*document.mapping)[i];
    for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
      RunningNames names;
      for (const std::string& name : by_part[i]) {
        const auto known = type_of_machine.find(name);
        // One that serves several parts does something else in any plan.
        if (known != type_of_machine.end() && known->second == t && served[name] == 1) names.push_back(name);
      }
      if (!names.empty()) result.parts.push_back({part.first_stage, part.last_stage, t, std::move(names)});
    }
  }
  return result;
}

void keep_names(tpn::Document& mapped, const plan::TypedPlan& parts, const RunningMachines& running) {
  const std::vector<RunningNames> now = names_by_part(mapped);
  Pool pool(running);
  std::map<std::string, std::string> names;  // by the name in the document
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const RunningNames staying = pool.staying(parts[i]);
    for (std::size_t k = 0; k < staying.size(); ++k) names.emplace(now[i][k], staying[k]);
  }
  for (const tpn::Processor& processor : mapped.platform.processors) {
    const std::string& name = tpn::host_name(processor);
    if (!names.contains(name)) names.emplace(name, pool.other(processor.type.value(), name));
  }
  rename(mapped, names);
}

}  // namespace takt::tools
