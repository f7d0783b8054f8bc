#include "sync/resolver.h"

#include <algorithm>

namespace entitable::sync {
namespace {

// A sent value that does not count any more changes no decision.
bool IsSameQuestion(const Conflict& a, const Conflict& b) {
  return a.key == b.key && SameValue(a.base, b.base) &&
         SameValue(a.local, b.local) && SameValue(a.remote, b.remote);
}

}  // namespace

bool AllDecided(std::span<const Resolution> resolutions) {
  return std::ranges::all_of(resolutions, [](const Resolution& resolution) {
    return resolution.has_value();
  });
}

std::vector<Resolution> PolicyResolver::Resolve(
    std::span<const Conflict> conflicts) {
  std::vector<Resolution> found;
  found.reserve(conflicts.size());
  for (const Conflict& conflict : conflicts) {
    if (!conflict.is_conflict) {
      found.emplace_back(conflict.local);
      continue;
    }
    switch (policy_) {
      case ConflictPolicy::kMerge:
        found.emplace_back(
            Merge({conflict.key.view(), conflict.base, conflict.local,
                   conflict.remote, conflict.sent},
                  prefer_));
        break;
      case ConflictPolicy::kRemote:
        found.emplace_back(conflict.remote);
        break;
      case ConflictPolicy::kLocal:
        found.emplace_back(conflict.local);
        break;
    }
  }
  return found;
}

std::vector<Resolution> DecidedResolver::Resolve(
    std::span<const Conflict> conflicts) {
  std::vector<Resolution> found;
  for (const Conflict& conflict : conflicts) {
    const auto asked =
        std::ranges::find_if(asked_, [&conflict](const Conflict& one) {
          return IsSameQuestion(one, conflict);
        });
    // The rows of a group are decided together.
    if (asked == asked_.end()) return std::vector<Resolution>(conflicts.size());
    found.emplace_back(
        decided_[static_cast<std::size_t>(asked - asked_.begin())]);
  }
  return found;
}

}  // namespace entitable::sync
