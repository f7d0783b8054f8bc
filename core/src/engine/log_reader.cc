#include "engine/log_reader.h"

#include <utility>

#include "store/envelope.h"

namespace entitable {
namespace {

bool IsBy(const LogRecord& record, const Author& author) {
  return record.session == author.session && record.commit == author.commit;
}

// The base, if the store has one.
Result<std::optional<LogBase>> ReadBase(const Snapshot& snapshot) {
  if (snapshot.values.size() != 1) {
    return Fail(ErrorCode::kStorageDamaged,
                "The storage did not answer what it was asked.");
  }
  if (!snapshot.values.front()) return std::optional<LogBase>();
  ENTITABLE_TRY(LogBase base, DecodeLogBase(*snapshot.values.front()));
  return std::optional(base);
}

Result<Tail> ApplyRecords(const Snapshot& snapshot, const Author& author,
                          AccountState& state) {
  Tail tail;
  for (const Record& stored : snapshot.records) {
    ENTITABLE_TRY(LogRecord record, DecodeLogRecord(stored.value));
    if (record.number != stored.number) {
      return Fail(ErrorCode::kStorageDamaged,
                  "A record of the log stands under another's number.");
    }
    tail.has_records = true;
    tail.has_record_of_author |= IsBy(record, author);
    ENTITABLE_TRY(state.Apply(std::move(record), EnvelopeCrc(stored.value)));
  }
  return tail;
}

}  // namespace

Result<std::optional<AccountState>> OpenLog(const Snapshot& snapshot) {
  ENTITABLE_TRY(const auto base, ReadBase(snapshot));
  if (!base) {
    if (snapshot.records.empty()) return std::optional<AccountState>();
    return Fail(ErrorCode::kStorageDamaged, "The log has records but no base.");
  }
  if (base->number != 0) {
    return Fail(ErrorCode::kStorageDamaged,
                "The store has pages, which this version cannot read.");
  }
  AccountState state(*base);
  ENTITABLE_TRY(ApplyRecords(snapshot, {}, state));
  return std::optional(std::move(state));
}

Result<Tail> ContinueLog(const Snapshot& snapshot, const Author& author,
                         AccountState& state) {
  ENTITABLE_TRY(const auto base, ReadBase(snapshot));
  if (!base || base->store_id != state.store_id()) {
    return Fail(ErrorCode::kStorageDamaged,
                "The store was deleted, or replaced by another, while it was "
                "open.");
  }
  return ApplyRecords(snapshot, author, state);
}

}  // namespace entitable
