#include "support/sync_check/remote.h"

#include <algorithm>

#include "model/etag.h"

namespace entitable::sync_check {
namespace {

using sync::RequestKind;

// An order that has nothing to do with that of keys.
std::string Scrambled(std::string text) {
  for (char& c : text) c = static_cast<char>((c * 37) % 127);
  return text;
}

}  // namespace

void Remote::DeleteTable() {
  has_table_ = false;
  for (auto& [key, row] : rows_) row.newest.reset();
  listener_();
}

int Remote::Check(const sync::PushOperation& operation) const {
  if (operation.value && operation.value->Find(kPoison)) return 400;
  const sync::RemoteRow row = Read(operation.key);
  if (operation.kind == RequestKind::kInsert) return row ? 409 : 204;
  if (!row) return 404;
  return row->etag == operation.etag ? 204 : 412;
}

sync::PushOutcome Remote::Push(const sync::PushRequest& request,
                               std::int64_t lag) {
  if (!has_table_) return {.answer = {404, "TableNotFound"}};
  for (const sync::PushOperation& operation : request.operations) {
    const int status = Check(operation);
    if (status != 204) return {.answer = {status, ""}, .error = "refused"};
  }
  sync::PushOutcome outcome{.answer = {202, ""}};
  for (const sync::PushOperation& operation : request.operations) {
    outcome.etags.push_back(Store(operation.key, operation.value, lag));
  }
  listener_();
  return outcome;
}

void Remote::Write(const EntityKey& key, const sync::RowValue& value,
                   std::int64_t lag) {
  if (!has_table_) return;
  Store(key, value, lag);
  listener_();
}

std::string Remote::Store(const EntityKey& key, const sync::RowValue& value,
                          std::int64_t lag) {
  Row& row = rows_[key];
  // The clock of one partition is ahead.
  const std::int64_t skew = key.partition_key == "q" ? Seconds(3) : 0;
  row.changed_at = std::max(DateTime{now_.ticks + skew - lag},
                            DateTime{row.changed_at.ticks + 1});
  row.listed_at = {now_.ticks + lag};
  row.newest.reset();
  if (!value) return {};
  row.newest = sync::Version{FormatEtag(row.changed_at), *value};
  return row.newest->etag;
}

std::vector<sync::PulledRow> Remote::RowsOf(
    std::string_view partition_key) const {
  std::vector<sync::PulledRow> rows;
  for (const auto& [key, row] : rows_) {
    if (key.partition_key == partition_key && row.newest) {
      rows.push_back({key, *row.newest});
    }
  }
  if (!options_.is_sorted) {
    std::ranges::sort(rows, {}, [](const sync::PulledRow& row) {
      return Scrambled(row.key.row_key);
    });
  }
  return rows;
}

// The token is the last key of the page before.
std::string Remote::TakePage(std::vector<sync::PulledRow>& rows,
                             const std::string& token) const {
  const auto order = [this](const std::string& row_key) {
    return options_.is_sorted ? row_key : Scrambled(row_key);
  };
  std::erase_if(rows, [&](const sync::PulledRow& row) {
    return !token.empty() && order(row.key.row_key) <= order(token);
  });
  if (rows.size() <= options_.page_rows) return {};
  rows.resize(options_.page_rows, rows.front());
  return rows.back().key.row_key;
}

std::optional<sync::PulledPage> Remote::Query(
    std::string_view partition_key, const sync::PullRequest& request) {
  if (!has_table_) return std::nullopt;
  sync::PulledPage page{.asked_token = request.token, .date = now_};
  page.rows = RowsOf(partition_key);
  std::erase_if(page.rows, [&request](const sync::PulledRow& row) {
    return request.from && *sync::TimeOfEtag(row.version.etag) < *request.from;
  });
  page.next_token = TakePage(page.rows, request.token);
  return page;
}

std::optional<Remote::Keys> Remote::List(std::string_view partition_key,
                                         const std::string& token) {
  if (!has_table_) return std::nullopt;
  std::vector<sync::PulledRow> rows = RowsOf(partition_key);
  std::erase_if(rows, [this](const sync::PulledRow& row) {
    return now_ < rows_.at(row.key).listed_at;
  });
  Keys keys;
  keys.next_token = TakePage(rows, token);
  keys.listing.date = now_;
  for (const sync::PulledRow& row : rows) {
    keys.listing.rows.push_back({row.key.row_key, row.version.etag});
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
