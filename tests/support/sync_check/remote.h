// remote.h - a simulated storage account: one table, as any client sees it.

#ifndef ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_REMOTE_H_
#define ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_REMOTE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sync/pull.h"
#include "sync/push.h"
#include "sync/reconcile.h"

namespace entitable::sync_check {

// Seconds as ticks of 100 ns.
constexpr std::int64_t Seconds(double seconds) {
  return static_cast<std::int64_t>(seconds * 1e7);
}

// A property that makes the remote refuse a write for good.
inline constexpr std::string_view kPoison = "Poison";

class Remote {
 public:
  struct Options {
    bool is_sorted = true;
    std::size_t page_rows = 2;
    bool has_date = true;  // Its answers to queries have the header Date.
  };

  explicit Remote(Options options) : options_(options) {}

  // --- Time and the table

  DateTime now() const { return now_; }
  void Advance(std::int64_t ticks) { now_.ticks += ticks; }
  bool has_table() const { return has_table_; }
  void DeleteTable();
  void CreateTable() { has_table_ = true; }

  struct Change {
    EntityKey key;
    sync::RemoteRow before;
    sync::RemoteRow after;
  };
  // Called after each transaction, with its author: a replica, or kOther.
  static constexpr std::size_t kOther = 99;
  using Listener =
      std::function<void(std::size_t author, const std::vector<Change>&)>;
  void OnChange(Listener listener) { listener_ = std::move(listener); }

  // --- Requests

  // All or nothing.  A write has a Timestamp that is `lag` ticks old when it
  // takes effect.  Lists of keys miss the row for as long, but not for more
  // than ten minutes after the Timestamp.
  sync::PushOutcome Push(const sync::PushRequest& request, std::int64_t lag,
                         std::size_t author);

  // Unconditional writes of another client.
  void Write(const EntityKey& key, const sync::RowValue& value,
             std::int64_t lag);

  // Nothing: the table is missing.  A page counts the rows that were scanned,
  // so it may be empty and not be the last one.  It may still have rows that
  // the reader has deleted a moment ago.
  std::optional<sync::PulledPage> Query(const sync::Scope& scope,
                                        const sync::PullRequest& request,
                                        std::size_t reader) const;
  struct Keys {
    sync::Listing listing;
    std::string next_token;
  };
  std::optional<Keys> List(const sync::Scope& scope, const std::string& token,
                           std::optional<DateTime> from) const;

  // The token of the page behind the key.
  static std::string TokenBehind(const EntityKey& key);

  sync::RemoteRow Read(const EntityKey& key) const;
  sync::RowValue Value(const EntityKey& key) const;
  std::map<EntityKey, sync::RowValue> All() const;

 private:
  struct Row {
    sync::RemoteRow newest;
    DateTime changed_at;  // As a Timestamp.
    DateTime listed_at;   // When lists of keys begin to have it.

    // The version that a replica has deleted, for its own queries.
    sync::RemoteRow deleted;
    std::size_t deleted_by = kOther;
    DateTime deleted_until;
  };

  int Check(const sync::PushOperation& operation) const;
  Change Store(const EntityKey& key, const sync::RowValue& value,
               std::int64_t lag, std::size_t author);
  // The place of a row among those that the remote lists.
  std::string PlaceOf(const EntityKey& key) const;
  // In the order in which the remote lists them.
  std::vector<sync::PulledRow> RowsOf(const sync::Scope& scope) const;
  std::string TakePage(std::vector<sync::PulledRow>& rows,
                       const std::string& token) const;

  Options options_;
  DateTime now_ = *DateTime::Parse("2026-01-01T00:00:00Z");
  bool has_table_ = true;
  std::map<EntityKey, Row> rows_;
  Listener listener_;
};

}  // namespace entitable::sync_check

#endif  // ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_REMOTE_H_
