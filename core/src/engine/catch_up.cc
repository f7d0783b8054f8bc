#include "engine/catch_up.h"

#include <algorithm>
#include <utility>

namespace entitable {
namespace {

// Records up to the head are in the state, or in pages: folding leaves some in
// the log for a while, and void ones never were in it.
Result<void> ApplyRecords(const Snapshot& snapshot, AccountState& state) {
  for (const Record& stored : snapshot.records) {
    if (stored.number < state.base().first_record)
      state.NoteVoid(stored.number);
    if (stored.number <= state.head()) continue;
    ENTITABLE_TRY(LogRecord record, DecodeLogRecord(stored.value));
    if (record.number != stored.number) {
      return Fail(ErrorCode::kStorageDamaged,
                  "A record of the log stands under another's number.");
    }
    ENTITABLE_TRY(state.Apply(std::move(record), stored.value));
  }
  if (state.root().needs > state.head()) {
    return Fail(ErrorCode::kStorageDamaged,
                "The log lacks a record of which pages are there.");
  }
  return {};
}

Result<void> CheckShape(const Snapshot& snapshot) {
  if (snapshot.values.size() != TopKeys().size()) {
    return Fail(ErrorCode::kStorageDamaged,
                "The storage did not answer what it was asked.");
  }
  // Nothing at all is no damage: the store is not there.
  const bool has_base = snapshot.values[0].has_value();
  const bool has_root = snapshot.values[1].has_value();
  if (has_base || (!has_root && snapshot.records.empty())) return {};
  return Fail(ErrorCode::kStorageDamaged,
              "The store has records or pages but no base.");
}

}  // namespace

std::vector<ValueKey> TopKeys() { return {ValueKey::Base(), ValueKey::Root()}; }

Result<std::unique_ptr<AccountState>> OpenStore(const Snapshot& snapshot) {
  ENTITABLE_TRY(CheckShape(snapshot));
  const auto& base = snapshot.values[0];
  const auto& root = snapshot.values[1];
  if (!base) return nullptr;
  ENTITABLE_TRY(auto state, AccountState::Open(*base, root));
  ENTITABLE_TRY(ApplyRecords(snapshot, *state));
  return state;
}

Result<void> CatchUp(const Snapshot& snapshot,
                     const AccountState::Progress& asked_at,
                     AccountState& state) {
  ENTITABLE_TRY(CheckShape(snapshot));
  ENTITABLE_TRY(state.AdoptBase(snapshot.values[0], asked_at));
  ENTITABLE_TRY(state.AdoptRoot(snapshot.values[1], asked_at));
  return ApplyRecords(snapshot, state);
}

std::optional<bool> HasCommit(const AccountState& state, const Author& author) {
  const auto& tail = state.tail();
  const bool is_in_log = std::any_of(
      tail.begin(), tail.end(),
      [&](const TailRecord& record) { return record.author == author; });
  return is_in_log ? true : state.base().Has(author);
}

}  // namespace entitable
