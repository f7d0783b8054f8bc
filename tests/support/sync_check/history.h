// history.h - all that the remote has had, and what each replica knew of it.

#ifndef ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_HISTORY_H_
#define ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "support/sync_check/memory_rows.h"
#include "support/sync_check/remote.h"
#include "sync/push.h"

namespace entitable::sync_check {

// Judges each commit of a replica, each request and each change of the remote
// when it happens:
//
// - A base is a version that the remote had, and never one older than before.
// - The app's writes change no base.
// - Sync changes no dirty row, and drops no write, without a report.
// - A replica overwrites remotely only what it has seen.
// - No commit stores a row that breaks the schema.
// - A request that is sent again is the same.
class History {
 public:
  enum class Writer : std::uint8_t { kApp, kSync };

  void NoteRemoteChange(std::size_t author,
                        const std::vector<Remote::Change>& changes);
  // Returns the rows that the replica has learnt to be deleted remotely, and
  // that are deleted here.
  std::vector<EntityKey> NoteCommit(std::size_t replica, Writer writer,
                                    const StoredTable& before,
                                    const StoredTable& after);
  void NoteRequest(std::size_t replica, const sync::PushRequest& request);

  // The first rule that was broken; empty if there is none.
  const std::string& violation() const { return violation_; }

 private:
  using RowOfReplica = std::pair<std::size_t, EntityKey>;
  // A replica has seen that a property of a row has a number.
  using Seen = std::tuple<std::size_t, EntityKey, std::string, std::int32_t>;

  void NoteRow(std::size_t replica, Writer writer, const EntityKey& key,
               const sync::SyncedRow& before, const sync::SyncedRow& after,
               bool is_reported, bool has_schema);
  void NoteBase(std::size_t replica, const EntityKey& key,
                const sync::RemoteRow& base);
  void NoteSeen(std::size_t replica, const EntityKey& key,
                const sync::RowValue& value);
  void Blame(std::string_view rule, std::size_t replica, const EntityKey& key);

  std::map<EntityKey, std::vector<sync::RemoteRow>> versions_;
  std::map<RowOfReplica, std::size_t> known_;  // Which of the versions.
  std::set<Seen> seen_;
  std::map<std::pair<std::size_t, std::uint64_t>,
           std::vector<sync::PushOperation>>
      requests_;
  std::string violation_;
};

}  // namespace entitable::sync_check

#endif  // ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_HISTORY_H_
