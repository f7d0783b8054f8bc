// resolver.h - who decides what a row in conflict is to be.

#ifndef ENTITABLE_SYNC_RESOLVER_H_
#define ENTITABLE_SYNC_RESOLVER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/entity_key.h"
#include "sync/state.h"

namespace entitable::sync {

// The three-way merge of a row.

// Who wins where both sides changed one property to different values.
enum class Prefer : std::uint8_t { kRemote, kLocal };

// The values of a row that changed on both sides since they were equal.
struct Sides {
  EntityKeyView key;
  const RowValue& base;
  const RowValue& local;
  const RowValue& remote;

  // What this replica has sent: a property that equals it has not changed
  // there.
  std::span<const SentValue> sent = {};
};

// The base as an app may compare with it: what the remote has as this replica
// sent it is known to both.
RowValue KnownBase(const Sides& sides);

// Apps usually change a few properties of many, so the merge is by property:
//
//   a property that one side has changed   as that side has it
//   a property that both have changed      as the preferred side has it
//   a row that one side has deleted        absent, unless the other one has
//                                          edited it
//
// A property that equals one that this replica has sent counts as unchanged
// remotely.  If the result breaks a limit of the service, it is the preferred
// side's value.
RowValue Merge(const Sides& sides, Prefer prefer);

// -------------------------------------------------------------------- resolver

// A row of a group in which there is a conflict.
struct Conflict {
  EntityKey key;
  RowValue base;
  RowValue local;
  RowValue remote;
  std::vector<SentValue> sent = {};  // For Merge().

  // Whether this row is in conflict.  Otherwise its resolution is usually the
  // local value.
  bool is_conflict = true;

  bool operator==(const Conflict&) const = default;
};

// What a conflicting row is to be.  The outer optional: the app has not decided
// yet.
using Resolution = std::optional<RowValue>;

bool AllDecided(std::span<const Resolution> resolutions);

class Resolver {
 public:
  virtual ~Resolver() = default;

  // Gets all rows of a group at once, and returns as many resolutions.
  virtual std::vector<Resolution> Resolve(
      std::span<const Conflict> conflicts) = 0;
};

// The resolvers that need no app.
enum class ConflictPolicy : std::uint8_t { kMerge, kRemote, kLocal };

class PolicyResolver final : public Resolver {
 public:
  explicit PolicyResolver(ConflictPolicy policy,
                          Prefer prefer = Prefer::kRemote)
      : policy_(policy), prefer_(prefer) {}

  std::vector<Resolution> Resolve(std::span<const Conflict> conflicts) override;

 private:
  ConflictPolicy policy_;
  Prefer prefer_;
};

// Has what the app has decided.  Gives it only for the conflicts that the app
// was asked about: if one of the group has changed since, the app is asked
// again.
class DecidedResolver final : public Resolver {
 public:
  // As many values as conflicts.
  DecidedResolver(std::vector<Conflict> asked, std::vector<RowValue> decided)
      : asked_(std::move(asked)), decided_(std::move(decided)) {}

  std::vector<Resolution> Resolve(std::span<const Conflict> conflicts) override;

 private:
  std::vector<Conflict> asked_;
  std::vector<RowValue> decided_;
};

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_RESOLVER_H_
