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
  };

  explicit Remote(Options options) : options_(options) {}

  // --- Time and the table

  DateTime now() const { return now_; }
  void Advance(std::int64_t ticks) { now_.ticks += ticks; }
  bool has_table() const { return has_table_; }
  void DeleteTable();
  void CreateTable() { has_table_ = true; }

  // Called after each change.
  void OnChange(std::function<void()> listener) {
    listener_ = std::move(listener);
  }

  // --- Requests

  // All or nothing.  A write has a Timestamp that is `lag` ticks old when
  // it takes effect, and lists of keys miss the row for as long.
  sync::PushOutcome Push(const sync::PushRequest& request, std::int64_t lag);

  // Unconditional writes of another client.
  void Write(const EntityKey& key, const sync::RowValue& value,
             std::int64_t lag);

  // Nothing: the table is missing.
  std::optional<sync::PulledPage> Query(std::string_view partition_key,
                                        const sync::PullRequest& request);
  struct Keys {
    sync::Listing listing;
    std::string next_token;
  };
  std::optional<Keys> List(std::string_view partition_key,
                           const std::string& token);

  sync::RemoteRow Read(const EntityKey& key) const;
  sync::RowValue Value(const EntityKey& key) const;
  std::map<EntityKey, sync::RowValue> All() const;

 private:
  struct Row {
    sync::RemoteRow newest;
    DateTime changed_at;  // As a Timestamp.
    DateTime listed_at;   // When lists of keys begin to have it.
  };

  int Check(const sync::PushOperation& operation) const;
  std::string Store(const EntityKey& key, const sync::RowValue& value,
                    std::int64_t lag);
  // In the order in which the remote lists them.
  std::vector<sync::PulledRow> RowsOf(std::string_view partition_key) const;
  std::string TakePage(std::vector<sync::PulledRow>& rows,
                       const std::string& token) const;

  Options options_;
  DateTime now_ = *DateTime::Parse("2026-01-01T00:00:00Z");
  bool has_table_ = true;
  std::map<EntityKey, Row> rows_;
  std::function<void()> listener_ = [] {};
};

}  // namespace entitable::sync_check

#endif  // ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_REMOTE_H_
