#include "replica/sync_state.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/coding.h"
#include "base/heap_sort.h"
#include "sync/records.h"

namespace entitable {
namespace {

using sync::Group;
using sync::GroupId;

// A group that was sent is a row of another kind than the others.  So a push
// finds a request of unknown outcome, which goes first, by a scan of nothing
// else.
constexpr HiddenKind kGroupKinds[] = {HiddenKind::kGroup,
                                      HiddenKind::kSentGroup};

EntityKey GroupKey(HiddenKind kind, std::string_view partition_key,
                   GroupId id) {
  return HiddenKey(kind, partition_key, TextOfNumber(id));
}

EntityKey ConflictKey(std::uint64_t id) {
  return HiddenKey(HiddenKind::kConflict, {}, TextOfNumber(id));
}

// A scope has a position of its own, so an app may pull some partitions and not
// others.
EntityKey PositionKey(const sync::Scope& scope) {
  if (!scope.partition_key) return HiddenKey(HiddenKind::kWholePosition);
  return HiddenKey(HiddenKind::kPosition, *scope.partition_key);
}

Result<Group> GroupIn(std::string_view bytes) {
  auto group = sync::DecodeGroup(bytes);
  if (!group) return DamagedSyncState();
  return *std::move(group);
}

std::string EncodeAdoption(const Adoption& adoption) {
  std::string out;
  AppendU8(adoption.is_complete ? 1 : 0, out);
  if (!adoption.last) return out;
  AppendText(adoption.last->partition_key, out);
  AppendText(adoption.last->row_key, out);
  return out;
}

Result<Adoption> AdoptionIn(std::string_view bytes) {
  Decoder rest(bytes);
  Adoption adoption{.is_complete = rest.ReadU8() == 1};
  if (!rest.at_end()) {
    EntityKey& last = adoption.last.emplace();
    last.partition_key = rest.ReadText();
    last.row_key = rest.ReadText();
  }
  if (rest.failed()) return DamagedSyncState();
  return adoption;
}

}  // namespace

// ----------------------------------------------- the adoption and the address

Poll<Adoption> SyncState::FindAdoption() {
  if (!adoption_) {
    ENTITABLE_TRY(const auto bytes,
                  hidden_.Find(HiddenKey(HiddenKind::kAdoption)));
    Adoption adoption;
    if (bytes) {
      ENTITABLE_TRY(adoption, AdoptionIn(*bytes));
    }
    adoption_ = std::move(adoption);
  }
  return *adoption_;
}

void SyncState::PutAdoption(const Adoption& adoption) {
  adoption_ = adoption;
  hidden_.Put(HiddenKey(HiddenKind::kAdoption), EncodeAdoption(adoption));
}

Poll<std::optional<std::string>> SyncState::FindRemote() {
  return hidden_.Find(HiddenKey(HiddenKind::kRemote));
}

void SyncState::PutRemote(std::string_view address) {
  hidden_.Put(HiddenKey(HiddenKind::kRemote), address);
}

// ---------------------------------------------------------------------- groups

Poll<std::vector<Group>> SyncState::GroupsIn(HiddenKind kind,
                                             std::string_view partition_key,
                                             GroupId after, std::size_t limit) {
  SortRange range = hidden_.RangeOf(kind, partition_key);
  if (after > 0) {
    range.begin = Behind(
        MakeSortKey(hidden_.id(), GroupKey(kind, partition_key, after).view()));
  }
  ENTITABLE_TRY(const auto found, hidden_.FindValues(range, limit));
  std::vector<Group> groups;
  for (const auto& value : found) {
    ENTITABLE_TRY(Group group, GroupIn(value.bytes));
    groups.push_back(std::move(group));
  }
  return groups;
}

// The two kinds are merged by their numbers, which are the order of first
// changes.
Poll<std::vector<Group>> SyncState::GroupsOf(std::string_view partition_key,
                                             GroupId after, std::size_t limit) {
  std::vector<Group> groups;
  for (const HiddenKind kind : kGroupKinds) {
    ENTITABLE_TRY(std::vector<Group> found,
                  GroupsIn(kind, partition_key, after, limit));
    std::ranges::move(found, std::back_inserter(groups));
  }
  HeapSort(groups, sync::IsOlder);
  if (groups.size() > limit) groups.resize(limit);
  return groups;
}

Poll<std::vector<Group>> SyncState::SentGroups(std::string_view partition_key) {
  return GroupsIn(HiddenKind::kSentGroup, partition_key, 0, SIZE_MAX);
}

Poll<std::optional<Group>> SyncState::FindGroup(std::string_view partition_key,
                                                GroupId id) {
  for (const HiddenKind kind : kGroupKinds) {
    ENTITABLE_TRY(const auto bytes,
                  hidden_.Find(GroupKey(kind, partition_key, id)));
    if (!bytes) continue;
    ENTITABLE_TRY(Group group, GroupIn(*bytes));
    return std::optional(std::move(group));
  }
  return std::optional<Group>();
}

void SyncState::PutGroup(const Group& group) {
  if (group.row_keys.empty()) return RemoveGroup(group.partition_key, group.id);
  const bool is_sent = group.state == Group::State::kSent;
  const auto& [open, sent] = kGroupKinds;
  hidden_.Put(GroupKey(is_sent ? sent : open, group.partition_key, group.id),
              sync::EncodeGroup(group));
  // An open group without a request was never sent, so there is nothing to
  // remove, and this leaves no tombstone.
  if (group.request == 0 && group.state == Group::State::kOpen) return;
  hidden_.Remove(
      GroupKey(is_sent ? open : sent, group.partition_key, group.id));
}

void SyncState::RemoveGroup(std::string_view partition_key, GroupId id) {
  for (const HiddenKind kind : kGroupKinds) {
    hidden_.Remove(GroupKey(kind, partition_key, id));
  }
}

// Reads keys alone.  Partitions with the oldest local changes come first, so
// that none waits for ever while others are written.
Poll<std::vector<std::string>> SyncState::PartitionsWithGroups() {
  std::map<std::string, std::string> oldest;  // By partition: a number.
  for (const HiddenKind kind : kGroupKinds) {
    ENTITABLE_TRY(
        std::vector<EntityKey> keys,
        FindKeys(staging_, hidden_.RangeOf(kind), SIZE_MAX, SyncedKeyOf));
    for (EntityKey& key : keys) {
      std::string& number =
          oldest.try_emplace(std::move(key.partition_key), key.row_key)
              .first->second;
      number = std::min(number, key.row_key);
    }
  }
  std::vector<std::pair<std::string, std::string>> in_order;
  in_order.reserve(oldest.size());
  for (auto& [partition_key, number] : oldest) {
    in_order.emplace_back(std::move(number), partition_key);
  }
  HeapSort(in_order);
  std::vector<std::string> partitions;
  partitions.reserve(in_order.size());
  for (auto& [number, partition_key] : in_order) {
    partitions.push_back(std::move(partition_key));
  }
  return partitions;
}

// Goes on behind a place even if the group that was there is gone by now.
Poll<std::vector<SyncState::PlacedGroup>> SyncState::AllGroups(
    const std::string& after, std::size_t limit) {
  std::vector<PlacedGroup> groups;
  for (const HiddenKind kind : kGroupKinds) {
    SortRange range = hidden_.RangeOf(kind);
    if (after >= range.end) continue;
    if (after >= range.begin) range.begin = Behind(after);
    ENTITABLE_TRY(auto found, hidden_.FindValues(range, limit - groups.size()));
    for (auto& value : found) {
      ENTITABLE_TRY(Group group, GroupIn(value.bytes));
      groups.push_back({std::move(value.sort_key), std::move(group)});
    }
  }
  return groups;
}

// ----------------------------------------------------- positions and conflicts

Poll<sync::PullState> SyncState::FindPull(const sync::Scope& scope) {
  ENTITABLE_TRY(const auto bytes, hidden_.Find(PositionKey(scope)));
  if (!bytes) return sync::PullState();
  const auto state = sync::DecodePull(*bytes);
  if (!state) return DamagedSyncState();
  return *state;
}

void SyncState::PutPull(const sync::Scope& scope,
                        const sync::PullState& state) {
  hidden_.Put(PositionKey(scope), sync::EncodePull(state));
}

// The positions are few: one for each partition that an app syncs by itself.
Poll<bool> SyncState::HasPulled() {
  for (const HiddenKind kind :
       {HiddenKind::kPosition, HiddenKind::kWholePosition}) {
    ENTITABLE_TRY(const auto found,
                  hidden_.FindValues(hidden_.RangeOf(kind), SIZE_MAX));
    for (const auto& value : found) {
      const auto state = sync::DecodePull(value.bytes);
      if (!state) return DamagedSyncState();
      if (state->has_begun()) return true;
    }
  }
  return false;
}

void SyncState::AddConflict(const sync::ConflictRecord& conflict) {
  hidden_.Put(ConflictKey(NewNumber()), sync::EncodeConflict(conflict));
}

Poll<std::vector<SyncState::StoredConflict>> SyncState::ConflictsAfter(
    std::uint64_t id, std::size_t limit) {
  SortRange range = hidden_.RangeOf(HiddenKind::kConflict);
  if (id > 0) {
    range.begin = Behind(MakeSortKey(hidden_.id(), ConflictKey(id).view()));
  }
  ENTITABLE_TRY(const auto found, hidden_.FindValues(range, limit));
  std::vector<StoredConflict> conflicts;
  for (const auto& value : found) {
    const auto place = ParseSortKey(value.sort_key);
    auto record = sync::DecodeConflict(value.bytes);
    if (!place || !record) return DamagedSyncState();
    conflicts.push_back({NumberIn(place->key.row_key), *std::move(record)});
  }
  return conflicts;
}

void SyncState::RemoveConflict(std::uint64_t id) {
  hidden_.Remove(ConflictKey(id));
}

}  // namespace entitable
