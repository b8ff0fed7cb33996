// Random documents of every kind and their nets, one after the other; a failure says which it was.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <vector>

#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"

namespace takt::support {

/// What make() returns; nothing if the instance is refused.
template <typename Make>
auto unless_refused(Make make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const tpn::InvalidInstance&) {
    return std::nullopt;
  }
}

/// So many documents of each kind.
struct DocumentDraws {
  std::uint64_t seeds = 0;
  std::uint64_t first = 0;
  std::vector<Kind> kinds = {std::begin(kKinds), std::end(kKinds)};
};

/// visit(document), or visit(document, seed).
template <typename Visit>
void for_each_document(const DocumentDraws& draws, Visit visit) {
  for (const Kind kind : draws.kinds) {
    for (std::uint64_t seed = draws.first; seed < draws.first + draws.seeds; ++seed) {
      INFO("kind " << static_cast<int>(kind) << ", seed " << seed);
      const tpn::Document document = random_document(kind, seed);
      if constexpr (std::is_invocable_v<Visit, const tpn::Document&>) {
        visit(document);
      } else {
        visit(document, seed);
      }
    }
  }
}

/// visit(net), or visit(net, document), under each of these models.
template <typename Models, typename Visit>
void for_each_net(const DocumentDraws& draws, const Models& models, Visit visit) {
  for_each_document(draws, [&](const tpn::Document& document) {
    for (const tpn::Model& model : models) {
      INFO(tpn::label_of(model));
      const tpn::FoldedNet net = net_of(document, model);
      if constexpr (std::is_invocable_v<Visit, const tpn::FoldedNet&>) {
        visit(net);
      } else {
        visit(net, document);
      }
    }
  });
}

/// visit(net, document, seed) for documents make(seed), of seeds from 1 on; not for nets that are refused.
template <typename Make, typename Models, typename Visit>
void for_each_net_of(Make make, std::uint64_t seeds, const Models& models, Visit visit) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const tpn::Document document = make(seed);
    for (const tpn::Model& model : models) {
      INFO("seed " << seed << ", " << tpn::label_of(model));
      const auto net = unless_refused([&] { return net_of(document, model); });
      if (net) visit(*net, document, seed);
    }
  }
}

}  // namespace takt::support
