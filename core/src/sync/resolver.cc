#include "sync/resolver.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/parts.h"

namespace entitable::sync {
namespace {

std::optional<PackedProperty> Find(const RowValue& row, std::string_view name) {
  if (!row) return std::nullopt;
  for (PropertyCursor cursor(*row); auto property = cursor.NextPacked();) {
    if (property->name == name) return property;
  }
  return std::nullopt;
}

bool SameProperty(const RowValue& a, const RowValue& b, std::string_view name) {
  const auto of_a = Find(a, name);
  const auto of_b = Find(b, name);
  if (!of_a || !of_b) return of_a.has_value() == of_b.has_value();
  return of_a->type == of_b->type && of_a->value == of_b->value;
}

// Whether the first part of a value has further parts on one of the sides.
bool HasParts(const Sides& sides, std::string_view first) {
  const auto is_full = [&](const RowValue& side) {
    const auto property = Find(side, first);
    return property && IsFullPart(*property);
  };
  return is_full(sides.base) || is_full(sides.local) || is_full(sides.remote);
}

// What one side changes as a whole: a property, or all parts of a long value
// (model/parts.h), by the name of the first.
class Unit {
 public:
  Unit(const Sides& sides, std::string_view name) : name_(name) {
    const Part part = AsPart(name);
    const std::string_view first = part.number == 0 ? name : part.stem;
    has_parts_ = HasParts(sides, first);
    if (has_parts_) name_ = first;
  }

  bool IsSame(const RowValue& a, const RowValue& b) const {
    if (!SameProperty(a, b, name_)) return false;
    return !has_parts_ || (HasPartsOf(a, b) && HasPartsOf(b, a));
  }

 private:
  // Whether all further parts of `a` are the same in `b`.
  bool HasPartsOf(const RowValue& a, const RowValue& b) const {
    if (!a) return true;
    for (PropertyCursor cursor(*a); auto property = cursor.NextPacked();) {
      const Part part = AsPart(property->name);
      if (part.number != 0 && part.stem == name_ &&
          !SameProperty(a, b, property->name)) {
        return false;
      }
    }
    return true;
  }

  std::string_view name_;
  bool has_parts_ = false;
};

bool HasRemoteChanged(const Sides& sides, const Unit& unit) {
  if (unit.IsSame(sides.remote, sides.base)) return false;
  return std::ranges::none_of(sides.sent, [&](const SentValue& sent) {
    return sent.value && unit.IsSame(sides.remote, sent.value);
  });
}

// The side from which the property is taken.
const RowValue& Choose(const Sides& sides, std::string_view name,
                       Prefer prefer) {
  const Unit unit(sides, name);
  if (!HasRemoteChanged(sides, unit)) return sides.local;
  if (unit.IsSame(sides.local, sides.base)) return sides.remote;
  return prefer == Prefer::kLocal ? sides.local : sides.remote;
}

void AddNames(const RowValue& row, std::vector<std::string_view>& names) {
  for (PropertyCursor cursor(*row); auto property = cursor.NextPacked();) {
    if (std::ranges::find(names, property->name) == names.end()) {
      names.push_back(property->name);
    }
  }
}

// Both are there.
//
// The names of the base alone need no look: what both sides have removed is
// gone.  Two edits that fit by themselves may be too large together, so the
// limits of an entity are checked again.
RowValue MergeProperties(const Sides& sides, Prefer prefer) {
  std::vector<std::string_view> names;
  AddNames(sides.local, names);
  AddNames(sides.remote, names);
  PropertyList merged;
  for (const std::string_view name : names) {
    const auto property = Find(Choose(sides, name, prefer), name);
    if (property) merged.Append(*property);
  }
  merged = SortedByName(merged);
  if (CheckEntityLimits(sides.key, merged)) return merged;
  return prefer == Prefer::kLocal ? sides.local : sides.remote;
}

}  // namespace

RowValue KnownBase(const Sides& sides) {
  if (!sides.remote) return sides.base;
  std::vector<std::string_view> names;
  if (sides.base) AddNames(sides.base, names);
  AddNames(sides.remote, names);
  PropertyList known;
  for (const std::string_view name : names) {
    const RowValue& side =
        HasRemoteChanged(sides, {sides, name}) ? sides.base : sides.remote;
    if (const auto property = Find(side, name)) known.Append(*property);
  }
  if (!sides.base && known.count() == 0) return std::nullopt;
  return SortedByName(known);
}

RowValue Merge(const Sides& sides, Prefer prefer) {
  if (sides.local && sides.remote) return MergeProperties(sides, prefer);
  const RowValue& there = sides.local ? sides.local : sides.remote;
  const bool is_ours =
      !sides.local &&
      std::ranges::any_of(sides.sent, [&](const SentValue& sent) {
        return SameValue(sent.value, there);
      });
  // Only an edit beats the deletion of the other side.
  if (SameValue(there, sides.base) || is_ours) return std::nullopt;
  return there;
}

// -------------------------------------------------------------------- resolver

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
