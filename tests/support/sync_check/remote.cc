#include "support/sync_check/remote.h"

#include <algorithm>

#include "model/etag.h"

namespace entitable::sync_check {
namespace {

using sync::RequestKind;

// How long after its Timestamp a row is visible everywhere.
constexpr std::int64_t kVisible = Seconds(590);

// An order that has nothing to do with that of keys.
std::string Scrambled(std::string text) {
  for (char& c : text) c = static_cast<char>((c * 37) % 127);
  return text;
}

bool IsOlder(const sync::PulledRow& row, std::optional<DateTime> from) {
  return from && *sync::TimeOfEtag(row.version.etag) < *from;
}

}  // namespace

void Remote::DeleteTable() {
  has_table_ = false;
  std::vector<Change> changes;
  for (auto& [key, row] : rows_) {
    if (row.newest) changes.push_back({key, row.newest, std::nullopt});
    row.newest.reset();
  }
  listener_(kOther, changes);
}

int Remote::Check(const sync::PushOperation& operation) const {
  if (operation.value && operation.value->Find(kPoison)) return 400;
  const sync::RemoteRow row = Read(operation.key);
  if (operation.kind == RequestKind::kInsert) return row ? 409 : 204;
  if (!row) return 404;
  return row->etag == operation.etag ? 204 : 412;
}

sync::PushOutcome Remote::Push(const sync::PushRequest& request,
                               std::int64_t lag, std::size_t author) {
  if (!has_table_) return {.answer = {404, "TableNotFound"}};
  for (const sync::PushOperation& operation : request.operations) {
    const int status = Check(operation);
    if (status != 204) return {.answer = {status, ""}, .error = "refused"};
  }
  sync::PushOutcome outcome{.answer = {202, ""}};
  std::vector<Change> changes;
  for (const sync::PushOperation& operation : request.operations) {
    changes.push_back(Store(operation.key, operation.value, lag, author));
    const sync::RemoteRow& row = changes.back().after;
    outcome.etags.push_back(row ? row->etag : "");
  }
  listener_(author, changes);
  return outcome;
}

void Remote::Write(const EntityKey& key, const sync::RowValue& value,
                   std::int64_t lag) {
  if (has_table_) listener_(kOther, {Store(key, value, lag, kOther)});
}

Remote::Change Remote::Store(const EntityKey& key, const sync::RowValue& value,
                             std::int64_t lag, std::size_t author) {
  Row& row = rows_[key];
  Change change{key, row.newest, std::nullopt};
  // The clock of one partition is ahead.
  const std::int64_t skew = key.partition_key == "q" ? Seconds(3) : 0;
  row.changed_at = std::max(DateTime{now_.ticks + skew - lag},
                            DateTime{row.changed_at.ticks + 1});
  row.listed_at = std::min(DateTime{now_.ticks + lag},
                           DateTime{row.changed_at.ticks + kVisible});
  row.newest.reset();
  if (value) row.newest = sync::Version{FormatEtag(row.changed_at), *value};
  change.after = row.newest;
  row.deleted = value ? std::nullopt : change.before;
  row.deleted_by = author;
  row.deleted_until = {now_.ticks + lag};
  return change;
}

std::string Remote::TokenBehind(const EntityKey& key) {
  return key.partition_key + "/" + key.row_key;
}

std::string Remote::PlaceOf(const EntityKey& key) const {
  const std::string place = TokenBehind(key);
  return options_.is_sorted ? place : Scrambled(place);
}

std::vector<sync::PulledRow> Remote::RowsOf(const sync::Scope& scope) const {
  std::vector<sync::PulledRow> rows;
  for (const auto& [key, row] : rows_) {
    const bool is_inside =
        !scope.partition_key || key.partition_key == *scope.partition_key;
    if (is_inside && row.newest) rows.push_back({key, *row.newest});
  }
  std::ranges::sort(rows, {}, [this](const sync::PulledRow& row) {
    return PlaceOf(row.key);
  });
  return rows;
}

// The token is the last key of the page before.
std::string Remote::TakePage(std::vector<sync::PulledRow>& rows,
                             const std::string& token) const {
  const std::string place = options_.is_sorted ? token : Scrambled(token);
  std::erase_if(rows, [&](const sync::PulledRow& row) {
    return !token.empty() && PlaceOf(row.key) <= place;
  });
  if (rows.size() <= options_.page_rows) return {};
  rows.resize(options_.page_rows, rows.front());
  return TokenBehind(rows.back().key);
}

std::optional<sync::PulledPage> Remote::Query(const sync::Scope& scope,
                                              const sync::PullRequest& request,
                                              std::size_t reader) const {
  if (!has_table_) return std::nullopt;
  sync::PulledPage page{.step = request.step};
  if (options_.has_date) page.date = now_;
  page.rows = RowsOf(scope);
  page.next_token = TakePage(page.rows, request.token);
  for (const auto& [key, row] : rows_) {
    const bool is_inside =
        !scope.partition_key || key.partition_key == *scope.partition_key;
    if (is_inside && row.deleted && row.deleted_by == reader &&
        now_ < row.deleted_until) {
      page.rows.push_back({key, *row.deleted});
    }
  }
  std::erase_if(page.rows, [&request](const sync::PulledRow& row) {
    return IsOlder(row, request.from);
  });
  return page;
}

std::optional<Remote::Keys> Remote::List(const sync::Scope& scope,
                                         const std::string& token,
                                         std::optional<DateTime> from) const {
  if (!has_table_) return std::nullopt;
  std::vector<sync::PulledRow> rows = RowsOf(scope);
  std::erase_if(rows, [this](const sync::PulledRow& row) {
    return now_ < rows_.at(row.key).listed_at;
  });
  Keys keys;
  keys.next_token = TakePage(rows, token);
  keys.listing.date = now_;
  for (const sync::PulledRow& row : rows) {
    if (IsOlder(row, from)) continue;
    keys.listing.rows.push_back({row.key, row.version.etag});
  }
  return keys;
}

sync::RemoteRow Remote::Read(const EntityKey& key) const {
  const auto found = rows_.find(key);
  return found == rows_.end() ? std::nullopt : found->second.newest;
}

sync::RowValue Remote::Value(const EntityKey& key) const {
  return sync::ValueOf(Read(key));
}

std::map<EntityKey, sync::RowValue> Remote::All() const {
  std::map<EntityKey, sync::RowValue> all;
  for (const auto& [key, row] : rows_) {
    if (row.newest) all[key] = row.newest->properties;
  }
  return all;
}

}  // namespace entitable::sync_check
