// Texts to laws and limits.
#include "tools/vary/law_options.hpp"

#include <fmt/format.h>

#include <optional>
#include <variant>

#include "tools/files/files.hpp"
#include "tools/frame/options.hpp"
#include "tools/frame/rates.hpp"
#include "tools/words/number_words.hpp"
#include "vary/net_times.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

struct LimitText {
  std::string share;
  std::string latency;
};

std::optional<LimitText> read_limit(const std::string& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return std::nullopt;
  LimitText limit{text.substr(0, space), text.substr(text.find_first_not_of(' ', space))};
  if (!share()(limit.share).empty() || !positive_time()(limit.latency).empty()) return std::nullopt;
  const Rational number = parse_share(limit.share);
  if (number.sign() <= 0 || number >= Rational(1)) return std::nullopt;
  return limit;
}

}  // namespace

ValueCheck latency_limit() {
  return [](const std::string& text) -> std::string {
    if (read_limit(text)) return "";
    return fmt::format("found \"{}\", expected a share below 100 % and a time, as in \"99% 150ms\"", text);
  };
}

tpn::Law law_of_text(const std::string& text) { return std::get<tpn::Law>(tpn::parse_law(text)); }

AskedLimit limit_of_text(const std::string& option, const std::string& text, const tpn::Document& document) {
  const LimitText limit = read_limit(text).value();
  const Rational latency = read_time(option, limit.latency, document);
  return {{double_of(parse_share(limit.share)), double_of(latency)}, latency};
}

void require_law(const std::string& text, const tpn::Document& document, const std::string& file) {
  if (!text.empty() || vary::has_laws(document)) return;
  throw UsageError(
      fmt::format("--law: found neither the option nor a law in {}, expected one of them: how do times vary? "
                  "Such as --law lognormal:0.5",
                  display_name(file)));
}

}  // namespace takt::tools
